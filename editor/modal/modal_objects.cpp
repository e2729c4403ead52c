// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/modal/modal_objects.h"

#include <QRegularExpression>
#include <QVector>

#include "editor/modal/modal_sentences.h"
#include "editor/text/decoded_line.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

using Kind = ModalSpan::Kind;

int kindOfByte(char c, bool isBig) {
  if (isBlankByte(c)) return 0;
  return isBig || !isWordByte(c) ? 1 : 2;
}

// Words of one line. Blanks between them are words of their own for "iw".
std::optional<ModalSpan> wordObject(const ModalText& text, ModalPlace at, bool isBig, bool isAround,
                                    int count) {
  const QByteArray line = text.line(at.line);
  if (line.isEmpty()) return ModalSpan{at, at, Kind::kExclusive};
  const auto size = static_cast<int>(line.size());
  const auto runEnd = [&](int from) {
    int end = from;
    while (end < size && kindOfByte(line[end], isBig) == kindOfByte(line[from], isBig)) ++end;
    return end;
  };
  int start = at.column;
  const int kind = kindOfByte(line[start], isBig);
  while (start > 0 && kindOfByte(line[start - 1], isBig) == kind) --start;
  int end = start;
  if (!isAround) {
    while (count-- > 0) {
      if (end >= size) return std::nullopt;
      end = runEnd(end);
    }
    return ModalSpan{{at.line, start}, {at.line, previousColumn(line, end)}, Kind::kInclusive};
  }
  const bool beginsWithBlanks = kind == 0;
  while (count-- > 0) {
    if (end >= size) return std::nullopt;
    end = runEnd(end);
    if (beginsWithBlanks) {
      if (end >= size) return std::nullopt;
      end = runEnd(end);
    } else if (end < size && kindOfByte(line[end], isBig) == 0) {
      end = runEnd(end);
    } else if (count == 0) {
      // Without blanks behind it, those before it go along, unless they are the indentation.
      int before = start;
      while (before > 0 && isBlankByte(line[before - 1])) --before;
      if (before > 0) start = before;
    }
  }
  return ModalSpan{{at.line, start}, {at.line, previousColumn(line, end)}, Kind::kInclusive};
}

std::optional<ModalSpan> paragraphObject(const ModalText& text, ModalPlace at, bool isAround,
                                         int count) {
  const auto isBlankLine = [&](int line) {
    const QByteArray content = text.line(line);
    return firstNonBlank(content) == content.size();
  };
  const int lines = text.lineCount();
  const auto runEnd = [&](int from) {
    int end = from;
    while (end < lines && isBlankLine(end) == isBlankLine(from)) ++end;
    return end;
  };
  int start = at.line;
  while (start > 0 && isBlankLine(start - 1) == isBlankLine(at.line)) --start;
  const bool beginsBlank = isBlankLine(at.line);
  int end = start;
  while (count-- > 0) {
    if (end >= lines) return std::nullopt;
    end = runEnd(end);
    if (!isAround) continue;
    if (end < lines) {
      end = runEnd(end);
    } else if (beginsBlank) {
      return std::nullopt;
    } else if (count == 0) {
      while (start > 0 && isBlankLine(start - 1)) --start;
    } else {
      return std::nullopt;
    }
  }
  return ModalSpan{{start, 0}, {end - 1, 0}, Kind::kLines};
}

std::optional<ModalSpan> quoteObject(const ModalText& text, ModalPlace at, char quote,
                                     bool isAround) {
  const QByteArray line = text.line(at.line);
  QVector<int> quotes;
  for (int i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == quote) {
      quotes.append(i);
    }
  }
  // The string that the caret is in, or the next one.
  for (qsizetype i = 0; i + 1 < quotes.size(); i += 2) {
    const int open = quotes[i], close = quotes[i + 1];
    if (at.column > close) continue;
    if (isAround) {
      int end = close + 1;
      while (end < line.size() && isBlankByte(line[end])) ++end;
      int start = open;
      if (end == close + 1)
        while (start > 0 && isBlankByte(line[start - 1])) --start;
      return ModalSpan{{at.line, start}, {at.line, end - 1}, Kind::kInclusive};
    }
    if (close == open + 1) return ModalSpan{{at.line, close}, {at.line, close}, Kind::kExclusive};
    return ModalSpan{{at.line, open + 1}, {at.line, previousColumn(line, close)}, Kind::kInclusive};
  }
  return std::nullopt;
}

// The nearest unmatched bracket before the place, `count` levels out.
std::optional<ModalPlace> openBracket(const ModalText& text, ModalPlace at, char open, char close,
                                      int count) {
  QByteArray line = text.line(at.line);
  int column = at.column;
  // A closing bracket that the caret stands on is its own pair's.
  if (column < line.size() && line[column] == close) --column;
  int depth = 0;
  for (int now = at.line;;) {
    for (; column >= 0; --column) {
      if (column >= line.size()) continue;
      if (line[column] == close) ++depth;
      if (line[column] != open) continue;
      if (depth > 0) {
        --depth;
      } else if (--count == 0) {
        return ModalPlace{now, column};
      }
    }
    if (--now < 0) return std::nullopt;
    line = text.line(now);
    column = static_cast<int>(line.size()) - 1;
  }
}

