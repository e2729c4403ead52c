// SPDX-License-Identifier: GPL-3.0-or-later
// In the status bar: how far the tests are, or how they ended. A click shows their panel. UI thread
// only.
#pragma once

#include <QTimer>

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::gui {

class TestRunner;

class TestStatus : public StatusRow {
  Q_OBJECT
 public:
  // `runner` outlives this.
  explicit TestStatus(TestRunner* runner, QWidget* parent = nullptr);

 Q_SIGNALS:
  void panelWanted();

 private:
  void show();

  TestRunner* runner_;
  QToolButton* button_;
  QTimer second_{this};  // while some run
};

}  // namespace waferpair::gui
