// SPDX-License-Identifier: GPL-3.0-or-later
// One pattern of an ignore file, compiled: git's wildmatch to the letter, in a time that a hostile
// pattern cannot stretch (git 2.39 and libgit2 1.5 take minutes for "*a*a*a*a*a*ab").
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::exclusions {

class Glob {
 public:
  // `pattern` as in a file of rules, without "!" and without a slash at its start or end. With
  // `pathname` wildcards stop at '/', but for "**" between slashes.
  Glob(std::string_view pattern, bool pathname);

  // Takes at most length of the pattern x length of `text` steps.
  bool matches(std::string_view text) const;

  // A bit for each byte (of 64 classes) that every text that matches has; tells most others apart
  // at once.
  std::uint64_t needs() const;
  static std::uint64_t bytesIn(std::string_view text);

  // The text that every matching name (the part behind the last '/') begins and ends with; empty
  // where the pattern does not fix it.
  std::string head() const;
  std::string tail() const;

 private:
  enum class Kind : std::uint8_t {
    kByte,
    kAny,      // one byte, '/' only without `pathname`
    kSet,      // one byte of sets_[set]
    kStar,     // any number of bytes but '/'
    kDeep,     // any number of bytes
    kFolders,  // "**/": nothing, or any number of bytes and '/'
  };
  struct Token {
    Kind kind;
    unsigned char byte = 0;
    std::uint16_t set = 0;
  };

  bool compile(std::string_view pattern);
  bool compileSet(std::string_view pattern, std::size_t* at);
  bool accepts(const Token& token, unsigned char byte) const;
  void close(char* states) const;

  std::vector<Token> tokens_;
  std::vector<std::bitset<256>> sets_;
  bool pathname_;
  bool impossible_ = false;  // a set that is never closed, a backslash at the end
};

}  // namespace waferpair::exclusions
