// SPDX-License-Identifier: GPL-3.0-or-later
// A token's way over the wafers: regions light up in turn as the cycle goes on, and the moves
// between them, and between wafers, are arrows. UI thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "runtime/protocol/token_way.h"
#include "wafer_view/theme.h"

namespace waferpair::view {

// The ops whose time holds a cycle: one of a single row, several where rows follow one another.
std::vector<int> opsAt(const protocol::TokenWay& way, std::int64_t cycle);
// The op that a token's row is told to be at: the last that has begun.
int opAt(const protocol::TokenWay& way, std::int64_t cycle);

class WayMap : public QWidget {
  Q_OBJECT
 public:
  explicit WayMap(QWidget* parent = nullptr);

  void setWay(const protocol::TokenWay& way);
  void setCycle(std::int64_t cycle);
  std::int64_t cycle() const { return cycle_; }
  // What is seen, in words: the description for assistive technology, too.
  QString text() const;
  // The region at a place of the widget; -1: none.
  int regionAt(const QPointF& at) const;

  QSize sizeHint() const override { return {520, 420}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

 Q_SIGNALS:
  // A region was clicked that the token comes to: the cycle at which it does.
  void cycleWanted(std::int64_t cycle);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Stay {  // of the token in a region, in cycles
    int region = 0;
    std::int64_t start = 0, end = 0;
  };
  QRectF waferRect(int wafer) const;
  QRectF rectOf(int region) const;
  void drawMoves(QPainter& p, const WaferColors& theme) const;

  protocol::TokenWay way_;
  std::vector<Stay> stays_;  // in the order in which it comes to them
  std::int64_t cycle_ = 0;
};

}  // namespace waferpair::view
