// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that are cut between blocks, the code of a PE that they are derived from, and loading.
#include <QtTest>
#include <algorithm>

#include "runtime/wafer/plan/layout.h"
#include "runtime/wafer/plan/load.h"
#include "tests/runtime/wafer/placement_checks.h"

using namespace waferpair;
using test::broken;
using test::matrixBytes;
using wafer::SramKind;

class TestCutLayers : public QObject {
  Q_OBJECT

 private slots:
  // The vendor runs Llama 3.1 70B on four wafers, with a cache of 8K: that is what the bytes of a
  // PE's code are derived from, on the grid that its published speed asks for.
  void theCodeOfAPeIsTheMostWithWhich70BLiesOnFourWafers() {
    const auto machine = test::machine("wse3");
    const auto shape = test::required(wafer::findShape("llama-3.1-70b"));
    const wafer::PlanOptions published{.grid = {762, 158}, .context = 8192, .maxWafers = 4};
    for (const std::string& name : wafer::profileNames()) {
      auto profile = test::required(wafer::findProfile(name));
      QCOMPARE(profile.codeBytes, 3660);
      if (profile.machine != "wse3") continue;
      const auto plan = test::required(wafer::plan(shape, machine, profile, published));
      QVERIFY2(broken(plan).empty(), broken(plan).c_str());
      QCOMPARE(plan.placement.wafers, 4);
      QCOMPARE(plan.placement.regions.size(), std::size_t(2 + 28));
      QVERIFY(plan.placement.cut);
      profile.codeBytes += 1;
      QVERIFY(!wafer::plan(shape, machine, profile, published));
      // No grid of the planner's leaves 4 KiB.
      profile.codeBytes = 4028;
      QCOMPARE(test::required(wafer::place(shape, machine, profile, {.context = 8192})).wafers, 4);
      profile.codeBytes = 4029;
      QCOMPARE(test::required(wafer::place(shape, machine, profile, {.context = 8192})).wafers, 5);
    }
  }

  // What a block has no room for goes on in the next: no block but the last has room for more.
  void layersAreCutWhereWholeOnesTakeMoreWafers() {
    const auto machine = test::machine("wse3");
    const auto profile = test::profile("waferllm-2025-wse3");
    const auto shape = test::required(wafer::findShape("llama-3.1-70b"));
    const auto plan =
        test::required(wafer::plan(shape, machine, profile, {.grid = {762, 158}, .context = 8192}));
    // Two whole layers to a block and seven blocks to a wafer are six wafers.
    const wafer::Layout layout(shape, machine, profile, 1.1);
    QCOMPARE(layout.layersThatFit(layout.candidate({762, 158}, 8192, 256)), 2);
    const auto enough = test::required(wafer::plan(
        shape, machine, profile, {.grid = {762, 158}, .context = 8192, .maxWafers = 6}));
    QVERIFY(!enough.placement.cut);
    QCOMPARE(enough.placement.wafers, 6);
    QCOMPARE(plan.placement.wafers, 4);

    const wafer::CostModel model(plan.machine, plan.profile);
    const auto& regions = plan.placement.regions;
    int within = 0, between = 0;
    for (const auto& op : plan.ops) {
      if (op.kind != wafer::OpKind::kTransfer || op.name.ends_with(".transfer") == false) continue;
      const auto& from = regions[op.region];
      const auto& to = regions[op.region + 1];
      const std::string layer = "blk." + std::to_string(op.layer) + ".";
      const auto& slice = from.slices.back();
      // A row of d after a layer or its attention; within a feed-forward the normed input goes on
      // beside what has been summed.
      int width = shape.hiddenSize;
      std::string name = "transfer";
      if (slice.to == 0) {
        name = "attn.transfer";
        ++between;
      } else if (slice.to < shape.intermediateSize) {
        name = "ffn.1.transfer";
        width = 2 * shape.hiddenSize;
        ++within;
        const auto& first = plan.ops[plan.findOp(layer + "ffn_gate")];
        const auto& second = plan.ops[plan.findOp(layer + "ffn_gate.2")];
        QCOMPARE(first.gemm.n + second.gemm.n, shape.intermediateSize);
        QCOMPARE(first.gemm.n % 762, 0);
        QCOMPARE(plan.ops[plan.findOp(layer + "ffn_down.2")].gemm.k, second.gemm.n);
        QCOMPARE(second.part, 1);
        // The norm is once, with the first part.
        QCOMPARE(plan.findOp(layer + "ffn_norm.2"), -1);
        QCOMPARE(plan.ops[plan.findOp(layer + "ffn_norm")].region, op.region);
        QCOMPARE(second.region, op.region + 1);
        const auto costs = model.gemv({8192, second.gemm.n, wafer::Axis::kY}, {762, 158});
        QCOMPARE(second.decode.compute.fixed, costs.compute.fixed);
      }
      QCOMPARE(op.name, layer + name);
      wafer::OpCost cost = from.wafer != to.wafer
                               ? model.waferHop(width, to.rect.grid(), plan.clockGhz)
                               : model.transfer(width, op.parts.front().hops, to.rect.grid());
      QCOMPARE(op.decode.fabric.fixed, cost.fabric.fixed);
    }
    QVERIFY(within > 10);
    QVERIFY2(within + between < 28, qPrintable(QString::number(within + between)));
  }

