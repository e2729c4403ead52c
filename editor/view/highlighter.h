// SPDX-License-Identifier: GPL-3.0-or-later
// Colors a view by KSyntaxHighlighting, and sees to its fold levels. Scintilla asks when something
// unstyled comes into view; what is beyond that is done in slices of a few ms whenever the program
// is idle.
//
// Per line it keeps the lexer's state at the line's end, interned. After an edit lines are lexed
// again from the edited one until a state comes out as it was: usually after one line.
#pragma once

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/State>
#include <QByteArray>
#include <QDeadlineTimer>
#include <QString>
#include <QTimer>
#include <functional>
#include <vector>

#include "editor/text/pairs.h"
#include "editor/view/fold_levels.h"
#include "editor/view/style_table.h"

namespace waferpair::editor {

// Is told of lines whose text or styles have become others. It must not change the view from there.
class StyleFollower {
 public:
  virtual ~StyleFollower() = default;
  // As Highlighter::edited().
  virtual void linesEdited(int line, int linesAdded) = 0;
  // Lines [first, last] get other styles.
  virtual void linesStyled(int first, int last) = 0;
  // All lines do.
  virtual void restarted() = 0;
};

class Highlighter : private KSyntaxHighlighting::AbstractHighlighter {
 public:
  explicit Highlighter(QsciScintillaBase* view);

  // Each starts over. An invalid definition leaves the text plain.
  void setLanguage(const KSyntaxHighlighting::Definition& definition);
  void setLook(const KSyntaxHighlighting::Theme& theme);
  // The view shows another document now; `folds`: parts of it can be folded.
  void restart(bool folds);
  // Called when more of the fold levels may be right.
  void setWhenFoldsKnown(std::function<void()> call) { whenFoldsKnown_ = std::move(call); }
  // What can be folded, instead of what the language has; null: that again.
  void setFoldRanges(const std::vector<FoldRange>* ranges);
  const FoldLevels& folds() const { return folds_; }

  // An edit that begins in `line` added lines, or removed them (negative), and is done.
  void edited(int line, int linesAdded);
  // SCN_STYLENEEDED: everything before byte `position` is wanted. Gives up after a few ms, so that
  // a jump to the end of a large file paints at once and is colored a moment later.
  void styleNeeded(long position);
  // Does all that is left.
  void finish();
  // While the view paints nothing is lexed, for that can take a new style (see StyleTable): what
  // Scintilla asks for in a paint counts as styled until the background gets there. The view asks
  // for what it is going to show before it paints.
  void setPainting(bool painting);

  // Returns what a letter typed at byte `position` would be part of; code, where that would take
  // too long to tell.
  TextKind kindAt(long position);

  // The part of a line that is left of byte `position` and no comment: where that
  // ends, without blanks, and what its last letter is part of.
  struct CodeEnd {
    long at = 0;
    TextKind kind = TextKind::kCode;
  };
  CodeEnd codeEnd(long position);

  bool isFinished() const;
  // Lines [0, this) have the right styles.
  int rightLines() const;
  // Text of this style is written for people; where nothing is colored, all of a plain text is.
  bool isProse(int style) const { return active_ ? styles_.isProse(style) : true; }
  // Null: nobody. It outlives this, or is taken away first.
  void setFollower(StyleFollower* follower) { follower_ = follower; }
  // Lines lexed so far in all: what tests and benchmarks look at.
  qint64 linesLexed() const { return linesLexed_; }

 protected:
  void applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) override;
  void applyFolding(int offset, int length, KSyntaxHighlighting::FoldingRegion region) override;

 private:
  using StateId = quint32;  // index into states_
  static constexpr StateId kUnknown = 0xffffffff;

  int lineCount() const;
  bool isActive() const { return active_; }
  void startOver();
  void restartFolds();
  bool advance(int lastLine, QDeadlineTimer deadline);
  bool relexDirty(int lastLine, QDeadlineTimer deadline);
  void tellStyledEnd();
  void slice();
  void beginAt(int line);
  void lexLine(int line);
  bool probe(long position, bool andBehind, const std::function<void(int, int, TextKind)>& tell);
  void flush();
  StateId intern(const KSyntaxHighlighting::State& state);
  bool sameState(StateId a, StateId b) const;

  QsciScintillaBase* view_;
  StyleTable styles_;
  FoldLevels folds_;
  bool hasFolds_ = false;
  std::function<void()> whenFoldsKnown_;
  std::vector<int> regions_;  // of the line that is lexed
  // While kindAt() and codeEnd() look at a line: what is told of its pieces. Null: it is lexed.
  std::function<void(int, int, TextKind)> probe_;
  QTimer background_;
  StyleFollower* follower_ = nullptr;
  bool active_ = false;
  bool isMarkup_ = false;
  bool painting_ = false;

  // Lines [0, lexed_) were lexed; of those, [dirtyLow_, dirtyHigh_] must be lexed again, and the
  // lines after them until a state is confirmed. dirtyHigh_ is -1 when nothing is dirty.
  std::vector<StateId> ends_;  // by line: the state at its end
  int lexed_ = 0;
  int dirtyLow_ = 0;
  int dirtyHigh_ = -1;
  // Scintilla was told that everything before this byte is styled, though it is not yet.
  long claimed_ = 0;

  std::vector<KSyntaxHighlighting::State> states_;
  KSyntaxHighlighting::State state_;  // at the end of the line lexed last

  // Style bytes of the lines lexed since the last flush(), from byte flushFrom_ of the document.
  QByteArray styleBytes_;
  long flushFrom_ = 0;
  int flushLine_ = 0;  // the first of those lines
  int linesToFlush_ = 0;
  qsizetype lineBase_ = 0;  // where the current line begins in styleBytes_
  bool ascii_ = true;
  std::vector<int> byteOfUnit_;  // UTF-16 offset to byte offset, for a line that is not ASCII
  qint64 linesLexed_ = 0;
};

}  // namespace waferpair::editor
