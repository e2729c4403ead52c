// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/taught/edit_question.h"

#include <algorithm>

namespace waferpair::pairing {
namespace {

constexpr int kMostAround = 200;        // on either side of the caret
constexpr qsizetype kMostEdits = 6;     // no form has more
constexpr qsizetype kLongestEdit = 40;  // lines; longer ones are pastes

QByteArrayList linesOfCode(const CodeText& code, int from, int to) {
  QByteArrayList lines;
  for (int line = std::max(0, from); line < std::min(to, code.lineCount()); ++line)
    lines += code.line(line).toByteArray();
  return lines;
}

}  // namespace

EditQuestion editQuestion(const Situation& situation, int text, int caretLine, int caretColumn,
                          const QVector<editor::DocumentId>& mayBeSeen) {
  const SearchedText& here = situation.texts[text];
  const CodeText& code = *here.code;
  Q_ASSERT(caretLine >= 0 && caretLine < code.lineCount());
  EditQuestion question;
  question.path = situation.pathOf(here.document);
  question.firstLine = std::max(0, caretLine - kMostAround);
  int last = std::min(code.lineCount(), caretLine + kMostAround + 1);
  if (last == code.lineCount() && last > 1 && caretLine < last - 1 && code.line(last - 1).isEmpty())
    --last;
  question.lines = linesOfCode(code, question.firstLine, last);
  question.caretLine = caretLine - question.firstLine;
  question.caretColumn =
      static_cast<int>(std::min<qsizetype>(caretColumn, question.lines[question.caretLine].size()));
  for (qsizetype i = situation.edits.size(); i-- > 0 && question.edits.size() < kMostEdits;) {
    const LineEdit& edit = situation.edits[i];
    if (!mayBeSeen.contains(edit.document)) continue;
    if (std::max(edit.before.size(), edit.after.size()) > kLongestEdit) continue;
    const auto found =
        std::find_if(situation.texts.begin(), situation.texts.end(),
                     [&](const SearchedText& one) { return one.document == edit.document; });
    if (found == situation.texts.end() || edit.line > found->code->lineCount()) continue;
    const int below = edit.line + static_cast<int>(edit.after.size());
    question.edits.prepend({situation.pathOf(edit.document), edit.line, edit.before, edit.after,
                            linesOfCode(*found->code, edit.line - PastEdit::kContext, edit.line),
                            linesOfCode(*found->code, below, below + PastEdit::kContext)});
  }
  return question;
}

QByteArrayList formerLines(const EditQuestion& question, int from, int to) {
  const auto last = std::find_if(question.edits.rbegin(), question.edits.rend(),
                                 [&](const PastEdit& edit) { return edit.path == question.path; });
  if (last == question.edits.rend()) return question.lines.mid(from, to - from);
  const auto size = static_cast<int>(question.lines.size());
  const int begin = std::clamp(last->line - question.firstLine, 0, size);
  const int end = std::clamp(begin + static_cast<int>(last->after.size()), begin, size);
  // A line of now as one of then.
  const auto then = [&](int line) {
    if (line <= begin) return line;
    const auto came = static_cast<int>(last->before.size());
    if (line >= end) return line - (end - begin) + came;
    return begin + std::min(line - begin, came);
  };
  const QByteArrayList former =
      question.lines.first(begin) + last->before + question.lines.mid(end);
  return former.mid(then(from), then(to) - then(from));
}

QByteArray unifiedHunk(const PastEdit& edit) {
  const qsizetype around = edit.above.size() + edit.below.size();
  const qsizetype start = edit.line - edit.above.size() + 1;
  QByteArray hunk = "@@ -" + QByteArray::number(start) + ',' +
                    QByteArray::number(around + edit.before.size()) + " +" +
                    QByteArray::number(start) + ',' +
                    QByteArray::number(around + edit.after.size()) + " @@\n";
  const auto add = [&](char mark, const QByteArrayList& lines) {
    for (const QByteArray& line : lines) hunk += mark + line + '\n';
  };
  add(' ', edit.above);
  add('-', edit.before);
  add('+', edit.after);
  add(' ', edit.below);
  return hunk;
}

LineSpan linesAround(const EditQuestion& question, LineSpan inner, qsizetype mostBytes) {
  const auto cost = [&](int line) { return question.lines[line].size() + 1; };
  qsizetype bytes = 0;
  for (int line = inner.first; line < inner.last; ++line) bytes += cost(line);
  for (bool grows = true; grows;) {
    grows = false;
    if (inner.first > 0 && bytes + cost(inner.first - 1) <= mostBytes) {
      bytes += cost(--inner.first);
      grows = true;
    }
    if (inner.last < question.lines.size() && bytes + cost(inner.last) <= mostBytes) {
      bytes += cost(inner.last++);
      grows = true;
    }
  }
  return inner;
}

QByteArray joinedLines(const QByteArrayList& lines, LineSpan span) {
  QByteArray text;
  for (int line = span.first; line < span.last; ++line) text += lines[line] + '\n';
  return text;
}

}  // namespace waferpair::pairing
