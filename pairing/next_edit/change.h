// SPDX-License-Identifier: GPL-3.0-or-later
// One edited line, taken apart: which of its words and marks were replaced by which. A value.
#pragma once

#include <vector>

#include "editor/text/byte_range.h"
#include "pairing/next_edit/code_text.h"
#include "pairing/next_edit/line_edit.h"

namespace waferpair::pairing {

// Tokens [oldFirst, oldLast) of the old line became [newFirst, newLast) of the new one; one of both
// may be empty, but not together.
struct ChangedSpan {
  int oldFirst = 0;
  int oldLast = 0;
  int newFirst = 0;
  int newLast = 0;

  bool isOneSided() const { return oldFirst == oldLast || newFirst == newLast; }
};

class ChangedLine {
 public:
  // Takes apart an edit of one line that became one line.
  ChangedLine(const LineEdit& edit, const LanguageFamily& family);

  const CodeText& before() const { return before_; }
  const CodeText& after() const { return after_; }
  const std::vector<ChangedSpan>& spans() const { return spans_; }

  // The one span from the first token that changed to the last.
  ChangedSpan whole() const;
  // All spans, and where there are several, the whole as well.
  std::vector<ChangedSpan> spansAndWhole() const;
  // Bytes of the old line that the span takes out, and those of the new line in their place: the
  // tokens with the blanks between them, and where one side has no tokens, the blanks around, too.
  QByteArrayView oldBytes(const ChangedSpan& span) const;
  QByteArrayView newBytes(const ChangedSpan& span) const;

 private:
  CodeText before_;
  CodeText after_;
  std::vector<ChangedSpan> spans_;  // empty: only blanks changed
};

using editor::ByteRange;

// The bytes of tokens [first, last) of the line, `around` with the blanks on both sides (for the
// first of the line, behind it only).
ByteRange bytesOfTokens(const CodeText& text, int line, int first, int last, bool around);

// Returns, for each token of `b`, the index of the token of `a` that it was; -1: none. The longest
// common subsequence of both lines' tokens.
std::vector<int> commonTokens(const CodeText& a, std::span<const Token> tokensOfA,
                              const CodeText& b, std::span<const Token> tokensOfB);

}  // namespace waferpair::pairing
