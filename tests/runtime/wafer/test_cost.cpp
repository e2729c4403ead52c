// SPDX-License-Identifier: GPL-3.0-or-later
// The closed forms: against the general form of the mesh, and against the formulas written out.
#include <QtTest>
#include <cmath>
#include <map>
#include <string>

#include "runtime/wafer/cost/collectives.h"
#include "tests/runtime/wafer/wafer_fixtures.h"

using namespace waferpair;
using wafer::ceilDiv;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

}  // namespace

class TestCost : public QObject {
  Q_OBJECT

 private slots:
  // max(C, E / N + L) + (2 T_R + 1) D, with the terms of each pattern put in by hand.
  void collectivesAgreeWithTheGeneralForm() {
    for (double ramp : {0.0, 2.0, 5.0}) {
      for (double p : {2.0, 4.0, 64.0, 256.0}) {
        for (double b : {2.0, 64.0, 4096.0}) {
          const wafer::SpatialCost broadcast{b, b * (p - 1), p - 1, p - 1, 1};
          QVERIFY(near(wafer::broadcastCycles(p, b, ramp), broadcast.cycles(ramp)));
          const wafer::SpatialCost chain{b, b * (p - 1), p - 1, p - 1, p - 1};
          QVERIFY(near(wafer::chainReduceCycles(p, b, ramp), chain.cycles(ramp)));
          const wafer::SpatialCost star{b * (p - 1), b * p * (p - 1) / 2, p - 1, p - 1, 1};
          if (b * (p - 1) >= b * p / 2 + p - 1) {  // else the row, not the root, is the bound
            QVERIFY(near(wafer::starReduceCycles(p, b, ramp), star.cycles(ramp)));
          }
          const double levels = std::log2(p);
          const wafer::SpatialCost tree{b * levels, b * p * levels / 2, p - 1, p - 1, levels};
          QVERIFY(near(wafer::treeReduceCycles(p, b, ramp), tree.cycles(ramp)));
          const double m = std::sqrt(p);
          const wafer::SpatialCost phases{2 * b, 2 * b * (p - m), p - 1, p - 1, 2 * m - 2};
          QVERIFY(near(wafer::twoPhaseReduceCycles(p, b, ramp), phases.cycles(ramp)));
        }
      }
    }
    // An M x N broadcast's first row and column.
    QCOMPARE(wafer::broadcastCycles(8, 5, 100, 2), 100 + 8 + 5 - 2 + 5.0);
    QCOMPARE(wafer::ringAllReduceCycles(4, 8, 2), 2.0 * 3 * 8 / 4 + 10 + 2 * 3 * 5);
  }

  void longVectorsFavorTreesOverStarsAndChainsOverTrees() {
    QVERIFY(wafer::treeReduceCycles(64, 256, 2) < wafer::starReduceCycles(64, 256, 2));
    QVERIFY(wafer::chainReduceCycles(64, 8192, 2) < wafer::treeReduceCycles(64, 8192, 2));
    QVERIFY(wafer::treeReduceCycles(64, 1, 2) < wafer::chainReduceCycles(64, 1, 2));
  }

  // One layer of decode as WaferLLM's formulas have it, term by term.
  void aDecodeLayerIsTheSumOfItsPublishedTerms() {
    const auto machine = test::machine("wse2");
    const auto profile = test::profile("waferllm-2025");
    const wafer::CostModel model(machine, profile);
    const double h = profile.decode.issue, tau = profile.decode.stage;
    for (int p : {1, 7, 64, 420, 757}) {
      for (int s : {1, 2, 419, 420, 421, 4096}) {
        const int d = 4096, f = 14336, g = profile.groups(p);
        const double dt = ceilDiv(d, p), ft = ceilDiv(f, p), st = ceilDiv(s, p);
        auto gemv = [&](double kt, double nt) { return kt * (std::ceil(nt / 4) + h); };
        auto reduce = [&](double n) {
          return p + tau * (std::ceil(p / (2.0 * g)) + std::ceil(g / 2.0)) + 3 * std::ceil(n / 2);
        };
        double want =
            4 * gemv(dt, dt) + 2 * gemv(dt, ft) + gemv(ft, dt) + gemv(dt, st) + gemv(st, dt);
        for (double n : {1.0, 3 * dt, st, 1.0, 1.0, dt, dt, 1.0, 2 * ft, dt}) want += reduce(n);
        double sum = 0;
        const wafer::Grid grid{p, p};
        for (const auto& op : wafer::layerOps(model, {d, d, d, f}, grid, s)) {
          sum += model.at(op.decode, s, grid).total();
        }
        QVERIFY2(near(sum, want),
                 qPrintable(QString("%1 %2: %3, %4").arg(p).arg(s).arg(sum).arg(want)));
      }
    }
  }

