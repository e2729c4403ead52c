// SPDX-License-Identifier: GPL-3.0-or-later
// The form of Zeta 2.1: the region in blocks between numbered marks, of which the model writes anew
// those that change.
//
//   <|marker_1|>first block
//   <|marker_2|>second block, with the<|user_cursor|> caret
//   <|marker_3|>
//   <[fim-middle]>
//
// "<|marker_2|>...<|marker_3|>" replaces the second block; the same mark twice changes nothing.
// After github.com/zed-industries/zed, crates/zeta_prompt/src/multi_region.rs (17c39e8,
// V0318SeedMultiRegions, which is "Zeta2.1" there): blocks of 6 to 16 lines that end at blank lines
// where there are some.
#include <algorithm>

#include "pairing/taught/zeta2_parts.h"

namespace waferpair::pairing {
namespace {

constexpr int kLeastLines = 6, kMostLines = 16, kNudge = 5;
constexpr char kMark[] = "<|marker_", kMarkEnd[] = "|>", kEndOfText[] = "<[end▁of▁sentence]>";

QByteArray markOf(int number) { return kMark + QByteArray::number(number) + kMarkEnd; }

// A block begins with a line that says something.
bool isGoodStart(const QByteArray& line) {
  QByteArray text = line.trimmed();
  if (text.isEmpty() || text.startsWith('}') || text.startsWith(']') || text.startsWith(')'))
    return false;
  while (text.endsWith(';')) text.chop(1);
  for (const char* tail : {"break", "continue", "return", "throw", "end"})
    if (text == tail) return false;
  return true;
}

// The line that begins each block, and behind them the number of lines.
std::vector<int> blocksOf(const QByteArrayList& lines) {
  const auto size = static_cast<int>(lines.size());
  const auto isBlank = [&](int line) { return lines[line].trimmed().isEmpty(); };
  const auto startFrom = [&](int line) {
    for (int i = line; i < std::min(size, line + kNudge); ++i)
      if (isGoodStart(lines[i])) return i;
    return line;
  };
  std::vector<int> starts = {0};
  for (int i = 0; i < size;) {
    const int since = i - starts.back();
    const bool behindBlank = since >= kLeastLines && i > 0 && !isBlank(i) && isBlank(i - 1);
    int start = -1;
    if (behindBlank) {
      start = startFrom(i);
      if (size - start < kLeastLines) start = -1;
    }
    if (start < 0 && since >= kMostLines) start = startFrom(i);
    if (start > starts.back()) {
      starts.push_back(start);
      i = start + 1;
    } else {
      ++i;
    }
  }
  if (starts.back() != size) starts.push_back(size);
  return starts;
}

struct BlockMark {
  qsizetype start = 0, end = 0;  // bytes of the answer
  int number = 0;
};

std::vector<BlockMark> marksIn(QByteArrayView answer) {
  constexpr qsizetype kMostDigits = 4;
  std::vector<BlockMark> marks;
  const QByteArrayView mark(kMark), close(kMarkEnd);
  for (qsizetype at = 0; (at = answer.indexOf(mark, at)) >= 0;) {
    const qsizetype digits = at + mark.size();
    const qsizetype end = answer.indexOf(close, digits);
    bool isNumber = false;
    const int number = end > digits && end - digits <= kMostDigits
                           ? answer.sliced(digits, end - digits).toInt(&isNumber)
                           : 0;
    if (isNumber && number > 0) {
      marks.push_back({at, end + close.size(), number});
      at = end + close.size();
    } else {
      at = digits;
    }
  }
  return marks;
}

class Zeta21 : public TaughtFormat {
 public:
  const char* name() const override { return "Zeta 2.1"; }

  std::optional<EditPrompt> prompt(const EditQuestion& question) const override {
    if (holdsAny(question, zeta2::marksWith({kMark, kEndOfText}))) return {};
    const auto spans = zeta2::spansOf(question);
    if (!spans) return {};
    const QByteArrayList lines =
        question.lines.mid(spans->region.first, spans->region.last - spans->region.first);
    const std::vector<int> starts = blocksOf(lines);
    QByteArray region;
    for (std::size_t block = 0; block < starts.size(); ++block) {
      region += markOf(static_cast<int>(block) + 1);
      if (block + 1 == starts.size()) break;
      const LineSpan span{spans->region.first + starts[block],
                          spans->region.first + starts[block + 1]};
      // A caret where a block begins belongs to the one above.
      const auto isHere = [&](int line) {
        return question.caretLine == line && question.caretColumn == 0;
      };
      const bool hasCaret = question.caretLine >= span.first && question.caretLine < span.last &&
                            (block == 0 || !isHere(span.first));
      region +=
          hasCaret ? zeta2::regionWithCaret(question, span) : joinedLines(question.lines, span);
      if (block + 2 < starts.size() && isHere(span.last)) region += zeta2::kCaret;
    }
    EditPrompt prompt = zeta2::assemble(question, *spans, region + '\n');
    prompt.stop = {QString::fromUtf8(kEndOfText)};
    return prompt;
  }

  std::optional<Rewrite> read(const EditPrompt& prompt, QByteArrayView answer,
                              bool isOver) const override {
    if (const qsizetype end = answer.indexOf(QByteArrayView(kEndOfText)); end >= 0) {
      answer = answer.first(end);
      isOver = true;
    }
    const std::vector<BlockMark> marks = marksIn(answer);
    if (marks.empty() || (isOver && marks.size() < 2)) {
      if (isOver) return {};
      return Rewrite{};
    }
    const std::vector<int> starts = blocksOf(prompt.lines);
    const auto count = static_cast<int>(starts.size());
    const int from = marks.front().number;
    const int to = isOver ? marks.back().number : count;
    if (from > count || to > count || to < from || (isOver && from == to)) return {};
    Rewrite rewrite;
    rewrite.first = starts[from - 1];
    rewrite.count = starts[to - 1] - rewrite.first;
    rewrite.isWhole = isOver;
    // Marks within stand at the beginnings of lines and are none of the text.
    QByteArray text;
    std::vector<qsizetype> origin;  // of each byte of `text`
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const bool isLast = i + 1 == marks.size();
      if (isLast && isOver) break;
      const qsizetype end = isLast ? answer.size() : marks[i + 1].start;
      for (qsizetype at = marks[i].end; at < end; ++at) {
        text += answer[at];
        origin.push_back(at + 1);
      }
    }
    rewrite.lines = answeredLines(text, isOver);
    for (AnsweredLine& line : rewrite.lines) {
      if (line.end > 0) line.end = origin[static_cast<std::size_t>(line.end) - 1];
      line.text.replace(zeta2::kCaret, "");
    }
    return rewrite;
  }
};

}  // namespace

const TaughtFormat& zeta21Format() {
  static const Zeta21 format;
  return format;
}

}  // namespace waferpair::pairing
