// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/picker_delegate.h"

#include <QPainter>
#include <QTextLayout>

#include "editor/text/unseen.h"
#include "gui/kit/picker_model.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kPadding = 10;
constexpr int kIconSize = 16;
constexpr int kGap = 8;

constexpr auto kProse = editor::OtherBlanks::kKept;

// Draws text[from, to) at `left` with the letters at `positions` lit; returns the right end.
int drawRun(QPainter* painter, QRect area, const QFont& font, const QString& text, int from, int to,
            const QList<int>& positions, const QColor& color, const QColor& lit) {
  const QString run = text.mid(from, to - from);
  const bool isAsItIs = editor::firstUnseen(run, kProse) < 0;
  // Where a letter of the run stands in what is shown of it.
  const auto placeOf = [&](int at) {
    return isAsItIs ? at : static_cast<int>(editor::shownForm(run.first(at), kProse).size());
  };
  QList<QTextLayout::FormatRange> lights;
  for (const int at : positions) {
    if (at < from || at >= to) continue;
    QTextCharFormat format;
    format.setForeground(lit);
    format.setFontWeight(QFont::DemiBold);
    lights.append({placeOf(at - from), 1, format});
  }
  QTextLayout layout(isAsItIs ? run : editor::shownForm(run, kProse), font);
  QTextOption option;
  option.setWrapMode(QTextOption::NoWrap);
  layout.setTextOption(option);
  layout.setFormats(lights);
  layout.beginLayout();
  QTextLine line = layout.createLine();
  if (line.isValid()) line.setLineWidth(10000);
  layout.endLayout();
  if (!line.isValid()) return area.left();
  painter->save();
  painter->setClipRect(area, Qt::IntersectClip);
  painter->setPen(color);
  layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2));
  painter->restore();
  return std::min(area.right(), area.left() + static_cast<int>(line.naturalTextWidth()));
}

}  // namespace

void PickerDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  const WindowColors& colors = Theme::instance().colors();
  const bool chosen = option.state & QStyle::State_Selected;
  const bool hovered = option.state & QStyle::State_MouseOver;
  if (chosen || hovered) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(chosen ? colors.selection : colors.hover);
    painter->drawRoundedRect(option.rect, 5, 5);
    painter->restore();
  }

  QRect area = option.rect.adjusted(kPadding, 0, -kPadding, 0);
  const QIcon icon = index.data(Qt::DecorationRole).value<QIcon>();
  if (!icon.isNull()) {
    icon.paint(painter,
               QRect(area.left(), area.center().y() - kIconSize / 2 + 1, kIconSize, kIconSize));
    area.setLeft(area.left() + kIconSize + kGap);
  }
  const QString hint = editor::shownForm(index.data(PickerModel::kHintRole).toString(), kProse);
  if (!hint.isEmpty()) {
    painter->setPen(colors.muted);
    painter->setFont(option.font);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, hint);
    area.setRight(area.right() - option.fontMetrics.horizontalAdvance(hint) - kGap * 2);
  }

  const QString text = index.data(Qt::DisplayRole).toString();
  const int titleStart = index.data(PickerModel::kTitleStartRole).toInt();
  const auto positions = index.data(PickerModel::kPositionsRole).value<QList<int>>();
  const int titleEnd =
      drawRun(painter, area, option.font, text, titleStart, static_cast<int>(text.size()),
              positions, colors.text, colors.accent);
  if (titleStart > 0) {
    area.setLeft(titleEnd + kGap);
    drawRun(painter, area, option.font, text, 0, titleStart, positions, colors.muted,
            colors.accent);
  }
}

QSize PickerDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {option.rect.width(), kRowHeight};
}

}  // namespace waferpair::gui