  // The parts that architectures have beyond the plain llama layer add to its cost, op by op.
  void otherPartsOfALayerCostWhatTheyAre() {
    const auto machine = test::machine("wse2");
    const auto profile = test::profile("waferllm-2025");
    const wafer::CostModel model(machine, profile);
    const wafer::Grid grid{60, 50};
    const int d = 1000, q = 1300, kv = 330, f = 3100, s = 700;
    const auto costs = [&](const wafer::LayerParts& parts) {
      std::map<std::string, double> cycles;
      for (const auto& op : wafer::layerOps(model, {d, q, kv, f, parts}, grid, s)) {
        cycles[op.name] = model.at(op.decode, s, grid).total();
      }
      return cycles;
    };
    const auto plain = costs({});
    QCOMPARE(plain.size(), std::size_t{12});
    const double issue = profile.decode.issue;
    const double sumDown = model.allReduce(1, wafer::Axis::kY, grid).fabric.fixed;
    const double sumAcross = model.allReduce(1, wafer::Axis::kX, grid).fabric.fixed;

    const auto biased = costs({.qkvBias = true, .outputBias = true, .ffnBias = true});
    QCOMPARE(biased.size(), std::size_t{12 + 3 + 1 + 3});
    const double lanes = profile.decode.lanes;
    const auto vector = [&](double size, double pes) {
      return std::ceil(std::ceil(size / pes) / lanes) + issue;
    };
    QVERIFY(near(biased.at("attn_q.bias"), vector(q, 60)));
    QVERIFY(near(biased.at("attn_k.bias"), vector(kv, 60)));
    QVERIFY(near(biased.at("attn_v.bias"), vector(kv, 60)));
    QVERIFY(near(biased.at("ffn_gate.bias"), vector(f, 60)));
    QVERIFY(near(biased.at("ffn_up.bias"), vector(f, 60)));
    QVERIFY(near(biased.at("attn_output.bias"), vector(d, 50)));  // down, as the residual stream
    QVERIFY(near(biased.at("ffn_down.bias"), vector(d, 50)));

    const auto normed = costs({.headNorms = true, .postNorms = true});
    QCOMPARE(normed.size(), std::size_t{12 + 4});
    QVERIFY(near(normed.at("attn_q_norm"), sumAcross) && near(normed.at("attn_k_norm"), sumAcross));
    QVERIFY(near(normed.at("post_attention_norm"), sumDown));
    QVERIFY(near(normed.at("post_ffw_norm"), sumDown));
    QVERIFY(near(costs({.layerNorm = true}).at("ffn_norm"), 2 * sumDown));  // mean and variance

    // Without a gate there is one matrix and half the sum.
    const auto ungated = costs({.gated = false});
    QCOMPARE(ungated.count("ffn_gate"), std::size_t{0});
    const double f60 = std::ceil(f / 60.0);
    QVERIFY(near(plain.at("ffn_up") - ungated.at("ffn_up"),
                 profile.decode.perWavelet * (f60 - std::ceil(f60 / 2))));
    for (const auto& [name, cycles] : plain) {
      QVERIFY2(near(biased.at(name), cycles) && near(normed.at(name), cycles), name.c_str());
    }
  }

