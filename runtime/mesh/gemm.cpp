// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/gemm.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "runtime/mesh/ranges.h"
#include "runtime/wafer/cost/cost.h"

namespace waferpair::mesh {

namespace {

constexpr int kElementBytes = bytesOf(Type::F16);

// Each buffer has its own microthread, that fills it and then sends it on: an instruction waits for
// the one before it on its thread, and the task for the thread.
enum Thread { kLeft = 0, kRight = 2 };

Instruction blockOf(Operand to, Operand from, int length, int repeat) {
  Instruction instruction = mov(to, from, static_cast<std::uint32_t>(length));
  instruction.repeat = static_cast<std::uint32_t>(repeat);
  return instruction;
}

Operand columnsOf(const Matrix& matrix) {
  return memory(matrix.address, Type::F16, 1, static_cast<std::int32_t>(matrix.pitch));
}

// Writes the program of one PE.
class PeProgram {
 public:
  PeProgram(Builder& builder, const GemmTile& tile, int pe)
      : builder_(builder), tile_(tile), pe_(pe) {}

  void clear() {
    append(blockOf(columnsOf(tile_.out), constant(0, Type::F16), tile_.rows, tile_.columns));
  }

  // Sends buffer `from` by color `out` and fills the other by `in`.
  void shiftLeft(int from, int out, int in) {
    shift(kLeft, from, blockOf(fabricOut(out, Type::F16), left(from), tile_.rows, tile_.inner),
          blockOf(left(1 - from), fabricIn(in, Type::F16), tile_.rows, tile_.inner));
  }
  void shiftRight(int from, int out, int in) {
    const int length = tile_.inner * tile_.columns;
    shift(kRight, from, blockOf(fabricOut(out, Type::F16), right(from), length, 1),
          blockOf(right(1 - from), fabricIn(in, Type::F16), length, 1));
  }

  // Software, in which nothing else runs.
  void charge(double cycles) {
    if (std::lround(cycles) < 1) return;
    Instruction idle = touch();
    idle.issue = static_cast<std::uint32_t>(std::lround(cycles)) - 1;
    append(idle);
  }

  void multiply(int leftBuffer, int rightBuffer) {
    for (int k = 0; k < tile_.inner; ++k) {
      Operand column = left(leftBuffer);
      column.address += static_cast<std::uint32_t>(k) * tile_.left[leftBuffer].pitch;
      column.step = 0;
      const auto row =
          tile_.right[rightBuffer] + static_cast<std::uint32_t>(kElementBytes * k * tile_.columns);
      Instruction product =
          vectorOp(Op::Fmac, columnsOf(tile_.out), column, memory(row, Type::F16, 0, kElementBytes),
                   static_cast<std::uint32_t>(tile_.rows));
      product.repeat = static_cast<std::uint32_t>(tile_.columns);
      product.issue = static_cast<std::uint32_t>(tile_.issueCycles);
      append(product);
    }
  }

  // Waits for both buffers, and copies the second to the first if that is where the operand is.
  void settleLeft(bool second) {
    settle(kLeft);
    if (second) append(blockOf(left(0), left(1), tile_.rows, tile_.inner));
  }
  void settleRight(bool second) {
    settle(kRight);
    if (second) append(blockOf(right(0), right(1), tile_.inner * tile_.columns, 1));
  }

 private:
  Operand left(int buffer) const { return columnsOf(tile_.left[buffer]); }
  Operand right(int buffer) const { return memory(tile_.right[buffer], Type::F16); }
  // Changes nothing.
  Instruction touch() const {
    const Operand element = memory(tile_.out.address, Type::F16);
    return mov(element, element, 1);
  }
  void append(const Instruction& instruction) { builder_.append(pe_, instruction); }

  void shift(Thread operand, int from, Instruction send, Instruction fill) {
    send.thread = operand + from;
    fill.thread = operand + 1 - from;
    append(send);
    append(fill);
  }

  void settle(Thread operand) {
    for (int buffer = 0; buffer < 2; ++buffer) {
      Instruction behind = touch();
      behind.thread = operand + buffer;
      append(behind);
    }
  }

