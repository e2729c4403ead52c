// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/cutout.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/gemv.h"

namespace waferpair::mesh {
namespace {

using wafer::Axis;
using wafer::CostPart;
using wafer::Grid;

// Code around each message of a reduce, which takes 2 T_R + 1 cycles of the fabric itself. Moves
// are the fabric's alone.
int softwareCycles(const Config& config, const wafer::Profile& profile, const CutoutWish& wish) {
  const bool reduces = std::ranges::any_of(
      wish.parts, [](const CostPart& part) { return part.kind == CostPart::Kind::kAllReduce; });
  const auto stage = static_cast<int>(std::lround(profile.decode.stage));
  return reduces ? std::max(0, stage - 2 * config.rampCycles - 1) : 0;
}

// Writes the program of an op's parts, one behind the other.
class CutoutWriter {
 public:
  CutoutWriter(const Config& config, const wafer::Profile& profile, const CutoutWish& wish)
      : config_(config),
        profile_(profile),
        wish_(wish),
        issue_(static_cast<int>(std::lround(profile.decode.issue))),
        builder_(config, softwareCycles(config, profile, wish)) {}

  void add(const CostPart& part) {
    for (int i = 0; i < part.times; ++i) {
      switch (part.kind) {
        case CostPart::Kind::kGemv:
          addProduct(part.gemv);
          break;
        case CostPart::Kind::kAllReduce:
          addSum(part);
          break;
        case CostPart::Kind::kElementwise:
          addElementwise(part.elements);
          break;
        case CostPart::Kind::kTell:
          result_ = vector(2);
          builder_.broadcast(0, {0, 0, config_.width, config_.height}, result_);
          break;
        case CostPart::Kind::kMove:
        case CostPart::Kind::kWaferHop:
          addRow(part);
          break;
      }
    }
  }

  // The same part on a region that is the cut-out.
  CostPart scaled(CostPart part) const {
    const auto size = [&](int whole, Axis axis) {
      return whole == 0 ? 0 : static_cast<int>(held(whole, axis)) * pesAlong(grid(), axis);
    };
    part.gemv.k = size(part.gemv.k, part.gemv.reduce);
    part.gemv.n = size(part.gemv.n, across(part.gemv.reduce));
    if (part.to.height > 0) {
      part.width = static_cast<int>(wafer::ceilDiv(part.width, part.to.height)) * config_.height;
      part.hops = 0;
      part.to = grid();
    }
    return part;
  }
  Grid grid() const { return {config_.width, config_.height}; }
  // Positions that make a row of PEs hold as many as in the region.
  std::int64_t positions() const { return positionsHeld() * config_.height; }

  base::Result<Cutout> finish() {
    if (auto ok = sram_.check("The cut-out", config_); !ok) return tl::unexpected(ok.error());
    auto program = builder_.finish();
    if (!program) return tl::unexpected(program.error());
    return Cutout{std::move(*program), std::move(filled_), result_, 0};
  }

 private:
  std::int64_t positionsHeld() const {
    return wafer::ceilDiv(wish_.positions, wish_.region.height);
  }
  // Elements of a size that lies along an axis, on each PE; 0 is the context.
  std::int64_t held(int size, Axis axis) const {
    return size > 0 ? wafer::ceilDiv(size, pesAlong(wish_.region, axis)) : positionsHeld();
  }
  Span vector(std::int64_t elements) {
    const Span span = sram_.vector(elements);
    filled_.push_back(span);
    return span;
  }