  // Whole blocks on one PE take what they take in a file; a tile that cuts blocks keeps the scales
  // of all that it has some of.
  void tilesOfBlockFormatsKeepTheirScales() {
    using tensor::Format;
    for (const Format format : tensor::allFormats()) {
      // Points of a grid are held as 256 numbers of four bits, eight scales or 16, and one of F16.
      const tensor::FormatInfo& info = tensor::infoOf(format);
      const auto file = info.grid ? 2 * (256 / 2 + 256 / std::int64_t{info.group} + 2)
                                  : static_cast<std::int64_t>(tensor::rowBytes(format, 512));
      const bool wide = tensor::infoOf(format).quants == tensor::Quants::kNone;
      const std::int64_t bytes = wide ? 2 * 512 : file;
      QCOMPARE(wafer::matrixTileBytes(format, 512, 10, wafer::Axis::kY, {1, 1}), 10 * bytes);
      QCOMPARE(wafer::matrixTileBytes(format, 512, 10, wafer::Axis::kX, {2, 5}), bytes);
      QCOMPARE(wafer::bitsOf256(format), 4 * bytes);
    }
    // 20 of 1000 elements: at most two groups of 32, and two blocks of 256, of which 240 to 260
    // belong to one tile.
    const wafer::Grid grid{60, 50};
    const auto tile = [&](Format format) {
      return wafer::matrixTileBytes(format, 1000, 1300, wafer::Axis::kY, grid);
    };
    QCOMPARE(tile(Format::kF16), std::int64_t{22 * 20 * 2});
    QCOMPARE(tile(Format::kQ4_0), std::int64_t{22 * (20 * 4 + 2 * 16) / 8});
    QCOMPARE(tile(Format::kQ4_1), std::int64_t{22 * (20 * 4 + 2 * 32) / 8});
    QCOMPARE(tile(Format::kMXFP4), std::int64_t{22 * (20 * 4 + 2 * 8) / 8});
    QCOMPARE(tile(Format::kNVFP4), std::int64_t{22 * (20 * 4 + 2 * 8) / 8});
    QCOMPARE(tile(Format::kQ8_0), std::int64_t{22 * (20 * 8 + 2 * 16) / 8});
    QCOMPARE(tile(Format::kQ4_K), std::int64_t{22 * (20 * 4 + 2 * 12 + 2 * 32) / 8});
    QCOMPARE(tile(Format::kQ6_K), std::int64_t{(22 * (20 * 6 + 2 * 8 + 2 * 16) + 7) / 8});
    // A tile that divides a group, or that groups divide, cuts none.
    QCOMPARE(wafer::matrixTileBytes(Format::kQ4_0, 800, 1, wafer::Axis::kY, grid),
             std::int64_t{(16 * 4 + 16) / 8});
    QCOMPARE(wafer::matrixTileBytes(Format::kQ4_0, 3200, 1, wafer::Axis::kY, grid),
             std::int64_t{(64 * 4 + 2 * 16) / 8});
  }

  // A row pays for the experts it uses, a PE holds all of them, and of many rows each expert gets
  // its part.
  void expertsCostWhatIsUsedAndHoldWhatIsThere() {
    const auto machine = test::machine("wse2");
    const auto profile = test::profile("waferllm-2025");
    const wafer::CostModel model(machine, profile);
    const wafer::Grid grid{60, 50};
    const auto ops = wafer::layerOps(
        model, {1000, 1300, 330, 600, {.experts = 16, .expertsUsed = 4}}, grid, 700);
    const auto find = [](const std::vector<wafer::Op>& in, const std::string& name) {
      for (const auto& op : in) {
        if (op.name == name) return op;
      }
      qFatal("%s", name.c_str());
    };
    const auto plain = wafer::layerOps(model, {1000, 1300, 330, 600}, grid, 700);
    const auto one = find(plain, "ffn_gate"), four = find(ops, "ffn_gate_exps");
    QVERIFY(near(four.decode.compute.fixed, 4 * one.decode.compute.fixed));
    QCOMPARE(four.sram[wafer::SramKind::kWeights], 16 * one.sram[wafer::SramKind::kWeights]);
    // 100 rows make 400 choices, 25 of each of 16 experts; one row has 4 experts to itself.
    QVERIFY(near(wafer::chunkCycles(model, four, 100, 700, grid).total(),
                 16 * model.gemm(one.gemm, 25, 700, grid).total()));
    QVERIFY(near(wafer::chunkCycles(model, four, 1, 700, grid).total(),
                 4 * model.gemm(one.gemm, 1, 700, grid).total()));
    QCOMPARE(find(ops, "ffn_choice").decode.fabric.fixed,
             4 * model.allReduce(2, wafer::Axis::kX, grid).fabric.fixed);
    // The sums over experts are made before they travel.
    QVERIFY(near(find(ops, "ffn_down_exps").decode.fabric.fixed,
                 find(plain, "ffn_down").decode.fabric.fixed));
    QCOMPARE(ops.size(), plain.size() + 2);

    // Each expert used adds its bias; the router's, and the sinks of a softmax, are vectors.
    const auto biased = wafer::layerOps(
        model,
        {1000, 1300, 330, 600, {.experts = 16, .expertsUsed = 4, .expertBias = true, .sinks = 120}},
        grid, 700);
    QCOMPARE(biased.size(), ops.size() + 5);
    const double lanes = profile.decode.lanes, issue = profile.decode.issue;
    const auto decodeOf = [&](const char* name) {
      return model.at(find(biased, name).decode, 700, grid).total();
    };
    QVERIFY(near(decodeOf("ffn_up_exps.bias"), 4 * (std::ceil(10 / lanes) + issue)));
    QVERIFY(near(decodeOf("ffn_down_exps.bias"), 4 * (std::ceil(20 / lanes) + issue)));
    QVERIFY(near(decodeOf("ffn_gate_inp.bias"), 1 + issue));
    QVERIFY(near(decodeOf("attn_sinks"), 1 + issue));
    QCOMPARE(find(biased, "ffn_down_exps.bias").sram[wafer::SramKind::kWeights], 16 * 2 * 20);
    QCOMPARE(find(biased, "attn_sinks").sram[wafer::SramKind::kWeights], 2 * 2);
    QVERIFY(
        near(wafer::chunkCycles(model, find(biased, "ffn_gate_exps.bias"), 100, 700, grid).total(),
             model.rowElementwise(4 * 600, 100, grid).total()));
  }

