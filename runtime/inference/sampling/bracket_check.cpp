// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/bracket_check.h"

#include <algorithm>
#include <array>

namespace waferpair::inference {
namespace {

using Family = BracketReader::Family;

struct Extension {
  std::string_view name;
  Family family;
};
constexpr std::array kExtensions = {
    Extension{"c", Family::kC},
    Extension{"h", Family::kC},
    Extension{"cc", Family::kC},
    Extension{"cpp", Family::kC},
    Extension{"cxx", Family::kC},
    Extension{"hh", Family::kC},
    Extension{"hpp", Family::kC},
    Extension{"hxx", Family::kC},
    Extension{"go", Family::kC},
    Extension{"java", Family::kC},
    Extension{"rs", Family::kC},
    Extension{"js", Family::kJavaScript},
    Extension{"cjs", Family::kJavaScript},
    Extension{"mjs", Family::kJavaScript},
    Extension{"ts", Family::kJavaScript},
    Extension{"mts", Family::kJavaScript},
    Extension{"cts", Family::kJavaScript},
    Extension{"py", Family::kPython},
    Extension{"pyi", Family::kPython},
};

char openerOf(char closer) { return closer == ')' ? '(' : closer == ']' ? '[' : '{'; }

bool hasCloser(std::string_view bytes) {
  return bytes.find_first_of(")]}") != std::string_view::npos;
}

}  // namespace

BracketReader::Family BracketReader::guess(std::string_view code) {
  std::size_t colons = 0, braces = 0;
  for (std::size_t at = 0, end = 0; (end = code.find('\n', at)) != code.npos; at = end + 1) {
    const std::string_view line = code.substr(at, end - at);
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (last == line.npos) continue;
    colons += line[last] == ':';
    braces += line[last] == '{' || line[last] == ';';
  }
  if (colons == braces) return Family::kNone;
  return colons > braces ? Family::kPython : Family::kC;
}

Family BracketReader::familyOf(std::string_view fileName) {
  const std::size_t dot = fileName.rfind('.');
  if (dot == std::string_view::npos) return Family::kNone;
  const auto found = std::find_if(
      kExtensions.begin(), kExtensions.end(),
      [name = fileName.substr(dot + 1)](const Extension& one) { return one.name == name; });
  return found == kExtensions.end() ? Family::kNone : found->family;
}

bool BracketReader::read(std::string_view bytes) {
  for (const char byte : bytes) readByte(byte);
  return fits_;
}

void BracketReader::readByte(char byte) {
  const char last = std::exchange(last_, '\0');
  switch (mode_) {
    case Mode::kCode:
      last_ = last;
      return readCode(byte);
    case Mode::kLineComment:
      if (byte == '\n') mode_ = Mode::kCode;
      return;
    case Mode::kBlockComment:
      if (byte == '/' && last == '*') {
        mode_ = Mode::kCode;
        return;
      }
      last_ = byte;
      return;
    case Mode::kString:
      if (last == '\\' && quote_ != '`') return;
      if (byte == quote_ || (byte == '\n' && quote_ != '`')) {
        // A second quote at once, in Python: the string is empty, or a third makes it triple.
        const bool empty = byte == quote_ && quotes_ == 1 && family_ == Family::kPython;
        quotes_ = empty ? 2 : 0;
        mode_ = Mode::kCode;
        return;
      }
      quotes_ = 0;
      last_ = byte;
      return;
    case Mode::kTripleString:
      if (last == '\\') return;
      quotes_ = byte == quote_ ? quotes_ + 1 : 0;
      if (quotes_ == 3) {
        quotes_ = 0;
        mode_ = Mode::kCode;
      }
      last_ = byte;
      return;
    case Mode::kCharacter:
      // 'a' and '\n' are characters; 'a without another ' is a lifetime, 1'000 a number.
      if (last == '\\') {
        last_ = '.';
        return;
      }
      if (inCharacter_ > 0 && byte == '\'') {
        mode_ = Mode::kCode;
        return;
      }
      const bool escaped = last == '.';  // \x41, \u{1F600}
      if (byte == '\n' || (inCharacter_ > 0 && !escaped)) {
        mode_ = Mode::kCode;
        return readCode(byte);
      }
      ++inCharacter_;
      last_ = escaped ? '.' : byte;
      return;
  }
}

void BracketReader::readCode(char byte) {
  const char last = std::exchange(last_, '\0');
  const int quotes = std::exchange(quotes_, 0);
  if (quotes == 2 && byte == quote_) {
    mode_ = Mode::kTripleString;
    return;
  }
  if (family_ == Family::kPython) {
    if (byte == '#') mode_ = Mode::kLineComment;
  } else if (last == '/' && (byte == '/' || byte == '*')) {
    mode_ = byte == '/' ? Mode::kLineComment : Mode::kBlockComment;
    return;
  }
  switch (byte) {
    case '"':
      return openString(byte);
    case '\'':
      if (family_ != Family::kC) return openString(byte);
      mode_ = Mode::kCharacter;
      inCharacter_ = 0;
      return;
    case '`':
      if (family_ != Family::kPython) openString(byte);
      return;
    case '(':
    case '[':
    case '{':
      open_ += byte;
      return;
    case ')':
    case ']':
    case '}':
      return bracket(byte);
    default:
      last_ = byte;
  }
}

void BracketReader::bracket(char byte) {
  if (!open_.empty()) {
    if (open_.back() == openerOf(byte))
      open_.pop_back();
    else
      fits_ = false;
  } else if (complete_) {
    fits_ = false;
  }
}

void BracketReader::openString(char quote) {
  mode_ = Mode::kString;
  quote_ = quote;
  quotes_ = 1;
}

BracketCheck::BracketCheck(BracketReader reader, std::string_view suffix)
    : reader_(std::move(reader)) {
  BracketReader rest = reader_;
  std::size_t least = rest.open().size();
  for (const char byte : suffix.substr(0, suffix.find('\n'))) {
    if (!rest.read({&byte, 1})) break;
    least = std::min(least, rest.open().size());
  }
  if (least < reader_.open().size()) reserved_ = reader_.open().size();
}

Verdict BracketCheck::judge(std::string_view bytes) const {
  if (!reader_.fits() || !hasCloser(bytes)) return Verdict::kFits;
  BracketReader next = reader_;
  std::size_t reserved = reserved_;
  for (const char byte : bytes) {
    if (byte == '\n') reserved = 0;
    if (!next.read({&byte, 1})) return Verdict::kRefused;
    if (next.open().size() < reserved) return Verdict::kEndsHere;
  }
  return Verdict::kFits;
}

void BracketCheck::came(std::string_view bytes) {
  if (bytes.find('\n') != std::string_view::npos) reserved_ = 0;
  reader_.read(bytes);
}

}  // namespace waferpair::inference
