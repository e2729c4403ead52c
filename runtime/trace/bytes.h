// SPDX-License-Identifier: GPL-3.0-or-later
// Integers as bytes, for trace files: least significant first, 7 bits a byte where they are mostly
// small (LEB128, signed ones zigzagged).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace waferpair::trace {

class ByteWriter {
 public:
  void fixed(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
  }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  // Writes the difference of any two numbers: it wraps around, and so does its undoing.
  void difference(std::uint64_t value, std::uint64_t from) {
    const auto delta = static_cast<std::int64_t>(value - from);
    number(static_cast<std::uint64_t>(delta) << 1 ^ static_cast<std::uint64_t>(delta >> 63));
  }
  void real(double value) { fixed(std::bit_cast<std::uint64_t>(value), 8); }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }

  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

// Reading past the end, or a number of more than 64 bits, gives zeros and makes ok() false for
// good.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t fixed(int bytes) {
    if (!has(static_cast<std::size_t>(bytes))) return 0;
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(left_[i])) << (8 * i);
    left_.remove_prefix(static_cast<std::size_t>(bytes));
    return value;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 70 && has(1); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(left_[0]);
      left_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  // Reads a number of at most `most`; ok() becomes false if it is larger.
  std::uint64_t numberUpTo(std::uint64_t most) {
    const std::uint64_t value = number();
    if (value > most) ok_ = false;
    return ok_ ? value : 0;
  }
  std::uint64_t difference(std::uint64_t from) {
    const std::uint64_t coded = number();
    return from + (coded >> 1 ^ (0 - (coded & 1)));
  }
  double real() { return std::bit_cast<double>(fixed(8)); }
  std::string text(std::size_t most) {
    const std::size_t size = numberUpTo(most);
    if (!has(size)) return {};
    std::string value(left_.substr(0, size));
    left_.remove_prefix(size);
    return value;
  }

  bool ok() const { return ok_; }
  bool atEnd() const { return ok_ && left_.empty(); }
  std::size_t left() const { return left_.size(); }

 private:
  bool has(std::size_t count) {
    if (left_.size() < count) ok_ = false;
    return ok_;
  }

  std::string_view left_;
  bool ok_ = true;
};

}  // namespace waferpair::trace
