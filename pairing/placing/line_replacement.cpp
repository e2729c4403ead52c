// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/line_replacement.h"

#include "editor/text/line_diff.h"

namespace waferpair::pairing {

QVector<LineReplacement> replacementsBetween(const QByteArray& oldText, const QByteArray& newText) {
  QVector<LineReplacement> all;
  const auto changes = editor::lineDiff(editor::Snapshot(oldText), editor::Snapshot(newText));
  for (const editor::ChangedLines& change : changes)
    all.append({change.oldStart, change.oldCount, change.newStart, change.newCount});
  return all;
}

QVector<LineReplacement> slidesOf(const LineReplacement& replacement, const TextLines& old,
                                  const TextLines& fresh, qint64 least, qint64 most) {
  QVector<LineReplacement> slides = {replacement};
  if (replacement.oldCount > 0) return slides;
  for (LineReplacement at = replacement; at.oldStart > least;) {
    if (old.line(at.oldStart - 1) != fresh.line(at.newStart + at.newCount - 1)) break;
    --at.oldStart;
    --at.newStart;
    slides.prepend(at);
  }
  for (LineReplacement at = replacement; at.oldStart < most;) {
    if (old.line(at.oldStart) != fresh.line(at.newStart)) break;
    ++at.oldStart;
    ++at.newStart;
    slides.append(at);
  }
  return slides;
}

}  // namespace waferpair::pairing
