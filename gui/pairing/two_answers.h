// SPDX-License-Identifier: GPL-3.0-or-later
// Two answers to one instruction side by side, over the text that they are for: each as changes in
// a view of its own that cannot be edited. The views scroll together; the arrow keys go from one to
// the other, Return takes one, Esc closes. UI thread only.
#pragma once

#include <QFrame>
#include <array>

#include "editor/assist/hunks.h"

class QLabel;
class QPushButton;
class QSplitter;

namespace waferpair::editor {
class CodeEditor;
class Decorations;
}  // namespace waferpair::editor

namespace waferpair::gui {

class Document;

class TwoAnswers : public QFrame {
  Q_OBJECT
 public:
  static constexpr int kFirst = 0, kSecond = 1;

  // Covers the document's text, and has its looks. The hunks are of the text as it is now, and
  // outlive this.
  TwoAnswers(Document* document, const editor::Hunks* first, const editor::Hunks* second);
  ~TwoAnswers() override;

  // Sets the line above an answer: who gave it, and how far it is.
  void setCaption(int side, const QString& text);
  // Whether the answer can be taken.
  void setComplete(int side, bool complete);
  // Gives an answer the keyboard.
  void choose(int side);
  // Shows where its first change is.
  void reveal();

 Q_SIGNALS:
  void taken(int side);
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Side {
    const editor::Hunks* hunks = nullptr;
    QLabel* caption = nullptr;
    editor::CodeEditor* view = nullptr;
    editor::Decorations* decorations = nullptr;
    QPushButton* take = nullptr;
    long top = 0;  // the first line on the screen, as far as the other knows
  };
  void addSide(int side, const editor::Hunks* hunks, const QString& name);
  void scrolled(int side);
  bool keyPressed(int side, int key);

  Document* document_;
  editor::CodeEditor* editor_;  // the document's
  QSplitter* splitter_;
  std::array<Side, 2> sides_;
};

}  // namespace waferpair::gui
