// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens a second of all users together over their number, a line for each lane that has a model;
// both axes are logarithmic. UI thread only.
#pragma once

#include <QWidget>

#include "gui/race/user_counts.h"

namespace waferpair::gui {

class UsersChart : public QWidget {
  Q_OBJECT
 public:
  explicit UsersChart(QWidget* parent);

  void setLines(const QVector<UsersLine>& lines);
  const QVector<UsersLine>& lines() const { return lines_; }
  QSize sizeHint() const override { return {400, 240}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void tell();

  QVector<UsersLine> lines_;
};

}  // namespace waferpair::gui
