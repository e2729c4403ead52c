// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/glob.h"

#include <algorithm>
#include <array>
#include <utility>

namespace waferpair::exclusions {
namespace {

// The states of a match at a token of the pattern.
constexpr char kBefore = 1;
constexpr char kInside = 2;  // the folders of a "**/", left by a '/' only

// The classes of POSIX in the C locale, as git has them.
bool inClass(std::string_view name, unsigned char c, bool* known) {
  const bool lower = c >= 'a' && c <= 'z';
  const bool upper = c >= 'A' && c <= 'Z';
  const bool digit = c >= '0' && c <= '9';
  const bool print = c >= 0x20 && c < 0x7f;
  const bool space = c == ' ' || (c >= '\t' && c <= '\r' && c != '\v' && c != '\f');
  const std::array<std::pair<std::string_view, bool>, 12> classes = {{
      {"alnum", lower || upper || digit},
      {"alpha", lower || upper},
      {"blank", c == ' ' || c == '\t'},
      {"cntrl", c < 0x20 || c == 0x7f},
      {"digit", digit},
      {"graph", print && c != ' '},
      {"lower", lower},
      {"print", print},
      {"punct", print && c != ' ' && !lower && !upper && !digit},
      {"space", space},
      {"upper", upper},
      {"xdigit", digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')},
  }};
  for (const auto& [each, holds] : classes) {
    if (each == name) {
      *known = true;
      return holds;
    }
  }
  *known = false;
  return false;
}

}  // namespace

Glob::Glob(std::string_view pattern, bool pathname) : pathname_(pathname) {
  impossible_ = !compile(pattern);
}

// False where nothing can match.
bool Glob::compile(std::string_view pattern) {
  // git compares the part without wildcards first and matches the rest as a pattern of its own: a
  // "**" counts as one between slashes right behind it, too.
  const std::size_t plain = std::min(pattern.find_first_of("*?[\\"), pattern.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*') {
      std::size_t end = i;
      while (end < pattern.size() && pattern[end] == '*') ++end;
      const std::string_view rest = pattern.substr(end);
      const bool between = (i == plain || pattern[i - 1] == '/') &&
                           (rest.empty() || rest[0] == '/' || rest.starts_with("\\/"));
      if (!pathname_) {
        tokens_.push_back({Kind::kDeep});
      } else if (end - i < 2 || !between) {
        tokens_.push_back({Kind::kStar});
      } else if (rest.starts_with('/')) {
        tokens_.push_back({Kind::kFolders});
        ++end;
      } else {
        tokens_.push_back({Kind::kDeep});
      }
      i = end - 1;
    } else if (c == '?') {
      tokens_.push_back({Kind::kAny});
    } else if (c == '[') {
      if (!compileSet(pattern, &i)) return false;
    } else if (c == '\\') {
      if (++i == pattern.size()) return false;
      tokens_.push_back({Kind::kByte, static_cast<unsigned char>(pattern[i])});
    } else {
      tokens_.push_back({Kind::kByte, static_cast<unsigned char>(c)});
    }
  }
  return true;
}

// "[...]" from `at`, which is at its end then. A member may be a ']' that comes first, an escaped
// character, a range or a class.
bool Glob::compileSet(std::string_view pattern, std::size_t* at) {
  std::bitset<256> set;
  std::size_t i = *at + 1;
  const auto here = [&] { return i < pattern.size() ? static_cast<unsigned char>(pattern[i]) : 0; };
  const bool negated = here() == '!' || here() == '^';
  if (negated) ++i;
  int before = 0;  // a range may begin there; 0: none may
  for (bool first = true; first || here() != ']'; first = false) {
    int c = here();
    if (c == 0) return false;
    if (c == '\\') {
      ++i;
      if ((c = here()) == 0) return false;
      set.set(static_cast<std::size_t>(c));
    } else if (c == '-' && before != 0 && i + 1 < pattern.size() && pattern[i + 1] != ']') {
      ++i;
      if (here() == '\\') ++i;
      if (here() == 0) return false;
      for (int member = before; member <= here(); ++member)
        set.set(static_cast<std::size_t>(member));
      c = 0;
    } else if (c == '[' && i + 1 < pattern.size() && pattern[i + 1] == ':') {
      const std::size_t end = pattern.find(']', i + 2);
      if (end == pattern.npos) return false;
      if (end < i + 3 || pattern[end - 1] != ':') {
        set.set('[');  // no class after all
      } else {
        const std::string_view name = pattern.substr(i + 2, end - i - 3);
        bool known = false;
        for (int member = 0; member < 256; ++member)
          if (inClass(name, static_cast<unsigned char>(member), &known))
            set.set(static_cast<std::size_t>(member));
        if (!known) return false;
        i = end;
        c = 0;
      }
    } else {
      set.set(static_cast<std::size_t>(c));
    }
    before = c;
    ++i;
  }
  if (negated) set.flip();
  if (pathname_) set.reset('/');
  if (sets_.size() > 0xffff) return false;
  tokens_.push_back({Kind::kSet, 0, static_cast<std::uint16_t>(sets_.size())});
  sets_.push_back(set);
  *at = i;
  return true;
}

bool Glob::accepts(const Token& token, unsigned char byte) const {
  switch (token.kind) {
    case Kind::kByte:
      return token.byte == byte;
    case Kind::kAny:
      return byte != '/' || !pathname_;
    case Kind::kSet:
      return sets_[token.set].test(byte);
    default:
      return false;
  }
}

// Adds the states that are reached without a byte.
void Glob::close(char* states) const {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Kind kind = tokens_[i].kind;
    const bool star = states[i] != 0 && (kind == Kind::kStar || kind == Kind::kDeep);
    if (star || (kind == Kind::kFolders && (states[i] & kBefore) != 0)) states[i + 1] |= kBefore;
  }
}

