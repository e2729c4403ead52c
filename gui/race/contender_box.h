// SPDX-License-Identifier: GPL-3.0-or-later
// The box in which a lane's contender is chosen. UI thread only.
#pragma once

#include "wafer_view/elided_combo_box.h"

namespace waferpair::gui {

struct ExperimentAnswer;

class ContenderBox : public view::ElidedComboBox {
  Q_OBJECT
 public:
  explicit ContenderBox(QWidget* parent);

  // The answer to "contenders".
  void setContenders(const ExperimentAnswer& contenders);
  // Empty: the lane is not used.
  QString contender() const { return currentData().toString(); }
  void choose(const QString& contender);
};

}  // namespace waferpair::gui
