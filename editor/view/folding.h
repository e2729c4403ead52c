// SPDX-License-Identifier: GPL-3.0-or-later
// Folds blocks of an editor's text: hides all of a block but its first line and the one that closes
// it. Folds follow edits; whatever takes a caret into one opens it. What can be folded is known
// from fold_levels.h. Owned by its TextView.
#pragma once

#include <QVector>
#include <vector>

namespace waferpair::editor {

class TextView;
class FoldLevels;
struct FoldRange;

class Folding {
 public:
  Folding(TextView* editor, const FoldLevels* levels);

  // The blocks of the carets, from the innermost that is open, or folded. These and the following
  // return false where there is nothing for them to do.
  bool fold();
  bool unfold();
  bool foldAll();
  bool unfoldAll();
  // Folds the blocks that lie so deep (1: in no other), and shows the lines around them.
  bool foldLevel(int level);
  // As a click beside it does.
  bool toggle(int line);

  // A block begins in this line.
  bool begins(int line) const;
  // The last line of the block that begins in this one, with the line that closes it, and with what
  // that begins (an else); where none does, the line itself. And the other way round.
  int blockEnd(int line) const;
  int blockStart(int line) const;
  // The end of a block that is folded; else the line itself.
  int foldedEnd(int line) const { return isOpen(line) ? line : blockEnd(line); }
  // The first lines of what is folded, from the top.
  QVector<int> folded() const;
  // Folds these as soon as it is known where they end. A line that begins nothing waits for
  // setRanges(), until the text is edited.
  void setFolded(const QVector<int>& lines);

  // What can be folded from now on, as FoldLevels::setGiven(); null: what the language has. What is
  // folded stays so where it is a block then, too. Another text or language has its own again. The
  // editor's edits are flushed.
  void setRanges(const std::vector<FoldRange>* ranges);

  // The editor calls these: when more levels are known, when carets have moved, for the look of the
  // margin, for another text, which `folds` or cannot, and for an edit.
  void levelsKnown();
  void showCarets();
  void applyLook();
  void reset(bool folds);
  void edited() {
    wanted_.clear();
    perhaps_.clear();
  }

 private:
  bool isOpen(int line) const;
  int lastLine(int line) const;
  int parentOf(int line) const;
  void setOpen(int line, bool open);
  void leaveHidden();
  void changed(const QString& words);
  QVector<int> caretLines() const;

  TextView* editor_;
  const FoldLevels* levels_;
  QVector<int> wanted_;   // to be folded once known
  QVector<int> perhaps_;  // the language knows nothing that begins there; ranges may
  bool folds_ = false;
};

}  // namespace waferpair::editor