  Builder& builder_;
  const GemmTile& tile_;
  const int pe_;
};

// The colors by which a PE sends to and receives from the ring's neighbors.
struct RingColors {
  int out = -1, in = -1;
};

}  // namespace

int ringPlace(int index, int pes) {
  return 2 * index < pes ? 2 * index : 2 * (pes - 1 - index) + 1;
}
int ringIndex(int place, int pes) { return place % 2 == 0 ? place / 2 : pes - 1 - place / 2; }

int gemmBlock(int x, int y, int pes) {
  return ringPlace((ringIndex(x, pes) + ringIndex(y, pes)) % pes, pes);
}

base::Result<void> gemm(Builder& builder, const GemmTile& tile) {
  const Config& config = builder.config();
  const int pes = config.width;
  const std::array<Range, 8> ranges = {
      {{"rows of a tile", tile.rows, 1, kMostInPe},
       {"inner elements of a tile", tile.inner, 1, kMostInPe},
       {"columns of a tile", tile.columns, 1, kMostInPe},
       {"elements of a right tile", std::int64_t{tile.inner} * tile.columns, 1, kMostInPe},
       {"issue cycles", tile.issueCycles, 0, kMostInPe},
       {"step cycles", std::llround(tile.stepCycles), 0, kMostInPe},
       {"wavelet cycles", std::llround(tile.waveletCycles), 0, 1000},
       {"height of the region", config.height, pes, pes}}};
  if (auto ok = checkRanges("GEMM", ranges); !ok) return ok;
  const double leftWavelets =
      static_cast<double>(tile.inner) * static_cast<double>(wafer::waveletsOf(tile.rows));
  const auto rightWavelets =
      static_cast<double>(wafer::waveletsOf(std::int64_t{tile.inner} * tile.columns));
  const double leftSoftware = tile.stepCycles + tile.waveletCycles * leftWavelets;
  const double stepSoftware = leftSoftware + tile.waveletCycles * rightWavelets;

  for (int y = 0; y < pes; ++y) {
    for (int x = 0; x < pes; ++x) {
      const int pe = config.peAt(x, y);
      // Towards the ring's place `by` before this one's, from that behind it.
      const auto alongRow = [&](int by) {
        const int index = ringIndex(x, pes);
        const auto at = [&](int i) { return config.peAt(ringPlace((i + pes) % pes, pes), y); };
        return RingColors{builder.connect(pe, at(index - by)), builder.connect(at(index + by), pe)};
      };
      const auto alongColumn = [&] {
        const int index = ringIndex(y, pes);
        const auto at = [&](int i) { return config.peAt(x, ringPlace((i + pes) % pes, pes)); };
        return RingColors{builder.connect(pe, at(index - 1)), builder.connect(at(index + 1), pe)};
      };
      PeProgram program(builder, tile, pe);
      program.clear();
      if (tile.align && pes > 1) {
        const int skew = ringIndex(y, pes), shifts = std::min(skew, pes - skew);
        const RingColors ring = shifts > 0 ? alongRow(skew <= pes / 2 ? 1 : -1) : RingColors{};
        for (int i = 0; i < shifts; ++i) {
          program.shiftLeft(i % 2, ring.out, ring.in);
          program.charge(leftSoftware);
        }
        program.settleLeft(shifts % 2 == 1);
      }
      for (int step = 0; step < pes; ++step) {
        const int buffer = step % 2;
        if (pes > 1) {
          const RingColors row = alongRow(1), column = alongColumn();
          program.shiftLeft(buffer, row.out, row.in);
          program.shiftRight(buffer, column.out, column.in);
        }
        program.charge(stepSoftware);
        program.multiply(buffer, buffer);
      }
      if (pes > 1) {
        program.settleLeft(pes % 2 == 1);
        program.settleRight(pes % 2 == 1);
      }
    }
  }
  return {};
}

base::Result<GemmTile> gemmTile(const Config& config, const GemmShape& shape, SramLayout& sram) {
  const std::array<Range, 3> ranges = {{{"m", shape.m, 1, kMostInRegion},
                                        {"k", shape.k, 1, kMostInRegion},
                                        {"n", shape.n, 1, kMostInRegion}}};
  if (auto ok = checkRanges("GEMM", ranges); !ok) return tl::unexpected(ok.error());
  GemmTile tile;
  tile.rows = static_cast<int>(wafer::ceilDiv(shape.m, config.height));
  tile.inner = static_cast<int>(wafer::ceilDiv(shape.k, config.width));
  tile.columns = static_cast<int>(wafer::ceilDiv(shape.n, config.width));
  for (Matrix& left : tile.left) left = sram.matrix(tile.inner, tile.rows);
  for (std::uint32_t& right : tile.right) {
    right = sram.vector(std::int64_t{tile.inner} * tile.columns).address;
  }
  // The result lies on whole lines, as a vector does: its banks are then never those of a column of
  // the left tile.
  tile.out.pitch = tile.left[0].pitch;
  tile.out.address =
      sram.vector(std::int64_t{tile.columns} * tile.out.pitch / kElementBytes).address;
  const std::string what = "GEMM: tiles of " + std::to_string(tile.rows) + " x " +
                           std::to_string(tile.inner) + " and " + std::to_string(tile.inner) +
                           " x " + std::to_string(tile.columns);
  if (auto ok = sram.check(what.c_str(), config); !ok) return tl::unexpected(ok.error());
  return tile;
}

}  // namespace waferpair::mesh
