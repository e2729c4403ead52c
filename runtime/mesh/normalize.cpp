// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/normalize.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

namespace {

// The same instruction for each of `vectors`.
Instruction forEach(int vectors, Instruction instruction) {
  instruction.repeat = static_cast<std::uint32_t>(vectors);
  return instruction;
}

// One element for each vector, all along that vector.
Operand each(std::uint32_t address, Type type) { return memory(address, type, 0, bytesOf(type)); }

}  // namespace

base::Result<void> rmsNorm(Builder& builder, const RmsNorm& op, const Along& along) {
  const std::array<Range, 3> ranges = {{{"vectors", op.vectors, 1, kMostInPe},
                                        {"length", op.length, 1, kMostInPe},
                                        {"elements", op.elements, 1, kMostInRegion}}};
  if (auto ok = checkRanges("RMS norm", ranges); !ok) return ok;
  if (auto ok = check(along, builder.config()); !ok) return ok;
  const auto length = static_cast<std::uint32_t>(op.length);
  const auto vectors = static_cast<std::uint32_t>(op.vectors);
  const Operand sums = memory(op.sums, Type::F32), sum = each(op.sums, Type::F32);
  const auto vector = [&](std::uint32_t address) {
    return memory(address, Type::F16, 1, 2 * op.length);
  };
  const Operand in = vector(op.in), out = vector(op.out);
  for (int pe = 0; pe < builder.config().peCount(); ++pe) {
    builder.append(pe, mov(sums, constant(0, Type::F32), vectors));
    builder.append(pe, forEach(op.vectors, vectorOp(Op::Fmac, sum, in, in, length)));
  }
  allReduce(builder, along, {op.sums, vectors, Type::F32});
  const float share = 1 / static_cast<float>(op.elements);
  for (int pe = 0; pe < builder.config().peCount(); ++pe) {
    builder.append(pe, vectorOp(Op::Mul, sums, sums, constant(share, Type::F32), vectors));
    builder.append(pe, vectorOp(Op::Add, sums, sums, constant(op.epsilon, Type::F32), vectors));
    builder.append(pe, vectorOp(Op::Rsqrt, sums, sums, {}, vectors));
    builder.append(pe, forEach(op.vectors, vectorOp(Op::Mul, out, in, sum, length)));
    builder.append(
        pe, forEach(op.vectors, vectorOp(Op::Mul, out, out, memory(op.gain, Type::F16), length)));
  }
  return {};
}

base::Result<void> softmax(Builder& builder, const Softmax& op, const Along& along) {
  const Config& config = builder.config();
  const bool rows = along.axis == wafer::Axis::kX;
  const int pes = rows ? config.width : config.height;
  const std::array<Range, 3> ranges = {
      {{"vectors", op.vectors, 1, kMostInPe},
       {"PEs with a count", static_cast<std::int64_t>(op.counts.size()), pes, pes},
       {"segment", along.segment, 0, 0}}};
  if (auto ok = checkRanges("Softmax", ranges); !ok) return ok;
  for (int count : op.counts) {
    const Range range{"count", count, 0, kMostInPe};
    if (auto ok = checkRanges("Softmax", {&range, 1}); !ok) return ok;
  }
  if (auto ok = check(along, config); !ok) return ok;
  const auto vectors = static_cast<std::uint32_t>(op.vectors);
  const Operand maxima = memory(op.maxima, Type::F16), maximum = each(op.maxima, Type::F16);
  const Operand sums = memory(op.sums, Type::F32), sum = each(op.sums, Type::F32);
  // Appends what it is given of the PE's scores to each PE that has some.
  const auto onScores = [&](auto appendTo) {
    for (int pe = 0; pe < config.peCount(); ++pe) {
      const int count = op.counts[rows ? pe % config.width : pe / config.width];
      if (count == 0) continue;
      appendTo(pe, memory(op.scores, Type::F16, 1, bytesOf(Type::F16) * scorePitch(count)),
               static_cast<std::uint32_t>(count));
    }
  };
  const auto append = [&](int pe, Op what, const Operand& to, const Operand& a, const Operand& b,
                          std::uint32_t count) {
    builder.append(pe, forEach(op.vectors, vectorOp(what, to, a, b, count)));
  };
  const float lowest = -std::numeric_limits<float>::infinity();
  for (int pe = 0; pe < config.peCount(); ++pe) {
    builder.append(pe, mov(maxima, constant(lowest, Type::F16), vectors));
    builder.append(pe, mov(sums, constant(0, Type::F32), vectors));
  }
  onScores([&](int pe, const Operand& scores, std::uint32_t count) {
    append(pe, Op::Mul, scores, scores, constant(op.scale, Type::F32), count);
    append(pe, Op::Max, maximum, maximum, scores, count);
  });
  allReduce(builder, along, {op.maxima, vectors, Type::F16}, Op::Max);
  onScores([&](int pe, const Operand& scores, std::uint32_t count) {
    append(pe, Op::Sub, scores, scores, maximum, count);
    append(pe, Op::Exp, scores, scores, {}, count);
    append(pe, Op::Add, sum, sum, scores, count);
  });
  allReduce(builder, along, {op.sums, vectors, Type::F32});
  for (int pe = 0; pe < config.peCount(); ++pe) {
    builder.append(pe, vectorOp(Op::Reciprocal, sums, sums, {}, vectors));
  }
  onScores([&](int pe, const Operand& scores, std::uint32_t count) {
    append(pe, Op::Mul, scores, scores, sum, count);
  });
  return {};
}

}  // namespace waferpair::mesh
