// SPDX-License-Identifier: GPL-3.0-or-later
// Modal keys after Vim's: the state machine between pressed keys and a text. It knows no widget.
//
// In insert mode keys are the text's own: press() leaves them alone, but for those that end it. An
// insertion, from the key that begins it to <Esc>, is one undo step.
#pragma once

#include <QHash>
#include <QString>
#include <memory>
#include <optional>

#include "editor/modal/modal_command.h"
#include "editor/modal/modal_motions.h"
#include "editor/modal/modal_registers.h"

namespace waferpair::editor {

enum class ModalMode {
  kNormal,
  kInsert,
  kReplace,
  kVisual,
  kVisualLine,
  kVisualBlock,
  kCommandLine,  // a command, or a pattern to search for, is being typed
};

// What all texts of a program have in common.
struct ModalMemory {
  ModalRegisters registers;
  QString pattern = {};  // searched last
  bool isForward = true;
  CharacterSearch character = {};
};

class ModalKeys {
 public:
  // Both outlive this.
  ModalKeys(ModalText* text, ModalMemory* memory);

  // False: the key means what it means without modal keys.
  bool press(const ModalKey& key);

  ModalMode mode() const { return mode_; }
  bool isVisual() const {
    return mode_ == ModalMode::kVisual || mode_ == ModalMode::kVisualLine ||
           mode_ == ModalMode::kVisualBlock;
  }
  // What is selected in a visual mode: where it began; the caret is the other end.
  ModalPlace visualStart() const { return visualStart_; }
  // The keys of a command so far, or what is typed behind ":".
  QString typed() const;
  // The last command came to nothing.
  bool hasFailed() const { return failed_; }
  bool isRecording() const { return recording_ != 0; }
  char recordedRegister() const { return recording_; }

  // Goes back to normal mode, as <Esc> does.
  void toNormal();
  // The caret was moved by other means (the mouse); in normal mode it goes onto a character.
  // `selects`: from `anchor` to the caret, as visual mode.
  void caretWasMoved(std::optional<ModalPlace> anchor);
  // The text was replaced.
  void reset();

 private:
  struct VisualExtent {
    ModalMode mode = ModalMode::kVisual;
    int lines = 1;
    int columns = 1;  // display columns of the last line, or of the block
  };
  // What "." does again.
  struct Change {
    ModalCommand command;
    QByteArray inserted;
    std::optional<VisualExtent> extent;
  };
  struct Insertion {
    ModalPlace start;
    int lines = 0;       // of the text then
    qsizetype tail = 0;  // bytes of the line behind the start
    QByteArray before;   // the line's beginning
    int count = 1;
    bool isLine = false;  // "o": with a count, each is a line
    // The other lines of a block, which get the same text.
    int blockLast = -1;
    int blockColumn = 0;
    int blockStart = 0;  // the first line's byte at which the block begins
    bool isAppend = false;
    bool toLineEnds = false;
  };

  // ":" commands over lines.
  struct LineCommand {
    QString name;
    QStringView rest;  // behind the name
    int first = 0, last = 0;
    bool hasRange = false;
  };

  // -- modal_keys.cpp: modes
  bool dispatch(const ModalKey& key);
  bool pressCommandLine(const ModalKey& key);
  bool pressInsert(const ModalKey& key);
  bool pressReplace(const ModalKey& key);
  void execute(const ModalCommand& command);
  void sayUnknown(const ModalCommand& command) const;
  void selectSpan(const ModalSpan& span);
  bool executeMode(const ModalCommand& command);
  bool executeView(const ModalCommand& command);
  void beginInsert(const Insertion& insertion);
  void endInsert();
  void insertAgain(const QByteArray& text, const Insertion& insertion);
  void beginVisual(ModalMode mode);
  void endVisual();
  void repeatChange(const ModalCommand& command);
  void playMacro(const ModalCommand& command);
  // All edits go through these two: marks follow the lines.
  void replaceText(ModalPlace start, ModalPlace end, const QByteArray& text);
  void replaceLines(int first, int end, const QByteArrayList& lines);
  void followLines(int end, int by);
  void beginStep();
  void endStep();
  void closeStep();

  // -- modal_moves.cpp: motions
  std::optional<ModalTarget> target(const ModalCommand& command, ModalPlace from);
  std::optional<ModalTarget> lineTarget(const ModalCommand& command, ModalPlace from);
  std::optional<ModalTarget> searchTarget(const ModalCommand& command, ModalPlace from);
  std::optional<ModalTarget> markTarget(const ModalCommand& command) const;
  std::optional<ModalTarget> wordTarget(const ModalCommand& command, ModalPlace from) const;
  std::optional<ModalTarget> characterTarget(const ModalCommand& command, ModalPlace from);
  bool move(const ModalCommand& command);
  std::optional<ModalSpan> matchSpan(bool isForward) const;
  void search(const QString& pattern, bool isForward, int count);
  int tabWidth() const { return text_->indentation().width; }
  ModalPlace atWanted(int line) const;
  void setCaret(ModalPlace place, bool keepsWanted = false);
  void scrollHalf(int direction, int count);

