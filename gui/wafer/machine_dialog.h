// SPDX-License-Identifier: GPL-3.0-or-later
// What the vendor says of a wafer as a whole, beside what its PEs add up to at a clock.
#pragma once

#include <QDialog>

#include "gui/client/experiments.h"

class QComboBox;
class QLabel;
class QTableWidget;

namespace waferpair::gui {

class MachineDialog : public QDialog {
  Q_OBJECT
 public:
  // `experiments` outlives the dialog. `machine` is "wse3", `clockGhz` the clock to begin with.
  MachineDialog(Experiments* experiments, const QString& machine, double clockGhz, QWidget* parent);

 private:
  void ask();
  void showAnswer(const ExperimentResult& result);
  void fillClocks(const ExperimentAnswer& answer);

  Experiments* experiments_;
  QString machine_;
  double clockGhz_;
  QComboBox* clock_;
  QTableWidget* table_;
  QLabel* note_;  // sources, or what went wrong
};

}  // namespace waferpair::gui
