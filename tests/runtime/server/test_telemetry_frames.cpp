// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "runtime/server/core/events.h"
#include "runtime/server/session/shadow.h"
#include "runtime/server/session/telemetry_frames.h"
#include "tests/runtime/server/tiny_engine.h"

namespace waferpair::server {

using inference::Clock;

class TestTelemetryFrames : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<inference::Engine> engine_;

  const wafer::Plan& plan() const { return engine_->model().program().plan(); }
  wafer::CounterSnapshot counters() const {
    wafer::CounterSnapshot snapshot;
    engine_->model().program().counters().read(snapshot);
    return snapshot;
  }
  TelemetryFrames frames(Clock::time_point start) {
    return TelemetryFrames(engine_->model().program(), start, start, counters(), engine_->stats());
  }

 private slots:
  void initTestCase() {
    auto engine = test::makeTinyEngine(folder_);
    QVERIFY2(engine.has_value(), engine ? "" : engine.error().message().c_str());
    engine_ = std::move(*engine);
  }
  void cleanupTestCase() { engine_.reset(); }

  void theLayoutIsThePlan() {
    const protocol::WaferLayout layout = layoutOf(plan(), "tiny");
    QCOMPARE(layout.regions.size(), plan().placement.regions.size());
    QCOMPARE(layout.ops.size(), plan().ops.size());
    QCOMPARE(layout.machine, std::string("wse3"));
    QVERIFY(layout.clockHz > 1e8);
    for (const protocol::RegionLayout& region : layout.regions) {
      const std::uint32_t sum =
          std::accumulate(region.sramPerPe.begin(), region.sramPerPe.end(), 0u);
      QCOMPARE(sum, layout.sramPerPe);
    }
    const Json json = layoutJson(layout);
    QCOMPARE(json.at("regions").at(0).at("sram").at("weights"),
             Json(layout.regions[0].sramPerPe[1]));
    QCOMPARE(json.at("ops").back().at("name"), Json("sample"));
  }

  void aFrameSaysWhatHappenedSinceTheLast() {
    const Clock::time_point start = Clock::now();
    TelemetryFrames frames = this->frames(start);
    const auto before = counters();
    QVERIFY(!frames.changed(before));
    const inference::JobReport report = test::generate(*engine_, 6);
    QVERIFY(frames.changed(counters()));

    const auto frame =
        frames.next(start + std::chrono::milliseconds(20), counters(), engine_->stats());
    QCOMPARE(frame.hostIntervalNs, std::uint64_t{20'000'000});
    QCOMPARE(frame.intervalCycles, report.waferCycles);
    QCOMPARE(frame.intervalDecoded, static_cast<std::uint32_t>(report.outputTokens));
    QCOMPARE(frame.intervalPrefilled,
             static_cast<std::uint32_t>(report.inputTokens - report.cachedTokens));
    QCOMPARE(frame.contextUsed, static_cast<std::uint32_t>(report.contextUsed));
    QCOMPARE(frame.contextLimit, static_cast<std::uint32_t>(engine_->model().card().context));
    QCOMPARE(frame.firstTokenHostMs, static_cast<float>(report.firstTokenMs));

    // A region is busy with one row at a time. Rows of the prompt follow one another, so that
    // several regions are busy at once; in between there is always one.
    std::uint64_t active = 0;
    for (const protocol::RegionActivity& region : frame.regions) {
      QVERIFY(region.computeCycles <= region.activeCycles);
      QVERIFY(region.activeCycles <= frame.intervalCycles);
      active += region.activeCycles;
    }
    QVERIFY(active > frame.intervalCycles);
  }

  void theLastStepIsToldFromItsStart() {
    TelemetryFrames frames = this->frames(Clock::now());
    test::generate(*engine_, 6);
    const auto frame = frames.next(Clock::now(), counters(), engine_->stats());
    QCOMPARE(frame.lastStep.size(), plan().ops.size());
    QCOMPARE(frame.lastStep.front().startCycle, 0u);
    for (size_t i = 1; i < frame.lastStep.size(); ++i)
      QCOMPARE(frame.lastStep[i].startCycle, frame.lastStep[i - 1].endCycle);
  }

  void aQuietFrameHasNoActivity() {
    TelemetryFrames frames = this->frames(Clock::now());
    test::generate(*engine_, 3);
    const auto busy = frames.next(Clock::now(), counters(), engine_->stats());
    const auto quiet = frames.next(Clock::now(), counters(), engine_->stats());
    QCOMPARE(quiet.sequence, busy.sequence + 1);
    QCOMPARE(quiet.intervalCycles, std::uint64_t{0});
    QCOMPARE(quiet.waferCycles, busy.waferCycles);
    QCOMPARE(quiet.hostTokensPerSecond, 0.0f);
    QCOMPARE(quiet.waferTokensPerSecond, 0.0f);
    QVERIFY(quiet.lastStep.empty());
    for (const protocol::RegionActivity& region : quiet.regions)
      QVERIFY(region == protocol::RegionActivity{});
  }