bool Glob::matches(std::string_view text) const {
  if (impossible_) return false;
  // The states hold all ways through the pattern at once: state i has matched the tokens before i.
  const std::size_t size = tokens_.size() + 1;
  std::array<char, 512> small;
  std::vector<char> large;
  if (2 * size > small.size()) large.resize(2 * size);
  char* states = large.empty() ? small.data() : large.data();
  char* next = states + size;
  std::fill(states, states + size, 0);
  states[0] = kBefore;
  close(states);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    std::fill(next, next + size, 0);
    bool alive = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!states[i]) continue;
      alive = true;
      switch (tokens_[i].kind) {
        case Kind::kStar:
          if (byte != '/') next[i] |= kBefore;
          break;
        case Kind::kDeep:
          next[i] |= kBefore;
          break;
        case Kind::kFolders:
          next[i] |= kInside;
          if (byte == '/') next[i + 1] |= kBefore;
          break;
        default:
          if (accepts(tokens_[i], byte)) next[i + 1] |= kBefore;
      }
    }
    if (!alive) return false;
    close(next);
    std::swap(states, next);
  }
  return states[size - 1] != 0;
}

std::uint64_t Glob::bytesIn(std::string_view text) {
  std::uint64_t bits = 0;
  for (const char c : text) bits |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
  return bits;
}

std::uint64_t Glob::needs() const {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i)
    if (tokens_[i].kind == Kind::kByte) bits |= std::uint64_t{1} << (tokens_[i].byte % 64);
  return bits;
}

std::string Glob::tail() const {
  std::string tail;
  for (auto token = tokens_.rbegin(); token != tokens_.rend(); ++token) {
    if (token->kind != Kind::kByte || token->byte == '/') break;
    tail += static_cast<char>(token->byte);
  }
  std::reverse(tail.begin(), tail.end());
  return tail;
}

std::string Glob::head() const {
  // The name begins behind the last '/' of the pattern, unless something may bring further ones.
  std::size_t start = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == Kind::kByte && token.byte == '/') start = i + 1;
    if (pathname_ && token.kind == Kind::kFolders) start = i + 1;
  }
  std::string head;
  for (std::size_t i = start; i < tokens_.size(); ++i) {
    if (pathname_ && tokens_[i].kind == Kind::kDeep) return {};
    if (tokens_[i].kind != Kind::kByte) break;
    head += static_cast<char>(tokens_[i].byte);
  }
  // Behind "a**/" the name may begin with the "a".
  if (start > 0 && tokens_[start - 1].kind == Kind::kFolders && start > 1 &&
      !(tokens_[start - 2].kind == Kind::kByte && tokens_[start - 2].byte == '/'))
    return {};
  return head;
}

}  // namespace waferpair::exclusions
