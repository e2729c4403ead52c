// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/argmax.h"

#include <array>
#include <limits>
#include <numeric>

#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

base::Result<void> argmax(Builder& builder, const Argmax& op, const Along& along) {
  const Config& config = builder.config();
  const bool rows = along.axis == wafer::Axis::kX;
  const int pes = rows ? config.width : config.height;
  for (int count : op.counts) {
    const Range range{"count", count, 0, kMostInPe};
    if (auto ok = checkRanges("Argmax", {&range, 1}); !ok) return ok;
  }
  const auto total = std::accumulate(op.counts.begin(), op.counts.end(), std::int64_t{0});
  const std::array<Range, 3> ranges = {
      {{"PEs with a count", static_cast<std::int64_t>(op.counts.size()), pes, pes},
       {"logits", total, 1, kMostInRegion},
       {"segment", along.segment, 0, 0}}};
  if (auto ok = checkRanges("Argmax", ranges); !ok) return ok;
  if (auto ok = check(along, config); !ok) return ok;

  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const Operand maximum = memory(op.maximum, Type::F16, 0), rank = memory(op.rank, Type::F32, 0);
  const Operand logits = memory(op.logits, Type::F16), ranks = memory(op.ranks, Type::F32);
  const Operand differences = memory(op.differences, Type::F16);
  const auto lineIndex = [&](int pe) { return rows ? pe % config.width : pe / config.width; };
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const auto count = static_cast<std::uint32_t>(op.counts[lineIndex(pe)]);
    builder.append(pe, mov(maximum, constant(kLowest, Type::F16), 1));
    builder.append(pe, mov(rank, constant(kLowest, Type::F32), 1));
    if (count > 0) builder.append(pe, vectorOp(Op::Max, maximum, maximum, logits, count));
  }
  allReduce(builder, along, {op.maximum, 1, Type::F16}, Op::Max);
  for (int pe = 0; pe < config.peCount(); ++pe) {
    const int index = lineIndex(pe);
    const auto count = static_cast<std::uint32_t>(op.counts[index]);
    if (count == 0) continue;
    // The line's ranks fall from `total` to 1.
    const auto before =
        std::accumulate(op.counts.begin(), op.counts.begin() + index, std::int64_t{0});
    builder.append(pe, mov(ranks, constant(static_cast<float>(total - before), Type::F32), 1));
    if (count > 1) {
      Instruction fall = vectorOp(Op::Sub, memory(op.ranks + 4, Type::F32, 1, 4),
                                  memory(op.ranks, Type::F32, 1, 4), constant(1, Type::F32), 1);
      fall.repeat = count - 1;
      builder.append(pe, fall);
    }
    builder.append(pe, vectorOp(Op::Sub, differences, logits, maximum, count));
    builder.append(pe, vectorOp(Op::Fmac, ranks, differences, constant(0x1p50f, Type::F32), count));
    builder.append(pe, vectorOp(Op::Max, rank, rank, ranks, count));
  }
  allReduce(builder, along, {op.rank, 1, Type::F32}, Op::Max);
  return {};
}

}  // namespace waferpair::mesh
