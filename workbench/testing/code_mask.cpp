// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/code_mask.h"

#include <algorithm>

namespace waferpair::workbench {
namespace {

bool isWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Masker {
 public:
  Masker(const QByteArray& text, CodeFamily family) : text_(text), family_(family), out_(text) {}

  QByteArray masked() {
    while (at_ < text_.size())
      if (!comment() && !string()) ++at_;
    return out_;
  }

 private:
  bool is(CodeFamily family) const { return family_ == family; }
  bool follows(const char* word) const {
    return QByteArrayView(text_).sliced(at_).startsWith(word);
  }

  void blank(qsizetype from, qsizetype to) {
    char* bytes = out_.data();
    for (qsizetype i = from; i < std::min(to, text_.size()); ++i)
      if (bytes[i] != '\n') bytes[i] = ' ';
  }
  void blankTo(qsizetype end) {
    blank(at_, end);
    at_ = std::min(end, text_.size());
  }
  qsizetype lineEnd() const {
    const qsizetype end = text_.indexOf('\n', at_);
    return end < 0 ? text_.size() : end;
  }

  bool comment() {
    if (is(CodeFamily::kPython)) {
      if (text_[at_] != '#') return false;
      blankTo(lineEnd());
      return true;
    }
    if (follows("//")) {
      blankTo(lineEnd());
      return true;
    }
    if (!follows("/*")) return false;
    qsizetype end = at_ + 2;
    for (int depth = 1; depth > 0 && end < text_.size(); ++end) {
      const QByteArrayView here = QByteArrayView(text_).sliced(end);
      if (here.startsWith("*/")) {
        --depth;
        ++end;
      } else if (is(CodeFamily::kRust) && here.startsWith("/*")) {
        ++depth;
        ++end;
      }
    }
    blankTo(end);
    return true;
  }

  // Blanks what is between the marks, and goes behind the closing one.
  void maskUntil(qsizetype from, const QByteArray& close) {
    const qsizetype found = text_.indexOf(close, from);
    const qsizetype end = found < 0 ? text_.size() : found;
    blank(from, end);
    at_ = std::min(end + close.size(), text_.size());
  }

  // A string with escapes by backslash; `isOneLine`: it ends with the line at the latest.
  void maskEscaped(char quote, bool isOneLine) {
    qsizetype end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && !(isOneLine && text_[end] == '\n'))
      end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    blank(at_ + 1, end);
    at_ = std::min(end + 1, text_.size());
  }

  // R"mark( ... )mark" of C++, r##" ... "## of Rust.
  bool rawString() {
    if (at_ > 0 && isWordByte(text_[at_ - 1])) return false;
    if (is(CodeFamily::kCpp) && follows("R\"")) {
      const qsizetype open = text_.indexOf('(', at_ + 2);
      constexpr qsizetype kLongestMark = 16;
      if (open < 0 || open - at_ - 2 > kLongestMark) return false;
      maskUntil(open + 1, ')' + text_.mid(at_ + 2, open - at_ - 2) + '"');
      return true;
    }
    if (!is(CodeFamily::kRust) || text_[at_] != 'r') return false;
    qsizetype quote = at_ + 1;
    while (quote < text_.size() && text_[quote] == '#') ++quote;
    if (quote >= text_.size() || text_[quote] != '"') return false;
    maskUntil(quote + 1, '"' + QByteArray(quote - at_ - 1, '#'));
    return true;
  }

  bool string() {
    if (rawString()) return true;
    const char c = text_[at_];
    if (is(CodeFamily::kPython) && (follows("\"\"\"") || follows("'''"))) {
      const qsizetype open = at_;
      maskUntil(at_ + 3, QByteArray(3, c));
      // Its end may stand at any column, which means nothing.
      blank(open + 3, at_);
      return true;
    }
    if (c == '`' && (is(CodeFamily::kScript) || is(CodeFamily::kGo))) {
      if (is(CodeFamily::kGo)) {
        maskUntil(at_ + 1, "`");
      } else {
        maskEscaped('`', false);
      }
      return true;
    }
    if (c == '"') {
      maskEscaped('"', !is(CodeFamily::kRust));
      return true;
    }
    if (c != '\'') return false;
    // A digit's separator in C++, a lifetime in Rust.
    if (is(CodeFamily::kCpp) && at_ > 0 && isWordByte(text_[at_ - 1])) return false;
    if (is(CodeFamily::kRust) && at_ + 2 < text_.size() && text_[at_ + 1] != '\\' &&
        text_[at_ + 2] != '\'')
      return false;
    maskEscaped('\'', true);
    return true;
  }

  const QByteArray& text_;
  CodeFamily family_;
  QByteArray out_;
  qsizetype at_ = 0;
};

}  // namespace

QByteArray maskedCode(const QByteArray& text, CodeFamily family) {
  return Masker(text, family).masked();
}

qsizetype closingBracket(const QByteArray& masked, qsizetype open) {
  const char opening = masked.at(open);
  const char closing = opening == '(' ? ')' : opening == '[' ? ']' : '}';
  int depth = 0;
  for (qsizetype at = open; at < masked.size(); ++at) {
    if (masked[at] == opening) ++depth;
    if (masked[at] == closing && --depth == 0) return at;
  }
  return masked.size();
}

int LineCounter::lineOf(qsizetype place) {
  for (; at_ < std::min(place, text_.size()); ++at_)
    if (text_[at_] == '\n') ++line_;
  return line_;
}

}  // namespace waferpair::workbench
