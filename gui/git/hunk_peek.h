// SPDX-License-Identifier: GPL-3.0-or-later
// A box below one of a text's changes: how the lines were, and buttons for what can be done about
// the change. UI thread only.
#pragma once

#include "gui/documents/peek_box.h"
#include "gui/git/change_bars.h"

namespace waferpair::editor {
class ChangeMarks;
}

namespace waferpair::gui {

class HunkPeek : public PeekBox {
  Q_OBJECT
 public:
  // Lies over the document's text, which owns it.
  explicit HunkPeek(Document* document);

  // `hunk`: the number of the one that is shown.
  void showHunk(const ComparedWithGit& compared, qsizetype hunk);
  qsizetype hunk() const { return hunk_; }
  // The change is the one that is shown: it begins there, and is staged or not as that one.
  bool isOf(const workbench::GitHunk& hunk) const {
    return hunk.firstLine == firstLine_ && hunk.isStaged == isStaged_;
  }

 Q_SIGNALS:
  // Buttons were pressed: to the next change (1) or the one before (-1), and what is to become of
  // this one.
  void stepWanted(int direction);
  void stageWanted();
  void unstageWanted();
  void revertWanted();

 private:
  qsizetype hunk_ = -1;
  int firstLine_ = 0;
  bool isStaged_ = false;
  QToolButton* stage_;
  QToolButton* unstage_;
  QToolButton* revert_;
  editor::CodeEditor* old_;
  editor::ChangeMarks* marks_;
};

// "Change 2 of 5: 3 lines added, staged", of hunks in the order of the text.
QString hunkTitle(const ComparedWithGit& compared, qsizetype hunk);

}  // namespace waferpair::gui