  // Latent attention: each head has matrices of its own, a position keeps one key, and that is all.
  void latentAttentionKeepsLatents() {
    const auto machine = test::machine("wse3");
    const auto profile = test::profile("waferllm-2025-wse3");
    const wafer::CostModel model(machine, profile);
    const wafer::Grid grid{60, 50};
    constexpr int kHeads = 16, kRank = 512, kRope = 64, kPlain = 128, kValue = 120, kContext = 700;
    constexpr int kDim = kRank + kRope, kQueries = kHeads * (kPlain + kRope);
    using wafer::Axis;
    for (const int low : {0, 96}) {
      const wafer::LayerParts parts{.latent = {kRank, low, kPlain, kRope, kValue}};
      const auto ops =
          wafer::layerOps(model, {1000, kHeads * kDim, kDim, 600, parts}, grid, kContext);
      std::vector<std::string> names;
      std::map<std::string, wafer::Op> of;
      std::int64_t kv = 0;
      for (const auto& op : ops) {
        names.push_back(op.name);
        of[op.name] = op;
        kv += op.sram[wafer::SramKind::kKv];
      }
      std::vector<std::string> want{"attn_norm", "attn_q", "attn_kv_a_mqa"};
      if (low > 0) {
        want = {"attn_norm", "attn_q_a", "attn_kv_a_mqa", "attn_q_a_norm", "attn_q_b"};
      }
      for (const char* name : {"attn_kv_a_norm", "attn_k_b", "attn_score", "attn_softmax",
                               "attn_mix", "attn_v_b", "attn_output", "ffn_norm"}) {
        want.emplace_back(name);
      }
      QVERIFY(std::equal(want.begin(), want.end(), names.begin()));
      QCOMPARE(kv, wafer::tileBytes(kContext, kDim, grid));
      // The products, one head after another; sums and turns of the vectors that come of all.
      const auto fixed = [](const wafer::OpCost& cost) { return cost.compute.fixed; };
      const auto& toLatent = of["attn_k_b"];
      const auto& toValues = of["attn_v_b"];
      QVERIFY(near(fixed(toLatent.decode),
                   kHeads * fixed(model.gemv({kPlain, kRank, Axis::kY}, grid))));
      QVERIFY(near(fixed(toValues.decode),
                   kHeads * fixed(model.gemv({kRank, kValue, Axis::kX}, grid))));
      const auto sum = [&](int elements, Axis axis) {
        const int pes = axis == Axis::kX ? grid.height : grid.width;  // that the result lies on
        return model.allReduce((elements + pes - 1) / pes, axis, grid).fabric.fixed;
      };
      const double turned = low > 0 ? 0 : sum(kQueries, Axis::kX);
      QVERIFY(near(toLatent.decode.fabric.fixed, turned + sum(kHeads * kDim, Axis::kY)));
      QVERIFY(near(toValues.decode.fabric.fixed,
                   sum(kHeads * kValue, Axis::kX) + sum(kHeads * kValue, Axis::kY)));
      QVERIFY(near(of["attn_mix"].decode.fabric.fixed, sum(kHeads * kRank, Axis::kY)));
      QCOMPARE(
          toLatent.sram[wafer::SramKind::kWeights],
          kHeads * wafer::matrixTileBytes(tensor::Format::kF16, kPlain, kRank, Axis::kY, grid));
      QVERIFY(near(wafer::chunkCycles(model, toLatent, 100, kContext, grid).total(),
                   kHeads * model.gemm(toLatent.gemm, 100, kContext, grid).total()));
    }
  }

