// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/assignment.h"

#include <algorithm>

#include "runtime/exclusions/characters.h"

namespace waferpair::exclusions {
namespace {

constexpr std::size_t kLongestPart = 48;  // of a name, on either side of the word
constexpr std::size_t kMostBlanks = 16;
constexpr std::size_t kLongestValue = 512;
constexpr std::size_t kLongestBare = 160;
constexpr std::size_t kLongestType = 40;

bool isName(char c) { return isAlnum(c) || c == '_' || c == '-' || c == '.'; }
bool isQuote(char c) { return c == '"' || c == '\'' || c == '`'; }

void skipBlanks(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.size(), at + kMostBlanks);
  while (at < end && isBlank(text[at])) ++at;
}

char charAt(std::string_view text, std::size_t i) { return i < text.size() ? text[i] : '\n'; }

// "const token: string = " and "password: str = ": behind the type.
void skipType(std::string_view text, std::size_t& i) {
  std::size_t end = i;
  skipBlanks(text, end);
  if (!isLetter(charAt(text, end))) return;
  const std::size_t most = std::min(text.size(), end + kLongestType);
  while (end < most && (isName(text[end]) || text[end] == '[' || text[end] == ']' ||
                        text[end] == '|' || text[end] == ' ' || text[end] == '?'))
    ++end;
  if (charAt(text, end) == '=' && charAt(text, end + 1) != '=') i = end + 1;
}

// What stands between a name and its value; 0 characters: nothing that assigns.
std::size_t operatorAt(std::string_view text, std::size_t i, bool inQuotes, bool inTag) {
  switch (charAt(text, i)) {
    case ':':
      return charAt(text, i + 1) == '=' ? 2 : charAt(text, i + 1) == ':' ? 0 : 1;
    case '=':
      if (charAt(text, i + 1) == '>') return 2;
      return charAt(text, i + 1) == '=' || charAt(text, i + 1) == '~' ? 0 : 1;
    case ',':
      return inQuotes ? 1 : 0;
    case '>':
      return inTag ? 1 : 0;
    case '(':
      return 1;
    default:
      return 0;
  }
}

bool isSetByBlank(std::string_view text, std::size_t nameStart) {
  const std::string_view before = text.substr(nameStart - std::min<std::size_t>(nameStart, 4),
                                              std::min<std::size_t>(nameStart, 4));
  return before.ends_with("ENV ") || before.ends_with("set ");
}

// Not in quotes: a variable, a call, a member. No literal.
bool isComputed(std::string_view value) {
  if (value.empty() || std::string_view("$%&#?@").find(value[0]) != value.npos) return true;
  if (value.find_first_of("()[]{}|*^") != value.npos || value.find("::") != value.npos ||
      value.find("->") != value.npos)
    return true;
  if (value.find_first_of("!@#$%&+=/~") != value.npos) return false;
  for (std::size_t dot = value.find('.', 1); dot != value.npos; dot = value.find('.', dot + 1))
    if (isLetter(charAt(value, dot + 1)) && isName(value[dot - 1])) return true;
  return false;
}

// Not in quotes: all up to where settings, command lines and addresses end a value.
std::string_view bareValue(std::string_view text, std::size_t from) {
  std::size_t end = from;
  const std::size_t most = std::min(text.size(), from + kLongestBare);
  const auto ends = [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == ';' || c == '&' || c == '"' || c == '\'' ||
           c == '`' || c == '<' || c == ',' || c == '\\';
  };
  while (end < most && !ends(text[end])) ++end;
  const std::string_view value = text.substr(from, end - from);
  return isComputed(value) ? std::string_view() : value;
}

}  // namespace

std::optional<Assignment> assignmentAround(std::string_view text, std::string_view word) {
  const std::size_t wordStart = static_cast<std::size_t>(word.data() - text.data());
  const std::size_t wordEnd = wordStart + word.size();
  std::size_t start = wordStart;
  while (start > 0 && wordStart - start < kLongestPart && isName(text[start - 1])) --start;
  std::size_t end = wordEnd;
  while (end < text.size() && end - wordEnd < kLongestPart && isName(text[end])) ++end;
  Assignment found;
  found.head = text.substr(start, wordStart - start);
  found.tail = text.substr(wordEnd, end - wordEnd);

  // "${NAME:-value}" is a name itself.
  if (start > 1 && text[start - 1] == '{' && text[start - 2] == '$') return std::nullopt;
  const bool inTag = start > 0 && text[start - 1] == '<';
  const bool isOption =
      found.head.starts_with("--") || (found.head.empty() && word.starts_with("--"));
  std::size_t i = end;
  bool inQuotes = false;
  while (i < end + 3 &&
         (isQuote(charAt(text, i)) || charAt(text, i) == ']' || charAt(text, i) == '\\')) {
    inQuotes |= text[i] == '"' || text[i] == '\'';  // "`name`, `other`" is a list in Markdown
    ++i;
  }
  const std::size_t nameEnd = i;
  skipBlanks(text, i);
  if (const std::size_t signs = operatorAt(text, i, inQuotes, inTag); signs > 0) {
    const char sign = text[i];
    i += signs;
    if (signs == 1 && sign == ':') skipType(text, i);
    skipBlanks(text, i);
    if ((sign == '(' || sign == ',') && !isQuote(charAt(text, i))) return std::nullopt;
  } else if (i == nameEnd || !(isOption || isSetByBlank(text, start))) {
    return std::nullopt;
  }
  // b"...", f"...", @"...", $'...'
  if (!isQuote(charAt(text, i)) && isQuote(charAt(text, i + 1)) &&
      (isLetter(charAt(text, i)) || text[i] == '@'))
    ++i;
  const bool isEscaped = charAt(text, i) == '\\' && isQuote(charAt(text, i + 1));
  if (isEscaped) ++i;
  if (!isQuote(charAt(text, i))) {
    found.value = bareValue(text, i);
    return found.value.empty() ? std::nullopt : std::optional(found);
  }
  const char quote = text[i++];
  if (charAt(text, i) == quote && charAt(text, i + 1) == quote) i += 2;
  const std::size_t most = std::min(text.size(), i + kLongestValue);
  std::size_t close = i;
  while (close < most && text[close] != quote && text[close] != '\n') ++close;
  if (close == i) return std::nullopt;
  // A longer value is a value, too: its beginning tells of it.
  if (close < most && text[close] == '\n') return std::nullopt;
  found.value = text.substr(i, close - i);
  if (isEscaped && found.value.ends_with('\\')) found.value.remove_suffix(1);
  found.isQuoted = true;
  return found;
}

}  // namespace waferpair::exclusions
