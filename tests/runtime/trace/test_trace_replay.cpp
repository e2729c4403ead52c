// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <random>
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
      cycles += step.cycles();
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
    QCOMPARE(std::uint64_t{frame->lastStep.back().endCycle}, steps_.back().cycles());
  }

  // However the time is cut up, nothing is counted twice or left out.
  void framesAddUpHoweverTheyAreCut() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 20; ++round) {
      Replay replay(reader());
      std::uint64_t at = 0, tokens = 0, prefilled = 0, cycles = 0, active = 0;
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
        at = to;
      }
      QCOMPARE(tokens, reader().totals().tokens);
      QCOMPARE(prefilled, std::uint64_t{32});
      QCOMPARE(cycles, replay.cycles());
      QCOMPARE(active, replay.cycles());  // one region at a time, at every time
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

  void theExportIsATraceThatPerfettoOpens() {
    Reader source = reader();
    std::ostringstream out;
    QVERIFY(writeChromeTrace(source, out).has_value());
    const QJsonObject exported =
        QJsonDocument::fromJson(QByteArray::fromStdString(out.str())).object();
    const QJsonArray events = exported["traceEvents"].toArray();
    std::map<int, double> last;  // by thread of the wafer: slices follow one another
    std::uint64_t cycles = 0;
    int hostSteps = 0;
    for (const QJsonValue& value : events) {
      const QJsonObject event = value.toObject();
      QVERIFY(event["pid"].toInt() == 1 || event["pid"].toInt() == 2);
      if (event["ph"] == "M") continue;
      QCOMPARE(event["ph"].toString(), QString("X"));
      if (event["pid"].toInt() == 2) {
        ++hostSteps;
        continue;
      }
      const QJsonObject args = event["args"].toObject();
      cycles += std::uint64_t(args["compute_cycles"].toDouble() + args["fabric_cycles"].toDouble());
      double& end = last[event["tid"].toInt()];
      QVERIFY(event["ts"].toDouble() >= end - 1e-6);
      end = event["ts"].toDouble() + event["dur"].toDouble();
    }
    QCOMPARE(cycles, source.totals().cycles);
    QCOMPARE(hostSteps, static_cast<int>(steps_.size()));
    QCOMPARE(exported["otherData"]["model"].toString(), QString("möbius \"7\""));
    QCOMPARE(exported["otherData"]["regions"][0]["sram_per_pe"]["weights"].toInt(), 100);
  }
};

QTEST_APPLESS_MAIN(TestTraceReplay)
#include "test_trace_replay.moc"
