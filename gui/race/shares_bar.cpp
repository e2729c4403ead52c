// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/shares_bar.h"

#include <QPainter>

#include "gui/race/race.h"
#include "wafer_view/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kSharesHeight = 12, kShareGap = 4, kSwatch = 9;
constexpr double kLeastShown = 0.0005;  // of the whole

}  // namespace

SharesBar::SharesBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("sharesBar"));
  setAccessibleName(tr("Where the time of one token goes"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void SharesBar::setShares(const QVector<ExperimentShare>& shares) {
  shares_ = shares;
  setAccessibleDescription(text());
  setToolTip(text());
  updateGeometry();
  update();
}

double SharesBar::total() const {
  double all = 0;
  for (const ExperimentShare& share : shares_) all += share.seconds;
  return all;
}

QString SharesBar::text() const {
  QStringList parts;
  const double all = total();
  for (const ExperimentShare& share : shares_)
    if (share.seconds > kLeastShown * all)
      parts.append(tr("%1 %2 %").arg(share.name).arg(100 * share.seconds / all, 0, 'f', 1));
  if (parts.isEmpty()) return {};
  return tr("One token takes %1: %2").arg(secondsText(all), parts.join(QStringLiteral(", ")));
}

QVector<SharesBar::Caption> SharesBar::captions(int width) const {
  QVector<Caption> made;
  const double all = total();
  const QFontMetrics letters = fontMetrics();
  int x = 0, y = kSharesHeight + kShareGap;
  for (int i = 0; i < shares_.size(); ++i) {
    if (shares_[i].seconds <= kLeastShown * all) continue;
    const QString text =
        tr("%1 %2 %").arg(shares_[i].name).arg(100 * shares_[i].seconds / all, 0, 'f', 1);
    const int wide = kSwatch + 5 + letters.horizontalAdvance(text) + 14;
    if (x > 0 && x + wide > width) {
      x = 0;
      y += letters.height() + 2;
    }
    made.append({QRect(x, y, wide, letters.height()), text, i});
    x += wide;
  }
  return made;
}

int SharesBar::heightForWidth(int width) const {
  const auto shown = captions(width);
  return shown.isEmpty() ? 0 : shown.last().place.bottom() + 2;
}

QSize SharesBar::sizeHint() const { return {300, heightForWidth(300)}; }

void SharesBar::paintEvent(QPaintEvent*) {
  const double all = total();
  if (all <= 0) return;
  QPainter painter(this);
  double x = 0;
  for (int i = 0; i < shares_.size(); ++i) {
    const double wide = width() * shares_[i].seconds / all;
    painter.fillRect(QRectF(x, 0, wide, kSharesHeight), view::seriesColor(palette(), i));
    x += wide;
  }
  painter.setPen(palette().color(QPalette::WindowText));
  for (const Caption& caption : captions(width())) {
    const QRect swatch(caption.place.x(), caption.place.center().y() - kSwatch / 2, kSwatch,
                       kSwatch);
    painter.fillRect(swatch, view::seriesColor(palette(), caption.share));
    painter.drawText(caption.place.adjusted(kSwatch + 5, 0, 0, 0), Qt::AlignVCenter, caption.text);
  }
}

}  // namespace waferpair::gui