  void addProduct(const wafer::Gemv& gemv) {
    GemvTile tile{.rows = static_cast<int>(held(gemv.k, gemv.reduce)),
                  .columns = static_cast<int>(held(gemv.n, across(gemv.reduce))),
                  .issueCycles = issue_};
    result_ = sram_.vector(tile.columns);
    tile.out = result_.address;
    tile.in = vector(tile.rows).address;
    tile.tile = sram_.matrix(tile.rows, tile.columns);
    if (!sram_.check("", config_)) return;  // addresses are of no use: finish() tells
    for (int row = 0; row < tile.rows; ++row) {
      filled_.push_back({tile.tile.address + static_cast<std::uint32_t>(row) * tile.tile.pitch,
                         static_cast<std::uint32_t>(tile.columns), Type::F16});
    }
    for (int pe = 0; pe < config_.peCount(); ++pe) multiply(builder_, pe, tile);
  }

  void addSum(const CostPart& part) {
    const std::int64_t elements = part.elements > 0 ? part.elements : positionsHeld();
    if (result_.length != elements) result_ = vector(elements);
    const int pes = pesAlong(grid(), part.axis);
    const int groups = profile_.groups(pes);
    allReduce(builder_, {.axis = part.axis, .group = static_cast<int>(wafer::ceilDiv(pes, groups))},
              result_);
  }

  void addElementwise(int elements) {
    if (result_.length != static_cast<std::uint32_t>(elements)) result_ = vector(elements);
    const Span other = vector(elements);
    Instruction add =
        vectorOp(Op::Add, memory(result_.address, Type::F16), memory(result_.address, Type::F16),
                 memory(other.address, Type::F16), result_.length);
    add.issue = static_cast<std::uint32_t>(issue_);
    for (int pe = 0; pe < config_.peCount(); ++pe) builder_.append(pe, add);
  }

  // A row of activations comes to the first column, and each PE of it tells its row of PEs.
  void addRow(const CostPart& part) {
    result_ = vector(wafer::ceilDiv(part.width, part.to.height));
    for (int y = 0; y < config_.height; ++y) broadcast(builder_, row(config_, y), result_);
  }

  const Config& config_;
  const wafer::Profile& profile_;
  const CutoutWish& wish_;
  const int issue_;
  Builder builder_;
  SramLayout sram_;
  std::vector<Span> filled_;
  Span result_{0, 0, Type::F16};
};

}  // namespace

base::Result<Cutout> cutoutOf(const wafer::Machine& machine, const wafer::Profile& profile,
                              const CutoutWish& wish) {
  const auto config = configFor(machine, std::min(wish.size, wish.region.width),
                                std::min(wish.size, wish.region.height));
  if (!config) return tl::unexpected(config.error());
  if (wish.parts.empty()) return base::fail("The op does nothing for a row.", "Choose another.");
  CutoutWriter writer(*config, profile, wish);
  for (const CostPart& part : wish.parts) writer.add(part);
  auto cutout = writer.finish();
  if (!cutout) return cutout;
  const wafer::CostModel model(machine, profile);
  for (const CostPart& part : wish.parts) {
    const CostPart scaled = writer.scaled(part);
    wafer::OpCost cost = scaled.kind == CostPart::Kind::kWaferHop
                             ? model.transfer(scaled.width, 0, scaled.to)
                             : costOf(model, scaled, writer.grid(), profile.clockGhz);
    cutout->closedForm += part.times * model.at(cost, writer.positions(), writer.grid()).total();
  }
  return cutout;
}

base::Result<Mesh> load(const Cutout& cutout) {
  auto mesh = Mesh::make(cutout.program);
  if (!mesh) return mesh;
  const Config& config = mesh->config();
  std::vector<float> values;
  for (int y = 0; y < config.height; ++y) {
    for (int x = 0; x < config.width; ++x) {
      for (const Span& span : cutout.filled) {
        values.resize(span.length);
        for (std::uint32_t i = 0; i < span.length; ++i)
          values[i] = static_cast<float>((static_cast<std::uint32_t>(config.peAt(x, y)) + i) % 3);
        if (auto ok = mesh->writeHalves(x, y, span.address, values); !ok)
          return tl::unexpected(ok.error());
      }
    }
  }
  return mesh;
}

}  // namespace waferpair::mesh