  // The layers before those with experts have a wide FFN; in the others every token uses one more,
  // whose products travel with the experts'.
  void leadingLayersAndSharedExpertsAreCharged() {
    const auto machine = test::machine("wse3");
    const auto profile = test::profile("waferllm-2025-wse3");
    const wafer::CostModel model(machine, profile);
    const wafer::Grid grid{60, 50};
    wafer::LayerParts parts{.experts = 16, .expertsUsed = 4};
    const auto opsOf = [&](int layer) {
      std::map<std::string, wafer::Op> of;
      for (auto& op : wafer::layerOps(model, {1000, 1300, 330, 600, parts}, grid, 700, layer)) {
        of[op.name] = op;
      }
      return of;
    };
    auto plain = opsOf(0);
    parts.leadingDense = 2;
    parts.denseWidth = 2400;
    parts.sharedWidth = 1200;
    parts.selectionBias = true;
    auto leading = opsOf(1), mixed = opsOf(2);
    const auto cycles = [&](wafer::Op& op) { return model.at(op.decode, 700, grid).total(); };
    QVERIFY(!leading.contains("ffn_gate_inp") && leading.contains("ffn_up"));
    QVERIFY(!mixed.contains("ffn_up") && mixed.contains("ffn_up_shexp"));
    QCOMPARE(mixed.size(), plain.size() + 4);
    const auto held = [](wafer::Op& op) { return op.sram[wafer::SramKind::kWeights]; };
    QCOMPARE(held(leading["ffn_up"]), 2 * 40 * 20);
    QCOMPARE(held(mixed["ffn_up_shexp"]), 2 * 20 * 20);
    QCOMPARE(held(mixed["exp_probs_b.bias"]), 2 * 1);
    // One sum: of four times gate and up of an expert, 10 elements each, and of 20 of the one more.
    const auto sum = [&](int elements, wafer::Axis axis) {
      return model.allReduce(elements, axis, grid).fabric.fixed;
    };
    QVERIFY(near(plain["ffn_up_exps"].decode.fabric.fixed, sum(80, wafer::Axis::kY)));
    QCOMPARE(mixed["ffn_up_exps"].decode.fabric.fixed, 0.0);
    QVERIFY(near(mixed["ffn_up_shexp"].decode.fabric.fixed, sum(80 + 40, wafer::Axis::kY)));
    QVERIFY(near(mixed["ffn_down_shexp"].decode.fabric.fixed, sum(20, wafer::Axis::kX)));
    // Groups are chosen first, by their best two; a softmax over all needs their sum.
    const double before = cycles(mixed["ffn_choice"]);
    parts.sumsAll = true;
    auto summed = opsOf(2);
    QVERIFY(near(cycles(summed["ffn_choice"]), before + sum(1, wafer::Axis::kX)));
    parts.sumsAll = false;
    parts.sigmoid = true;
    parts.expertGroups = 4;
    auto grouped = opsOf(2);
    const double looked = 1 + profile.decode.issue;
    QVERIFY(near(cycles(grouped["ffn_choice"]), before + 2 * (sum(4, wafer::Axis::kX) + looked)));
  }

