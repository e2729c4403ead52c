// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/damage.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "runtime/tensor/blocks.h"

namespace waferpair::tensor {
namespace {

// A bit of an exponent that flips makes a number 2^16 times as large (of F16), 2^8 times, or less,
// which numbers of one tensor may differ by as well.
constexpr int kGap = 8;            // exponents
constexpr std::size_t kFew = 4;    // numbers that are so much larger than all others
constexpr std::size_t kMany = 64;  // others: fewer do not tell what is usual
constexpr std::size_t kBlocksAThread = 1 << 16;

// Numbers by their exponent, as its bits are in the file.
struct Exponents {
  std::array<std::size_t, 256> count = {};
  std::array<std::size_t, 256> first = {};  // block with such a number

  void add(unsigned exponent, std::size_t block) {
    if (count[exponent]++ == 0) first[exponent] = block;
  }
  void add(const Exponents& other) {
    for (std::size_t e = 0; e < count.size(); ++e) {
      if (other.count[e] == 0) continue;
      first[e] = count[e] == 0 ? other.first[e] : std::min(first[e], other.first[e]);
      count[e] += other.count[e];
    }
  }
};

// One number of a block.
struct Field {
  std::string_view name;  // "the scale of block"
  std::size_t offset = 0;
  int bytes = 2;       // of the number
  int mantissa = 10;   // bits
  unsigned most = 31;  // the exponent of what is not finite

  unsigned exponent(const std::byte* block) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, block + offset, static_cast<std::size_t>(bytes));
    return (bits >> mantissa) & most;
  }
};

std::vector<Field> fieldsOf(Format format) {
  constexpr std::string_view kScale = "the scale of block", kMinimum = "the minimum of block",
                             kValue = "value";
  std::vector<Field> fields;
  if (format == Format::kF32) return {{kValue, 0, 4, 23, 255}};
  if (format == Format::kF16) return {{kValue, 0, 2, 10, 31}};
  if (format == Format::kBF16) return {{kValue, 0, 2, 7, 255}};
  withBlockType(format, [&](auto block) {
    using Block = decltype(block);
    if constexpr (std::is_same_v<Block, BlockNVFP4>) {
      // Scales of eight bits without infinity: none can be told from a sound one.
    } else if constexpr (requires { block.exponent; }) {
      fields.push_back({kScale, offsetof(Block, exponent), 1, 0, 255});
    } else {
      fields.push_back({kScale, offsetof(Block, scale)});
      if constexpr (requires { block.minimum; })
        fields.push_back({kMinimum, offsetof(Block, minimum)});
    }
  });
  return fields;
}

Exponents exponentsOf(const Field& field, std::size_t blockBytes, std::span<const std::byte> data,
                      int threads) {
  const std::size_t blocks = data.size() / blockBytes;
  const std::size_t shares =
      std::clamp<std::size_t>(blocks / kBlocksAThread, 1, static_cast<std::size_t>(threads));
  std::vector<Exponents> found(shares);
  const auto look = [&](std::size_t share) {
    const std::size_t end = blocks * (share + 1) / shares;
    for (std::size_t block = blocks * share / shares; block < end; ++block)
      found[share].add(field.exponent(&data[block * blockBytes]), block);
  };
  std::vector<std::jthread> others;
  for (std::size_t share = 1; share < shares; ++share) others.emplace_back(look, share);
  look(0);
  others.clear();
  for (std::size_t share = 1; share < shares; ++share) found[0].add(found[share]);
  return found[0];
}

std::optional<std::string> damageOf(const Field& field, const Exponents& found) {
  const auto at = [&](unsigned exponent) {
    return std::string(field.name) + ' ' + std::to_string(found.first[exponent]);
  };
  if (found.count[field.most] > 0) return at(field.most) + " is not finite";
  // Exponent 0 is that of zero: whole rows may be that, as of tokens that nobody uses.
  const auto largestUpTo = [&](unsigned exponent) {
    while (exponent > 0 && found.count[exponent] == 0) --exponent;
    return exponent;
  };
  const unsigned top = largestUpTo(field.most);
  const unsigned next = top == 0 ? 0 : largestUpTo(top - 1);
  const auto others = std::accumulate(&found.count[1], &found.count[next + 1], std::size_t{0});
  if (top - next < kGap || found.count[top] > kFew || others < kMany) return std::nullopt;
  return at(top) + " is far larger than all others";
}

}  // namespace

std::optional<std::string> damageIn(Format format, std::span<const std::byte> data, int threads) {
  for (const Field& field : fieldsOf(format)) {
    const Exponents found =
        exponentsOf(field, static_cast<std::size_t>(infoOf(format).bytes), data, threads);
    if (auto damage = damageOf(field, found)) return damage;
  }
  return std::nullopt;
}

}  // namespace waferpair::tensor
