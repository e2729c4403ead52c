// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/hover_box.h"

#include <QEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextDocument>
#include <algorithm>
#include <memory>

#include "editor/view/announce.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/prose.h"

namespace waferpair::gui {

using Sci = QsciScintillaBase;

namespace {

constexpr int kHoverWidth = 560, kMostHoverHeight = 300;  // pixels
constexpr qsizetype kMostOfHover = 8000;                  // UTF-16 units

}  // namespace

HoverBox::HoverBox(editor::CodeEditor* editor) : QTextEdit(editor->viewport()), editor_(editor) {
  setObjectName(QStringLiteral("hoverBox"));
  setAccessibleName(tr("About this place"));
  setReadOnly(true);
  setFocusPolicy(Qt::NoFocus);
  setFrameShape(QFrame::StyledPanel);
  viewport()->setCursor(Qt::ArrowCursor);
  QTextEdit::hide();
  editor->installEventFilter(this);
  editor->viewport()->installEventFilter(this);
  connect(editor, &Sci::SCN_UPDATEUI, this, [this](int what) {
    if ((what & (Sci::SC_UPDATE_V_SCROLL | Sci::SC_UPDATE_H_SCROLL)) != 0) hide();
  });
}

void HoverBox::showAt(qint64 offset, const QString& markdown) {
  editor::fillProse(document(), markdown.left(kMostOfHover));
  if (document()->isEmpty()) return hide();
  const auto at = static_cast<long>(std::min(offset, editor_->length()));
  const int x = static_cast<int>(editor_->sci(Sci::SCI_POINTXFROMPOSITION, 0, at));
  const int y = static_cast<int>(editor_->sci(Sci::SCI_POINTYFROMPOSITION, 0, at));
  const int lineHeight =
      static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, editor::word(editor_->lineAt(offset))));
  const QSize room = editor_->viewport()->size();
  const int frame = 2 * frameWidth();
  const int most = std::min(kHoverWidth, room.width());
  // Measured apart: the view fits its own document to the width that it has.
  const std::unique_ptr<QTextDocument> measured(document()->clone());
  measured->setTextWidth(most - frame);
  const int width = std::min(most, static_cast<int>(measured->idealWidth()) + frame + 12);
  measured->setTextWidth(width - frame);
  const int above = y, below = room.height() - y - lineHeight;
  const int wanted = static_cast<int>(measured->size().height()) + frame + 2;
  const bool isAbove = above >= wanted || above >= below;
  const int height = std::min({wanted, kMostHoverHeight, std::max(above, below)});
  setGeometry(std::clamp(x, 0, room.width() - width), isAbove ? y - height : y + lineHeight, width,
              height);
  verticalScrollBar()->setValue(0);
  show();
  raise();
  editor::announce(editor_, toPlainText().simplified());
}

bool HoverBox::eventFilter(QObject* watched, QEvent* event) {
  // The base class watches its own scroll bars, too.
  if (watched != editor_ && watched != editor_->viewport())
    return QTextEdit::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
      if (!isVisible()) break;
      // Esc closes one layer at a time, and this one is the nearest.
      const bool isEsc = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
      if (event->type() == QEvent::KeyPress) hide();
      if (!isEsc) break;
      event->accept();
      return true;
    }
    case QEvent::MouseButtonPress:
    case QEvent::FocusOut:
    case QEvent::Resize:
      hide();
      break;
    default:
      break;
  }
  return QTextEdit::eventFilter(watched, event);
}

}  // namespace waferpair::gui
