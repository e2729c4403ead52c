// SPDX-License-Identifier: GPL-3.0-or-later
// A terminal on the screen: it paints what the program wrote at most once a frame, and takes keys
// and mouse to the program, or to the selection and the links. UI thread only.
#pragma once

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QTimer>
#include <optional>

#include "gui/store/preferences.h"
#include "gui/terminal/terminal_keys.h"
#include "gui/terminal/terminal_painter.h"
#include "workbench/terminal/terminal_links.h"

namespace waferpair::workbench {
class TerminalSession;
}

namespace waferpair::gui {

class TerminalView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  // The session becomes the view's; the commands, which outlive it, have the keys that stay the
  // window's.
  TerminalView(workbench::TerminalSession* session, const CommandRegistry* commands,
               QWidget* parent);
  ~TerminalView() override;

  workbench::TerminalSession* session() const { return session_; }
  void setTerminalFont(const QFont& font);
  void setBell(TerminalBell bell) { bell_ = bell; }
  // Files that output names are looked for there, too.
  void setProject(const QString& folder) { project_ = folder; }

  // -- What commands do

  QString selectedText() const;
  bool hasSelection() const { return !selection().isEmpty(); }
  void selectAll();
  // The output of the command whose row is in sight, or of the last one.
  void selectOutput();
  void copy();
  // Asks first where several lines would be run at once.
  void paste();
  void pasteText(const QString& text);
  void clear();
  void scrollRows(int rows);
  // Scrolls to the prompt before or behind the one on top.
  void jumpToPrompt(int direction);
  // Keys move a caret through the text to select it, until Return copies or Esc ends it.
  void startMarking();
  bool isMarking() const { return marking_; }
  bool find(const QString& text, bool isCaseSensitive, int direction);
  void endFind();
  // Marks the nearest link above what is marked, or the last of all; false: there is none.
  bool goToLink();
  void openMarkedLink();

  // -- What is to be seen, for automation, tests and screen readers

  QString visibleText() const;
  // In `visibleText()`, UTF-16 units; -1: it cannot be seen.
  int visibleCursor() const;
  workbench::CellRange selection() const;
  int exitStatusAt(qint64 row) const;  // of the prompt in this row; -1: none
  QRect cellRect(workbench::CellPlace place) const;

 Q_SIGNALS:
  // Several lines are to be pasted into a program that would run them.
  void pasteQuestion(const QString& text);
  // Line and column are from 1; 0: none.
  void fileWanted(const QString& path, int line, int column);
  void addressWanted(const QString& address);
  void menuWanted(const QPoint& global);
  void focused();
  void selectionChanged();

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void inputMethodEvent(QInputMethodEvent* event) override;
  QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
  void scrollContentsBy(int dx, int dy) override;
  bool focusNextPrevChild(bool) override { return false; }

 private:
  enum class Unit { kCell, kWord, kLine };
  struct FoundLink {
    workbench::CellRange range;
    workbench::TextLink link;  // with an absolute path
  };

  void screenChanged();
  void showFrame();
  void fitToSize();
  void followOutput();
  qint64 firstVisible() const;
  workbench::CellPlace placeAt(QPoint position) const;
  workbench::CellPlace screenCell(QPoint position) const;
  workbench::CellRange wordAt(workbench::CellPlace place) const;
  void select(workbench::CellPlace anchor, workbench::CellPlace caret);
  void clearSelection();
  void reveal(qint64 row);
  bool reportsMouse(Qt::KeyboardModifiers modifiers) const;
  void keyInMarking(const QKeyEvent& event);
  std::optional<FoundLink> linkAt(workbench::CellPlace place) const;
  QVector<FoundLink> linksOfRow(qint64 row) const;
  void open(const workbench::TextLink& link);
  void lookForLink(QPoint position, Qt::KeyboardModifiers modifiers);
  void paintGutter(QPainter& painter, qint64 row, int y) const;
  void blink();
  void tellAccessible();

  TerminalKeys keys_;
  workbench::TerminalSession* session_;
  TerminalPainter painter_;
  QFont font_;
  QTimer frame_{this};
  QTimer blink_{this};
  QTimer flash_{this};
  bool isCursorDrawn_ = true;
  int blinksLeft_ = 0;
  TerminalBell bell_ = TerminalBell::kFlash;
  bool follows_ = true;  // the end of the output
  qint64 firstRow_ = 0;  // the first visible one otherwise
  int generation_ = 0;

  workbench::CellPlace anchor_;
  workbench::CellPlace caret_;
  bool isSelected_ = false;
  Unit unit_ = Unit::kCell;
  bool isDragging_ = false;
  bool marking_ = false;
  QString sought_;
  bool isSoughtExactly_ = false;
  std::optional<FoundLink> hovered_;
  std::optional<FoundLink> marked_;
  int wheel_ = 0;
  QString composed_;
  QString project_;
  QString toldText_;
};

}  // namespace waferpair::gui
