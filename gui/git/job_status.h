// SPDX-License-Identifier: GPL-3.0-or-later
// In the status bar, while git takes longer over something: what it does and how far it is. A click
// cancels it. UI thread only.
#pragma once

#include <QTimer>

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::workbench {
class GitJobs;
}

namespace waferpair::gui {

class JobStatus : public StatusRow {
  Q_OBJECT
 public:
  // `jobs` outlives this.
  explicit JobStatus(workbench::GitJobs* jobs, QWidget* parent = nullptr);

 private:
  void refresh();

  workbench::GitJobs* jobs_;
  QToolButton* job_;
  QTimer patience_{this};  // what is done at once is not shown
};

}  // namespace waferpair::gui