  // -- modal_edits.cpp and modal_visual.cpp: operators and other edits
  std::optional<ModalSpan> spanOf(const ModalCommand& command);
  void spareLineEnd(ModalSpan* span) const;
  ModalSpan visualSpan() const;
  void operate(const ModalCommand& command, ModalSpan span, bool usesFirstRegister);
  VisualExtent visualExtent(const ModalSpan& span) const;
  void operateVisual(const ModalCommand& command);
  bool edit(const ModalCommand& command);
  bool editVisual(const ModalCommand& command);
  QByteArray textOf(const ModalSpan& span) const;
  ModalRegister contentOf(const ModalSpan& span) const;
  void erase(const ModalSpan& span);
  void mapText(const ModalSpan& span, QByteArray (*map)(const QByteArray&));
  void shiftBlock(const ModalSpan& span, int levels);
  void shiftLines(int first, int last, int levels);
  void indentLinesAnew(int first, int last);
  void joinLines(int first, int count, bool spaced);
  void put(const ModalCommand& command, bool isAfter);
  void putContent(const ModalRegister& content, bool isAfter, int count);
  void putAndPass(const ModalCommand& command, bool isAfter);
  bool addToNumber(int by);
  bool replaceCharacters(const ModalCommand& command);
  void toggleCase(int count);
  void openLine(bool isBelow, int count);
  struct BlockColumns {
    int first = 0, last = 0;  // display columns, both inclusive; last kEndColumn: to line ends
  };
  BlockColumns blockColumns(const ModalSpan& span) const;
  std::pair<int, int> blockPart(int line, const BlockColumns& columns) const;
  // The last column that a character takes, of which a tab takes several.
  int lastDisplayColumn(const QByteArray& line, int column) const;
  void splitTab(int line, int column);
  void splitTabs(const ModalSpan& span, const BlockColumns& columns);

  // -- modal_ex.cpp: what is typed behind ":"
  void runEx(const QString& line);
  bool exRange(QStringView* rest, int* first, int* last);
  std::optional<int> exAddress(QStringView* rest);
  void putLines(const LineCommand& command);
  void substitute(QStringView rest, int first, int last);
  void substituteAgain(const QString& flags, int first, int last);
  int substituteOverLines(const QRegularExpression& expression, const QString& replacement,
                          bool isEverywhere, int first, int last);

  // -- modal_ex_lines.cpp: of these, what is done to lines
  void toLine(int line);
  bool runOverLines(const LineCommand& command);
  void sortLines(const LineCommand& command);
  void moveLines(const LineCommand& command, bool copies);
  void runGlobal(const LineCommand& command, bool matching);
  void pressOver(const LineCommand& command);

  // -- modal_inserts.cpp: keys of insert mode
  bool pressInsertCommand(const ModalKey& key);
  void deleteTyped(int from);
  void insertRegister(const ModalKey& name);
  void leaveInsertOnce();
  void goOnInserting();

  ModalText* text_;
  ModalMemory* memory_;
  ModalMode mode_ = ModalMode::kNormal;
  static constexpr int kDeepestMacro = 20;
  QVector<ModalKey> keys_;                // of the command so far
  QString commandLine_;                   // with ":", "/" or "?"
  ModalMode below_ = ModalMode::kNormal;  // to which a command line leads back
  ModalCommand searchFor_;  // the command that waits for a pattern: its operator and count
  int wanted_ = 0;          // display column that j and k go to
  ModalPlace visualStart_;
  struct LastVisual {
    ModalMode mode = ModalMode::kNormal;
    ModalPlace start, end;
  } lastVisual_;
  QHash<char, ModalPlace> marks_;
  Change lastChange_;
  Change* again_ = nullptr;  // it is being done again
  Insertion insertion_;
  Change current_;             // the one whose text is being typed
  bool isAllDeleted_ = false;  // the text has no line: what is there is none
  bool isInStep_ = false;
  bool awaitsRegister_ = false;  // <C-r> in insert mode
  // One command of normal mode, then insert mode goes on: where that was left.
  std::optional<ModalPlace> insertsOn_;
  // The last ":s": its pattern, what it put in, and its flags.
  struct LastSubstitution {
    QString pattern, replacement, flags;
  } substitution_;
  QVector<int>* globalLines_ = nullptr;  // that ":g" is still to go to
  QVector<QByteArray> replaced_;         // characters that replace mode wrote over; null: none was
  QByteArray replacing_;                 // what it wrote
  char recording_ = 0;
  QByteArray recorded_;
  char lastMacro_ = 0;
  int depth_ = 0;        // of macros
  bool failed_ = false;  // the last command: it ends a macro
};

}  // namespace waferpair::editor
