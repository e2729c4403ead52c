// SPDX-License-Identifier: GPL-3.0-or-later
// A label that never asks for more width than there is: what does not fit is elided, the tool tip
// and the accessible text keep all of it.
#pragma once

#include <QLabel>

namespace waferpair::view {

class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace waferpair::view
