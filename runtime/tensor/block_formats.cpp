// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/block_formats.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/tensor/blocks.h"

namespace waferpair::tensor {
namespace {

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// value = scale * (quant - offset) + minimum for all values of a block.
void valuesOf(Format format, const BlockCodes& codes, float* out) {
  const FormatInfo& info = infoOf(format);
  const auto wide = [&](std::uint16_t bits) {
    return info.scales == Scales::kBFloat ? toFloat(BFloat{bits}) : toFloat(Half{bits});
  };
  for (int group = 0; group < info.block / info.group; ++group) {
    const int first = group * info.group;
    float scale = wide(codes.scale[first / info.shared()]) * info.unit;
    float minimum = wide(codes.minimum);
    if (info.scales == Scales::kSuper) {
      scale *= static_cast<float>(codes.scales[group]);
      minimum *= static_cast<float>(codes.minimums[group]);
    }
    std::int8_t quants[kBlock];
    std::copy_n(codes.quants + first, info.group, quants);
    if (info.quants == Quants::kLookup)
      for (std::int8_t& quant : std::span(quants).first(static_cast<std::size_t>(info.group)))
        quant = lookupOf(format)[static_cast<std::size_t>(quant)];
    for (int i = 0; i < info.group; ++i)
      out[first + i] = scale * static_cast<float>(quants[i] - info.offset);
    if (!info.minimum) continue;
    for (int i = 0; i < info.group; ++i) out[first + i] += minimum;
  }
}

// "F32, F16 or BF16"
std::string namesOf(bool (*isNamed)(const FormatInfo&)) {
  std::string names, last;
  for (const FormatInfo& info : kFormats) {
    if (!isNamed(info)) continue;
    if (!names.empty()) names += ", ";
    names += last;
    last = info.name;
  }
  return names + " or " + last;
}

}  // namespace

std::span<const Format> allFormats() {
  static const auto formats = [] {
    std::array<Format, kFormats.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Format>(i);
    return all;
  }();
  return formats;
}

std::string formatNames() {
  return namesOf([](const FormatInfo&) { return true; });
}
std::string writtenFormatNames() {
  return namesOf([](const FormatInfo& info) { return info.written(); });
}

base::Result<Format> parseFormat(std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (const Format format : allFormats()) {
    const std::string_view known = formatName(format);
    if (std::equal(known.begin(), known.end(), name.begin(), name.end(),
                   [&](char a, char b) { return lower(a) == lower(b); })) {
      return format;
    }
  }
  std::string what = "\"";
  what.append(name).append("\" is not a format of weights.");
  return base::fail(std::move(what), "Name " + formatNames() + ".");
}

std::optional<Format> findFormat(std::uint32_t ggmlType) {
  for (const Format format : allFormats()) {
    if (infoOf(format).ggmlType == ggmlType) return format;
  }
  return std::nullopt;
}

std::size_t rowBytes(Format format, std::int64_t cols) {
  const FormatInfo& info = infoOf(format);
  if (cols <= 0 || cols % info.block != 0) return 0;
  return static_cast<std::size_t>(cols / info.block) * static_cast<std::size_t>(info.bytes);
}

void decodeBlock(Format format, const std::byte* at, BlockCodes& out) {
  withBlockType(format, [&](auto block) {
    std::memcpy(&block, at, sizeof(block));
    decode(block, out);
  });
}

void dequantizeRow(Format format, const std::byte* row, std::span<float> out) {
  switch (format) {
    case Format::kF32:
      std::memcpy(out.data(), row, out.size_bytes());
      return;
    case Format::kF16:
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = toFloat(load<Half>(row + 2 * i));
      return;
    case Format::kBF16:
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = toFloat(load<BFloat>(row + 2 * i));
      return;
    default:
      break;
  }
  const auto block = static_cast<std::size_t>(infoOf(format).block);
  BlockCodes codes;
  for (std::size_t i = 0; i + block <= out.size(); i += block, row += infoOf(format).bytes) {
    decodeBlock(format, row, codes);
    valuesOf(format, codes, out.data() + i);
  }
}

std::vector<std::byte> quantizeRow(Format format, std::span<const float> row) {
  std::vector<std::byte> out(rowBytes(format, static_cast<std::int64_t>(row.size())));
  if (out.empty()) return out;
  const FormatInfo& info = infoOf(format);
  if (!info.written()) return {};
  for (std::size_t i = 0; i < row.size() / static_cast<std::size_t>(info.block); ++i) {
    const float* values = row.data() + i * static_cast<std::size_t>(info.block);
    std::byte* to = out.data() + i * static_cast<std::size_t>(info.bytes);
    if (format == Format::kF32) {
      std::memcpy(to, values, sizeof(float));
    } else if (format == Format::kF16) {
      const Half half = toHalf(*values);
      std::memcpy(to, &half, sizeof(half));
    } else if (format == Format::kBF16) {
      const BFloat value = toBFloat(*values);
      std::memcpy(to, &value, sizeof(value));
    } else {
      withBlockType(format, [&](auto block) {
        if constexpr (requires { encode(values, block); }) encode(values, block);
        std::memcpy(to, &block, sizeof(block));
      });
    }
  }
  return out;
}

}  // namespace waferpair::tensor
