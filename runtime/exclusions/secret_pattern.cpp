// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_pattern.h"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "runtime/exclusions/characters.h"
#include "runtime/exclusions/secret_values.h"

namespace waferpair::exclusions {
namespace {

// No text makes a run long, however often it begins.
constexpr std::size_t kLongestRun = 2'048;
constexpr std::size_t kTold = 32;
// So many characters of a token's runs tell that one is being written.
constexpr std::size_t kBegun = 6, kBegunWeak = 12;

bool isOf(char kind, char c) {
  const bool digit = isDigit(c);
  const bool upper = isUpper(c);
  const bool lower = isLower(c);
  const bool alnum = isAlnum(c);
  switch (kind) {
    case 'd':
      return digit;
    case 'h':
      return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    case 'u':
      return digit || upper;
    case 'l':
      return digit || lower;
    case 'a':
      return alnum;
    case 'w':
      return alnum || c == '_' || c == '-';
    case 't':
      return alnum || c == '_' || c == '-' || c == '.' || c == '~';
    case 'b':
      return alnum || c == '+' || c == '/';
    case 'B':
      return alnum || c == '+' || c == '/' || c == '_' || c == '-' || c == '=' || c == '%';
    default:
      return c > ' ' && c != '"' && c != '\'' && c != '`' && c != '<' && c != '>' && c != '\\';
  }
}

// Where little else tells that it is a token.
bool looksMadeUp(std::string_view body) {
  return isInOrder(body) || (body.size() >= 20 && !hasDigit(body));
}

std::size_t numberAt(std::string_view& text) {
  std::size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  assert(read.ec == std::errc());
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

}  // namespace

SecretPattern::SecretPattern(std::string_view text) {
  while (!text.empty()) {
    if (text[0] == '^') {
      assert(parts_.size() == 1 && parts_[0].literal.empty());
      before_ = parts_[0];
      parts_.clear();
      text.remove_prefix(1);
    } else if (text[0] == '{') {
      Part part;
      part.kind = text[1];
      text.remove_prefix(2);
      part.least = numberAt(text);
      part.most = kLongestRun;
      if (text[0] == ',') {
        text.remove_prefix(1);
        part.most = numberAt(text);
      }
      assert(text[0] == '}');
      text.remove_prefix(1);
      parts_.push_back(part);
    } else {
      const std::size_t end = std::min(text.find_first_of("{^"), text.size());
      parts_.push_back({text.substr(0, end), 0, 0, 0});
      text.remove_prefix(end);
    }
  }
  assert(!parts_.empty());
  isWeak_ = std::none_of(parts_.begin(), parts_.end(),
                         [](const Part& part) { return part.literal.size() >= 4; });
}

std::optional<std::size_t> SecretPattern::run(std::string_view text, std::size_t at,
                                              std::string& body, bool whole) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (!part.literal.empty()) {
      if (!text.substr(at).starts_with(part.literal)) return std::nullopt;
      at += part.literal.size();
      continue;
    }
    const bool isLast = i + 1 == parts_.size();
    // As much of a last run as tells whether it is random.
    const bool isOpen = isLast && part.most == kLongestRun && !whole;
    const std::size_t most = isOpen ? part.least + kTold : part.most;
    std::size_t end = at;
    while (end < text.size() && end - at < most && isOf(part.kind, text[end])) ++end;
    if (end - at < part.least) return std::nullopt;
    if (isLast && part.most != kLongestRun && end < text.size() && isOf(part.kind, text[end]))
      return std::nullopt;
    body.append(text.substr(at, end - at));
    at = end;
  }
  return at;
}

std::optional<std::size_t> SecretPattern::matchAt(std::string_view text, std::size_t at) const {
  std::string body;
  std::size_t start = at;
  if (before_) {
    while (start > 0 && at - start < before_->most && isOf(before_->kind, text[start - 1])) --start;
    if (at - start < before_->least) return std::nullopt;
    body.assign(text.substr(start, at - start));
  }
  if (!beginsWord(text, start)) return std::nullopt;
  const auto end = run(text, at, body, false);
  if (!end || !looksRandom(body) || (isWeak_ && looksMadeUp(body))) return std::nullopt;
  return end;
}

bool SecretPattern::isBegunAt(std::string_view text, std::size_t at) const {
  if (before_ || parts_[0].literal.size() < 3 || !beginsWord(text, at)) return false;
  std::string body;
  for (const Part& part : parts_) {
    if (at == text.size()) break;
    if (!part.literal.empty()) {
      const std::string_view there = text.substr(at, part.literal.size());
      if (!part.literal.starts_with(there)) return false;
      at += there.size();
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && end - at < part.most && isOf(part.kind, text[end])) ++end;
    if (end < text.size() && end - at < part.least) return false;
    body.append(text.substr(at, end - at));
    at = end;
  }
  const bool hasLetter = std::any_of(body.begin(), body.end(), isLetter);
  return at == text.size() && body.size() >= (isWeak_ ? kBegunWeak : kBegun) && hasDigit(body) &&
         hasLetter && !isInOrder(body);
}

bool SecretPattern::matchesAll(std::string_view value) const {
  std::string body;
  return !before_ && run(value, 0, body, true) == value.size() && looksRandom(body) &&
         !looksMadeUp(body);
}

std::vector<std::uint32_t> SecretPattern::anchors() const {
  std::vector<std::string> begins{""};
  std::size_t repeat = 0;
  for (std::size_t i = 0; i < parts_.size() && begins[0].size() < 3;) {
    const Part& part = parts_[i];
    if (!part.literal.empty()) {
      for (std::string& begin : begins) begin += part.literal;
      ++i;
      continue;
    }
    std::vector<std::string> longer;
    for (const std::string& begin : begins)
      for (int c = ' '; c < 127; ++c)
        if (isOf(part.kind, static_cast<char>(c)) && (c < 'A' || c > 'Z'))
          longer.push_back(begin + static_cast<char>(c));
    // A run of capitals has small letters as its folded ones.
    if (part.kind == 'u')
      for (const std::string& begin : begins)
        for (char c = 'a'; c <= 'z'; ++c) longer.push_back(begin + c);
    begins = std::move(longer);
    if (++repeat >= part.least) {
      ++i;
      repeat = 0;
    }
  }
  std::vector<std::uint32_t> anchors;
  for (const std::string& begin : begins)
    if (begin.size() >= 3) anchors.push_back(folded(begin[0], begin[1], begin[2]));
  std::sort(anchors.begin(), anchors.end());
  anchors.erase(std::unique(anchors.begin(), anchors.end()), anchors.end());
  return anchors;
}

}  // namespace waferpair::exclusions
