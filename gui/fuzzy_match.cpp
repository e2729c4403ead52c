// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/fuzzy_match.h"

#include <QVarLengthArray>
#include <algorithm>
#include <limits>

namespace waferpair::gui {
namespace {

constexpr qsizetype kLongestText = 400;
constexpr qsizetype kLongestPattern = 64;

constexpr int kMatch = 16;
constexpr int kConsecutive = 18;
constexpr int kWordStart = 14;
constexpr int kFileName = 6;
constexpr int kFileNameStart = 12;
constexpr int kExactCase = 1;
constexpr int kImpossible = std::numeric_limits<int>::min() / 2;

bool startsWord(QStringView text, qsizetype i) {
  if (i == 0) return true;
  const QChar before = text[i - 1];
  const QChar here = text[i];
  if (!before.isLetterOrNumber()) return here.isLetterOrNumber();
  return (before.isLower() && here.isUpper()) || (before.isLetter() && here.isDigit());
}

bool isSubsequence(QStringView pattern, QStringView text) {
  qsizetype i = 0;
  for (const QChar letter : text) {
    if (letter.toCaseFolded() == pattern[i] && ++i == pattern.size()) return true;
  }
  return false;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text) {
  QString letters;
  QString asTyped;
  for (const QChar letter : pattern) {
    if (letter.isSpace() || letters.size() == kLongestPattern) continue;
    letters += letter.toCaseFolded();
    asTyped += letter;
  }
  if (letters.isEmpty()) return FuzzyMatch{};
  const qsizetype skipped = std::max<qsizetype>(0, text.size() - kLongestText);
  text = text.mid(skipped);
  if (!isSubsequence(letters, text)) return std::nullopt;

  const qsizetype rows = letters.size();
  const qsizetype columns = text.size();
  const qsizetype fileName = text.lastIndexOf(QLatin1Char('/')) + 1;
  // best[r][c]: score of the first r+1 letters with letter r at column c; from[r][c]: the column of
  // letter r-1 on that way.
  QVarLengthArray<int, 4096> best(rows * columns);
  QVarLengthArray<short, 4096> from(rows * columns);
  for (qsizetype r = 0; r < rows; ++r) {
    int reach = kImpossible;  // best of the row above, left of this column
    qsizetype reachColumn = -1;
    for (qsizetype c = 0; c < columns; ++c) {
      int& here = best[r * columns + c];
      here = kImpossible;
      if (r > 0 && c > 0 && best[(r - 1) * columns + c - 1] > reach) {
        reach = best[(r - 1) * columns + c - 1];
        reachColumn = c - 1;
      }
      if (text[c].toCaseFolded() != letters[r]) continue;
      int gain = kMatch;
      if (startsWord(text, c)) gain += kWordStart;
      if (c >= fileName) gain += kFileName;
      if (c == fileName && r == 0) gain += kFileNameStart;
      if (text[c] == asTyped[r]) gain += kExactCase;
      if (r == 0) {
        here = gain;
        from[c] = -1;
        continue;
      }
      if (reach > kImpossible) {
        here = reach + gain;
        from[r * columns + c] = static_cast<short>(reachColumn);
      }
      const int beside = c > 0 ? best[(r - 1) * columns + c - 1] : kImpossible;
      if (beside > kImpossible && beside + gain + kConsecutive > here) {
        here = beside + gain + kConsecutive;
        from[r * columns + c] = static_cast<short>(c - 1);
      }
    }
  }

  const auto lastRow = best.cbegin() + (rows - 1) * columns;
  const auto end = std::max_element(lastRow, lastRow + columns);
  if (*end <= kImpossible) return std::nullopt;
  FuzzyMatch match;
  // Among equals the shorter text is the likelier one.
  match.score = *end * 8 - static_cast<int>(columns) / 4;
  match.positions.resize(rows);
  qsizetype column = end - lastRow;
  for (qsizetype r = rows; r-- > 0;) {
    match.positions[r] = static_cast<int>(column + skipped);
    column = from[r * columns + column];
  }
  return match;
}

}  // namespace waferpair::gui
