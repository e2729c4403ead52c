// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/packed_matrix.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime/tensor/blocks.h"
#include "runtime/tensor/kernel_tables.h"

namespace waferpair::tensor {
namespace {

constexpr std::size_t kLine = 64;  // cache line: no two panels share one

std::size_t toLines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

// The place of column k of a row's lane among the quants of a panel.
struct Place {
  std::size_t byte;
  int shift;
};
Place placeOf(Quants quants, int k, int lane) {
  const auto column = static_cast<std::size_t>(k);
  const auto at = static_cast<std::size_t>(lane) * 4 + column % 4;
  if (quants == Quants::kNibbles || quants == Quants::kLookup) {
    return {column / 8 * kPanel * 4 + at, k % 8 < 4 ? 0 : 4};
  }
  return {column / 4 * kPanel * 4 + at, 0};
}

// Rows that a thread of its own is worth.
constexpr int kRowsAThread = 64;

std::size_t rowInFile(std::span<const int> from, int r) {
  return static_cast<std::size_t>(from.empty() ? r : from[static_cast<std::size_t>(r)]);
}

// Writes the quants of a block for a lane of its panel, from column k on: four bytes of each group
// that placeOf() puts side by side.
void placeQuants(const BlockCodes& codes, int count, bool nibbles, int k, int lane,
                 std::uint8_t* quants) {
  const std::int8_t* from = codes.quants;
  const auto at = static_cast<std::size_t>(lane) * 4;
  if (nibbles) {
    for (int i = 0; i < count; i += 8) {
      std::uint32_t low, high;  // four codes each, none above 15
      std::memcpy(&low, from + i, 4);
      std::memcpy(&high, from + i + 4, 4);
      low |= high << 4;
      std::memcpy(quants + static_cast<std::size_t>(k + i) / 8 * kPanel * 4 + at, &low, 4);
    }
    return;
  }
  for (int i = 0; i < count; i += 4) {
    std::memcpy(quants + static_cast<std::size_t>(k + i) / 4 * kPanel * 4 + at, from + i, 4);
  }
}

}  // namespace

void PackedMatrix::Free::operator()(std::byte* p) const { std::free(p); }

base::Result<PackedMatrix> PackedMatrix::pack(std::string_view name, Format format, int rows,
                                              int cols, std::span<const std::byte> rowMajor,
                                              const Packing& packing) {
  const std::size_t row = rowBytes(format, cols);
  const std::size_t there = row == 0 ? 0 : rowMajor.size() / row;  // rows of the tensor
  if (rows <= 0 || there == 0 || rowMajor.size() % row != 0 ||
      (packing.from.empty() && there != static_cast<std::size_t>(rows))) {
    return base::fail(std::string(name) + ": " + std::to_string(rowMajor.size()) +
                          " bytes are not a matrix of " + std::to_string(rows) + " x " +
                          std::to_string(cols) + " in " + formatName(format) + ".",
                      "Convert the model again with a current tool.");
  }
  assert(packing.from.empty() || packing.from.size() == static_cast<std::size_t>(rows));
  assert(std::ranges::all_of(
      packing.from, [there](int r) { return r >= 0 && static_cast<std::size_t>(r) < there; }));
  PackedMatrix matrix;
  matrix.format_ = format;
  matrix.rows_ = rows;
  matrix.cols_ = cols;
  matrix.factor_ = packing.factor;
  const auto panels = static_cast<std::size_t>(matrix.panels());
  const std::size_t panel = matrix.quantized() ? matrix.placeParts() : row * kPanel;
  matrix.bytes_ = panel * panels;
  matrix.stride_ = toLines(panel);
  const std::size_t allocated = matrix.stride_ * panels;
  matrix.data_.reset(static_cast<std::byte*>(std::aligned_alloc(kLine, allocated)));
  if (!matrix.data_) {
    return base::fail(
        std::string(name) + ": no memory for " + std::to_string(allocated) + " bytes of weights.",
        "Close other programs or use a smaller model.");
  }
  // The rows that fill up the last panel.
  std::memset(matrix.data_.get() + matrix.stride_ * (panels - 1), 0, matrix.stride_);
  // Each thread has whole panels.
  const int threads = std::clamp(rows / kRowsAThread, 1, std::max(1, packing.threads));
  const auto share = [&](int thread) {
    const PanelRange mine = panelShare(matrix, thread, threads);
    const int first = mine.first * kPanel, last = std::min(rows, mine.last * kPanel);
    if (matrix.quantized()) {
      matrix.packQuants(rowMajor.data(), packing.from, first, last);
    } else {
      matrix.packFloats(rowMajor.data(), packing.from, first, last);
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(share, i);
  share(0);
  others.clear();
  return matrix;
}

// Lane r % 8 of panel r / 8 takes row r.
void PackedMatrix::packFloats(const std::byte* in, std::span<const int> from, int first, int last) {
  const auto size = static_cast<std::size_t>(infoOf(format_).bytes);
  for (int r = first; r < last; ++r) {
    const std::byte* at = in + rowInFile(from, r) * size * static_cast<std::size_t>(cols_);
    std::byte* to = data_.get() + static_cast<std::size_t>(r / kPanel) * stride_ +
                    static_cast<std::size_t>(r % kPanel) * size;
    for (int k = 0; k < cols_; ++k, at += size, to += kPanel * size) std::memcpy(to, at, size);
  }
}

void PackedMatrix::packQuants(const std::byte* in, std::span<const int> from, int first, int last) {
  const FormatInfo& info = infoOf(format_);
  const bool nibbles = info.quants == Quants::kNibbles || info.quants == Quants::kLookup;
  const int blocks = cols_ / info.block, groups = info.block / info.group;
  const int shared = info.block / info.shared();                      // scales of a block
  const int scalesEach = info.scales == Scales::kSuper ? groups : 0;  // small ones, of a block
  const std::size_t row = rowBytes(format_, cols_);
  BlockCodes codes;
  for (int r = first; r < last; ++r) {
    const int lane = r % kPanel;
    const std::byte* next = in + rowInFile(from, r) * row;
    const Parts at = parts(r / kPanel);
    const auto write = [&](const auto* part, int index, auto value) {
      using T = std::remove_cv_t<std::remove_pointer_t<decltype(part)>>;
      const_cast<T*>(part)[index * kPanel + lane] = static_cast<T>(value);
    };
    auto* quants = const_cast<std::uint8_t*>(at.quants);
    for (int b = 0; b < blocks; ++b, next += info.bytes) {
      decodeBlock(format_, next, codes);
      if (info.quants == Quants::kSigned) {
        for (int i = 0; i < info.block; ++i) {
          codes.quants[i] = std::max(codes.quants[i], static_cast<std::int8_t>(-info.most));
        }
      }
      placeQuants(codes, info.block, nibbles, b * info.block, lane, quants);
      for (int s = 0; s < shared; ++s) write(at.scales, b * shared + s, codes.scale[s]);
      if (at.minimums != nullptr) write(at.minimums, b, codes.minimum);
      for (int g = 0; g < scalesEach; ++g) {
        write(at.groupScales, b * groups + g, codes.scales[g]);
        if (info.minimum) write(at.groupMinimums, b * groups + g, codes.minimums[g]);
      }
    }
  }
}

std::size_t PackedMatrix::placeParts() {
  const FormatInfo& info = infoOf(format_);
  const auto cols = static_cast<std::size_t>(cols_);
  const bool packed = info.quants == Quants::kNibbles || info.quants == Quants::kLookup;
  std::size_t end = cols * kPanel / (packed ? 2 : 1);
  const auto next = [&end](bool there, std::size_t bytes) {
    const std::size_t here = end;
    if (there) end += bytes;
    return there ? here : 0;
  };
  const bool super = info.scales == Scales::kSuper;
  const std::size_t halves = cols / static_cast<std::size_t>(info.shared()) * kPanel * sizeof(Half);
  const std::size_t bytes = cols / static_cast<std::size_t>(info.group) * kPanel;
  offsets_.scales = next(true, halves);
  offsets_.minimums = next(info.minimum, halves);
  offsets_.groupScales = next(super, bytes);
  offsets_.groupMinimums = next(super && info.minimum, bytes);
  return end;
}

void PackedMatrix::row(int r, std::span<float> out) const {
  const FormatInfo& info = infoOf(format_);
  const int lane = r % kPanel;
  if (!quantized()) {
    const auto size = static_cast<std::size_t>(info.bytes);
    const std::byte* from = panel(r / kPanel) + static_cast<std::size_t>(lane) * size;
    for (std::size_t k = 0; k < out.size(); ++k) {
      dequantizeRow(format_, from + k * kPanel * size, out.subspan(k, 1));
      out[k] *= factor_;
    }
    return;
  }
  const Parts at = parts(r / kPanel);
  const auto wide = [&](std::uint16_t bits) {
    return info.scales == Scales::kBFloat ? toFloat(BFloat{bits}) : toFloat(Half{bits});
  };
  for (int k = 0; k < cols_; ++k) {
    const int shared = k / info.shared() * kPanel + lane, group = k / info.group * kPanel + lane;
    const Place place = placeOf(info.quants, k, lane);
    int quant = at.quants[place.byte];
    if (info.quants == Quants::kSigned) quant = static_cast<std::int8_t>(quant);
    if (info.quants == Quants::kNibbles || info.quants == Quants::kLookup) {
      quant = (quant >> place.shift) & 15;
    }
    if (info.quants == Quants::kLookup) quant = lookupOf(format_)[static_cast<std::size_t>(quant)];
    float scale = wide(at.scales[shared]) * info.unit;
    if (at.groupScales != nullptr) scale *= static_cast<float>(at.groupScales[group]);
    float value = scale * static_cast<float>(quant - info.offset);
    if (at.minimums != nullptr) {
      float minimum = wide(at.minimums[shared]);
      if (at.groupMinimums != nullptr) minimum *= static_cast<float>(at.groupMinimums[group]);
      value += minimum;
    }
    out[static_cast<std::size_t>(k)] = value * factor_;
  }
}

std::size_t packedBytes(Format format, std::size_t weights) {
  const FormatInfo& info = infoOf(format);
  if (info.quants == Quants::kNone) return weights * static_cast<std::size_t>(info.bytes);
  return weights / static_cast<std::size_t>(info.group) * static_cast<std::size_t>(bytesOf(info)) /
         kPanel;
}

PanelRange panelShare(const PackedMatrix& matrix, int thread, int threadCount, int unit) {
  const std::int64_t units = (matrix.panels() + unit - 1) / unit;
  const auto panel = [&](std::int64_t t) {
    return std::min(matrix.panels(), static_cast<int>(units * t / threadCount) * unit);
  };
  return {panel(thread), panel(thread + 1)};
}

}  // namespace waferpair::tensor
