// SPDX-License-Identifier: GPL-3.0-or-later
// A hash of 64 bits that finds damage and tells files apart. It is no defence against someone who
// wants two inputs to look alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace waferpair::base {

// FNV-1a by words of eight bytes in place of bytes, so that it keeps up with a file system. Any
// change within one word changes the value.
class Hash64 {
 public:
  // The value depends on how the bytes are divided into calls.
  void add(std::span<const std::byte> bytes) {
    const std::size_t size = bytes.size();
    for (; !bytes.empty(); bytes = bytes.subspan(word(bytes))) {
      std::uint64_t next = 0;
      std::memcpy(&next, bytes.data(), word(bytes));
      add(next);
    }
    add(size);
  }
  void add(std::uint64_t next) {
    value_ = (value_ ^ next) * kPrime;
    value_ ^= value_ >> 29;  // or the lower bits would never see the upper ones
  }
  std::uint64_t value() const { return value_; }

 private:
  static std::size_t word(std::span<const std::byte> bytes) {
    return bytes.size() < sizeof(std::uint64_t) ? bytes.size() : sizeof(std::uint64_t);
  }
  static constexpr std::uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x00000100000001b3;
  std::uint64_t value_ = kOffset;
};

}  // namespace waferpair::base
