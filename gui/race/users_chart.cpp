// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/users_chart.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <optional>

#include "gui/kit/theme.h"
#include "wafer_view/metric.h"
#include "wafer_view/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kUsersChartHeight = 240;
constexpr double kPointRadius = 3.5;

// Where values stand on the widget: powers of ten from one line to the next.
struct Frame {
  QRectF area;
  double low = 0, high = 1;  // exponents of ten

  double x(std::size_t count) const {
    const double share = static_cast<double>(count) / (kUserCounts.size() - 1);
    return area.left() + share * area.width();
  }
  double y(double value) const {
    return area.bottom() - (std::log10(value) - low) / (high - low) * area.height();
  }
};

std::optional<Frame> frameOf(const QVector<UsersLine>& lines, const QRectF& area) {
  double least = 0, most = 0;
  for (const UsersLine& line : lines) {
    for (const double value : line.tokensPerSecond) {
      if (value <= 0) continue;
      least = least > 0 ? std::min(least, value) : value;
      most = std::max(most, value);
    }
  }
  if (most <= 0) return std::nullopt;
  const double low = std::floor(std::log10(least));
  return Frame{area, low, std::max(low + 1, std::ceil(std::log10(most)))};
}

}  // namespace

UsersChart::UsersChart(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("usersChart"));
  setAccessibleName(tr("Tokens a second of all users, by their number"));
  setFixedHeight(kUsersChartHeight);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void UsersChart::setLines(const QVector<UsersLine>& lines) {
  lines_ = lines;
  tell();
  update();
}

void UsersChart::tell() {
  QStringList parts;
  for (const UsersLine& line : lines_) {
    QStringList values;
    for (std::size_t i = 0; i < kUserCounts.size(); ++i) {
      if (line.tokensPerSecond[i] <= 0) continue;
      values.append(
          tr("%1 users %2").arg(kUserCounts[i]).arg(usersRateText(line.tokensPerSecond[i])));
    }
    if (!values.isEmpty())
      parts.append(tr("lane %1: %2").arg(line.lane).arg(values.join(QStringLiteral(", "))));
  }
  setAccessibleDescription(parts.join(QStringLiteral("; ")));
  setToolTip(parts.join(u'\n'));
}

void UsersChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const WindowColors& colors = Theme::instance().colors();
  const QFontMetrics letters = fontMetrics();
  const int left = letters.horizontalAdvance(QStringLiteral("1,000,000")) + 8;
  const QRectF area = QRectF(rect()).adjusted(
      left, letters.height(), -letters.horizontalAdvance(QStringLiteral(" lane 4")) - 8,
      -2 * letters.height() - 6);
  const auto frame = frameOf(lines_, area);
  painter.setPen(palette().color(QPalette::WindowText));
  if (!frame) return painter.drawText(rect(), Qt::AlignCenter, tr("No lane with a model."));

  for (double power = frame->low; power <= frame->high; ++power) {
    const double y = frame->y(std::pow(10.0, power));
    painter.setPen(colors.border);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(0, y - letters.height() / 2.0, left - 6, letters.height()),
                     Qt::AlignRight | Qt::AlignVCenter, usersRateText(std::pow(10.0, power)));
  }
  for (std::size_t i = 0; i < kUserCounts.size(); ++i) {
    painter.drawText(QRectF(frame->x(i) - 40, area.bottom() + 3, 80, letters.height()),
                     Qt::AlignCenter, view::countText(kUserCounts[i]));
  }
  painter.drawText(
      QRectF(area.left(), area.bottom() + letters.height() + 4, area.width(), letters.height()),
      Qt::AlignCenter, tr("users at once; up: tokens a second of them all"));

  // Captions of lines that end close together are moved apart.
  double above = -1e9;
  QVector<const UsersLine*> order;
  for (const UsersLine& line : lines_) order.append(&line);
  const auto lastOf = [](const UsersLine* line) {
    const auto& all = line->tokensPerSecond;
    const auto known = std::find_if(all.rbegin(), all.rend(), [](double v) { return v > 0; });
    return known == all.rend() ? all.size() : static_cast<std::size_t>(all.rend() - known) - 1;
  };
  order.removeIf([&](const UsersLine* line) { return lastOf(line) == kUserCounts.size(); });
  std::sort(order.begin(), order.end(), [&](const UsersLine* a, const UsersLine* b) {
    return a->tokensPerSecond[lastOf(a)] > b->tokensPerSecond[lastOf(b)];
  });
  for (const UsersLine* line : order) {
    painter.setPen(QPen(view::seriesColor(palette(), line->lane), 2));
    painter.setBrush(view::seriesColor(palette(), line->lane));
    QPolygonF way;
    for (std::size_t i = 0; i < kUserCounts.size(); ++i) {
      if (line->tokensPerSecond[i] > 0)
        way.append({frame->x(i), frame->y(line->tokensPerSecond[i])});
    }
    painter.drawPolyline(way);
    for (const QPointF& point : way) painter.drawEllipse(point, kPointRadius, kPointRadius);
    const double y = std::max(way.last().y(), above + letters.height());
    above = y;
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(
        QRectF(way.last().x() + 8, y - letters.height() / 2.0, width(), letters.height()),
        Qt::AlignLeft | Qt::AlignVCenter, tr("lane %1").arg(line->lane));
  }
}

}  // namespace waferpair::gui
