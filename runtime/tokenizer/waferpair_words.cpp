// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/waferpair_words.h"

#include <cstdint>

namespace waferpair::tokenizer {
namespace {

class WaferpairCutter {
 public:
  explicit WaferpairCutter(std::string_view text) : text_(text) {}

  std::size_t wordEnd(std::size_t at) const {
    if (is(at, kNewline)) return take(take(at, kNewline, 16), kBlank, 64);
    const std::size_t start = at + (text_[at] == ' ' && at + 1 < text_.size() ? 1 : 0);
    if (is(start, kUpper | kLower | kUnderscore)) return nameEnd(start);
    if (is(start, kDigit)) return start + 1;
    if (is(start, kOther)) return take(start, kOther, 8);
    const std::size_t end = take(at, kBlank, 64);
    // The last of several spaces belongs to the word behind it.
    const bool wordFollows = end < text_.size() && !is(end, kBlank | kNewline);
    return end - at >= 2 && text_[end - 1] == ' ' && wordFollows ? end - 1 : end;
  }

 private:
  enum : std::uint8_t {
    kNewline = 1,
    kBlank = 2,
    kUpper = 4,
    kLower = 8,
    kDigit = 16,
    kUnderscore = 32,
    kOther = 64
  };

  static std::uint8_t classOf(unsigned char byte) {
    if (byte == '\n' || byte == '\r') return kNewline;
    if (byte == ' ' || byte == '\t') return kBlank;
    if (byte >= 'A' && byte <= 'Z') return kUpper;
    if ((byte >= 'a' && byte <= 'z') || byte >= 0x80) return kLower;
    if (byte >= '0' && byte <= '9') return kDigit;
    return byte == '_' ? kUnderscore : kOther;
  }
  bool is(std::size_t at, std::uint8_t classes) const {
    return at < text_.size() && (classOf(static_cast<unsigned char>(text_[at])) & classes) != 0;
  }
  std::size_t take(std::size_t at, std::uint8_t classes, std::size_t most) const {
    const std::size_t first = at;
    while (at - first < most && is(at, classes)) ++at;
    return at;
  }

  // Underscores, then "Name", "name" or "NAME"; of "HTTPServer" only "HTTP".
  std::size_t nameEnd(std::size_t at) const {
    const std::size_t name = take(at, kUnderscore, 16);
    const std::size_t afterCapital = take(name, kUpper, 1);
    if (is(afterCapital, kLower)) return take(afterCapital, kLower, 32);
    const std::size_t capitals = take(name, kUpper, 32);
    return capitals > name && is(capitals, kLower) ? capitals - 1 : capitals;
  }

  std::string_view text_;
};

}  // namespace

std::size_t waferpairWordEnd(std::string_view text, std::size_t at) {
  return WaferpairCutter(text).wordEnd(at);
}

}  // namespace waferpair::tokenizer
