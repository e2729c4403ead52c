// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for what makes a breakpoint more than one: a condition, how often it is passed, what it
// prints. UI thread only.
#pragma once

#include <QDialog>

#include "workbench/debug/breakpoints.h"

class QCheckBox;
class QLineEdit;

namespace waferpair::gui {

class BreakpointDialog : public QDialog {
  Q_OBJECT
 public:
  BreakpointDialog(const workbench::Breakpoint& breakpoint, QWidget* parent);

  // As it is wanted.
  workbench::Breakpoint breakpoint() const;

 private:
  workbench::Breakpoint breakpoint_;
  QLineEdit* condition_;
  QLineEdit* hits_;
  QLineEdit* log_;
  QCheckBox* on_;
};

}  // namespace waferpair::gui