  // Room for an attention and two feed-forwards: A F A | F A F | A F A | F.
  void halvesAreDealtOutInOrder() {
    const auto shape = test::smallShape();
    const auto machine = test::machine("wse3");
    const auto profile = test::profile("waferllm-2025-wse3");
    const wafer::Layout layout(shape, machine, profile, 1.1);
    const auto c = layout.candidate({32, 32}, 1024, 256);
    const wafer::CostModel model(machine, profile);
    wafer::Dealer dealer(model, shape, c.grid, c.attention, c.recurrence);
    const std::int64_t a = c.attention.used(), f = c.largestLayer - a;
    QVERIFY(a < f && f < 2 * a);
    const auto blocks = dealer.deal(a + 2 * f, wafer::Cuts::kHalves);
    QVERIFY(blocks.has_value());
    using Slices = std::vector<wafer::LayerSlice>;
    QCOMPARE(blocks->size(), std::size_t(4));
    QCOMPARE((*blocks)[0].slices, (Slices{{0, true, 0, 768}, {1, true, 0, 0}}));
    QCOMPARE((*blocks)[1].slices, (Slices{{1, false, 0, 768}, {2, true, 0, 768}}));
    QCOMPARE((*blocks)[2].slices, (Slices{{3, true, 0, 768}, {4, true, 0, 0}}));
    QCOMPARE((*blocks)[3].slices, (Slices{{4, false, 0, 768}}));
    QCOMPARE((*blocks)[0].use.used(), 2 * a + f);
    QCOMPARE((*blocks)[1].use.used(), a + 2 * f);
    QCOMPARE((*blocks)[3].use.used(), f);
    // Whole layers take a block each.
    QCOMPARE(dealer.deal(a + 2 * f, wafer::Cuts::kNone)->size(), std::size_t(5));
    QVERIFY(!dealer.deal(a + f - 1, wafer::Cuts::kNone).has_value());
    QVERIFY(dealer.deal(f, wafer::Cuts::kHalves).has_value());
    QVERIFY(!dealer.deal(f - 1, wafer::Cuts::kHalves).has_value());
    // Columns go where halves don't.
    const auto least = dealer.leastRoom().used();
    QVERIFY(least < f);
    QVERIFY(dealer.deal(least, wafer::Cuts::kColumns).has_value());
    QVERIFY(!dealer.deal(least - 1, wafer::Cuts::kColumns).has_value());
    // Evenly is as few blocks, none of them fuller.
    const auto greedy = *dealer.deal(a + f + f / 2, wafer::Cuts::kColumns);
    const auto even = *dealer.dealEvenly(a + f + f / 2, wafer::Cuts::kColumns);
    QCOMPARE(even.size(), greedy.size());
    const auto fullest = [](const std::vector<wafer::BlockContent>& of) {
      std::int64_t most = 0;
      for (const auto& block : of) most = std::max(most, block.use.used());
      return most;
    };
    QVERIFY(fullest(even) <= fullest(greedy));
  }

  void largeModelsTakeTheFewestWafers() {
    const auto machine = test::machine("wse3");
    const auto profile = test::required(wafer::defaultProfile("wse3"));
    const auto plan = test::required(wafer::plan(test::required(wafer::findShape("llama-3.1-405b")),
                                                 machine, profile, {.context = 8192}));
    QVERIFY2(broken(plan).empty(), broken(plan).c_str());
    // 812 GB of weights, 4 of a cache, and 45.2 KB of each PE for them.
    QCOMPARE(plan.placement.wafers, 23);
    QVERIFY(plan.placement.cut);
  }

  // The links of all wafers bring their own tiles at once.
  void loadingTakesWhatTheFullestWafersBytesTake() {
    const auto machine = test::machine("wse3");
    const auto profile = test::profile("waferllm-2025-wse3");
    for (const char* name : {"llama-3.1-8b", "llama-3.1-70b"}) {
      const auto shape = test::required(wafer::findShape(name));
      const auto plan = test::required(wafer::plan(shape, machine, profile, {.context = 8192}));
      const auto load = wafer::loadTimeOf(plan);
      QCOMPARE(load.bytes.size(), static_cast<std::size_t>(plan.placement.wafers));
      double all = 0;
      for (const auto& region : plan.placement.regions) {
        all += static_cast<double>(region.rect.area() * region.sram[SramKind::kWeights]) +
               profile.codeBytes;
      }
      QCOMPARE(load.totalBytes(), all);
      QVERIFY(all > matrixBytes(shape) && all < 1.1 * matrixBytes(shape));
      const double most = *std::ranges::max_element(load.bytes);
      QCOMPARE(load.bytes[load.slowest], most);
      QCOMPARE(load.seconds, 8 * most / 1.2e12);
      QCOMPARE(load.cycles, load.seconds * 1.1e9);
      // Half the links, twice the time.
      auto slow = plan;
      slow.machine.ioBitsPerSecond /= 2;
      QCOMPARE(wafer::loadTimeOf(slow).seconds, 2 * load.seconds);
    }
  }
};

QTEST_GUILESS_MAIN(TestCutLayers)
#include "test_cut_layers.moc"
