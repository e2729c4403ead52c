// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/modal/modal_motions.h"

#include <algorithm>
#include <iterator>

#include "editor/text/decoded_line.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

bool isContinuation(char c) { return (c & 0xC0) == 0x80; }

// A caret that goes through a text character by character, line ends included.
class Walker {
 public:
  enum class Step { kInLine, kToLineEnd, kToNextLine, kNone };

  Walker(const ModalText& text, ModalPlace at, bool isBig)
      : text_(text), line_(text.line(at.line)), at_(at), isBig_(isBig) {}

  ModalPlace place() const { return at_; }
  bool isOnEmptyLine() const { return at_.column == 0 && line_.isEmpty(); }
  bool isOnLastLine() const { return at_.line + 1 == text_.lineCount(); }

  // 0: blanks and line ends; 1: other signs; 2: words.
  int kind() const {
    if (at_.column >= line_.size()) return 0;
    const char c = line_[at_.column];
    if (isBlankByte(c)) return 0;
    return isBig_ || !isWordByte(c) ? 1 : 2;
  }

  Step forward() {
    if (at_.column < line_.size()) {
      at_.column = nextColumn(line_, at_.column);
      return at_.column < line_.size() ? Step::kInLine : Step::kToLineEnd;
    }
    if (isOnLastLine()) return Step::kNone;
    at_ = {at_.line + 1, 0};
    line_ = text_.line(at_.line);
    return Step::kToNextLine;
  }

  Step back() {
    if (at_.column > 0) {
      at_.column = previousColumn(line_, at_.column);
      return Step::kInLine;
    }
    if (at_.line == 0) return Step::kNone;
    line_ = text_.line(at_.line - 1);
    at_ = {at_.line - 1, static_cast<int>(line_.size())};
    return Step::kToNextLine;
  }

  // True: the text ended.
  bool skip(int kindToSkip, bool isForward) {
    while (kind() == kindToSkip)
      if ((isForward ? forward() : back()) == Step::kNone) return true;
    return false;
  }

 private:
  const ModalText& text_;
  QByteArray line_;
  ModalPlace at_;
  bool isBig_;
};

using Step = Walker::Step;

bool nextWord(Walker& walker, int count, bool forOperator) {
  while (--count >= 0) {
    const int kind = walker.kind();
    const bool wasLast = walker.isOnLastLine();
    Step step = walker.forward();
    const bool leftLine = step == Step::kToLineEnd || step == Step::kToNextLine;
    if (step == Step::kNone || (leftLine && wasLast)) return false;
    if (leftLine && forOperator && count == 0) return true;
    while (kind != 0 && walker.kind() == kind) {
      step = walker.forward();
      if (step == Step::kNone || (step != Step::kInLine && forOperator && count == 0)) return true;
    }
    while (walker.kind() == 0 && !walker.isOnEmptyLine()) {
      step = walker.forward();
      const bool ends = wasLast || (forOperator && count == 0);
      if (step == Step::kNone || (step != Step::kInLine && ends)) return true;
    }
  }
  return true;
}

bool wordEnd(Walker& walker, int count, bool stays) {
  while (--count >= 0) {
    const int kind = walker.kind();
    if (walker.forward() == Step::kNone) return false;
    if (walker.kind() == kind && kind != 0) {
      if (walker.skip(kind, true)) return false;
    } else if (!stays || kind == 0) {
      if (walker.skip(0, true) || walker.skip(walker.kind(), true)) return false;
    }
    walker.back();
    stays = false;
  }
  return true;
}

bool wordBack(Walker& walker, int count) {
  while (--count >= 0) {
    if (walker.back() == Step::kNone) return false;
    bool isEmptyLine = false;
    while (walker.kind() == 0) {
      isEmptyLine = walker.isOnEmptyLine();
      if (isEmptyLine) break;
      if (walker.back() == Step::kNone) return true;
    }
    if (isEmptyLine) continue;
    if (walker.skip(walker.kind(), false)) return true;
    walker.forward();
  }
  return true;
}

bool wordBackEnd(Walker& walker, int count) {
  while (--count >= 0) {
    const int kind = walker.kind();
    if (walker.back() == Step::kNone) return false;
    while (kind != 0 && walker.kind() == kind)
      if (walker.back() == Step::kNone) return true;
    while (walker.kind() == 0 && !walker.isOnEmptyLine())
      if (walker.back() == Step::kNone) return true;
  }
  return true;
}

}  // namespace

// -- Characters of a line

int nextColumn(const QByteArray& line, int column) {
  if (column >= line.size()) return static_cast<int>(line.size());
  ++column;
  while (column < line.size() && isContinuation(line[column])) ++column;
  return column;
}

int previousColumn(const QByteArray& line, int column) {
  if (column <= 0) return 0;
  --column;
  while (column > 0 && isContinuation(line[column])) --column;
  return column;
}

int lastColumn(const QByteArray& line) {
  return previousColumn(line, static_cast<int>(line.size()));
}

int firstNonBlank(const QByteArray& line) {
  int column = 0;
  while (column < line.size() && isBlankByte(line[column])) ++column;
  return column;
}

ModalPlace onCharacter(const ModalText& text, ModalPlace place) {
  place.line = std::clamp(place.line, 0, text.lineCount() - 1);
  const QByteArray line = text.line(place.line);
  place.column = std::clamp(place.column, 0, lastColumn(line));
  while (place.column > 0 && isContinuation(line[place.column])) --place.column;
  return place;
}

int displayColumn(const QByteArray& line, int column, int tabWidth) {
  int display = 0;
  for (int at = 0; at < column && at < line.size(); at = nextColumn(line, at))
    display += line[at] == '\t' ? tabWidth - display % tabWidth : 1;
  return display;
}

