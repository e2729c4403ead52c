// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/change.h"

#include <algorithm>
#include <optional>

namespace waferpair::pairing {

namespace {

constexpr std::size_t kMostTokens = 400;  // of a line that is compared token by token

}  // namespace

std::vector<int> commonTokens(const CodeText& a, std::span<const Token> tokensOfA,
                              const CodeText& b, std::span<const Token> tokensOfB) {
  const std::size_t rows = tokensOfA.size(), columns = tokensOfB.size();
  std::vector<int> from(columns, -1);
  const auto equal = [&](std::size_t i, std::size_t j) {
    return tokensOfA[i].hash == tokensOfB[j].hash && a.view(tokensOfA[i]) == b.view(tokensOfB[j]);
  };
  // Tokens that both begin and end with are paired first: they are most of a line, and what people
  // mean.
  std::size_t head = 0, tail = 0;
  while (head < std::min(rows, columns) && equal(head, head)) ++head;
  while (tail < std::min(rows, columns) - head && equal(rows - 1 - tail, columns - 1 - tail))
    ++tail;
  for (std::size_t i = 0; i < head; ++i) from[i] = static_cast<int>(i);
  for (std::size_t i = 0; i < tail; ++i) from[columns - 1 - i] = static_cast<int>(rows - 1 - i);
  const std::size_t midRows = rows - head - tail, midColumns = columns - head - tail;
  if (midRows == 0 || midColumns == 0 || midRows > kMostTokens || midColumns > kMostTokens)
    return from;
  std::vector<std::vector<int>> best(midRows + 1, std::vector<int>(midColumns + 1, 0));
  for (std::size_t i = midRows; i-- > 0;) {
    for (std::size_t j = midColumns; j-- > 0;) {
      best[i][j] = equal(head + i, head + j) ? best[i + 1][j + 1] + 1
                                             : std::max(best[i + 1][j], best[i][j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < midRows && j < midColumns;) {
    if (equal(head + i, head + j)) {
      from[head + j] = static_cast<int>(head + i);
      ++i;
      ++j;
    } else if (best[i + 1][j] >= best[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return from;
}

ChangedLine::ChangedLine(const LineEdit& edit, const LanguageFamily& family)
    : before_(edit.before.value(0), family), after_(edit.after.value(0), family) {
  Q_ASSERT(edit.before.size() == 1 && edit.after.size() == 1);
  const std::vector<int> from = commonTokens(before_, before_.tokens(0), after_, after_.tokens(0));
  const int oldCount = static_cast<int>(before_.tokens(0).size());
  int oldNext = 0;
  std::optional<ChangedSpan> open;
  const auto close = [&](int oldEnd, int newEnd) {
    ChangedSpan span{oldNext, oldEnd, open ? open->newFirst : newEnd, newEnd};
    if (span.oldFirst < span.oldLast || span.newFirst < span.newLast) spans_.push_back(span);
    open.reset();
  };
  for (int i = 0; i < static_cast<int>(from.size()); ++i) {
    if (from[i] < 0) {
      if (!open) open = ChangedSpan{oldNext, oldNext, i, i};
      continue;
    }
    close(from[i], i);
    oldNext = from[i] + 1;
  }
  close(oldCount, static_cast<int>(from.size()));
}

ChangedSpan ChangedLine::whole() const {
  if (spans_.empty()) return {};
  return {spans_.front().oldFirst, spans_.back().oldLast, spans_.front().newFirst,
          spans_.back().newLast};
}

ByteRange bytesOfTokens(const CodeText& text, int line, int first, int last, bool around) {
  const std::span<const Token> tokens = text.tokens(line);
  const auto count = static_cast<int>(tokens.size());
  if (!around && first < last) return {tokens[first].start, tokens[last - 1].end()};
  const qint64 end = last < count ? tokens[last].start : text.lineEnd(line);
  if (first > 0) return {tokens[first - 1].end(), end};
  return {count > 0 ? tokens[0].start : text.lineEnd(line), end};
}

std::vector<ChangedSpan> ChangedLine::spansAndWhole() const {
  std::vector<ChangedSpan> all = spans_;
  if (all.size() > 1) all.push_back(whole());
  return all;
}

QByteArrayView ChangedLine::oldBytes(const ChangedSpan& span) const {
  const ByteRange range = bytesOfTokens(before_, 0, span.oldFirst, span.oldLast, span.isOneSided());
  return QByteArrayView(before_.bytes()).sliced(range.start, range.end - range.start);
}

QByteArrayView ChangedLine::newBytes(const ChangedSpan& span) const {
  const ByteRange range = bytesOfTokens(after_, 0, span.newFirst, span.newLast, span.isOneSided());
  return QByteArrayView(after_.bytes()).sliced(range.start, range.end - range.start);
}

}  // namespace waferpair::pairing
