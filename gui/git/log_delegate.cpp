// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/log_delegate.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/git/log_model.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

using editor::OtherBlanks;
using editor::shownForm;
using workbench::GraphRow;

namespace {

constexpr int kCommitRowHeight = 24;
constexpr int kLaneStep = 12;
constexpr int kDot = 4;  // its radius
constexpr int kAuthorWidth = 130;
constexpr int kDateWidth = 110;
constexpr int kRoomy = 520;  // pixels: less has no room for the author, then for the date

int xOf(int lane) { return 8 + lane * kLaneStep; }

// Returns the width.
int paintGraph(QPainter* painter, const QRect& row, const GraphRow& graph) {
  int lanes = graph.lane;
  const auto line = [&](const GraphRow::Edge& edge, int fromY, int toY) {
    lanes = std::max({lanes, int(edge.from), int(edge.to)});
    painter->setPen(QPen(laneColor(edge.lane), 1.6));
    QPainterPath path(QPointF(row.left() + xOf(edge.from), fromY));
    const QPointF to(row.left() + xOf(edge.to), toY);
    const double middle = (fromY + toY) / 2.0;
    path.cubicTo(QPointF(row.left() + xOf(edge.from), middle), QPointF(to.x(), middle), to);
    painter->drawPath(path);
  };
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setBrush(Qt::NoBrush);
  const int middle = row.center().y();
  for (const GraphRow::Edge& edge : graph.above) line(edge, row.top(), middle);
  for (const GraphRow::Edge& edge : graph.below) line(edge, middle, row.bottom() + 1);
  painter->setPen(Qt::NoPen);
  painter->setBrush(laneColor(graph.lane));
  painter->drawEllipse(QPoint(row.left() + xOf(graph.lane), middle), kDot, kDot);
  return xOf(lanes) + kLaneStep;
}

}  // namespace

// Neighboring lanes differ in lightness, too.
QColor laneColor(int lane) {
  static const QColor dark[] = {QColor(0x5f, 0xb0, 0xf0), QColor(0xf0, 0xa0, 0x50),
                                QColor(0x7a, 0xc8, 0x7a), QColor(0xd8, 0x8a, 0xe0),
                                QColor(0xe0, 0xd0, 0x60), QColor(0x60, 0xd0, 0xc8)};
  static const QColor light[] = {QColor(0x1f, 0x6f, 0xb8), QColor(0xb8, 0x5a, 0x00),
                                 QColor(0x2e, 0x8b, 0x2e), QColor(0x93, 0x2f, 0xa8),
                                 QColor(0x8a, 0x78, 0x00), QColor(0x00, 0x80, 0x7c)};
  return Theme::instance().isDark() ? dark[lane % 6] : light[lane % 6];
}

QSize LogDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {200, std::max(kCommitRowHeight, option.fontMetrics.height() + 6)};
}

void LogDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  const LogModel::Row* at = model_->row(index.row());
  if (!at) return;
  QStyleOptionViewItem row = option;
  initStyleOption(&row, index);
  row.text.clear();
  const QWidget* view = option.widget;
  view->style()->drawControl(QStyle::CE_ItemViewItem, &row, painter, view);
  painter->save();
  painter->setClipRect(option.rect);
  QRect rest = option.rect.adjusted(4, 0, -8, 0);
  if (model_->hasGraph()) rest.setLeft(rest.left() + paintGraph(painter, rest, at->graph));
  const WindowColors& colors = Theme::instance().colors();
  painter->setFont(option.font);
  const auto column = [&](int width, const QString& text) {
    QRect cell = rest;
    cell.setLeft(rest.right() - width);
    rest.setRight(cell.left() - 8);
    painter->setPen(colors.muted);
    painter->drawText(cell, Qt::AlignVCenter | Qt::AlignLeft,
                      option.fontMetrics.elidedText(shownForm(text), Qt::ElideRight, cell.width()));
  };
  const auto& commit = at->commit;
  if (option.rect.width() > kRoomy * 2 / 3)
    column(kDateWidth, QLocale().toString(QDateTime::fromSecsSinceEpoch(commit.when).date(),
                                          QLocale::ShortFormat));
  if (option.rect.width() > kRoomy) column(kAuthorWidth, commit.author);
  for (const QString& ref : commit.refs.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
    const QString name = shownForm(ref);
    const int width = option.fontMetrics.horizontalAdvance(name) + 12;
    if (width > rest.width() / 2) break;
    const QRect chip(rest.left(), rest.center().y() - 9, width, 19);
    painter->setPen(colors.accent);
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(chip, 4, 4);
    painter->drawText(chip, Qt::AlignCenter, name);
    rest.setLeft(chip.right() + 7);
  }
  painter->setPen(colors.text);
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                    option.fontMetrics.elidedText(shownForm(commit.subject, OtherBlanks::kKept),
                                                  Qt::ElideRight, rest.width()));
  painter->restore();
}

}  // namespace waferpair::gui
