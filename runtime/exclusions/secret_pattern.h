// SPDX-License-Identifier: GPL-3.0-or-later
// How a token looks, in one line: what stands in it as it is, and runs of characters.
//   "ghp_{a36}"              "ghp_", then at least 36 letters and digits
//   "SK{h32,32}"             exactly 32: no more of them follow
//   "{d8,10}^:AA{w33}"       what stands before "^" is looked for backwards, from there
// Kinds of characters: d digits, h hexadecimal, u capitals and digits, l small letters and digits,
// a letters and digits, w these and "_-", t these and ".", b base64, B base64 of any alphabet,
// x all that stands in no quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::exclusions {

class SecretPattern {
 public:
  // `text` outlives it and is well-formed.
  explicit SecretPattern(std::string_view text);

  // Where its fixed part stands in `text` at `at`: returns an end of the token, whose runs look
  // random, or nothing. Nothing of a word goes before or behind it.
  std::optional<std::size_t> matchAt(std::string_view text, std::size_t at) const;
  // It begins at `at` and goes on to the end of `text`, where more of it is missing; and so much of
  // it is there that it is one.
  bool isBegunAt(std::string_view text, std::size_t at) const;
  // A part of the token stands before the place where matchAt() is asked.
  bool looksBack() const { return before_.has_value(); }
  // All of `value` is of this pattern, and random.
  bool matchesAll(std::string_view value) const;

  // The first three characters, from where matchAt() is asked, in each way that they may be, in
  // small letters (folded()).
  std::vector<std::uint32_t> anchors() const;

 private:
  struct Part {
    std::string_view literal;  // empty: a run
    char kind = 0;
    std::size_t least = 0;
    std::size_t most = 0;
  };
  // Returns where the parts end that stand at `at`, and adds their runs to `body`; `whole`: to the
  // end of the last one.
  std::optional<std::size_t> run(std::string_view text, std::size_t at, std::string& body,
                                 bool whole) const;

  std::optional<Part> before_;
  std::vector<Part> parts_;
  bool isWeak_ = false;  // what stands in it as it is stands elsewhere, too
};

// Three bytes as one number in which capitals are small letters.
constexpr std::uint32_t folded(std::uint32_t threeBytes) {
  return (threeBytes | 0x202020u) & 0xffffffu;
}
constexpr std::uint32_t folded(char a, char b, char c) {
  return folded(static_cast<std::uint32_t>(static_cast<unsigned char>(a)) |
                static_cast<std::uint32_t>(static_cast<unsigned char>(b)) << 8 |
                static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 16);
}

}  // namespace waferpair::exclusions