// Outside all brackets the next ones are meant, unless some are closed before.
std::optional<ModalPlace> nextOpen(const ModalText& text, ModalPlace at, char open, char close) {
  for (int line = at.line; line < text.lineCount(); ++line) {
    const QByteArray content = text.line(line);
    const qsizetype from = line == at.line ? at.column : 0;
    const qsizetype column = content.indexOf(open, from);
    const qsizetype closed = content.indexOf(close, from);
    if (closed >= 0 && (column < 0 || closed < column)) return std::nullopt;
    if (column >= 0) return ModalPlace{line, static_cast<int>(column)};
  }
  return std::nullopt;
}

std::optional<ModalPlace> closeBracket(const ModalText& text, ModalPlace at, char open,
                                       char close) {
  int depth = 0, column = at.column;
  for (int now = at.line; now < text.lineCount(); ++now, column = 0) {
    const QByteArray line = text.line(now);
    for (; column < line.size(); ++column) {
      if (line[column] == open) ++depth;
      if (line[column] == close && --depth == 0) return ModalPlace{now, column};
    }
  }
  return std::nullopt;
}

std::optional<ModalSpan> blockObject(const ModalText& text, ModalPlace at, char open, char close,
                                     bool isAround, int count) {
  auto start = openBracket(text, at, open, close, count);
  if (!start && count == 1 && open != '<') start = nextOpen(text, at, open, close);
  if (!start) return std::nullopt;
  const auto end = closeBracket(text, *start, open, close);
  if (!end) return std::nullopt;
  if (isAround) return ModalSpan{*start, *end, Kind::kInclusive};
  ModalPlace first{start->line, start->column + 1};
  ModalPlace last = *end;
  // A block of lines is without the line end behind "{" and the blanks before "}".
  if (first.column >= text.line(first.line).size() && first.line < last.line)
    first = {first.line + 1, 0};
  if (firstNonBlank(text.line(last.line)) == last.column && last.line > first.line) {
    if (first.column == 0 && first.line > start->line)
      return ModalSpan{first, {last.line - 1, 0}, Kind::kLines};
    last = {last.line - 1, static_cast<int>(text.line(last.line - 1).size())};
    return ModalSpan{first, last, Kind::kExclusive};
  }
  if (last <= first) return ModalSpan{first, first, Kind::kExclusive};
  return ModalSpan{first, last, Kind::kExclusive};
}

// The element around the place, by its tags.
std::optional<ModalSpan> tagObject(const ModalText& text, ModalPlace at, bool isAround, int count) {
  struct Tag {
    QString name;
    ModalPlace start, end;
  };
  static const QRegularExpression tag(
      QStringLiteral("<(/?)([A-Za-z][A-Za-z0-9_.:-]*)((?:[^<>]*[^<>/])?)>"));
  // Before the first letter of its line that one is meant.
  at.column = std::max(at.column, firstNonBlank(text.line(at.line)));
  QVector<Tag> open;
  QVector<std::pair<Tag, Tag>> around;  // innermost first
  for (int line = 0; line < text.lineCount(); ++line) {
    DecodedLine content(text.line(line));
    auto matches = tag.globalMatch(content.text());
    while (matches.hasNext()) {
      const auto match = matches.next();
      const auto bytes = [&](qsizetype to) { return static_cast<int>(content.byteAt(to)); };
      const Tag found{match.captured(2),
                      {line, bytes(match.capturedStart())},
                      {line, bytes(match.capturedEnd())}};
      if (match.captured(1).isEmpty()) {
        open.append(found);
        continue;
      }
      qsizetype own = open.size() - 1;
      while (own >= 0 && open[own].name != found.name) --own;
      if (own < 0) continue;
      if (open[own].start <= at && at < found.end) around.append({open[own], found});
      open.resize(own);
    }
  }
  if (around.size() < count) return std::nullopt;
  const auto& [first, last] = around[count - 1];
  if (isAround) return ModalSpan{first.start, last.end, Kind::kExclusive};
  return ModalSpan{first.end, last.start, Kind::kExclusive};
}

}  // namespace

std::optional<ModalSpan> textObject(const ModalText& text, ModalPlace at, char kind, bool isAround,
                                    int count) {
  switch (kind) {
    case 'w':
    case 'W':
      return wordObject(text, at, kind == 'W', isAround, count);
    case 's':
      return sentenceObject(text, at, isAround, count);
    case 'p':
      return paragraphObject(text, at, isAround, count);
    case '"':
    case '\'':
    case '`':
      return quoteObject(text, at, kind, isAround);
    case '(':
    case ')':
    case 'b':
      return blockObject(text, at, '(', ')', isAround, count);
    case '[':
    case ']':
      return blockObject(text, at, '[', ']', isAround, count);
    case '{':
    case '}':
    case 'B':
      return blockObject(text, at, '{', '}', isAround, count);
    case '<':
    case '>':
      return blockObject(text, at, '<', '>', isAround, count);
    case 't':
      return tagObject(text, at, isAround, count);
    default:
      return std::nullopt;
  }
}

}  // namespace waferpair::editor
