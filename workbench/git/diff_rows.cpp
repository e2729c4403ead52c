// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/diff_rows.h"

#include <algorithm>

namespace waferpair::workbench {

using editor::ChangedLines;
using editor::Snapshot;
using RowKind = DiffRow::Kind;

namespace {

constexpr qint64 kAround = 3;  // lines that stay, on either side of a change

class RowMaker {
 public:
  void gap(int change, qint64 line) {
    add(RowKind::kGap, change, static_cast<int>(line),
        "@@ line " + QByteArray::number(line + 1) + " @@");
  }

  // The LF lines of `text` in [from, to), counted from `first`.
  void lines(RowKind kind, int change, const Snapshot& text, qint64 from, qint64 to, qint64 first) {
    const QByteArray bytes = text.slice(from, to);
    for (qsizetype at = 0; at < bytes.size() && !made_.isCut;) {
      const qsizetype end = bytes.indexOf('\n', at);
      const qsizetype next = end < 0 ? bytes.size() : end + 1;
      QByteArray line = bytes.mid(at, (end < 0 ? next : end) - at);
      if (line.endsWith('\r')) line.chop(1);
      line.replace('\r', ' ');
      add(kind, change, static_cast<int>(first++), line);
      at = next;
    }
  }

  DiffRows take() { return std::move(made_); }
  bool isFull() const { return made_.isCut; }

 private:
  void add(RowKind kind, int change, int line, const QByteArray& text) {
    made_.isCut = made_.isCut || made_.rows.size() >= DiffRows::kMostRows;
    if (made_.isCut) return;
    made_.rows.append({kind, change, line});
    made_.text += text + '\n';
  }

  DiffRows made_;
};

// Where the line `back` LF lines before `offset` begins, and the end of that `ahead` lines on.
qint64 lineBack(const Snapshot& text, qint64 offset, qint64 back, qint64 least) {
  for (; back > 0 && offset > least; --back) {
    qint64 at = offset - 1;
    constexpr qint64 kPiece = 256;
    while (at > least) {
      const qint64 from = std::max(least, at - kPiece);
      const qsizetype found = text.slice(from, at).lastIndexOf('\n');
      at = found < 0 ? from : from + found + 1;
      if (found >= 0) break;
    }
    offset = std::max(at, least);
  }
  return offset;
}

qint64 lineAhead(const Snapshot& text, qint64 offset, qint64 ahead, qint64 most) {
  for (; ahead > 0 && offset < most; --ahead) {
    constexpr qint64 kPiece = 256;
    while (offset < most) {
      const qint64 to = std::min(most, offset + kPiece);
      const qsizetype found = text.slice(offset, to).indexOf('\n');
      offset = found < 0 ? to : offset + found + 1;
      if (found >= 0) break;
    }
  }
  return offset;
}

}  // namespace

DiffRows diffRows(const Snapshot& before, const Snapshot& after,
                  const QVector<ChangedLines>& changes) {
  RowMaker maker;
  qint64 shown = 0;  // bytes of the new text that are shown already
  for (qsizetype i = 0; i < changes.size() && !maker.isFull(); ++i) {
    const ChangedLines& change = changes[i];
    const auto number = static_cast<int>(i);
    const qint64 from = lineBack(after, change.newFrom, kAround, shown);
    const qint64 above = after.slice(from, change.newFrom).count('\n');
    if (from > shown || i == 0) maker.gap(number, change.newStart - above);
    maker.lines(RowKind::kSame, -1, after, from, change.newFrom, change.newStart - above);
    maker.lines(RowKind::kRemoved, number, before, change.oldFrom, change.oldTo, 0);
    maker.lines(RowKind::kAdded, number, after, change.newFrom, change.newTo, 0);
    const qint64 most = i + 1 < changes.size() ? changes[i + 1].newFrom : after.size();
    shown = lineAhead(after, change.newTo, kAround, most);
    maker.lines(RowKind::kSame, -1, after, change.newTo, shown, change.newStart + change.newCount);
  }
  return maker.take();
}

ChosenLines chosenLines(const DiffRows& rows, int change, const ChangedLines& lines,
                        qsizetype first, qsizetype last) {
  ChosenLines chosen{QVector<bool>(lines.oldCount), QVector<bool>(lines.newCount), false};
  for (qsizetype i = std::max<qsizetype>(0, first); i <= last && i < rows.rows.size(); ++i) {
    const DiffRow& row = rows.rows[i];
    if (row.change != change) continue;
    if (row.kind == RowKind::kGap) return {};
    QVector<bool>& side = row.kind == RowKind::kRemoved ? chosen.old : chosen.fresh;
    if (row.line < side.size()) side[row.line] = true;
  }
  chosen.isAll = !chosen.old.contains(false) && !chosen.fresh.contains(false);
  return chosen;
}

}  // namespace waferpair::workbench
