// SPDX-License-Identifier: GPL-3.0-or-later
// In the status bar: the task begun last, how long it has run, or how it ended. A click shows its
// output. UI thread only.
#pragma once

#include <QTimer>

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::gui {

class TaskRunner;

class TaskStatus : public StatusRow {
  Q_OBJECT
 public:
  // `runner` outlives this.
  explicit TaskStatus(TaskRunner* runner, QWidget* parent = nullptr);

 private:
  void show();

  TaskRunner* runner_;
  QToolButton* button_;
  QTimer second_{this};  // while one runs
};

}  // namespace waferpair::gui
