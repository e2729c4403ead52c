// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/kernels.h"

#include <string>

#include "runtime/mesh/collectives.h"

namespace waferpair::mesh {

namespace {

int ceilDiv(int a, int b) { return (a + b - 1) / b; }

// A line of all eight banks: rows that begin on one keep their distance from the result, so that
// their banks never meet.
constexpr std::uint32_t kLine = 64;
std::uint32_t roundUp(std::uint32_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

}  // namespace

base::Result<GemvLayout> gemv(Builder& builder, const GemvShape& shape) {
  const Config& config = builder.config();
  constexpr int kMost = 1 << 24;
  if (shape.rows < 1 || shape.rows > kMost || shape.columns < 1 || shape.columns > kMost ||
      shape.issueCycles < 0 || shape.group < 1) {
    return base::fail("GEMV: rows " + std::to_string(shape.rows) + ", columns " +
                          std::to_string(shape.columns) + ", issue cycles " +
                          std::to_string(shape.issueCycles) + ", group " +
                          std::to_string(shape.group) + ".",
                      "Rows, columns and group must be positive, and issue cycles not negative.");
  }
  GemvLayout layout;
  layout.kt = ceilDiv(shape.rows, config.height);
  layout.nt = ceilDiv(shape.columns, config.width);
  const auto bytes = [](int elements) { return static_cast<std::uint32_t>(2 * elements); };
  layout.pitch = roundUp(bytes(layout.nt));
  layout.in = roundUp(bytes(layout.nt));
  // Half a line behind the start of the result's banks.
  layout.tile = roundUp(layout.in + bytes(layout.kt)) + kLine / 2;
  const std::int64_t end = layout.tile + std::int64_t{layout.pitch} * layout.kt;
  if (end > config.sramBytes) {
    return base::fail("GEMV: a tile of " + std::to_string(layout.kt) + " x " +
                          std::to_string(layout.nt) + " needs " + std::to_string(end) +
                          " bytes of a PE's " + std::to_string(config.sramBytes) + ".",
                      "Take a larger region, or a smaller matrix.");
  }
  const Span out{layout.out, static_cast<std::uint32_t>(layout.nt), Type::F16};
  const Operand result = memory(layout.out, Type::F16);
  Instruction row = vectorOp(
      Op::Fmac, result, memory(layout.in, Type::F16, 0, 2),
      memory(layout.tile, Type::F16, 1, static_cast<std::int32_t>(layout.pitch)), out.length);
  row.repeat = static_cast<std::uint32_t>(layout.kt);
  row.issue = static_cast<std::uint32_t>(shape.issueCycles);
  for (int pe = 0; pe < config.peCount(); ++pe) {
    builder.append(pe, mov(result, constant(0, Type::F16), out.length));
    builder.append(pe, row);
  }
  for (int x = 0; x < config.width; ++x) {
    kTreeAllReduce(builder, column(config, x), out, shape.group);
  }
  return layout;
}

}  // namespace waferpair::mesh
