// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/embedding.h"

#include <array>

#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

base::Result<void> embed(Builder& builder, const Embedding& op) {
  const Config& config = builder.config();
  const std::array<Range, 2> ranges = {
      {{"column", op.column, 0, config.width - 1}, {"length", op.out.length, 1, kMostInPe}}};
  if (auto ok = checkRanges("Embedding", ranges); !ok) return ok;
  for (int y = 0; y < config.height; ++y) {
    const int owner = config.peAt(op.column, y);
    builder.append(
        owner, mov(memory(op.out.address, Type::F16), memory(op.row, Type::F16), op.out.length));
    builder.broadcast(owner, {0, y, config.width, 1}, {op.out.address, op.out.length, Type::F16});
  }
  return {};
}

}  // namespace waferpair::mesh
