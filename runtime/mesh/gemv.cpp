// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/gemv.h"

#include <array>
#include <string>

#include "runtime/mesh/ranges.h"

namespace waferpair::mesh {

void multiply(Builder& builder, int pe, const GemvTile& tile) {
  const Operand out = memory(tile.out, Type::F16);
  const auto columns = static_cast<std::uint32_t>(tile.columns);
  builder.append(pe, mov(out, constant(0, Type::F16), columns));
  if (tile.rows == 0) return;
  Instruction row = vectorOp(
      Op::Fmac, out, memory(tile.in, Type::F16, 0, bytesOf(Type::F16)),
      memory(tile.tile.address, Type::F16, 1, static_cast<std::int32_t>(tile.tile.pitch)), columns);
  row.repeat = static_cast<std::uint32_t>(tile.rows);
  row.issue = static_cast<std::uint32_t>(tile.issueCycles);
  builder.append(pe, row);
}

base::Result<void> gemv(Builder& builder, const GemvTile& tile, const Along& along) {
  const std::array<Range, 3> ranges = {{{"rows of a tile", tile.rows, 1, kMostInPe},
                                        {"columns of a tile", tile.columns, 1, kMostInPe},
                                        {"issue cycles", tile.issueCycles, 0, kMostInPe}}};
  if (auto ok = checkRanges("GEMV", ranges); !ok) return ok;
  if (auto ok = check(along, builder.config()); !ok) return ok;
  for (int pe = 0; pe < builder.config().peCount(); ++pe) multiply(builder, pe, tile);
  allReduce(builder, along, {tile.out, static_cast<std::uint32_t>(tile.columns), Type::F16});
  return {};
}

base::Result<GemvTile> gemvTile(const Config& config, const GemvShape& shape, SramLayout& sram) {
  const std::array<Range, 2> ranges = {
      {{"rows", shape.rows, 1, kMostInRegion}, {"columns", shape.columns, 1, kMostInRegion}}};
  if (auto ok = checkRanges("GEMV", ranges); !ok) return tl::unexpected(ok.error());
  const wafer::Grid grid{config.width, config.height};
  const auto share = [&](int size, wafer::Axis axis) {
    return static_cast<int>(wafer::ceilDiv(size, pesAlong(grid, axis)));
  };
  GemvTile tile{.rows = share(shape.rows, shape.reduce),
                .columns = share(shape.columns, across(shape.reduce)),
                .issueCycles = shape.issueCycles};
  tile.out = sram.vector(tile.columns).address;
  tile.in = sram.vector(tile.rows).address;
  tile.tile = sram.matrix(tile.rows, tile.columns);
  const std::string what =
      "GEMV: a tile of " + std::to_string(tile.rows) + " x " + std::to_string(tile.columns);
  if (auto ok = sram.check(what.c_str(), config); !ok) return tl::unexpected(ok.error());
  return tile;
}

}  // namespace waferpair::mesh
