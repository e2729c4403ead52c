// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/elementwise.h"

#include <array>

#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

namespace {

void appendToAll(Builder& builder, const Instruction& instruction) {
  for (int pe = 0; pe < builder.config().peCount(); ++pe) builder.append(pe, instruction);
}

}  // namespace

base::Result<void> add(Builder& builder, const Span& to, const Span& of) {
  const std::array<Range, 2> ranges = {
      {{"length", to.length, 1, kMostInPe}, {"length of both", of.length, to.length, to.length}}};
  if (auto ok = checkRanges("Addition", ranges); !ok) return ok;
  const Operand sum = memory(to.address, to.type);
  appendToAll(builder, vectorOp(Op::Add, sum, sum, memory(of.address, of.type), to.length));
  return {};
}

base::Result<void> siluMul(Builder& builder, const SiluMul& op) {
  const Range range{"length", op.length, 1, kMostInPe};
  if (auto ok = checkRanges("SiLU", {&range, 1}); !ok) return ok;
  const Operand gate = memory(op.gate, Type::F16), up = memory(op.up, Type::F16);
  const Operand work = memory(op.work, Type::F32);
  const auto append = [&](Op what, const Operand& to, const Operand& a, const Operand& b) {
    appendToAll(builder, vectorOp(what, to, a, b, static_cast<std::uint32_t>(op.length)));
  };
  append(Op::Mul, work, gate, constant(-1, Type::F32));
  append(Op::Exp, work, work, {});
  append(Op::Add, work, work, constant(1, Type::F32));
  append(Op::Reciprocal, work, work, {});
  append(Op::Mul, work, work, gate);
  append(Op::Mul, gate, work, up);
  return {};
}

base::Result<void> rope(Builder& builder, const Rope& op) {
  const std::array<Range, 3> ranges = {
      {{"vectors", op.vectors, 1, kMostInPe},
       {"pairs", op.pairs, 1, kMostInPe},
       {"pairs of all vectors", std::int64_t{op.vectors} * op.pairs, 1, kMostInPe}}};
  if (auto ok = checkRanges("Rotary positions", ranges); !ok) return ok;
  // The first and second elements of all pairs, and three vectors to work in.
  const int pairs = op.pairs;
  const Operand a = memory(op.at, Type::F16, 2, 4 * pairs);
  const Operand b = memory(op.at + 2, Type::F16, 2, 4 * pairs);
  const auto work = [&](int which) {
    return memory(op.work + static_cast<std::uint32_t>(4 * which * op.vectors * pairs), Type::F32,
                  1, 4 * pairs);
  };
  const Operand cosine = memory(op.cosines, Type::F16), sine = memory(op.sines, Type::F16);
  const auto append = [&](Op what, const Operand& to, const Operand& x, const Operand& y) {
    Instruction instruction = vectorOp(what, to, x, y, static_cast<std::uint32_t>(pairs));
    instruction.repeat = static_cast<std::uint32_t>(op.vectors);
    appendToAll(builder, instruction);
  };
  append(Op::Mul, work(0), a, cosine);
  append(Op::Mul, work(1), b, sine);
  append(Op::Mul, work(2), a, sine);
  append(Op::Sub, a, work(0), work(1));
  append(Op::Mul, work(0), b, cosine);
  append(Op::Add, b, work(2), work(0));
  return {};
}

}  // namespace waferpair::mesh
