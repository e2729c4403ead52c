// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/ghost_reader.h"

#include <QKeyEvent>
#include <QScreen>
#include <algorithm>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kMostRows = 12;
constexpr int kMostColumns = 100;

}  // namespace

GhostReader::GhostReader(CodeEditor* editor)
    : QPlainTextEdit(QString::fromUtf8(editor->ghost()->remaining()), editor), editor_(editor) {
  Q_ASSERT(editor->ghost()->isShown());
  setWindowFlag(Qt::Popup);
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("suggestionReader"));
  setAccessibleName(tr("Suggestion"));
  const QString key = editor->keys().key("accept-suggestion").toString(QKeySequence::NativeText);
  setAccessibleDescription(key.isEmpty() ? tr("Escape closes it.")
                                         : tr("%1 accepts it, Escape closes it.").arg(key));
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(NoWrap);
  setFont(editor->editorFont());

  const QFontMetrics metrics(font());
  int columns = 0;
  const QStringList rows = toPlainText().split(u'\n');
  for (const QString& row : rows) columns = std::max(columns, static_cast<int>(row.size()));
  const int frame = 2 * (frameWidth() + static_cast<int>(document()->documentMargin()));
  resize(metrics.horizontalAdvance(u'm') * (std::min(columns, kMostColumns) + 2) + frame,
         metrics.lineSpacing() * (std::min<int>(rows.size(), kMostRows) + 1) + frame);

  const auto caret = static_cast<long>(editor->caret());
  const QPoint below(static_cast<int>(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, caret)),
                     static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0, caret) +
                                      editor->sci(Sci::SCI_TEXTHEIGHT)));
  QRect place(editor->viewport()->mapToGlobal(below), size());
  const QRect screen = editor->screen()->availableGeometry();
  place.moveRight(std::min(place.right(), screen.right()));
  place.moveBottom(std::min(place.bottom(), screen.bottom()));
  move(place.topLeft());
  show();
  setFocus(Qt::PopupFocusReason);
}

void GhostReader::keyPressEvent(QKeyEvent* event) {
  const auto isFor = [actions = editor_->keys().actionsFor(*event)](const char* id) {
    return actions.contains(findEditorAction(QLatin1String(id)));
  };
  if (isFor("accept-suggestion")) {
    close();
    editor_->perform("accept-suggestion");
  } else if (isFor("dismiss") || event->key() == Qt::Key_Escape || isFor("read-suggestion")) {
    close();
  } else {
    QPlainTextEdit::keyPressEvent(event);
  }
}

}  // namespace waferpair::editor
