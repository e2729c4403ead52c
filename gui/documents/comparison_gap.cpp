// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/comparison_gap.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "editor/view/word.h"
#include "gui/documents/comparison.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

using Sci = QsciScintillaBase;

constexpr int kGapWidth = 40;   // pixels
constexpr int kArrowSide = 16;  // pixels

// Where a line begins in the view, in pixels; behind the last line where it ends.
int lineTop(const editor::CodeEditor& view, qint64 line) {
  const int lines = view.lineCount();
  const bool behind = line >= lines;
  const qint64 at = view.lineStart(static_cast<int>(behind ? lines - 1 : line));
  const auto top =
      static_cast<int>(view.sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(at)));
  return behind ? top + static_cast<int>(view.sci(Sci::SCI_TEXTHEIGHT)) : top;
}

struct Band {
  int leftTop;
  int leftEnd;
  int rightTop;
  int rightEnd;
};

Band bandOf(const Comparison& comparison, const editor::ChangedLines& change) {
  const editor::CodeEditor& left = *comparison.left();
  const editor::CodeEditor& right = *comparison.document()->editor();
  return {lineTop(left, change.oldStart), lineTop(left, change.oldStart + change.oldCount),
          lineTop(right, change.newStart), lineTop(right, change.newStart + change.newCount)};
}

}  // namespace

ComparisonGap::ComparisonGap(Comparison* comparison)
    : QWidget(comparison), comparison_(comparison) {
  setObjectName(QStringLiteral("comparisonGap"));
  setAccessibleName(tr("Changes between the two texts"));
  setFixedWidth(kGapWidth);
  setMouseTracking(true);
}

QList<ComparisonGap::Arrow> ComparisonGap::arrows() const {
  QList<Arrow> all;
  const auto& changes = comparison_->changes();
  for (qsizetype i = 0; i < changes.size(); ++i) {
    const Band band = bandOf(*comparison_, changes[i]);
    const int offset =
        (static_cast<int>(comparison_->left()->sci(Sci::SCI_TEXTHEIGHT)) - kArrowSide) / 2;
    if (band.leftEnd >= 0 && band.leftTop < height())
      all.append({{2, band.leftTop + offset, kArrowSide, kArrowSide}, i, true});
    if (comparison_->canGive() && band.rightEnd >= 0 && band.rightTop < height())
      all.append(
          {{width() - kArrowSide - 2, band.rightTop + offset, kArrowSide, kArrowSide}, i, false});
  }
  return all;
}

void ComparisonGap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const WindowColors& colors = Theme::instance().colors();
  const editor::ThemeColors& code = comparison_->left()->colors();
  painter.fillRect(rect(), colors.chrome);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto& changes = comparison_->changes();
  const double middle = width() / 2.0;
  for (qsizetype i = 0; i < changes.size(); ++i) {
    const Band band = bandOf(*comparison_, changes[i]);
    if (std::max(band.leftEnd, band.rightEnd) < 0 ||
        std::min(band.leftTop, band.rightTop) > height())
      continue;
    QPainterPath path(QPointF(0, band.leftTop));
    path.cubicTo(middle, band.leftTop, middle, band.rightTop, width(), band.rightTop);
    path.lineTo(width(), std::max(band.rightEnd, band.rightTop + 2));
    path.cubicTo(middle, band.rightEnd, middle, band.leftEnd, 0,
                 std::max(band.leftEnd, band.leftTop + 2));
    path.closeSubpath();
    const bool onlyOld = changes[i].newCount == 0;
    painter.setBrush(onlyOld ? code.removedGround : code.addedGround);
    painter.setPen(i == comparison_->current() ? QPen(colors.accent, 1) : QPen(Qt::NoPen));
    painter.drawPath(path);
  }
  const QPoint mouse = mapFromGlobal(QCursor::pos());
  for (const Arrow& arrow : arrows()) {
    const bool isUnder = arrow.area.contains(mouse);
    painter.setPen(Qt::NoPen);
    if (isUnder) {
      painter.setBrush(colors.hover);
      painter.drawRoundedRect(arrow.area, 3, 3);
    }
    const QPointF center = QRectF(arrow.area).center();
    const double way = arrow.toRight ? 1 : -1;
    painter.setPen(QPen(isUnder ? colors.text : colors.muted, 1.4, Qt::SolidLine, Qt::RoundCap,
                        Qt::RoundJoin));
    painter.drawLine(center - QPointF(4 * way, 0), center + QPointF(4 * way, 0));
    painter.drawPolyline(QPolygonF({center + QPointF(1 * way, -3), center + QPointF(4 * way, 0),
                                    center + QPointF(1 * way, 3)}));
  }
}

const ComparisonGap::Arrow* ComparisonGap::arrowAt(const QList<Arrow>& arrows,
                                                   const QPoint& point) const {
  for (const Arrow& arrow : arrows)
    if (arrow.area.contains(point)) return &arrow;
  return nullptr;
}

void ComparisonGap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QList<Arrow> all = arrows();
  const Arrow* arrow = arrowAt(all, event->pos());
  if (!arrow) return;
  if (arrow->toRight) {
    comparison_->take(arrow->change);
  } else {
    comparison_->give(arrow->change);
  }
}

bool ComparisonGap::event(QEvent* event) {
  if (event->type() == QEvent::MouseMove || event->type() == QEvent::Leave) update();
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QList<Arrow> all = arrows();
    const Arrow* arrow = arrowAt(all, help->pos());
    QToolTip::showText(help->globalPos(),
                       !arrow           ? QString()
                       : arrow->toRight ? tr("Take this change over from the left")
                                        : tr("Move this change to the left"),
                       this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace waferpair::gui