  // However the time is cut into frames, the sums are the same.
  void intervalsAddUpToTheTotals() {
    TelemetryFrames frames = this->frames(Clock::now());
    const auto before = counters();
    const std::uint64_t tokensBefore = engine_->stats().outputTokens;
    std::uint64_t cycles = 0, tokens = 0;
    for (int i = 0; i < 5; ++i) {
      test::generate(*engine_, i + 1);
      const auto frame = frames.next(Clock::now(), counters(), engine_->stats());
      cycles += frame.intervalCycles;
      tokens += frame.intervalDecoded;
    }
    QCOMPARE(cycles, counters().totals.cycles() - before.totals.cycles());
    QCOMPARE(tokens, engine_->stats().outputTokens - tokensBefore);
  }

  // Steps of lines that compete come before their tokens: an interval may hold the one or the
  // other.
  void ratesAreOfTheRequestNotOfTheInterval() {
    TelemetryFrames frames = this->frames(Clock::now());
    inference::EngineStats stats = engine_->stats();
    stats.shownJob = 7;
    stats.shown = {};
    stats.shown.decodeSteps = 3;
    stats.shown.decodeMs = 250;
    stats.shown.waferDecodeCycles = 1'000'000;
    QCOMPARE(frames.next(Clock::now(), counters(), stats).hostTokensPerSecond, 0.0f);
    stats.outputTokens += 301;
    stats.shown.decodeTokens = 300;
    const auto decided = frames.next(Clock::now(), counters(), stats);
    QCOMPARE(decided.hostTokensPerSecond, 1200.0f);
    QCOMPARE(decided.waferTokensPerSecond, static_cast<float>(300 * plan().clockGhz * 1e3));
    stats.outputTokens += 1;
    stats.shown.decodeTokens += 1;
    stats.shown.decodeMs += 51;
    QCOMPARE(frames.next(Clock::now(), counters(), stats).hostTokensPerSecond, 1000.0f);
    // Another request has a rate of its own, and no first token yet.
    stats.shown = {};
    stats.outputTokens += 1;
    const auto next = frames.next(Clock::now(), counters(), stats);
    QCOMPARE(next.hostTokensPerSecond, 0.0f);
    QCOMPARE(next.firstTokenHostMs, 0.0f);
  }

  void waferRatesAreCyclesOverTheClock() {
    TelemetryFrames frames = this->frames(Clock::now());
    const auto before = counters().totals;
    const inference::JobReport report = test::generate(*engine_, 8);
    const auto after = counters().totals;
    const auto frame = frames.next(Clock::now(), counters(), engine_->stats());
    const double expected = *report.waferTokensPerSecond(plan().clockGhz * 1e9);
    QCOMPARE(frame.intervalDrafted, static_cast<std::uint32_t>(report.draftedTokens));
    QCOMPARE(frame.intervalAccepted, static_cast<std::uint32_t>(report.acceptedTokens));
    QCOMPARE(after.cycles() - before.cycles(), report.waferCycles);
    QVERIFY(std::abs(frame.waferTokensPerSecond - expected) < 1e-5 * expected);
  }

  // Its cycles over another clock would be the time of nothing.
  void theFirstTokenOfAnotherShadowIsNotTold() {
    const inference::CompiledModel& model = engine_->model();
    const auto first = planShadow({.shape = "llama-3.1-8b"}, model.card());
    const auto second = planShadow({.shape = "llama-3.1-8b", .clockGhz = 0.5}, model.card());
    QVERIFY(first && second);
    const auto told = [&](const wafer::Program& shadow) {
      const wafer::CounterSnapshot none;
      TelemetryFrames frames(shadow, Clock::now(), Clock::now(), none, engine_->stats(),
                             Shown::kShadow);
      wafer::CounterSnapshot counters;
      shadow.counters().read(counters);
      return frames.next(Clock::now(), counters, engine_->stats()).firstTokenWaferMs;
    };
    model.setShadow(*first);
    test::generate(*engine_, 3);
    QVERIFY(told(**first) > 0);
    model.setShadow(*second);
    QCOMPARE(told(**second), 0.0f);
    test::generate(*engine_, 3);
    QVERIFY(told(**second) > 0);
    model.setShadow(nullptr);
  }
};

}  // namespace waferpair::server

QTEST_GUILESS_MAIN(waferpair::server::TestTelemetryFrames)
#include "test_telemetry_frames.moc"
