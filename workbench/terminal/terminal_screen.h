// SPDX-License-Identifier: GPL-3.0-or-later
// The screen of a terminal with what scrolled off it: bytes of a program in; rows of cells, a
// cursor, titles, links and marks out; keys, mouse and pasted text in, bytes for the program out.
// libvterm reads the sequences, the rows are ours. No thread, no process.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>
#include <memory>
#include <optional>

#include "workbench/terminal/row_store.h"
#include "workbench/terminal/string_scanner.h"

namespace waferpair::workbench {

enum class CursorShape { kBlock, kUnderline, kBar };

struct TerminalCursor {
  CellPlace place;
  CursorShape shape = CursorShape::kBlock;
  bool isVisible = true;
  bool blinks = false;
};

// What of the mouse the program wants to hear.
enum class MouseReports { kNone, kClicks, kDrags, kMoves };

// A command line that a shell with our integration has run, or is about to.
struct ShellCommand {
  QString folder;             // where it was run; empty: not known
  bool hasRun = false;        // its output has begun
  bool isOver = false;        // and ended
  std::optional<int> status;  // its exit status, if the shell told it
};

class TerminalScreen {
 public:
  static constexpr int kMostRows = 500;
  static constexpr int kMostColumns = 1000;

  TerminalScreen(int rows, int columns, int scrollback);
  ~TerminalScreen();
  TerminalScreen(const TerminalScreen&) = delete;
  TerminalScreen& operator=(const TerminalScreen&) = delete;

  // -- The program's side

  void feed(const QByteArray& bytes);
  // Sizes are cut to 1 and the most.
  void resize(int rows, int columns);
  // Takes what the program is to be sent: answers to its questions, keys, mouse, pasted text.
  QByteArray takeReply();
  // Returns whether the bell rang since this was asked last.
  bool takeBell();

  // -- What is to be seen

  int rows() const { return shown().rows(); }
  int columns() const { return shown().columns(); }
  qint64 first() const { return shown().first(); }
  qint64 top() const { return shown().top(); }
  qint64 end() const { return shown().end(); }
  const Row& row(qint64 row) const { return shown().row(row); }
  // Of a cell; empty for one without a character.
  QString characterOf(const Cell& cell) const;
  TerminalCursor cursor() const;
  bool isAlternate() const { return isAlternate_; }
  bool isReversed() const { return isReversed_; }  // all colors
  MouseReports mouseReports() const { return mouse_; }
  // Goes up when numbers of rows mean other rows than before: wrapped anew, another screen,
  // cleared.
  int generation() const { return generation_; }

  const QString& title() const { return title_; }
  // The program's folder, as it told it: a path of this computer; empty where it did not.
  const QString& folder() const { return folder_; }
  // Of a cell; empty: none.
  QString link(const Cell& cell) const;

  // The text from one place to another, rows of a line as one, blanks at line ends left out.
  QString text(CellPlace from, CellPlace to) const;
  // The last command that has run; -1: none.
  int lastCommand() const;
  // The one that is typed or runs now; -1: none.
  int openCommand() const;
  // Commands are counted from 0; those whose rows are gone are kept, too, the last 10,000.
  const ShellCommand* command(int number) const;
  // From which place to which its output lies, as far as it is kept.
  std::optional<std::pair<CellPlace, CellPlace>> outputOf(int command) const;
  // Its line as it was typed.
  QString lineOf(int command) const;
  // What stands at the prompt that waits, up to the end of the text; none: no prompt that is marked
  // waits.
  std::optional<QString> typedText() const;

  // -- The user's side

  // What a key of Qt is to a program, as xterm sends it; false: nothing.
  bool key(int key, Qt::KeyboardModifiers modifiers, const QString& text);
  // Row and column are of the screen. Button 1 is the left one, 2 the middle, 3 the right, 4 and 5
  // the wheel.
  void mouseMove(int row, int column, Qt::KeyboardModifiers modifiers);
  void mouseButton(int button, bool isPressed, Qt::KeyboardModifiers modifiers);
  // Whether the program can tell pasted text from typed.
  bool isPasteBracketed() const;
  // Characters that would end the bracket or press keys are left out.
  void paste(const QString& text);
  void focus(bool isFocused);
  void setScrollback(int rows);
  void clearScrollback();
  // What is told to programs that ask for the colors: 0xRRGGBB.
  void setColors(quint32 text, quint32 background);

 private:
  class Machine;
  friend class Machine;

  RowStore& shown() { return isAlternate_ ? alternate_ : main_; }
  const RowStore& shown() const { return isAlternate_ ? alternate_ : main_; }
  void write(const char* text, qsizetype size);
  void runSequence(const QByteArray& sequence);
  void read(const QByteArray& command, bool isBell);
  void readMark(const QByteArray& mark);
  void readLink(const QByteArray& link);
  void answerRequest(const QByteArray& request);
  QByteArray penText() const;
  void answerColor(const char* which, quint32 color, bool isBell);
  void addMark(RowMark::Kind kind);
  quint16 linkNumber(const QByteArray& uri);
  void forgetUnusedLinks();
  char32_t characterFor(const quint32* characters);
  std::optional<CellPlace> markPlace(RowMark::Kind kind, int command) const;

  RowStore main_;
  RowStore alternate_;
  bool isAlternate_ = false;
  bool isReversed_ = false;
  MouseReports mouse_ = MouseReports::kNone;
  TerminalCursor cursor_;  // its place is libvterm's
  int generation_ = 0;
  StringScanner scanner_;
  QByteArray cut_;      // the beginning of a character
  Cell lastCharacter_;  // that was written
  QByteArray reply_;
  bool bell_ = false;
  QString title_;
  QString folder_;
  quint32 textColor_ = 0xffffff;
  quint32 backgroundColor_ = 0;
  Cell pen_;
  quint16 link_ = 0;
  std::vector<QByteArray> links_;  // by number; the first is no link
  QHash<QByteArray, quint16> linkNumbers_;
  std::vector<QString> sequences_;  // of several characters in a cell
  QHash<QString, char32_t> sequenceNumbers_;
  std::deque<ShellCommand> commands_;
  int firstCommand_ = 0;  // number of the first in commands_
  std::unique_ptr<Machine> machine_;
};

}  // namespace waferpair::workbench
