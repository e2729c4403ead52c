// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/block_picture.h"

#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "wafer_view/text_fit.h"

namespace waferpair::view {
namespace {

constexpr double kSide = 58, kTop = 46, kBar = 10, kLine = 15;
constexpr double kTick = 4;
constexpr int kMostGroups = 40;  // that can be told apart

// A short line with a head, along an axis.
void drawStroke(QPainter& p, const QPointF& from, const QPointF& to, double head) {
  p.drawLine(from, to);
  const QPointF along = to - from;
  const double length = std::max(1.0, std::hypot(along.x(), along.y()));
  const QPointF unit = along / length, side(-unit.y(), unit.x());
  p.drawLine(to, to - unit * head + side * head * 0.6);
  p.drawLine(to, to - unit * head - side * head * 0.6);
}

}  // namespace

BlockPicture::BlockPicture(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("blockPicture"));
  setAccessibleName(tr("The op on its block of PEs"));
}

void BlockPicture::setOp(const protocol::OpWay& op, int width, int height) {
  op_ = op;
  width_ = width;
  height_ = height;
  setAccessibleDescription(text());
  update();
}

void BlockPicture::clear() {
  width_ = height_ = 0;
  setAccessibleDescription({});
  update();
}

QString BlockPicture::text() const {
  if (width_ == 0) return {};
  QStringList lines{tr("%L1 x %L2 PEs.").arg(width_).arg(height_)};
  for (const protocol::OpProduct& product : op_.products)
    lines += (product.alongX ? tr("A vector of %L1 along x times a matrix of %L1 x %L2: each PE "
                                  "has a tile of %L3 x %L4.")
                             : tr("A vector of %L1 along y times a matrix of %L1 x %L2: each PE "
                                  "has a tile of %L3 x %L4."))
                 .arg(product.k)
                 .arg(product.n)
                 .arg(product.tileRows)
                 .arg(product.tileColumns);
  for (const protocol::OpReduce& reduce : op_.reduces)
    lines += (reduce.alongX ? tr("Each row of %L1 PEs sums %L2 elements in %L3 groups, in %L4 "
                                 "messages one behind the other.")
                            : tr("Each column of %L1 PEs sums %L2 elements in %L3 groups, in %L4 "
                                 "messages one behind the other."))
                 .arg(reduce.cores)
                 .arg(reduce.elements)
                 .arg(reduce.groups)
                 .arg(reduce.stages);
  if (op_.kv)
    lines += tr("The cache: %L1 rows of PEs hold %L2 positions each, %L3 of them one more. The new "
                "one comes to row %L4; rows down from %L5 pass their oldest on upwards.")
                 .arg(op_.kv->rows)
                 .arg(op_.kv->least)
                 .arg(op_.kv->fuller)
                 .arg(op_.kv->entry + 1)
                 .arg(op_.kv->top + 1);
  return lines.join(u' ');
}

QRectF BlockPicture::block() const {
  const QRectF room = QRectF(rect()).adjusted(kSide, kTop, -kSide, -kTop);
  const double scale = std::min(room.width() / width_, room.height() / height_);
  // A flat block stays high enough for what is drawn in it.
  const QSizeF size(std::max(width_ * scale, std::min(90.0, room.width())),
                    std::max(height_ * scale, std::min(90.0, room.height())));
  return {room.center().x() - size.width() / 2, room.center().y() - size.height() / 2, size.width(),
          size.height()};
}

void BlockPicture::drawAxes(QPainter& p, const QRectF& block, const WaferColors& theme) const {
  p.setPen(QColor(theme.dimText));
  p.drawText(
      QRectF(block.left() - kSide, block.bottom() + 4 + kBar, block.width() + 2 * kSide, kLine),
      Qt::AlignHCenter, tr("x: %L1 PEs").arg(width_));
  p.save();
  p.translate(block.right() + kSide - kLine - 2, block.center().y());
  p.rotate(-90);
  p.drawText(QRectF(-block.height() / 2 - kTop, 0, block.height() + 2 * kTop, kLine),
             Qt::AlignHCenter, tr("y: %L1 PEs").arg(height_));
  p.restore();
}

// The vector as a bar at the side along which it lies, the result at the other.
void BlockPicture::drawProduct(QPainter& p, const QRectF& block, const WaferColors& theme) const {
  if (op_.products.empty()) return;
  const protocol::OpProduct& product = op_.products.front();
  const QRectF left(block.left() - kBar - 6, block.top(), kBar, block.height());
  const QRectF top(block.left(), block.top() - kBar - 6, block.width(), kBar);
  const QRectF in = product.alongX ? top : left, out = product.alongX ? left : top;
  p.fillRect(in, QColor(theme.hostSeries));
  p.fillRect(out, QColor(theme.waferSeries));
  p.setPen(QColor(theme.text));
  const QString inText = tr("in: %L1").arg(product.k), outText = tr("out: %L1").arg(product.n);
  const QRectF above(block.left() - kSide + 4, top.top() - kLine - 1, block.width() + 2 * kSide - 8,
                     kLine);
  p.drawText(above, Qt::AlignHCenter, product.alongX ? inText : outText);
  p.save();
  p.translate(left.left() - kLine - 3, block.center().y());
  p.rotate(-90);
  p.drawText(QRectF(-block.height() / 2 - kTop, 0, block.height() + 2 * kTop, kLine),
             Qt::AlignHCenter, product.alongX ? outText : inText);
  p.restore();
  p.setPen(QColor(theme.dimText));
  drawElided(p, QRectF(block.left() + 6, block.bottom() - kLine - 4, block.width() - 12, kLine),
             Qt::AlignRight | Qt::AlignVCenter,
             tr("tile %L1 x %L2").arg(product.tileRows).arg(product.tileColumns));
}

