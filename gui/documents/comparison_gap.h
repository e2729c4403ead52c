// SPDX-License-Identifier: GPL-3.0-or-later
// The strip between two compared texts: bands lead from the lines of one to those of the other, and
// an arrow at each moves the change across. What the arrows do the header's buttons do, too, for
// the keyboard. UI thread only.
#pragma once

#include <QWidget>

namespace waferpair::gui {

class Comparison;

class ComparisonGap : public QWidget {
  Q_OBJECT
 public:
  explicit ComparisonGap(Comparison* comparison);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Arrow {
    QRect area;
    qsizetype change = -1;
    bool toRight = true;
  };
  QList<Arrow> arrows() const;
  const Arrow* arrowAt(const QList<Arrow>& arrows, const QPoint& point) const;

  Comparison* comparison_;
};

}  // namespace waferpair::gui
