// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/fitting.h"

#include <algorithm>

namespace waferpair::pairing {
namespace {

// The change put into the text: lines that stay are the text's own.
class Fitting {
 public:
  // `lines[i]`: the line of the text that line i of the old text is; -1: none.
  Fitting(const TextLines& text, const TextLines& old, const TextLines& fresh,
          const QVector<LineReplacement>& changes, QVector<qint64> lines)
      : text_(text), old_(old), new_(fresh), changes_(changes), lines_(std::move(lines)) {}

  // Learns how the text is indented. `habits`: what is known of the answer's and the text's.
  void learnIndentation(const std::pair<std::optional<editor::Indentation>,
                                        std::optional<editor::Indentation>>& habits) {
    for (qsizetype i = 0; i < old_.count(); ++i) {
      if (lines_[i] >= 0 && tellsIndentation(i))
        reindent_.learn(old_.indent(i), text_.indent(lines_[i]));
    }
    reindent_.settle(habits.first, habits.second);
  }

  // None: how a new line is to be indented is not clear. `endsWithLine`: old and new text do.
  std::optional<Fitted> place(bool oldEndsWithLine, bool newEndsWithLine) const {
    Fitted placement;
    qsizetype from = 0, to = 0;
    for (const LineReplacement& change : changes_) {
      const qsizetype begin = firstLineOf(change);
      const qsizetype end = begin + change.oldCount;
      if (&change == &changes_.first()) {
        from = begin;
      } else {
        placement.text += text_.slice(to, begin);
      }
      to = end;
      // A last line without a line end gets one when lines are put behind it.
      if (begin == text_.count() && begin > 0 && text_.lineEnd(begin - 1).isEmpty() &&
          change.newCount > 0) {
        placement.text += lineEndNear(begin);
      }
      for (qint64 i = change.newStart; i < change.newStart + change.newCount; ++i) {
        // A line without words stays as it is, however deep the lines around it are.
        const QByteArrayView line = new_.line(i);
        const std::optional<QByteArray> blanks = new_.squeezed(i).isEmpty()
                                                     ? std::optional(new_.indent(i))
                                                     : reindent_.of(new_.indent(i));
        if (!blanks) return {};
        placement.text += *blanks;
        placement.text += line.sliced(new_.indent(i).size()).toByteArray();
        const bool isLast = i + 1 == new_.count();
        placement.text += lineEndOf(isLast, end, oldEndsWithLine, newEndsWithLine);
      }
    }
    placement.start = text_.start(from);
    placement.end = text_.start(to);
    return placement;
  }

 private:
  // A lone bracket may have been taken for another one.
  bool tellsIndentation(qsizetype i) const {
    const auto isBeside = [&](qsizetype other) {
      return other >= 0 && other < lines_.size() && lines_[other] - lines_[i] == other - i;
    };
    return old_.squeezed(i).size() > 2 ||
           (!old_.squeezed(i).isEmpty() && (isBeside(i - 1) || isBeside(i + 1)));
  }
  qsizetype firstLineOf(const LineReplacement& change) const {
    if (change.oldCount > 0) return lines_[change.oldStart];
    if (change.oldStart > 0 && lines_[change.oldStart - 1] >= 0)
      return lines_[change.oldStart - 1] + 1;
    return lines_[change.oldStart];
  }

  // The line end of the lines around, as most have it.
  QByteArray lineEndNear(qsizetype line) const {
    for (qsizetype i = std::min(line, text_.count() - 1); i >= 0; --i) {
      if (!text_.lineEnd(i).isEmpty()) return text_.lineEnd(i);
    }
    return "\n";
  }

  // The end of a new line before line `next` of the text.
  QByteArray lineEndOf(bool isLast, qsizetype next, bool oldEnds, bool newEnds) const {
    const bool atTextEnd = next == text_.count();
    if (!isLast || !atTextEnd) return lineEndNear(next == 0 ? 0 : next - 1);
    // The text's last line keeps the end that it has or lacks, unless the change is about it.
    const bool textEnds = text_.count() == 0 || !text_.lineEnd(text_.count() - 1).isEmpty();
    const bool ends = oldEnds == newEnds ? textEnds : newEnds;
    return ends ? lineEndNear(next - 1) : QByteArray();
  }

  const TextLines& text_;
  const TextLines& old_;
  const TextLines& new_;
  const QVector<LineReplacement>& changes_;
  QVector<qint64> lines_;
  Reindent reindent_;
};

// Returns how a text is indented, where that can be told.
std::optional<editor::Indentation> habitOf(const QByteArray& text) {
  const editor::Indentation spaces = editor::detectIndentation(text, {false, 4});
  const editor::Indentation tabs = editor::detectIndentation(text, {true, 4});
  if (spaces.tabs != tabs.tabs) return {};
  return spaces;
}

}  // namespace

std::optional<Fitted> fitted(const QByteArray& text, const QByteArray& oldText,
                             const QByteArray& newText, const QVector<LineReplacement>& changes,
                             const QVector<qint64>& places, bool asWritten) {
  const TextLines lines(text), old(oldText), fresh(newText);
  Q_ASSERT(places.size() == old.count());
  if (changes.isEmpty()) return Fitted{};
  Fitting fitting(lines, old, fresh, changes, places);
  if (!asWritten) fitting.learnIndentation({habitOf(oldText + '\n' + newText), habitOf(text)});
  return fitting.place(oldText.endsWith('\n'), newText.endsWith('\n'));
}

}  // namespace waferpair::pairing