// One line of PEs stands for all: groups, their middles, and the middle one of these.
void BlockPicture::drawReduce(QPainter& p, const QRectF& block, const WaferColors& theme) const {
  if (op_.reduces.empty()) return;
  const protocol::OpReduce& reduce = op_.reduces.back();
  const bool along = reduce.alongX;
  const double length = along ? block.width() : block.height();
  const auto at = [&](double place, double aside) {
    return along ? QPointF(block.left() + place, block.center().y() + aside)
                 : QPointF(block.center().x() + aside, block.top() + place);
  };
  const int groups =
      std::min({reduce.groups, kMostGroups, std::max(1, static_cast<int>(length / 9))});
  const double group = length / groups;
  p.setPen(QPen(QColor(theme.accent), 1.4));
  for (int i = 0; i < groups; ++i) {
    const double begin = i * group, middle = begin + group / 2;
    p.drawLine(at(begin + 1, -kTick), at(begin + 1, kTick));
    drawStroke(p, at(begin + 2, 0), at(middle - 1, 0), 3);
    drawStroke(p, at(begin + group - 1, 0), at(middle + 1, 0), 3);
  }
  p.drawLine(at(length - 1, -kTick), at(length - 1, kTick));
  // Their sums go to the middle of the line.
  const double center = (groups / 2 + 0.5) * group;
  p.setPen(QPen(QColor(theme.waferSeries), 2));
  if (groups > 1) {
    drawStroke(p, at(group / 2, 3 * kTick), at(center - 2, 3 * kTick), 5);
    drawStroke(p, at(length - group / 2, 3 * kTick), at(center + 2, 3 * kTick), 5);
  }
  p.setBrush(QColor(theme.waferSeries));
  p.drawEllipse(at(center, 0), 3.5, 3.5);
  p.setPen(QColor(theme.text));
  const QString words = tr("%L1 groups, %L2 messages").arg(reduce.groups).arg(reduce.stages);
  const QRectF line =
      along ? QRectF(block.left() + 6, block.center().y() + 4 * kTick, block.width() - 12, kLine)
            : QRectF(block.left() + 6, block.top() + 4, block.width() - 12, kLine);
  drawElided(p, line, Qt::AlignLeft | Qt::AlignVCenter, words);
}

void BlockPicture::drawKv(QPainter& p, const QRectF& block, const WaferColors& theme) const {
  if (!op_.kv || op_.kv->rows < 1) return;
  const double step = block.height() / op_.kv->rows;
  const QRectF bar(block.right() + 6, block.top(), kBar, block.height());
  p.fillRect(bar, QColor(theme.sram[static_cast<std::size_t>(protocol::SramKind::kKvCache)]));
  const double x = bar.right() + 8;
  const double entry = block.top() + (op_.kv->entry + 0.5) * step;
  const double top = block.top() + (op_.kv->top + 0.5) * step;
  p.setPen(QPen(QColor(theme.accent), 1.6));
  drawStroke(p, {x + 12, entry}, {bar.right() + 1, entry}, 5);
  if (entry - top > 2) drawStroke(p, {x, entry - 2}, {x, top}, 5);
}

void BlockPicture::paintEvent(QPaintEvent*) {
  const WaferColors theme = waferColors(palette());
  QPainter p(this);
  p.fillRect(rect(), QColor(theme.backdrop));
  if (width_ == 0) return;
  p.setRenderHint(QPainter::Antialiasing);
  p.setFont(sizedFont(font(), 11));
  const QRectF frame = block();
  p.setPen(QPen(QColor(theme.outline), 1));
  p.setBrush(QColor(heatColor(theme.ground, 0.12)));
  p.drawRect(frame);
  // Some lines between PEs, not all of them.
  p.setPen(QPen(QColor(theme.gap), 1));
  for (int i = 1; i < 8; ++i) {
    const double x = frame.left() + frame.width() * i / 8, y = frame.top() + frame.height() * i / 8;
    p.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()));
    p.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y));
  }
  drawAxes(p, frame, theme);
  drawProduct(p, frame, theme);
  drawReduce(p, frame, theme);
  drawKv(p, frame, theme);
}

}  // namespace waferpair::view
