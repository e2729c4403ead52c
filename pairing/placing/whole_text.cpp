// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/whole_text.h"

#include <algorithm>

#include "pairing/placing/line_replacement.h"

namespace waferpair::pairing {
namespace {

// Most of a text has to be there, nearly all of it where its end is another.
constexpr double kMost = 0.5;
constexpr double kNearlyAll = 0.85;
// So many lines at the beginning may have become others.
constexpr qsizetype kHead = 12;

QByteArray squeezedText(const TextLines& lines) {
  QByteArray all;
  for (qsizetype i = 0; i < lines.count(); ++i)
    if (!lines.squeezed(i).isEmpty()) all += lines.squeezed(i) + '\n';
  return all;
}

}  // namespace

double shareIn(const TextLines& code, const TextLines& text) {
  const TextLines from(squeezedText(text)), to(squeezedText(code));
  qsizetype all = 0, gone = 0;
  for (qsizetype i = 0; i < from.count(); ++i) all += from.squeezed(i).size();
  for (const LineReplacement& change : replacementsBetween(squeezedText(text), squeezedText(code)))
    for (qint64 i = change.oldStart; i < change.oldStart + change.oldCount; ++i)
      gone += from.squeezed(i).size();
  return all == 0 ? 0 : 1 - static_cast<double>(gone) / static_cast<double>(all);
}

bool isWholeText(const TextLines& code, const TextLines& text, bool hasImports,
                 bool mayEndOtherwise) {
  const QByteArray old = squeezedText(text), fresh = squeezedText(code);
  const TextLines from(old), to(fresh);
  if (from.count() == 0 || to.count() == 0) return false;
  const double share = shareIn(code, text);
  if (share < kMost) return false;
  // The lines at both ends that are others.
  qint64 head = 0, newHead = 0, tail = 0, newTail = 0;
  const auto changes = replacementsBetween(old, fresh);
  if (!changes.isEmpty() && changes.first().oldStart == 0) {
    head = changes.first().oldCount;
    newHead = changes.first().newCount;
  }
  if (!changes.isEmpty() && changes.last().oldStart + changes.last().oldCount == from.count()) {
    tail = changes.last().oldCount;
    newTail = changes.last().newCount;
  }
  // What stands first was left out rather than changed, unless other such lines are there.
  const bool begins = head == 0 || (newHead > 0 && newHead * 2 >= head && head <= kHead) ||
                      (newHead == 0 && head <= 2 && hasImports && share >= kNearlyAll);
  const bool ends = tail == 0 || (newTail > 0 && newTail * 3 >= tail);
  return begins && (ends || (mayEndOtherwise && share >= kNearlyAll));
}

}  // namespace waferpair::pairing
