// SPDX-License-Identifier: GPL-3.0-or-later
// A box over a text, below some of its lines or above them: a row with a title and buttons, and
// what is shown of another text under it. Scrolls with the text; Esc closes it. UI thread only.
#pragma once

#include <QFrame>
#include <QVector>
#include <functional>

class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace waferpair::editor {
class CodeEditor;
}

namespace waferpair::gui {

class Document;
class ElidedLabel;

class PeekBox : public QFrame {
  Q_OBJECT
 public:
  // Hides it, and gives the text the keyboard.
  void leave();

 protected:
  // Lies over the document's text, which owns it. `name` begins the names of all that is in it.
  PeekBox(Document* document, const char* name);

  Document* document() const { return document_; }
  void setTitle(const QString& title);
  QString title() const;
  // From left to right; the last one closes the box.
  QToolButton* addButton(const char* name, const char* symbol, const QString& text,
                         std::function<void()> run);
  void addCloseButton();
  // A view that is only read, which looks as the document's does.
  editor::CodeEditor* makeReader(const QString& accessibleName);
  void setBody(QWidget* body);
  // Esc closes the box while this has the keyboard.
  void watch(QWidget* inside);
  // Shows it at the lines from this one to that which byte `end` begins, with so many pixels of
  // body; -1: at the one line.
  void showAt(int firstLine, qint64 end, int body);

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QString nameOf(const char* part) const;
  void place();

  Document* document_;
  ElidedLabel* title_;
  QHBoxLayout* row_;
  QVBoxLayout* column_;
  QVector<editor::CodeEditor*> readers_;
  QVector<QWidget*> watched_;
  int firstLine_ = 0;
  qint64 end_ = 0;
  int bodyHeight_ = 0;
};

// Replaces the text of such a view.
void showInReader(editor::CodeEditor* reader, const QByteArray& text);

}  // namespace waferpair::gui
