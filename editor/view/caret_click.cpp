// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/caret_click.h"

#include <QApplication>
#include <QMouseEvent>
#include <utility>

#include "editor/view/rtl_text.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

using Sci = QsciScintillaBase;

CaretClick::CaretClick(TextView* editor) : QObject(editor), editor_(editor) {
  editor->viewport()->installEventFilter(this);
}

bool CaretClick::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
      if (held_) {
        const auto& move = *static_cast<QMouseEvent*>(event);
        const QPoint way = move.position().toPoint() - *held_;
        if (way.manhattanLength() < QApplication::startDragDistance()) return true;
        begin(move);
      }
      break;
    case QEvent::MouseButtonRelease:
      if (held_) {
        toggleCaret(*std::exchange(held_, std::nullopt));
        return true;
      }
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

bool CaretClick::press(const QMouseEvent& event) {
  const bool isOurs = event.button() == Qt::LeftButton && event.modifiers() == Qt::AltModifier;
  // Scintilla would drop the other carets at once, whether a drag follows or not.
  if (isOurs) held_ = event.position().toPoint();
  return isOurs;
}

void CaretClick::begin(const QMouseEvent& drag) {
  const QPoint from = *std::exchange(held_, std::nullopt);
  QMouseEvent press(QEvent::MouseButtonPress, from, editor_->viewport()->mapToGlobal(from),
                    Qt::LeftButton, Qt::LeftButton, Qt::AltModifier, drag.pointingDevice());
  editor_->viewport()->removeEventFilter(this);
  QApplication::sendEvent(editor_->viewport(), &press);
  editor_->viewport()->installEventFilter(this);
}

void CaretClick::toggleCaret(QPoint at) {
  editor_->flushEdits();
  const QPoint inText = RtlText(*editor_).inLayout(at);
  const long offset = editor_->sci(Sci::SCI_POSITIONFROMPOINT, word(inText.x()), inText.y());
  const long count = editor_->sci(Sci::SCI_GETSELECTIONS);
  for (long i = 0; i < count; ++i) {
    const bool isHere = editor_->sci(Sci::SCI_GETSELECTIONNCARET, word(i)) == offset &&
                        editor_->sci(Sci::SCI_GETSELECTIONNANCHOR, word(i)) == offset;
    if (!isHere) continue;
    if (count > 1) editor_->sci(Sci::SCI_DROPSELECTIONN, word(i));
    editor_->flushEdits();
    return;
  }
  editor_->sci(Sci::SCI_ADDSELECTION, word(offset), offset);
  editor_->flushEdits();
}

}  // namespace waferpair::editor
