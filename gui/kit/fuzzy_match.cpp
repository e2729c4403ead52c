// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/fuzzy_match.h"

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

QChar folded(QChar letter) {
  // Most names are ASCII, for which the tables of Unicode are a long way.
  const char16_t code = letter.unicode();
  if (code < 0x80) return code >= u'A' && code <= u'Z' ? QChar(char16_t(code + 32)) : letter;
  return letter.toCaseFolded();
}

bool isSubsequence(QStringView pattern, QStringView text) {
  qsizetype i = 0;
  for (const QChar letter : text) {
    if (folded(letter) == pattern[i] && ++i == pattern.size()) return true;
  }
  return false;
}

QStringView lookedAt(QStringView text) {
  return text.mid(std::max<qsizetype>(0, text.size() - kLongestText));
}

// Scores of letters (rows) in a text (columns): best[r][c] is the score of the first r+1 letters
// with letter r at column c, from[r][c] the column of letter r-1 on that way.
struct Table {
  QVarLengthArray<int, 4096> best;
  QVarLengthArray<short, 4096> from;  // empty where nobody asks for it

  Table(QStringView letters, QStringView asTyped, QStringView text, bool withWay);

  // Returns the best column of the last letter; the score there is kImpossible if there is no way.
  qsizetype end(qsizetype rows, qsizetype columns) const {
    const auto last = best.cbegin() + (rows - 1) * columns;
    return std::max_element(last, last + columns) - last;
  }
};

Table::Table(QStringView letters, QStringView asTyped, QStringView text, bool withWay)
    : best(letters.size() * text.size()), from(withWay ? letters.size() * text.size() : 0) {
  const qsizetype rows = letters.size();
  const qsizetype columns = text.size();
  const qsizetype fileName = text.lastIndexOf(QLatin1Char('/')) + 1;
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
      if (folded(text[c]) != letters[r]) continue;
      int gain = kMatch;
      if (startsWord(text, c)) gain += kWordStart;
      if (c >= fileName) gain += kFileName;
      if (c == fileName && r == 0) gain += kFileNameStart;
      if (text[c] == asTyped[r]) gain += kExactCase;
      qsizetype before = -1;
      if (r == 0) {
        here = gain;
      } else {
        if (reach > kImpossible) {
          here = reach + gain;
          before = reachColumn;
        }
        const int beside = c > 0 ? best[(r - 1) * columns + c - 1] : kImpossible;
        if (beside > kImpossible && beside + gain + kConsecutive > here) {
          here = beside + gain + kConsecutive;
          before = c - 1;
        }
      }
      if (withWay) from[r * columns + c] = static_cast<short>(before);
    }
  }
}

// Among equals the shorter text is the likelier one.
int scoreOf(int best, qsizetype columns) { return best * 8 - static_cast<int>(columns) / 4; }

}  // namespace

FuzzyPattern::FuzzyPattern(QStringView pattern) {
  for (const QChar letter : pattern) {
    if (letter.isSpace() || letters_.size() == kLongestPattern) continue;
    letters_ += folded(letter);
    asTyped_ += letter;
  }
}

std::optional<int> FuzzyPattern::score(QStringView text) const {
  if (isEmpty()) return 0;
  text = lookedAt(text);
  if (!isSubsequence(letters_, text)) return std::nullopt;
  const Table table(letters_, asTyped_, text, false);
  const qsizetype last = (letters_.size() - 1) * text.size();
  const int best = table.best[last + table.end(letters_.size(), text.size())];
  if (best <= kImpossible) return std::nullopt;
  return scoreOf(best, text.size());
}

std::optional<FuzzyMatch> FuzzyPattern::match(QStringView whole) const {
  if (isEmpty()) return FuzzyMatch{};
  const QStringView text = lookedAt(whole);
  if (!isSubsequence(letters_, text)) return std::nullopt;
  const qsizetype rows = letters_.size();
  const qsizetype columns = text.size();
  const Table table(letters_, asTyped_, text, true);
  qsizetype column = table.end(rows, columns);
  const int best = table.best[(rows - 1) * columns + column];
  if (best <= kImpossible) return std::nullopt;
  FuzzyMatch match;
  match.score = scoreOf(best, columns);
  match.positions.resize(rows);
  for (qsizetype r = rows; r-- > 0;) {
    match.positions[r] = static_cast<int>(column + whole.size() - columns);
    column = table.from[r * columns + column];
  }
  return match;
}

std::optional<FuzzyMatch> fuzzyMatch(QStringView pattern, QStringView text) {
  return FuzzyPattern(pattern).match(text);
}

}  // namespace waferpair::gui
