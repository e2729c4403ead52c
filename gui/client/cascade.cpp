// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/cascade.h"

namespace waferpair::gui {
namespace {

using editor::CompletionEnd;

// What is worth comparing: blanks at its end are not shown.
QByteArray textOf(const ModelAnswer& answer) {
  const bool isWhole =
      answer.end == CompletionEnd::kComplete || answer.end == CompletionEnd::kUnsure;
  QByteArray text = isWhole ? answer.text : QByteArray();
  while (!text.isEmpty() && QByteArrayView(" \t\r\n").contains(text.back())) text.chop(1);
  return text;
}

}  // namespace

bool takesOver(const ModelAnswer& larger, const ModelAnswer& first) {
  const QByteArray text = textOf(larger), before = textOf(first);
  if (before.startsWith(text)) return false;
  if (before.isEmpty()) return true;
  if (text.startsWith(before) && first.end == CompletionEnd::kUnsure) return true;
  return larger.probability.value_or(0) > first.probability.value_or(0);
}

}  // namespace waferpair::gui
