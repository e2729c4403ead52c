// SPDX-License-Identifier: GPL-3.0-or-later
// A weight matrix in the order in which the kernels read it.
//
// Rows are grouped into panels of 8, one per SIMD lane, so that a product needs no sum across lanes
// and reads memory in one direction. The last panel is padded with rows of zeros. Inside a panel:
//   F32, F16:  [cols][8 rows]
//   Q8_0:      [cols / 4][8 rows][4 columns] int8, and apart from them scales [cols / 32][8 rows]
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/tensor/block_formats.h"

namespace waferpair::tensor {

inline constexpr int kPanel = 8;  // rows

class PackedMatrix {
 public:
  PackedMatrix() = default;

  // `rowMajor` is the tensor as a GGUF file stores it. Fails, naming `name`, if the size is not
  // rows x cols or a Q8_0 row is not whole blocks. A Q8_0 value of -128, which no quantizer writes,
  // is taken as -127.
  static base::Result<PackedMatrix> pack(std::string_view name, Format format, int rows, int cols,
                                         std::span<const std::byte> rowMajor);

  Format format() const { return format_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int panels() const { return (rows_ + kPanel - 1) / kPanel; }
  std::size_t bytes() const { return bytes_; }  // read for one product

  // First element of a panel; aligned to 32 bytes.
  const float* f32(int panel) const;
  const Half* f16(int panel) const;
  const std::int8_t* quants(int panel) const;
  const Half* scales(int panel) const;

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  Format format_ = Format::kF32;
  int rows_ = 0, cols_ = 0;
  std::size_t bytes_ = 0;
  std::size_t scalesAt_ = 0;  // bytes before the scales
  std::unique_ptr<std::byte[], Free> data_;
};

// Panels [first, last) of a thread's fair share; the split depends on nothing but its arguments.
struct PanelRange {
  int first = 0, last = 0;
};
PanelRange panelShare(const PackedMatrix& matrix, int thread, int threadCount);

}  // namespace waferpair::tensor
