// SPDX-License-Identifier: GPL-3.0-or-later
// A weight matrix in the order in which the kernels read it.
//
// Rows are grouped into panels of 8, one per SIMD lane, so that a product needs no sum across lanes
// and reads memory in one direction. The last panel is padded with rows of zeros. Inside a panel,
// by what the format's quants are (block_formats.h):
//   floats:             [cols][8 rows], as in the file
//   signed, unsigned:   [cols / 4][8 rows][4 columns] int8
//   nibbles, lookup:    [cols / 8][8 rows][4 bytes]: byte i of a row holds columns i and i + 4
// and behind them scales, then minimums where the format has them:
//   kHalf, kBFloat:     [cols / group][8 rows]
//   kSuper:             [cols / 256][8 rows] F16, and [cols / group][8 rows] int8 for each
//
// So nothing is rounded: a matrix has the very values that dequantizeRow() finds in the file. Only
// formats of 5, 6, 3 and 2 bits take more room than there: their quants become bytes, or four bits
// where they are points of a grid.
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

struct Packing {
  // Row r of the matrix is row from[r] of the tensor, which may have others. Empty: as in the file.
  std::span<const int> from = {};
  int threads = 1;   // that share the work
  float factor = 1;  // of all values
};

class PackedMatrix {
 public:
  PackedMatrix() = default;

  // `rowMajor` is the tensor as a GGUF file stores it. Fails, naming `name`, if the size is not
  // rows x cols, a row is not whole blocks, or memory is short. A Q8_0 value of -128, which no
  // quantizer writes, is taken as -127.
  static base::Result<PackedMatrix> pack(std::string_view name, Format format, int rows, int cols,
                                         std::span<const std::byte> rowMajor,
                                         const Packing& packing = {});

  Format format() const { return format_; }
  bool quantized() const { return infoOf(format_).quants != Quants::kNone; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int panels() const { return (rows_ + kPanel - 1) / kPanel; }
  std::size_t bytes() const { return bytes_; }  // read for one product
  float factor() const { return factor_; }      // of all values, beside what parts() has

  // The values of row `r`, as many as columns: what the kernels multiply by.
  void row(int r, std::span<float> out) const;

  // A panel of floats; aligned to 64 bytes.
  const std::byte* panel(int panel) const {
    return data_.get() + static_cast<std::size_t>(panel) * stride_;
  }

  // The places where the parts of a panel of quants begin: the quants aligned to 64 bytes, the
  // others to 8.
  struct Parts {
    const std::uint8_t* quants = nullptr;
    const std::uint16_t* scales = nullptr;
    const std::uint16_t* minimums = nullptr;     // null if the format has none
    const std::int8_t* groupScales = nullptr;    // of kSuper
    const std::int8_t* groupMinimums = nullptr;  // of kSuper with minimums
  };
  Parts parts(int index) const {
    const std::byte* at = panel(index);
    const auto halves = [at](std::size_t offset) {
      return offset != 0 ? reinterpret_cast<const std::uint16_t*>(at + offset) : nullptr;
    };
    const auto bytes = [at](std::size_t offset) {
      return offset != 0 ? reinterpret_cast<const std::int8_t*>(at + offset) : nullptr;
    };
    return {reinterpret_cast<const std::uint8_t*>(at), halves(offsets_.scales),
            halves(offsets_.minimums), bytes(offsets_.groupScales), bytes(offsets_.groupMinimums)};
  }

 private:
  struct Offsets {  // from the beginning of a panel; 0 = not there
    std::size_t scales = 0, minimums = 0, groupScales = 0, groupMinimums = 0;
  };
  // Sets the offsets of this format and shape; returns the bytes of a panel.
  std::size_t placeParts();
  struct Free {
    void operator()(std::byte* p) const;
  };
  // Rows [first, last) of the matrix; `in` is the file's.
  void packFloats(const std::byte* in, std::span<const int> from, int first, int last);
  void packQuants(const std::byte* in, std::span<const int> from, int first, int last);

  Format format_ = Format::kF32;
  int rows_ = 0, cols_ = 0;
  float factor_ = 1;
  std::size_t bytes_ = 0;
  std::size_t stride_ = 0;  // bytes from a panel to the next
  Offsets offsets_;
  std::unique_ptr<std::byte[], Free> data_;
};

// Bytes that so many weights take in a matrix, those that fill up the last panel left out.
std::size_t packedBytes(Format format, std::size_t weights);

// Panels [first, last) of a thread's fair share, in whole units of so many; the split depends on
// nothing but its arguments.
struct PanelRange {
  int first = 0, last = 0;
};
PanelRange panelShare(const PackedMatrix& matrix, int thread, int threadCount, int unit = 1);

}  // namespace waferpair::tensor
