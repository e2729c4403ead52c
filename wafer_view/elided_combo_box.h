// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box whose text is elided, not cut, where there is no room for all of it.
#pragma once

#include <QComboBox>

namespace waferpair::view {

class ElidedComboBox : public QComboBox {
  Q_OBJECT
 public:
  using QComboBox::QComboBox;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace waferpair::view
