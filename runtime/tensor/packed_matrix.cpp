// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/packed_matrix.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>

namespace waferpair::tensor {
namespace {

constexpr std::size_t kLine = 64;  // cache line: no two matrices share one

// in: rows of a file, with any alignment. Lane r % 8 of panel r / 8 takes row r.
template <typename T>
void packPlain(T* out, const std::byte* in, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    T* panel = out + static_cast<std::size_t>(r / kPanel) * cols * kPanel;
    const std::byte* row = in + static_cast<std::size_t>(r) * cols * sizeof(T);
    for (int k = 0; k < cols; ++k) {
      std::memcpy(&panel[k * kPanel + r % kPanel], row + k * sizeof(T), sizeof(T));
    }
  }
}

void packQ8(std::int8_t* quants, Half* scales, const std::byte* in, int rows, int cols) {
  constexpr int kGroup = 4;  // columns that lie together in a lane
  const int blocks = cols / kBlock;
  for (int r = 0; r < rows; ++r) {
    const std::size_t panel = static_cast<std::size_t>(r / kPanel);
    const int lane = r % kPanel;
    for (int b = 0; b < blocks; ++b) {
      BlockQ8 block;
      std::memcpy(&block, in + (static_cast<std::size_t>(r) * blocks + b) * sizeof(BlockQ8),
                  sizeof(block));
      scales[(panel * blocks + b) * kPanel + lane] = block.scale;
      std::int8_t* to = quants + panel * cols * kPanel + b * kBlock * kPanel + lane * kGroup;
      for (int k = 0; k < kBlock; ++k) {
        to[k / kGroup * kPanel * kGroup + k % kGroup] =
            std::max<std::int8_t>(block.quants[k], -127);
      }
    }
  }
}

}  // namespace

void PackedMatrix::Free::operator()(std::byte* p) const { std::free(p); }

base::Result<PackedMatrix> PackedMatrix::pack(std::string_view name, Format format, int rows,
                                              int cols, std::span<const std::byte> rowMajor) {
  const std::size_t row = rowBytes(format, cols);
  if (rows <= 0 || row == 0 || rowMajor.size() / row != static_cast<std::size_t>(rows) ||
      rowMajor.size() % row != 0) {
    return base::fail(std::string(name) + ": " + std::to_string(rowMajor.size()) +
                          " bytes are not a matrix of " + std::to_string(rows) + " x " +
                          std::to_string(cols) + " in " + formatName(format) + ".",
                      "Convert the model again with a current tool.");
  }
  PackedMatrix matrix;
  matrix.format_ = format;
  matrix.rows_ = rows;
  matrix.cols_ = cols;
  matrix.bytes_ = row * kPanel * static_cast<std::size_t>(matrix.panels());
  if (format == Format::kQ8_0) {
    matrix.scalesAt_ = static_cast<std::size_t>(matrix.panels()) * kPanel * cols;
  }
  const std::size_t allocated = (matrix.bytes_ + kLine - 1) / kLine * kLine;
  matrix.data_.reset(static_cast<std::byte*>(std::aligned_alloc(kLine, allocated)));
  if (!matrix.data_) {
    return base::fail(
        std::string(name) + ": no memory for " + std::to_string(allocated) + " bytes of weights.",
        "Close other programs or use a smaller model.");
  }
  std::byte* data = matrix.data_.get();
  std::memset(data, 0, allocated);  // the rows that fill up the last panel
  switch (format) {
    case Format::kF32:
      packPlain(reinterpret_cast<float*>(data), rowMajor.data(), rows, cols);
      break;
    case Format::kF16:
      packPlain(reinterpret_cast<Half*>(data), rowMajor.data(), rows, cols);
      break;
    case Format::kQ8_0:
      packQ8(reinterpret_cast<std::int8_t*>(data), reinterpret_cast<Half*>(data + matrix.scalesAt_),
             rowMajor.data(), rows, cols);
      break;
  }
  return matrix;
}

const float* PackedMatrix::f32(int panel) const {
  return reinterpret_cast<const float*>(data_.get()) +
         static_cast<std::size_t>(panel) * cols_ * kPanel;
}

const Half* PackedMatrix::f16(int panel) const {
  return reinterpret_cast<const Half*>(data_.get()) +
         static_cast<std::size_t>(panel) * cols_ * kPanel;
}

const std::int8_t* PackedMatrix::quants(int panel) const {
  return reinterpret_cast<const std::int8_t*>(data_.get()) +
         static_cast<std::size_t>(panel) * cols_ * kPanel;
}

const Half* PackedMatrix::scales(int panel) const {
  return reinterpret_cast<const Half*>(data_.get() + scalesAt_) +
         static_cast<std::size_t>(panel) * (cols_ / kBlock) * kPanel;
}

PanelRange panelShare(const PackedMatrix& matrix, int thread, int threadCount) {
  const auto panels = static_cast<std::int64_t>(matrix.panels());
  return {static_cast<int>(panels * thread / threadCount),
          static_cast<int>(panels * (thread + 1) / threadCount)};
}

}  // namespace waferpair::tensor
