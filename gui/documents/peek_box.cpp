// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/peek_box.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/documents/document.h"
#include "gui/kit/elided.h"
#include "gui/kit/icon_button.h"

namespace waferpair::gui {

using editor::CodeEditor;
using Sci = QsciScintillaBase;

namespace {

constexpr int kPeekFromEdge = 6;  // pixels

// With the rows that it is wrapped into.
int heightOf(const CodeEditor& editor, int line) {
  const auto at = static_cast<unsigned long>(line);
  return static_cast<int>(editor.sci(Sci::SCI_WRAPCOUNT, at) * editor.sci(Sci::SCI_TEXTHEIGHT, at));
}

}  // namespace

PeekBox::PeekBox(Document* document, const char* name)
    : QFrame(document->editor()), document_(document), title_(new ElidedLabel(this)) {
  setObjectName(QLatin1String(name));
  setProperty("role", QStringLiteral("codeBlock"));
  setCursor(Qt::ArrowCursor);
  title_->setObjectName(nameOf("Title"));
  row_ = new QHBoxLayout;
  row_->setContentsMargins(8, 2, 4, 2);
  row_->setSpacing(2);
  row_->addWidget(title_, 1);
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(1, 1, 1, 1);
  column_->setSpacing(0);
  column_->addLayout(row_);

  CodeEditor* editor = document->editor();
  editor->viewport()->installEventFilter(this);
  watch(editor);
  connect(editor, &Sci::SCN_UPDATEUI, this, [this] {
    if (isVisible()) place();
  });
  connect(editor, &CodeEditor::themeChanged, this, [this] {
    for (CodeEditor* reader : readers_) {
      const QString language = reader->language();
      document_->dress(reader);
      reader->setLanguage(language);
    }
  });
  hide();
}

QString PeekBox::nameOf(const char* part) const { return objectName() + QLatin1String(part); }

void PeekBox::leave() {
  hide();
  document_->setFocus();
}

void PeekBox::setTitle(const QString& title) { title_->setText(title); }

QString PeekBox::title() const { return title_->text(); }

QToolButton* PeekBox::addButton(const char* name, const char* symbol, const QString& text,
                                std::function<void()> run) {
  QToolButton* button = makeIconButton(nameOf(name), QLatin1String(symbol), text, this);
  row_->addWidget(button);
  connect(button, &QToolButton::clicked, this, std::move(run));
  return button;
}

void PeekBox::addCloseButton() {
  addButton("Close", "close", tr("Close (Esc)"), [this] { leave(); });
}

CodeEditor* PeekBox::makeReader(const QString& accessibleName) {
  auto* reader = new CodeEditor(this);
  reader->setObjectName(nameOf("Text"));
  reader->setAccessibleName(accessibleName);
  document_->dress(reader);
  reader->sci(Sci::SCI_SETREADONLY, 1);
  readers_.append(reader);
  watch(reader);
  return reader;
}

void PeekBox::setBody(QWidget* body) { column_->addWidget(body, 1); }

void PeekBox::watch(QWidget* inside) {
  inside->installEventFilter(this);
  watched_.append(inside);
}

void PeekBox::showAt(int firstLine, qint64 end, int body) {
  firstLine_ = firstLine;
  end_ = end;
  bodyHeight_ = body;
  place();
  show();
  raise();
}

void PeekBox::place() {
  const CodeEditor* editor = document_->editor();
  const QRect view = editor->viewport()->geometry();
  const auto yOf = [&](qint64 offset) {
    return static_cast<int>(editor->sci(Sci::SCI_POINTYFROMPOSITION, 0,
                                        static_cast<long>(std::min(offset, editor->length()))));
  };
  const int height = row_->sizeHint().height() + 4 + bodyHeight_;
  const int start = yOf(editor->lineStart(firstLine_));
  // Removed lines have no place of their own: what follows them is covered.
  const int below = end_ >= 0 ? std::max(yOf(end_), start) : start + heightOf(*editor, firstLine_);
  const int above = start - height;
  const bool isBelow = below + height <= view.height() || above < 0;
  const int left = static_cast<int>(editor->sci(Sci::SCI_POINTXFROMPOSITION, 0, 0)) +
                   static_cast<int>(editor->sci(Sci::SCI_GETXOFFSET));
  const int from = std::clamp(left, 0, view.width() / 3);
  setGeometry(view.x() + from, view.y() + (isBelow ? below : above),
              view.width() - from - kPeekFromEdge, height);
}

bool PeekBox::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == document_->editor()->viewport() && isVisible())
    place();
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (isKey && isVisible() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
      watched_.contains(static_cast<QWidget*>(watched))) {
    // Esc closes one layer at a time, and this one is the nearest.
    if (event->type() == QEvent::KeyPress) leave();
    event->accept();
    return true;
  }
  return QFrame::eventFilter(watched, event);
}

void showInReader(CodeEditor* reader, const QByteArray& text) {
  reader->sci(Sci::SCI_SETREADONLY, 0);
  reader->setText(text);
  reader->sci(Sci::SCI_SETREADONLY, 1);
}

}  // namespace waferpair::gui
