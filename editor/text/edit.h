// SPDX-License-Identifier: GPL-3.0-or-later
// The one form in which a change of a text is told: to the widget, the model server, undo, anchors.
#pragma once

#include <QByteArray>
#include <QVector>

namespace waferpair::editor {

// Replaces bytes [start, end) of a text in UTF-8. In a list, offsets are of the text after the
// edits before it.
struct TextEdit {
  qint64 start = 0;
  qint64 end = 0;
  QByteArray text;
};

}  // namespace waferpair::editor
