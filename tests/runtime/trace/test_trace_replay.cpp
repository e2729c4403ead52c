// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "runtime/trace/chrome.h"
#include "runtime/trace/replay.h"
#include "tests/runtime/trace/sample_trace.h"

using namespace waferpair;
using namespace waferpair::trace;

class TestTraceReplay : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::vector<Step> steps_ = test::sampleSteps(200);
  std::string path_;

  Reader reader() const { return std::move(*Reader::open(path_)); }

 private slots:
  void initTestCase() {
    path_ = folder_.filePath("run.wptrace").toStdString();
    QVERIFY(test::writeTrace(path_, steps_).has_value());
  }

  void oneFrameOfAllHoldsTheSums() {
    Replay replay(reader());
    const auto frame = replay.frame(0, replay.cycles());
    QVERIFY(frame.has_value());
    std::uint64_t tokens = 0, drafted = 0, accepted = 0, hostNs = 0, cycles = 0;
    std::array<std::uint64_t, 2> compute{}, active{};
    for (const Step& step : steps_) {
      tokens += step.tokens();
      for (std::size_t i = 0; i < step.ops.size(); ++i) {
        const int region = replay.layout().ops[i].region;
        compute[region] += step.ops[i].compute;
        active[region] += step.ops[i].cycles();
      }
      if (!step.decodes()) continue;
      drafted += step.drafted;
      accepted += step.accepted;
      hostNs += step.hostNs;
      cycles += step.cycles;
    }
    QCOMPARE(std::uint64_t{frame->intervalDecoded}, tokens);
    QCOMPARE(frame->tokensDecoded, tokens);
    QCOMPARE(frame->intervalPrefilled, 32u);
    QCOMPARE(std::uint64_t{frame->intervalDrafted}, drafted);
    QCOMPARE(std::uint64_t{frame->intervalAccepted}, accepted);
    QCOMPARE(frame->intervalCycles, replay.cycles());
    QCOMPARE(frame->hostTokensPerSecond, static_cast<float>(1e9 * tokens / hostNs));
    QCOMPARE(frame->waferTokensPerSecond, static_cast<float>(1e9 * tokens / cycles));
    QCOMPARE(frame->contextUsed, static_cast<std::uint32_t>(32 + tokens));
    QCOMPARE(frame->contextLimit, 1024u);
    for (int i = 0; i < 2; ++i) {
      QCOMPARE(std::uint64_t{frame->regions[i].computeCycles}, compute[i]);
      QCOMPARE(std::uint64_t{frame->regions[i].activeCycles}, active[i]);
    }
    QCOMPARE(frame->lastStep.size(), std::size_t{4});
    QCOMPARE(std::uint64_t{frame->lastStep.back().endCycle}, steps_.back().cycles);
  }

  // However the time is cut up, nothing is counted twice or left out.
  void framesAddUpHoweverTheyAreCut() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 20; ++round) {
      Replay replay(reader());
      std::uint64_t at = 0, tokens = 0, prefilled = 0, cycles = 0;
      double active = 0, frames = 0;
      const std::uint64_t most = round < 10 ? 300 : 30'000;
      while (at < replay.cycles()) {
        const std::uint64_t to = std::min(replay.cycles(), at + 1 + random() % most);
        const auto frame = replay.frame(at, to);
        QVERIFY(frame.has_value());
        tokens += frame->intervalDecoded;
        prefilled += frame->intervalPrefilled;
        cycles += frame->intervalCycles;
        for (const protocol::RegionActivity& region : frame->regions) {
          active += region.activeCycles;
          QVERIFY(region.activeCycles <= frame->intervalCycles);
        }
        ++frames;
        at = to;
      }
      QCOMPARE(tokens, reader().totals().tokens);
      QCOMPARE(prefilled, std::uint64_t{32});
      QCOMPARE(cycles, replay.cycles());
      double charged = 0;
      for (const Step& step : steps_)
        for (const OpCharge& op : step.ops) charged += static_cast<double>(op.cycles());
      // Each frame rounds what either region did, where rows follow one another.
      QVERIFY(std::abs(active - charged) <= frames);
    }
  }

  void behindTheEndNothingHappens() {
    Replay replay(reader());
    const auto frame = replay.frame(replay.cycles(), replay.cycles() + 1000);
    QVERIFY(frame.has_value());
    QCOMPARE(frame->intervalCycles, std::uint64_t{0});
    QCOMPARE(frame->intervalDecoded, 0u);
    QCOMPARE(frame->regions.size(), std::size_t{2});
  }

  // Point by point what the Trace Event Format asks for: of the object, of metadata events and of
  // complete events; and that slices of a thread follow one another in whole nanoseconds, as
  // viewers show no slices that overlap in part.
  void theExportIsATraceThatPerfettoOpens_data() {
    QTest::addColumn<double>("clockHz");
    QTest::newRow("a cycle is a nanosecond") << 1e9;
    QTest::newRow("cycles and nanoseconds differ") << 1.1e9;
  }
  void theExportIsATraceThatPerfettoOpens() {
    QFETCH(double, clockHz);
    Header header = test::sampleHeader();
    header.layout.clockHz = clockHz;
    const std::string path = folder_.filePath("export.wptrace").toStdString();
    auto writer = Writer::create(path, header);
    QVERIFY(writer.has_value());
    for (const Step& step : steps_) writer->add(step);
    QVERIFY(writer->close().has_value());
    Reader source = std::move(*Reader::open(path));
    std::ostringstream out;
    QVERIFY(writeChromeTrace(source, out).has_value());
    QJsonParseError problem;
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromStdString(out.str()), &problem);
    QCOMPARE(problem.error, QJsonParseError::NoError);
    const QJsonObject exported = document.object();
    QVERIFY(exported["traceEvents"].isArray());
    QVERIFY(exported["displayTimeUnit"] == "ns" || exported["displayTimeUnit"] == "ms");

    std::set<int> processes;                           // that have a name
    std::set<std::pair<int, int>> threads;             // process and thread
    std::map<std::pair<int, int>, std::int64_t> ends;  // of the last slice, in nanoseconds
    std::uint64_t cycles = 0;
    std::size_t hostSteps = 0, arrows = 0, ended = 0;
    std::set<QString> counters;
    double arrowFrom = 0;
    for (const QJsonValue& value : exported["traceEvents"].toArray()) {
      const QJsonObject event = value.toObject();
      QVERIFY(event["name"].isString() && !event["name"].toString().isEmpty());
      for (const char* id : {"pid", "tid"}) {
        QVERIFY(event[id].isDouble() && event[id].toDouble() == event[id].toInt(-1));
      }
      const int pid = event["pid"].toInt();
      const std::pair thread(pid, event["tid"].toInt());
      QVERIFY(event["args"].isObject() || event["ph"] == "s" || event["ph"] == "f");
      const QJsonObject args = event["args"].toObject();
      if (event["ph"] == "M") {
        const QString what = event["name"].toString();
        QVERIFY(what == "process_name" || what == "thread_name");
        QVERIFY(!args["name"].toString().isEmpty());
        QVERIFY(what == "process_name" ? processes.insert(pid).second
                                       : threads.insert(thread).second);
        continue;
      }
      if (event["ph"] == "C") {
        counters.insert(event["name"].toString());
        for (const QJsonValue& figure : args) QVERIFY(figure.isDouble());
        continue;
      }
      if (event["ph"] == "s" || event["ph"] == "f") {
        const bool begins = event["ph"] == "s";
        QCOMPARE(event["id"].toInt(), static_cast<int>(begins ? arrows++ : ended++));
        QVERIFY(begins || event["ts"].toDouble() >= arrowFrom);
        arrowFrom = event["ts"].toDouble();
        continue;
      }
      QCOMPARE(event["ph"].toString(), QString("X"));
      QVERIFY(event["cat"].isString());
      QVERIFY(processes.contains(pid) && threads.contains(thread));
      // Microseconds, of which a thousandth is a nanosecond.
      std::int64_t at[2];
      for (int i = 0; i < 2; ++i) {
        const QJsonValue time = event[i == 0 ? "ts" : "dur"];
        QVERIFY(time.isDouble() && time.toDouble() >= 0);
        at[i] = std::llround(1000 * time.toDouble());
        QVERIFY(std::abs(1000 * time.toDouble() - static_cast<double>(at[i])) < 1e-4);
      }
      QVERIFY(!ends.contains(thread) || at[0] >= ends[thread]);
      ends[thread] = at[0] + at[1];
      if (pid == 2) {
        const Step& step = steps_[hostSteps++];
        QCOMPARE(std::uint64_t(at[0]), step.hostStartNs);
        QCOMPARE(std::uint64_t(at[1]), step.hostNs);
        continue;
      }
      const double took = args["compute_cycles"].toDouble() + args["fabric_cycles"].toDouble();
      cycles += static_cast<std::uint64_t>(took);
      const double begin = args["start_cycle"].toDouble() * 1e9 / clockHz;
      QVERIFY(std::abs(static_cast<double>(at[0]) - begin) <= 0.5);
      // Ops that take turns leave gaps between them, or run beside one another's rows.
      const bool turns = event["name"].toString().endsWith(" rows");
      QVERIFY(turns || std::abs(static_cast<double>(at[1]) - took * 1e9 / clockHz) <= 1);
    }
    std::uint64_t charged = 0;
    for (const Step& step : steps_)
      for (const OpCharge& op : step.ops) charged += op.cycles();
    QCOMPARE(cycles, charged);
    QCOMPARE(arrows, steps_.size());
    QCOMPARE(ended, steps_.size());
    for (const char* name : {"tokens/s, emulated", "tokens/s, measured", "KV cache, positions",
                             "busy regions, mean of the step", "SRAM of its regions, bytes"})
      QVERIFY2(counters.contains(name), name);
    QCOMPARE(exported["otherData"]["shadow_of"].toString(), QString("tiny"));
    QCOMPARE(exported["otherData"]["regions"][1]["wafer"].toInt(), 1);
    QCOMPARE(hostSteps, steps_.size());
    QCOMPARE(exported["otherData"]["model"].toString(), QString("möbius \"7\""));
    QCOMPARE(exported["otherData"]["regions"][0]["sram_per_pe"]["weights"].toInt(), 100);
  }
};

QTEST_APPLESS_MAIN(TestTraceReplay)
#include "test_trace_replay.moc"
