// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/modal/modal_sentences.h"

#include <algorithm>

#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

using Kind = ModalSpan::Kind;

bool endsSentence(char c) { return c == '.' || c == '!' || c == '?'; }
bool closes(char c) { return c == ')' || c == ']' || c == '"' || c == '\''; }

// The line's text ends a sentence.
bool isEnded(const QByteArray& line) {
  auto end = static_cast<int>(line.size());
  while (end > 0 && isBlankByte(line[end - 1])) --end;
  while (end > 0 && closes(line[end - 1])) --end;
  return end > 0 && endsSentence(line[end - 1]);
}

// The columns at which sentences begin. An empty line behind text is one by itself.
QVector<int> sentencesOf(const ModalText& text, int at) {
  const QByteArray line = text.line(at);
  const bool isFirst = at == 0;
  const QByteArray before = isFirst ? QByteArray() : text.line(at - 1);
  if (line.isEmpty()) return isFirst || !before.isEmpty() ? QVector<int>{0} : QVector<int>();
  QVector<int> starts;
  const int first = firstNonBlank(line);
  const bool hasText = first < line.size();
  if ((hasText && (isFirst || isEnded(before))) || (!isFirst && before.isEmpty()))
    starts.append(first);
  for (int column = 0; column < line.size(); ++column) {
    if (!endsSentence(line[column])) continue;
    int end = column + 1;
    while (end < line.size() && closes(line[end])) ++end;
    int next = end;
    while (next < line.size() && isBlankByte(line[next])) ++next;
    if (next > end && next < line.size()) starts.append(next);
  }
  return starts;
}

// The blanks before a sentence that begins a line belong to it.
std::optional<ModalPlace> nextSentence(const ModalText& text, ModalPlace from) {
  const int own = firstNonBlank(text.line(from.line));
  for (int line = from.line; line < text.lineCount(); ++line)
    for (const int column : sentencesOf(text, line))
      if (line > from.line || (column > from.column && column != own))
        return ModalPlace{line, column};
  return std::nullopt;
}

// `mayStay`: the one that begins here is no other.
std::optional<ModalPlace> sentenceBefore(const ModalText& text, ModalPlace from, bool mayStay) {
  for (int line = from.line; line >= 0; --line) {
    const QVector<int> starts = sentencesOf(text, line);
    for (auto column = starts.crbegin(); column != starts.crend(); ++column)
      if (line < from.line || *column < from.column || (mayStay && *column == from.column))
        return ModalPlace{line, *column};
  }
  return std::nullopt;
}

// Behind the last character of what begins at `start`, without the blanks before `next`.
ModalPlace endOfSentence(const ModalText& text, ModalPlace start, ModalPlace next) {
  ModalPlace end = next;
  for (;;) {
    const QByteArray line = text.line(end.line);
    while (end.column > 0 && isBlankByte(line[end.column - 1])) --end.column;
    if (end.column > 0 || end.line <= start.line) return std::max(end, start);
    --end.line;
    end.column = static_cast<int>(text.line(end.line).size());
  }
}

ModalPlace endOfText(const ModalText& text) {
  const int last = text.lineCount() - 1;
  return {last, static_cast<int>(text.line(last).size())};
}

}  // namespace

std::optional<ModalTarget> sentenceMotion(const ModalText& text, ModalPlace from, int direction,
                                          int count) {
  ModalPlace at = from;
  for (int i = 0; i < count; ++i) {
    const auto next = direction > 0 ? nextSentence(text, at) : sentenceBefore(text, at, false);
    // Before the first sentence there is the text's beginning alone.
    const bool isFirst = next && direction < 0 && !sentenceBefore(text, *next, false);
    if (next && !isFirst) {
      at = *next;
      continue;
    }
    // The text's ends count for one, too.
    const ModalPlace end = direction > 0 ? endOfText(text) : ModalPlace{0, 0};
    const ModalPlace last = direction > 0 ? onCharacter(text, end) : end;
    if (i + 1 < count) return std::nullopt;
    if (direction > 0) return ModalTarget{last, Kind::kInclusive, true, true};
    at = end;
  }
  return ModalTarget{at, Kind::kExclusive, true, true};
}

std::optional<ModalSpan> sentenceObject(const ModalText& text, ModalPlace at, bool isAround,
                                        int count) {
  const auto start = sentenceBefore(text, at, true);
  ModalPlace from = start.value_or(ModalPlace{0, 0});
  const bool isOfParagraph = from.line == 0 || text.line(from.line - 1).isEmpty();
  // The first of a paragraph has the blanks before it.
  if (isOfParagraph && from.column == firstNonBlank(text.line(from.line))) from.column = 0;
  ModalPlace next = nextSentence(text, at).value_or(endOfText(text));
  if (text.line(from.line).isEmpty() && at.line == from.line) {
    for (int i = 1; i < count; ++i) next = nextSentence(text, next).value_or(endOfText(text));
    const bool isLast = from.line + 1 >= text.lineCount();
    const ModalPlace own = isLast ? from : ModalPlace{from.line + 1, 0};
    return ModalSpan{from, isAround ? next : own, Kind::kExclusive};
  }
  const ModalPlace end = endOfSentence(text, from, next);
  const bool isOnBlanks = at >= end && at < next;
  if (isOnBlanks && !isAround) {
    // The blanks between two are an object of their own.
    return ModalSpan{end, next, Kind::kExclusive};
  }
  if (isOnBlanks) {
    // The blanks, and the sentence behind them.
    from = end;
    const ModalPlace behind = nextSentence(text, next).value_or(endOfText(text));
    return ModalSpan{from, endOfSentence(text, next, behind), Kind::kExclusive};
  }
  for (int i = 1; i < count; ++i) next = nextSentence(text, next).value_or(endOfText(text));
  const ModalPlace last = endOfSentence(text, from, next);
  if (!isAround) return ModalSpan{from, last, Kind::kExclusive};
  const bool endsParagraph = next.column == 0 && next.line > last.line;
  if ((last < next && next.line == last.line) || endsParagraph)
    return ModalSpan{from, next, Kind::kExclusive};
  // None behind it: those before it on its line.
  const QByteArray line = text.line(from.line);
  while (from.column > 0 && isBlankByte(line[from.column - 1])) --from.column;
  return ModalSpan{from, last, Kind::kExclusive};
}

}  // namespace waferpair::editor
