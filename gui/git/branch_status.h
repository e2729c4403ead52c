// SPDX-License-Identifier: GPL-3.0-or-later
// In the status bar: the branch, how far it is ahead of its upstream and behind it, and what git is
// in the middle of. A click asks for another branch. UI thread only.
#pragma once

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::workbench {
class GitWatch;
}

namespace waferpair::gui {

class BranchStatus : public StatusRow {
  Q_OBJECT
 public:
  // `git` outlives this.
  explicit BranchStatus(workbench::GitWatch* git, QWidget* parent = nullptr);

 Q_SIGNALS:
  void choiceWanted();

 private:
  void show();

  workbench::GitWatch* git_;
  QToolButton* branch_;
};

}  // namespace waferpair::gui
