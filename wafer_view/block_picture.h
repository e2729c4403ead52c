// SPDX-License-Identifier: GPL-3.0-or-later
// One op on its region: along which axes the operands of its products lie, how sums go over lines
// of PEs in groups, and how the rows of a KV cache move up. UI thread only.
#pragma once

#include <QWidget>

#include "runtime/protocol/token_way.h"
#include "wafer_view/theme.h"

namespace waferpair::view {

class BlockPicture : public QWidget {
  Q_OBJECT
 public:
  explicit BlockPicture(QWidget* parent = nullptr);

  void setOp(const protocol::OpWay& op, int width, int height);  // of the region, in PEs
  void clear();
  // What is seen, in words: the description for assistive technology, too.
  QString text() const;

  QSize sizeHint() const override { return {360, 320}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRectF block() const;
  void drawAxes(QPainter& p, const QRectF& block, const WaferColors& theme) const;
  void drawProduct(QPainter& p, const QRectF& block, const WaferColors& theme) const;
  void drawReduce(QPainter& p, const QRectF& block, const WaferColors& theme) const;
  void drawKv(QPainter& p, const QRectF& block, const WaferColors& theme) const;

  protocol::OpWay op_;
  int width_ = 0, height_ = 0;
};

}  // namespace waferpair::view