  // 3,200 channels and as many gates lie 54 on a PE; of a state a PE has two keys' rows of 27
  // values.
  void recurrentLayersAreCharged() {
    const auto machine = test::machine("wse3");
    const auto profile = test::profile("waferllm-2025-wse3");
    const wafer::CostModel model(machine, profile);
    const wafer::Grid grid{60, 50};
    wafer::LayerParts parts{.outputGate = true,
                            .recurrent = {.kernel = 4,
                                          .groups = 8,
                                          .heads = 16,
                                          .stateDim = 100,
                                          .headDim = 100,
                                          .attention = {1}}};
    const auto opsOf = [&](int layer) {
      std::map<std::string, wafer::Op> of;
      for (auto& op : wafer::attentionOps(model, {1000, 1300, 330, 600, parts}, grid, 700, layer))
        of[op.name] = op;
      return of;
    };
    const auto sum = [&](int elements, wafer::Axis axis) {
      return model.allReduce(elements, axis, grid).fabric.fixed;
    };
    const auto held = [](wafer::Op& op, wafer::SramKind kind) { return op.sram[kind]; };
    // A layer with attention: of each head a query and its gate, 22 each, and 6 of k and of v.
    auto attention = opsOf(1);
    QVERIFY(!attention.contains("ssm_delta"));
    QCOMPARE(held(attention["attn_q"], wafer::SramKind::kWeights), 2 * 20 * 44);
    QVERIFY(near(attention["attn_v"].decode.fabric.fixed, sum(44 + 12, wafer::Axis::kY)));

    auto delta = opsOf(0);
    QVERIFY(!delta.contains("attn_q") && !delta.contains("attn_score"));
    QVERIFY(!delta.contains("ssm_conv1d.bias") && !delta.contains("ssm_ba"));
    QCOMPARE(held(delta["attn_qkv"], wafer::SramKind::kWeights), 2 * 20 * 54);
    QCOMPARE(held(delta["attn_gate"], wafer::SramKind::kWeights), 2 * 20 * 27);
    // One sum of 3,200 channels, 1,600 gates and 32 factors: 81 on a PE.
    QCOMPARE(delta["attn_gate"].decode.fabric.fixed, 0.0);
    QVERIFY(near(delta["ssm_alpha"].decode.fabric.fixed, sum(81, wafer::Axis::kY)));
    wafer::Op& conv = delta["ssm_conv1d"];
    QCOMPARE(held(conv, wafer::SramKind::kWeights), 2 * 4 * 54);
    QCOMPARE(held(conv, wafer::SramKind::kKv), 2 * 3 * 54);
    QVERIFY(near(conv.decode.compute.fixed, 4 * model.elementwise(54).compute.fixed));
    wafer::Op& rule = delta["ssm_delta"];
    QCOMPARE(held(rule, wafer::SramKind::kKv), 4 * 2 * 27);
    QCOMPARE(held(rule, wafer::SramKind::kWeights), 2 * 2 * 1);
    QVERIFY(!rule.decode.fabric.grows() && !rule.decode.compute.grows());
    // Turned: 8 queries and 8 keys, 2 of each. Two products in one sum, with three sums a head.
    QVERIFY(near(rule.decode.fabric.fixed,
                 sum(2 * 8 * 2, wafer::Axis::kX) + sum(2 * 27 + 3, wafer::Axis::kY)));
    const double product = model.gemv({100, 1600, wafer::Axis::kY}, grid).compute.fixed;
    QVERIFY(near(rule.decode.compute.fixed,
                 2 * product + (4 + 2 * 2) * model.elementwise(27).compute.fixed));
    // Rows of a chunk go one after another.
    const auto row = model.at(rule.decode, 700, grid),
               rows = wafer::chunkCycles(model, rule, 30, 700, grid);
    QVERIFY(near(rows.total(), 30 * row.total()) && near(rows.wavelets, 30 * row.wavelets));
    QVERIFY(near(delta["ssm_out"].decode.fabric.fixed, sum(20, wafer::Axis::kX)));

    parts.recurrent.joined = true;
    QVERIFY(opsOf(0).contains("ssm_ba"));
    // Mamba-2's asks once, and its matrices are one.
    parts.recurrent.delta = false;
    auto scan = opsOf(0);
    QVERIFY(scan.contains("ssm_in") && scan.contains("ssm_conv1d.bias"));
    QCOMPARE(held(scan["ssm_in"], wafer::SramKind::kWeights), 2 * 20 * 81);
    QVERIFY(near(scan["ssm_scan"].decode.fabric.fixed,
                 sum(2 * 8 * 2, wafer::Axis::kX) + sum(27 + 1, wafer::Axis::kY)));
    QCOMPARE(held(scan["ssm_scan"], wafer::SramKind::kWeights), 2 * 3 * 1);
  }

