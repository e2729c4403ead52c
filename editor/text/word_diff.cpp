// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/word_diff.h"

#include <algorithm>

#include "editor/text/line_diff.h"
#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

constexpr double kLeastCommon = 0.25;  // of the bytes that are no blanks

enum class Kind { kWord, kBlank, kOther };

Kind kindOf(char byte) {
  if (isBlankByte(byte)) return Kind::kBlank;
  return isWordByte(byte) ? Kind::kWord : Kind::kOther;
}

// Where the words begin, and the end of the text behind the last.
QVector<qint64> wordStarts(const QByteArray& text) {
  QVector<qint64> starts;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const Kind kind = kindOf(text[i]);
    if (i == 0 || kind == Kind::kOther || kind != kindOf(text[i - 1])) starts.append(i);
  }
  starts.append(text.size());
  return starts;
}

// A word a line, so that the diff of lines is one of words. A line end is an empty line.
Snapshot asLines(const QByteArray& text, const QVector<qint64>& starts) {
  QByteArray lines;
  lines.reserve(text.size() + starts.size());
  for (qsizetype i = 0; i + 1 < starts.size(); ++i) {
    const QByteArray word = text.mid(starts[i], starts[i + 1] - starts[i]);
    if (word != "\n") lines += word;
    lines += '\n';
  }
  return Snapshot(lines);
}

qint64 inkOf(const QByteArray& text, const QVector<ByteRange>& without) {
  const auto ink = [](QByteArrayView part) {
    return std::count_if(part.begin(), part.end(),
                         [](char byte) { return kindOf(byte) != Kind::kBlank && byte != '\n'; });
  };
  qint64 all = ink(text);
  for (const ByteRange& range : without)
    all -= ink(QByteArrayView(text).sliced(range.start, range.end - range.start));
  return all;
}

}  // namespace

WordChanges wordDiff(const QByteArray& before, const QByteArray& after) {
  if (std::max(before.size(), after.size()) > kMostComparedBytes) return {};
  const QVector<qint64> oldStarts = wordStarts(before);
  const QVector<qint64> newStarts = wordStarts(after);
  WordChanges words;
  for (const ChangedLines& change :
       lineDiff(asLines(before, oldStarts), asLines(after, newStarts))) {
    const auto add = [](QVector<ByteRange>* to, const QVector<qint64>& starts, qint64 first,
                        qint64 count) {
      if (count > 0) to->append({starts[first], starts[first + count]});
    };
    add(&words.before, oldStarts, change.oldStart, change.oldCount);
    add(&words.after, newStarts, change.newStart, change.newCount);
  }
  const auto common = static_cast<double>(inkOf(before, words.before));
  const auto most = static_cast<double>(std::max(inkOf(before, {}), inkOf(after, {})));
  if (common < kLeastCommon * most) return {};
  return words;
}

}  // namespace waferpair::editor