int columnAtDisplay(const QByteArray& line, int display, int tabWidth) {
  int shown = 0, at = 0;
  while (at < line.size()) {
    shown += line[at] == '\t' ? tabWidth - shown % tabWidth : 1;
    if (shown > display) break;
    at = nextColumn(line, at);
  }
  return at;
}

// -- Motions

ModalTarget wordMotion(const ModalText& text, ModalPlace from, WordMotion motion, bool isBig,
                       int count, bool forOperator, bool stays) {
  Walker walker(text, from, isBig);
  bool moved = false;
  switch (motion) {
    case WordMotion::kNext:
      moved = nextWord(walker, count, forOperator);
      break;
    case WordMotion::kEnd:
      moved = wordEnd(walker, count, stays);
      break;
    case WordMotion::kBack:
      moved = wordBack(walker, count);
      break;
    case WordMotion::kBackEnd:
      moved = wordBackEnd(walker, count);
      break;
  }
  const bool isEnd = motion == WordMotion::kEnd || motion == WordMotion::kBackEnd;
  ModalTarget target{walker.place()};
  target.kind = isEnd ? ModalSpan::Kind::kInclusive : ModalSpan::Kind::kExclusive;
  target.isShort = !moved;
  return target;
}

std::optional<ModalTarget> paragraphMotion(const ModalText& text, ModalPlace from, int direction,
                                           int count) {
  int line = from.line;
  while (count-- > 0) {
    bool wasInText = false;
    for (bool isFirst = true;; isFirst = false) {
      const bool isEmpty = text.line(line).isEmpty();
      wasInText = wasInText || !isEmpty;
      if (!isFirst && wasInText && isEmpty) break;
      line += direction;
      if (line >= 0 && line < text.lineCount()) continue;
      if (count > 0) return std::nullopt;
      line -= direction;
      break;
    }
  }
  ModalTarget target{{line, 0}, ModalSpan::Kind::kExclusive, true, true};
  if (direction > 0 && line + 1 == text.lineCount() && !text.line(line).isEmpty()) {
    target.place.column = lastColumn(text.line(line));
    target.kind = ModalSpan::Kind::kInclusive;
  }
  return target;
}

std::optional<ModalPlace> bracketMotion(const ModalText& text, ModalPlace from) {
  constexpr QByteArrayView kOpen("([{"), kClose(")]}");
  QByteArray line = text.line(from.line);
  int column = from.column;
  while (column < line.size() && !kOpen.contains(line[column]) && !kClose.contains(line[column]))
    ++column;
  if (column >= line.size()) return std::nullopt;
  const bool isForward = kOpen.contains(line[column]);
  const char own = line[column];
  const auto kind = isForward ? kOpen.indexOf(own) : kClose.indexOf(own);
  const char other = isForward ? kClose[kind] : kOpen[kind];
  int depth = 0;
  for (int at = from.line;;) {
    while (column >= 0 && column < line.size()) {
      if (line[column] == own) ++depth;
      if (line[column] == other && --depth == 0) return ModalPlace{at, column};
      column += isForward ? 1 : -1;
    }
    at += isForward ? 1 : -1;
    if (at < 0 || at >= text.lineCount()) return std::nullopt;
    line = text.line(at);
    column = isForward ? 0 : static_cast<int>(line.size()) - 1;
  }
}

std::optional<ModalPlace> findCharacter(const ModalText& text, ModalPlace from,
                                        const CharacterSearch& search, int count, bool isRepeated) {
  if (search.character.isEmpty()) return std::nullopt;
  const QByteArray line = text.line(from.line);
  int column = from.column;
  // Repeated, it goes on though the character is the next one already.
  bool stops = !(isRepeated && count == 1 && search.isTill);
  while (count-- > 0) {
    for (;;) {
      if (search.isForward) {
        column = nextColumn(line, column);
        if (column >= line.size()) return std::nullopt;
      } else {
        if (column == 0) return std::nullopt;
        column = previousColumn(line, column);
      }
      const bool matches = QByteArrayView(line).sliced(column).startsWith(search.character);
      if (matches && stops) break;
      stops = true;
    }
  }
  if (search.isTill)
    column = search.isForward ? previousColumn(line, column) : nextColumn(line, column);
  return ModalPlace{from.line, column};
}

std::optional<ModalPlace> findPattern(const ModalText& text, ModalPlace from,
                                      const QRegularExpression& pattern, bool isForward,
                                      int count) {
  const int lines = text.lineCount();
  // Matches of a line by where they begin, in bytes.
  const auto startsIn = [&](int at) {
    QVector<int> starts;
    DecodedLine line(text.line(at));
    auto matches = pattern.globalMatch(line.text());
    while (matches.hasNext())
      starts.append(static_cast<int>(line.byteAt(matches.next().capturedStart())));
    return starts;
  };
  ModalPlace at = from;
  while (count-- > 0) {
    bool isFound = false;
    for (int by = 0; by <= lines && !isFound; ++by) {
      const int line = ((at.line + (isForward ? by : -by)) % lines + lines) % lines;
      const bool isOwn = by == 0;
      QVector<int> starts = startsIn(line);
      if (!isForward) std::reverse(starts.begin(), starts.end());
      for (const int start : std::as_const(starts)) {
        // A match at a line's very end stands on its last character.
        const int shown = std::min(start, lastColumn(text.line(line)));
        if (isOwn && (isForward ? shown <= at.column : shown >= at.column)) continue;
        at = {line, shown};
        isFound = true;
        break;
      }
    }
    if (!isFound) return std::nullopt;
  }
  return at;
}

}  // namespace waferpair::editor
