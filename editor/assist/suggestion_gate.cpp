// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/suggestion_gate.h"

#include <algorithm>

#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

// The factors by which these cases shrink the doubt that the level leaves.
constexpr double kWhereAnythingMayFollow = 0.6;
constexpr double kBetweenWords = 0.8;
constexpr double kAfterContradiction = 0.4;

constexpr qsizetype kFewestLetters = 3;
constexpr qsizetype kFewestAtAnEnd = 2;

qsizetype letterCount(QByteArrayView text) {
  return std::count_if(text.begin(), text.end(), [](char c) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    const bool continues = (c & 0xc0) == 0x80;  // a character of UTF-8
    return !blank && !continues;
  });
}

}  // namespace

CaretPlace caretPlace(QByteArrayView linePrefix) {
  if (linePrefix.trimmed().isEmpty()) return CaretPlace::kLineStart;
  if (isWordByte(linePrefix.back())) return CaretPlace::kWord;
  for (const QByteArrayView mark : {".", "->", "::"})
    if (linePrefix.endsWith(mark)) return CaretPlace::kMember;
  return CaretPlace::kElsewhere;
}

double SuggestionGate::leastProbability(CaretPlace place, bool contradicted) const {
  if (level_ <= 0) return 0;
  double doubt = 1 - level_;
  if (place == CaretPlace::kLineStart || place == CaretPlace::kMember)
    doubt *= kWhereAnythingMayFollow;
  if (place == CaretPlace::kElsewhere) doubt *= kBetweenWords;
  if (contradicted) doubt *= kAfterContradiction;
  return 1 - doubt;
}

bool SuggestionGate::isWorthShowing(QByteArrayView text, QByteArrayView linePrefix,
                                    bool endsLine) const {
  if (level_ <= 0) return true;
  const qsizetype letters = letterCount(text);
  // The server shows no part of a word, so what goes on with one ends it.
  const bool endsWord = !text.isEmpty() && isWordByte(text.front()) && !linePrefix.isEmpty() &&
                        isWordByte(linePrefix.back());
  return letters >= (endsWord || endsLine ? kFewestAtAnEnd : kFewestLetters);
}

}  // namespace waferpair::editor