  // A layer with a window costs what it would cost at a context of that length, however long the
  // context is, and no chunk of it more than the window and its own rows.
  void aWindowBoundsWhatAttentionCosts() {
    const auto machine = test::machine("wse2");
    const auto profile = test::profile("waferllm-2025");
    const wafer::CostModel model(machine, profile);
    const wafer::Grid grid{60, 50};
    const wafer::LayerParts parts{.window = 1000, .fullAttentionEvery = 3};
    for (int layer = 0; layer < 6; ++layer) {
      const bool full = layer % 3 == 2;
      for (const auto& op : wafer::layerOps(model, {64, 64, 64, 64, parts}, grid, 9000, layer)) {
        const bool attends = op.kind == wafer::OpKind::kScore || op.kind == wafer::OpKind::kAttend;
        QCOMPARE(op.window, attends && !full ? 1000 : 0);
        const auto bounded = wafer::rowCycles(model, op, 9000, grid).total();
        QVERIFY(near(bounded, model.at(op.decode, op.window ? 1000 : 9000, grid).total()));
        QVERIFY(near(wafer::rowCycles(model, op, 500, grid).total(),
                     model.at(op.decode, 500, grid).total()));
        auto unbounded = op;
        unbounded.window = 0;
        QVERIFY(
            near(wafer::chunkCycles(model, op, 200, 9000, grid).total(),
                 wafer::chunkCycles(model, unbounded, 200, op.window ? 1199 : 9000, grid).total()));
      }
    }
  }

  // The GEMM's steps, added up one by one.
  void aGemmIsTheSumOfItsSteps() {
    const auto machine = test::machine("wse2");
    const auto profile = test::profile("waferllm-2025");
    const wafer::CostModel model(machine, profile);
    const auto& c = profile.prefill;
    const int p = 48, m = 300, k = 1000, n = 500;
    const int mt = 7, kt = 21, nt = 11;  // padded up
    double compute = 0, fabric = 0;
    for (int step = 0; step < p; ++step) {
      for (int element = 0; element < kt * nt; ++element) {
        compute += std::ceil(double(mt) / c.lanes) + c.issue;
      }
      fabric += c.step + c.perWavelet * (std::ceil(mt * kt / 2.0) + std::ceil(kt * nt / 2.0));
    }
    auto plain = model.gemm({.k = k, .n = n}, m, 1, {p, p});
    QVERIFY(near(plain.compute, compute));
    QVERIFY(near(plain.fabric, fabric));
    auto aligned = model.gemm({.k = k, .n = n, .align = true}, m, 1, {p, p});
    for (int skew = 0; skew < p / 2; ++skew) {
      fabric += c.step + c.perWavelet * std::ceil(mt * kt / 2.0);
    }
    QVERIFY(near(aligned.fabric, fabric));
    QVERIFY(near(aligned.compute, compute));
    // Sizes of zero are the context.
    auto context = model.gemm({.k = 0, .n = n}, m, k, {p, p});
    QVERIFY(near(context.compute, compute));
  }

  void costsGrowWithTheContextOnlyWhereTheContextIs() {
    const auto plan = test::smallPlan();
    const wafer::CostModel model(plan.machine, plan.profile);
    for (const auto& op : plan.ops) {
      const auto grid = plan.gridOf(op);
      const double first = model.at(op.decode, 1, grid).total();
      const double last = model.at(op.decode, 1024, grid).total();
      const bool attention = op.kind == wafer::OpKind::kScore || op.kind == wafer::OpKind::kAttend;
      QVERIFY2(attention ? last > first : last == first, op.name.c_str());
      double before = 0;
      for (int s = 1; s <= 1024; ++s) {
        const double now = model.at(op.decode, s, grid).total();
        QVERIFY(now >= before);
        before = now;
      }
    }
  }

  void everyOpMovesWaveletsOrComputes() {
    const auto plan = test::smallPlan();
    const wafer::CostModel model(plan.machine, plan.profile);
    for (const auto& op : plan.ops) {
      const auto cycles = model.at(op.decode, 100, plan.gridOf(op));
      QVERIFY2(cycles.total() > 0, op.name.c_str());
      QCOMPARE(cycles.fabric > 0, cycles.wavelets > 0);
    }
  }
};

QTEST_GUILESS_MAIN(TestCost)
#include "test_cost.moc"
