// SPDX-License-Identifier: GPL-3.0-or-later
// Counters under a reader's eyes, and their expansion to every PE.
#include <QtTest>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "runtime/wafer/plan/expand.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;

class TestCounters : public QObject {
  Q_OBJECT

 private slots:
  // Every step charges each op n cycles, so in an untorn snapshot all ops agree with one another,
  // with the totals and with the trace.
  void aSnapshotIsNeverTornAndOnlyRises() {
    constexpr int kOps = 40;
    constexpr std::uint64_t kSteps = 30000;
    wafer::Counters counters(kOps);
    std::atomic<bool> done{false};
    std::thread writer([&] {
      std::uint64_t now = 0;
      for (std::uint64_t step = 1; step <= kSteps; ++step) {
        counters.begin();
        for (int op = 0; op < kOps; ++op, now += step + 1)
          counters.charge({op, now, now + step + 1}, step, 1, 2 * step);
        counters.end(kOps * (step + 1), 1);
        // The pause is like that after a real step: time in which a reader is not interrupted.
        if (step % 32 == 0) std::this_thread::sleep_for(std::chrono::microseconds(1));
      }
      done = true;
    });
    wafer::CounterSnapshot now, last;
    counters.read(last);
    bool sound = true;
    std::uint64_t seen = 0;
    for (bool final = false; !final;) {
      final = done;
      counters.read(now);
      const std::uint64_t n = now.totals.steps;
      const std::uint64_t compute = n * (n + 1) / 2;
      sound = sound && n >= last.totals.steps && now.totals.decodeTokens == n &&
              now.totals.decodeCycles == kOps * (compute + n);
      for (const auto& op : now.ops) {
        sound = sound && op.invocations == n && op.computeCycles == compute &&
                op.fabricCycles == n && op.wavelets == 2 * compute;
      }
      if (n > 0) {
        sound = sound && now.lastDecode.size() == kOps &&
                now.lastDecode.back().end == now.totals.decodeCycles;
        for (const auto& span : now.lastDecode) sound = sound && span.end - span.start == n + 1;
      }
      seen += n > last.totals.steps;
      std::swap(now, last);
    }
    writer.join();
    QVERIFY(sound);
    QVERIFY(seen > 0);
    QCOMPARE(last.totals.steps, kSteps);
  }

  void prefillAndDecodeAreCountedApart() {
    wafer::Counters counters(2);
    counters.begin();
    counters.charge({0, 0, 15}, 10, 5, 1);
    counters.end(15, 32);
    counters.begin();
    counters.charge({1, 15, 22}, 3, 4, 1);
    counters.end(7, 1);
    wafer::CounterSnapshot snapshot;
    counters.read(snapshot);
    QCOMPARE(snapshot.totals.decodeCycles, 7U);
    counters.begin();
    counters.charge({0, 22, 24}, 2, 2, 1);  // of rows that follow one another
    counters.charge({1, 23, 27}, 3, 0, 1);
    counters.end(5, 4, 3);
    counters.read(snapshot);
    QCOMPARE(snapshot.totals.prefillCycles, 15U);
    QCOMPARE(snapshot.totals.prefillTokens, 32U);
    QCOMPARE(snapshot.totals.decodeCycles, 12U);
    QCOMPARE(snapshot.totals.decodeTokens, 5U);
    QCOMPARE(snapshot.lastDecode.size(), std::size_t(2));
    QCOMPARE(snapshot.lastDecode[1].op, 1);
    QCOMPARE(snapshot.lastDecode[1].start, 23U);
    QCOMPARE(snapshot.lastDecode[1].end, 27U);
  }

  void everyByteOfSramIsOnSomePe() {
    const auto plan = test::smallPlan();
    std::vector<std::int64_t> sum(plan.machine.peCount());
    for (int kind = 0; kind < wafer::kSramKinds; ++kind) {
      std::vector<std::int32_t> plane(plan.machine.peCount());
      wafer::expandSram(plan, static_cast<wafer::SramKind>(kind), 0, plane);
      std::int64_t accounted = 0;
      for (const auto& region : plan.placement.regions) {
        accounted += region.sram.bytes[kind] * region.rect.area();
      }
      if (static_cast<wafer::SramKind>(kind) == wafer::SramKind::kFree) {
        accounted += (plan.machine.peCount() - plan.placement.usedPes()) * plan.machine.sramBytes;
      }
      QCOMPARE(std::accumulate(plane.begin(), plane.end(), std::int64_t{0}), accounted);
      for (std::size_t i = 0; i < plane.size(); ++i) sum[i] += plane[i];
    }
    QVERIFY(std::all_of(sum.begin(), sum.end(), [](std::int64_t s) { return s == 49152; }));
  }

  void activityExpandsToThePesOfItsRegionAndNoOthers() {
    const auto plan = test::smallPlan();
    const auto& regions = plan.placement.regions;
    wafer::Counters counters(static_cast<int>(plan.ops.size()));
    wafer::CounterSnapshot before, after;
    counters.read(before);
    const int op = plan.findOp("blk.2.ffn_up");
    counters.begin();
    counters.charge({op, 0, 40}, 30, 10, 4096);
    counters.charge({plan.findOp("sample"), 40, 100}, 0, 60, 0);
    counters.end(100, 1);
    counters.read(after);

    const auto activity = wafer::regionActivity(plan, before, after);
    const int busy = plan.ops[op].region;
    QCOMPARE(activity[busy].compute, 0.3);
    QCOMPARE(activity[busy].fabric, 0.1);
    QCOMPARE(activity[busy].wavelets * regions[busy].rect.area() * 100, 4096.0);
    QCOMPARE(activity.back().fabric, 0.6);
    double share = 0;
    for (const auto& region : activity) share += region.compute + region.fabric;
    QVERIFY(qFuzzyCompare(share, 1.0));  // at batch 1 one region is busy at a time

    std::vector<float> plane(plan.machine.peCount(), 9.0F);
    wafer::expandUtilization(plan, activity, 0, plane);
    for (int y = 0; y < plan.machine.fabricHeight; ++y) {
      for (int x = 0; x < plan.machine.fabricWidth; ++x) {
        const bool inside = regions[busy].rect.overlaps({x, y, 1, 1});
        if (plane[std::size_t(y) * plan.machine.fabricWidth + x] != (inside ? 0.3F : 0.0F)) {
          QFAIL("a PE shows what its region did not do");
        }
      }
    }
    wafer::expandFabric(plan, activity, 0, plane);
    const double hops = std::accumulate(plane.begin(), plane.end(), 0.0) * 100;
    QVERIFY(std::abs(hops - 4096) < 1);
    wafer::expandFabric(plan, activity, 1, plane);  // a wafer with nothing on it
    QCOMPARE(std::accumulate(plane.begin(), plane.end(), 0.0), 0.0);
  }

  void noTimePassedIsNoActivity() {
    const auto plan = test::smallPlan();
    wafer::Counters counters(static_cast<int>(plan.ops.size()));
    wafer::CounterSnapshot snapshot;
    counters.read(snapshot);
    for (const auto& region : wafer::regionActivity(plan, snapshot, snapshot)) {
      QCOMPARE(region.compute + region.fabric + region.wavelets, 0.0);
    }
  }
};

QTEST_GUILESS_MAIN(TestCounters)
#include "test_counters.moc"
