// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/line_edit.h"

#include <algorithm>
#include <vector>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

namespace {

constexpr double kLeastLikeness = 0.5;       // of two lines of which one became the other
constexpr qsizetype kMostCompared = 1600;    // pairs of lines; beyond that lines go and others come
constexpr qsizetype kLongestCompared = 400;  // bytes of a line

using Hashes = std::vector<quint32>;

Hashes hashesOf(const QByteArray& line) {
  const CodeText text(line.left(kLongestCompared), languageFamily({}));
  Hashes hashes;
  for (const Token& token : text.tokens()) hashes.push_back(token.hash);
  return hashes;
}

double likeness(const Hashes& a, const Hashes& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty() ? 1 : 0;
  // The longest common subsequence, a row at a time.
  std::vector<int> row(b.size() + 1, 0);
  for (const quint32 word : a) {
    int diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int above = row[j + 1];
      row[j + 1] = word == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return 2.0 * row.back() / static_cast<double>(a.size() + b.size());
}

}  // namespace

double lineLikeness(const QByteArray& a, const QByteArray& b) {
  return likeness(hashesOf(a), hashesOf(b));
}

QVector<LineEdit> partsOf(const LineEdit& edit) {
  const auto rows = static_cast<std::size_t>(edit.before.size());
  const auto columns = static_cast<std::size_t>(edit.after.size());
  // Pairs lines with what they became: the alignment with the most likeness, from the end
  // backwards.
  std::vector<std::vector<double>> like(rows, std::vector<double>(columns, 0));
  std::vector<std::vector<double>> best(rows + 1, std::vector<double>(columns + 1, 0));
  if (rows * columns <= static_cast<std::size_t>(kMostCompared)) {
    std::vector<Hashes> before, after;
    for (const QByteArray& line : edit.before) before.push_back(hashesOf(line));
    for (const QByteArray& line : edit.after) after.push_back(hashesOf(line));
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        like[i][j] = likeness(before[i], after[j]);
        best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
        if (like[i][j] >= kLeastLikeness)
          best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + like[i][j]);
      }
    }
  }
  QVector<LineEdit> parts;
  std::size_t i = 0, j = 0;
  QByteArrayList gone, come;
  const auto place = [&](std::size_t madeOf) { return edit.line + static_cast<int>(madeOf); };
  const auto flush = [&] {
    const std::size_t from = j - static_cast<std::size_t>(come.size());
    if (!gone.isEmpty()) parts.append({edit.document, place(from), gone, {}});
    if (!come.isEmpty()) parts.append({edit.document, place(from), {}, come});
    gone.clear();
    come.clear();
  };
  while (i < rows || j < columns) {
    const auto row = static_cast<qsizetype>(i), column = static_cast<qsizetype>(j);
    const bool pairs = i < rows && j < columns && like[i][j] >= kLeastLikeness &&
                       best[i][j] <= best[i + 1][j + 1] + like[i][j];
    if (pairs) {
      flush();
      if (edit.before[row] != edit.after[column])
        parts.append({edit.document, place(j), {edit.before[row]}, {edit.after[column]}});
      ++i;
      ++j;
    } else if (j >= columns || (i < rows && best[i + 1][j] >= best[i][j + 1])) {
      gone += edit.before[row];
      ++i;
    } else {
      come += edit.after[column];
      ++j;
    }
  }
  flush();
  return parts;
}

}  // namespace waferpair::pairing
