// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <random>

#include "tests/runtime/trace/sample_trace.h"
#include "tests/support/small_disk.h"

using namespace waferpair;
using namespace waferpair::trace;

namespace {

std::string readAll(const std::string& path) {
  QFile file(QString::fromStdString(path));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

void writeAll(const std::string& path, const std::string& bytes) {
  QFile file(QString::fromStdString(path));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())),
           static_cast<qint64>(bytes.size()));
}

std::vector<Step> allSteps(Reader& reader) {
  std::vector<Step> steps;
  const auto visited = reader.visit(0, ~std::uint64_t{0}, [&](const Step& step, const Totals&) {
    steps.push_back(step);
    return true;
  });
  return visited ? steps : std::vector<Step>{};
}

}  // namespace

class TestTraceFile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path() const { return folder_.filePath("run.wptrace").toStdString(); }
  std::string unfinished() const {
    return folder_.filePath("run.unfinished.wptrace").toStdString();
  }

 private slots:
  void cleanup() { QFile::remove(QString::fromStdString(unfinished())); }

  void whatIsWrittenComesBack() {
    const std::vector<Step> steps = test::sampleSteps(100);
    const auto written = test::writeTrace(path(), steps);
    QVERIFY(written.has_value());
    auto reader = Reader::open(path());
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().message().c_str());
    QVERIFY(reader->header() == test::sampleHeader());
    QVERIFY(!reader->damage());
    QCOMPARE(reader->totals(), written->totals);
    QCOMPARE(reader->totals().steps, std::uint64_t{102});
    QCOMPARE(reader->totals().tokens, std::uint64_t{125});  // one more in every fourth
    QVERIFY(allSteps(*reader) == steps);
    QCOMPARE(std::uint64_t(readAll(path()).size()), written->bytes);
  }

  // Steps whose ops come and go, with numbers of any size, over many blocks.
  void anyStepsComeBack() {
    std::mt19937_64 random(5);
    const auto number = [&](int bits) { return random() >> (64 - bits); };
    std::vector<Step> steps;
    for (int i = 0; i < 20'000; ++i) {
      Step step;
      step.hostStartNs = number(50);
      step.hostNs = number(1 + static_cast<int>(random() % 40));
      step.rows = 1 + static_cast<std::uint32_t>(number(5));
      step.context = static_cast<std::uint32_t>(number(32));
      step.drafted = random() % step.rows;
      step.accepted = random() % (step.drafted + 1);
      step.logits = random() % (step.rows + 1);
      step.ops.resize(random() % 5);
      for (OpCharge& op : step.ops)
        op = {number(39), number(1 + static_cast<int>(random() % 39)), number(60)};
      step.setEndToEnd();
      if (random() % 2 == 0) {  // several rows, which may begin before the step
        for (OpCharge& op : step.ops) {
          op.end = static_cast<std::int64_t>(number(39));
          op.start = op.end - static_cast<std::int64_t>(number(39));
          step.cycles = std::max(step.cycles, static_cast<std::uint64_t>(op.end));
        }
        step.cycles = std::min(step.cycles, std::uint64_t{1} << 40);
      }
      steps.push_back(step);
    }
    QVERIFY(test::writeTrace(path(), steps).has_value());
    auto reader = Reader::open(path());
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().message().c_str());
    QVERIFY2(!reader->damage(), reader->damage() ? reader->damage()->message().c_str() : "");
    QVERIFY(allSteps(*reader) == steps);
  }

  void aVisitBeginsAndEndsWhereItIsToldTo() {
    const std::vector<Step> steps = test::sampleSteps(30'000);  // several blocks
    QVERIFY(test::writeTrace(path(), steps).has_value());
    auto reader = Reader::open(path());
    QVERIFY(reader.has_value());
    std::vector<std::uint64_t> begins;
    std::uint64_t cycle = 0;
    for (const Step& step : steps) {
      begins.push_back(cycle);
      cycle += step.cycles;
    }
    std::mt19937_64 random(7);
    for (int round = 0; round < 50; ++round) {
      const std::size_t first = random() % steps.size();
      const std::size_t last = first + random() % std::min<std::size_t>(40, steps.size() - first);
      // The range begins within the first step and ends within the last.
      const std::uint64_t from = begins[first] + random() % steps[first].cycles;
      const std::uint64_t to = std::max(from, begins[last] + random() % steps[last].cycles) + 1;
      // Rows of the second chunk run before the first has ended.
      const std::size_t behind = last == 0 && to > begins[1] - steps[1].lead() ? 1 : last;
      std::size_t at = first;
      const auto visited = reader->visit(from, to, [&](const Step& step, const Totals& before) {
        if (step != steps[at] || before.cycles != begins[at] || before.steps != at) return false;
        ++at;
        return true;
      });
      QVERIFY(visited.has_value());
      QCOMPARE(at, behind + 1);
    }
  }

  void aFileCutShortIsReadUpToThere() {
    const std::vector<Step> steps = test::sampleSteps(30'000);
    QVERIFY(test::writeTrace(path(), steps).has_value());
    const std::string whole = readAll(path());
    std::size_t before = 0;
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 100) {
      writeAll(path(), whole.substr(0, size));
      auto reader = Reader::open(path());
      if (!reader) {
        QVERIFY(before == 0);  // the layout is not there yet
        QVERIFY(!reader.error().remedy.empty());
        continue;
      }
      QVERIFY(reader->damage().has_value());
      QVERIFY(reader->damage()->what.find(std::to_string(reader->totals().steps)) !=
              std::string::npos);
      const std::vector<Step> read = allSteps(*reader);
      QCOMPARE(std::uint64_t(read.size()), reader->totals().steps);
      QVERIFY(read.size() >= before);
      before = read.size();
      for (std::size_t i = 0; i < read.size(); ++i) QVERIFY(read[i] == steps[i]);
    }
    QVERIFY(before > 0);
  }

  void aFlippedBitIsNoticed() {
    const std::vector<Step> steps = test::sampleSteps(3000);
    QVERIFY(test::writeTrace(path(), steps).has_value());
    const std::string whole = readAll(path());
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
      std::string broken = whole;
      broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
      writeAll(path(), broken);
      auto reader = Reader::open(path());
      if (!reader) continue;
      QVERIFY2(reader->damage().has_value(), "not noticed");
      const std::vector<Step> read = allSteps(*reader);
      for (std::size_t i = 0; i < read.size(); ++i) QVERIFY(read[i] == steps[i]);
    }
  }

  // Checksums that fit do not make nonsense true.
  void whatIsWrongInTheLayoutIsNamed_data() {
    QTest::addColumn<QString>("field");
    for (const char* field :
         {"clock_hz", "fabric_width", "die_rows", "sram_per_pe", "wafers", "regions[1].wafer",
          "regions[1].x", "regions[0].height", "regions[1].sram", "ops[2].region"})
      QTest::newRow(field) << field;
  }
  void whatIsWrongInTheLayoutIsNamed() {
    QFETCH(QString, field);
    Header header = test::sampleHeader();
    protocol::WaferLayout& layout = header.layout;
    if (field == "clock_hz") layout.clockHz = std::numeric_limits<double>::quiet_NaN();
    if (field == "fabric_width") layout.fabricWidth = 100'000;
    if (field == "die_rows") layout.dieRows = 5000;
    if (field == "sram_per_pe") layout.sramPerPe = 0;
    if (field == "regions[1].x") layout.regions[1].rect.x = 762;
    if (field == "regions[0].height") layout.regions[0].rect.height = 1173;
    if (field == "regions[1].sram") layout.regions[1].sramPerPe[2] = 49152;
    if (field == "wafers") layout.wafers = 0;
    if (field == "regions[1].wafer") layout.regions[1].wafer = 2;
    if (field == "ops[2].region") layout.ops[2].region = 2;
    const auto read = decodeHeader(encodeHeader(header));
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().what.find(field.toStdString()) != std::string::npos,
             read.error().what.c_str());
  }

  // A recording of before outcomes were told has those that the steps alone tell.
  void aFileWithoutOutcomesIsReadAsItWas() {
    std::vector<Step> steps = test::sampleSteps(4);
    for (Step& step : steps) step.guessOutcome();
    QCOMPARE(steps.front().outcome, Outcome());
    QCOMPARE(steps.back().outcome.rateTokens, std::uint64_t{2});
    // Without the outcome behind it, the first step is a whole content of version 2.
    StepEncoder first;
    first.add(steps.front());
    const std::string content = first.take();
    StepDecoder decoder(std::string_view(content).substr(0, content.size() - 3),
                        steps.front().ops.size(), 2);
    Step read;
    QVERIFY(decoder.next(read).value_or(false));
    QVERIFY(read == steps.front());
    QVERIFY(!decoder.next(read).value_or(true));
  }

  // A recording of before rows followed one another has no times: its ops stand end to end.
  void anOlderFileIsReadAsItWas() {
    std::vector<Step> steps = test::sampleSteps(100);
    steps.erase(steps.begin(), steps.begin() + 2);  // the steps of several rows
    for (Step& step : steps) step.guessOutcome();
    QVERIFY(test::writeTrace(path(), steps).has_value());
    // One block of steps; each has a byte behind its charges that says that it has no times.
    ByteWriter content;
    Step before;
    for (const Step& step : steps) {
      content.difference(step.hostStartNs, before.hostStartNs);
      content.number(step.hostNs);
      for (const std::uint32_t value :
           {step.rows, step.context, step.drafted, step.accepted, step.logits})
        content.number(value);
      content.number(step.ops.size());
      content.number(0);
      content.number(step.ops.size());
      before.ops.resize(step.ops.size());
      for (std::size_t i = 0; i < step.ops.size(); ++i) {
        content.difference(step.ops[i].compute, before.ops[i].compute);
        content.difference(step.ops[i].fabric, before.ops[i].fabric);
        content.difference(step.ops[i].wavelets, before.ops[i].wavelets);
      }
      before = step;
    }
    Totals totals;
    for (const Step& step : steps) totals.add(step);
    std::string file("WPTRACE1");
    const auto add = [&](BlockKind kind, const std::string& bytes) {
      file += blockHead(kind, bytes) + bytes;
    };
    add(BlockKind::kLayout, encodeHeader(test::sampleHeader()));
    add(BlockKind::kSteps, content.bytes());
    add(BlockKind::kEnd, encodeTotals(totals));
    writeAll(path(), file);
    auto reader = Reader::open(path());
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().message().c_str());
    QVERIFY2(!reader->damage(), reader->damage() ? reader->damage()->message().c_str() : "");
    QVERIFY(allSteps(*reader) == steps);
  }

  void timesThatCannotBeAreRefused() {
    const auto refused = [](Step step) {
      StepEncoder encoder;
      encoder.add(step);
      const std::string content = encoder.take();
      StepDecoder decoder(content, step.ops.size());
      Step read;
      return !decoder.next(read).has_value();
    };
    Step step = test::sampleSteps(1).front();
    QVERIFY(!refused(step));
    step.ops[1].end = static_cast<std::int64_t>(step.cycles) + 1;
    QVERIFY(refused(step));  // an op that ends behind its step
    step = test::sampleSteps(1).front();
    step.ops[0].start = -(std::int64_t{1} << 41);
    QVERIFY(refused(step));
  }

  void anotherFileIsRefused() {
    writeAll(path(), "GGUF and so on");
    const auto reader = Reader::open(path());
    QVERIFY(!reader.has_value());
    QVERIFY(reader.error().what.find("not a trace") != std::string::npos);
    QVERIFY(!Reader::open(folder_.filePath("nothing").toStdString()).has_value());
    QVERIFY(!Writer::create(folder_.filePath("no/such/folder").toStdString(), test::sampleHeader())
                 .has_value());
  }

  void aRecordingIsInPlaceOnceItIsClosed() {
    writeAll(path(), "an older one");
    auto writer = Writer::create(path(), test::sampleHeader());
    QVERIFY(writer.has_value());
    const std::vector<Step> steps = test::sampleSteps(10);
    for (const Step& step : steps) writer->add(step);
    writer->flush();
    QCOMPARE(readAll(path()), std::string("an older one"));
    auto soFar = Reader::open(unfinished());
    QVERIFY(soFar.has_value());
    QVERIFY(soFar->damage().has_value());
    QVERIFY(allSteps(*soFar) == steps);
    QVERIFY(writer->close().has_value());
    QVERIFY(!QFile::exists(QString::fromStdString(unfinished())));
    auto whole = Reader::open(path());
    QVERIFY(whole.has_value() && !whole->damage());
  }

  void aRecorderThatDiesLeavesWhatItHad() {
    writeAll(path(), "an older one");
    const std::vector<Step> steps = test::sampleSteps(10);
    {
      auto writer = Writer::create(path(), test::sampleHeader());
      for (const Step& step : steps) writer->add(step);
      writer->flush();
    }
    QCOMPARE(readAll(path()), std::string("an older one"));
    auto left = Reader::open(unfinished());
    QVERIFY(left.has_value());
    QVERIFY(allSteps(*left) == steps);
  }

  void aFullDiskEndsTheRecordingWithAnError() {
    const test::SmallDisk& disk = *test::SmallDisk::instance();
    if (!disk.problem().empty()) QSKIP(disk.problem().c_str());
    const std::string path = disk.path() + "/run.wptrace";
    const std::vector<Step> steps = test::sampleSteps(30'000);
    writeAll(path, "an older one");
    QVERIFY(disk.fill(128 << 10));
    const auto written = test::writeTrace(path, steps);
    QVERIFY(!written.has_value());
    QCOMPARE(readAll(path), std::string("an older one"));
    QVERIFY(written.error().what.find(path) != std::string::npos);
    QVERIFY(written.error().what.find("No space left") != std::string::npos);
    const std::string left = disk.path() + "/run.unfinished.wptrace";
    QVERIFY2(written.error().remedy.find(left) != std::string::npos,
             written.error().remedy.c_str());
    // The steps before the failure can be read.
    auto reader = Reader::open(left);
    QVERIFY2(reader.has_value(), reader ? "" : reader.error().message().c_str());
    QVERIFY(reader->damage().has_value());
    const std::vector<Step> read = allSteps(*reader);
    QVERIFY(read.size() > 0 && read.size() < steps.size());
    QVERIFY(std::equal(read.begin(), read.end(), steps.begin()));

    // One that cannot even begin leaves nothing.
    QVERIFY(QFile::remove(QString::fromStdString(left)));
    QVERIFY(disk.fill());
    QVERIFY(!Writer::create(path, test::sampleHeader()).has_value());
    QVERIFY(!QFile::exists(QString::fromStdString(left)));
    QCOMPARE(readAll(path), std::string("an older one"));
  }

  void aFileThatChangesUnderTheReaderIsNoticed() {
    QVERIFY(test::writeTrace(path(), test::sampleSteps(3000)).has_value());
    auto reader = Reader::open(path());
    QVERIFY(reader.has_value());
    writeAll(path(), readAll(path()).substr(0, 500));
    const auto visited =
        reader->visit(0, ~std::uint64_t{0}, [](const Step&, const Totals&) { return true; });
    QVERIFY(!visited.has_value());
    QVERIFY(visited.error().what.find("changed") != std::string::npos);
  }
};

int main(int argc, char** argv) {
  const test::SmallDisk disk(2 << 20);
  TestTraceFile test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_trace_file.moc"
