// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/notices.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QTimer>
#include <algorithm>

#include "editor/text/busy.h"
#include "gui/store/clock.h"

namespace waferpair::gui {
namespace {

constexpr int kShown = 3;
constexpr int kKept = 100;
constexpr int kWidest = 420, kMargin = 12;  // pixels
constexpr int kShownMs = 6000;

}  // namespace

Notices::Notices(QWidget* parent) : BannerStack(parent) {
  layout()->setSpacing(8);
  connect(this, &BannerStack::added, this, &Notices::keep);
  connect(this, &BannerStack::changed, this, &Notices::showLatest);
}

void Notices::layOver(QWidget* middle) {
  middle_ = middle;
  const bool isShown = !isHidden();
  setParent(middle);
  setVisible(isShown);
  middle->installEventFilter(this);
  raise();
  place();
}

void Notices::removeAll() {
  const QList<Banner*> all = banners();
  for (const Banner* banner : all) remove(banner->objectName());
}

void Notices::keep(Banner* banner) {
  const Notice notice{currentTime(), banner->kind(), banner->text()};
  if (!history_.isEmpty() && history_.first().text == notice.text) history_.removeFirst();
  history_.prepend(notice);
  if (history_.size() > kKept) history_.removeLast();

  // A banner that asks for something, or tells of a problem, stays until it is answered or
  // dismissed. Where time stands still nothing goes by itself.
  if (banner->kind() == Banner::Kind::kInfo && !isClockStopped()) {
    auto* timer = new QTimer(banner);
    timer->setObjectName(QLatin1String(editor::kUnawaited));
    connect(timer, &QTimer::timeout, banner, [banner, timer] {
      if (banner->hasButtons()) return timer->stop();
      const QWidget* focus = QApplication::focusWidget();
      const bool isRead = banner->underMouse() || (focus && banner->isAncestorOf(focus));
      if (!isRead) Q_EMIT banner->dismissed();
    });
    timer->start(kShownMs);
  }
  showLatest();
}

void Notices::showLatest() {
  const QList<Banner*> all = banners();
  for (qsizetype i = 0; i < all.size(); ++i) all[i]->setVisible(all.size() - i <= kShown);
  raise();
  place();
}

void Notices::place() {
  if (!middle_) return;
  const QSize room = middle_->size() - QSize(2 * kMargin, 2 * kMargin);
  const int wide = std::min(kWidest, room.width());
  const int wanted = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(wide)
                                                   : layout()->totalSizeHint().height();
  const int high = std::clamp(wanted, 0, std::max(0, room.height()));
  setGeometry(middle_->width() - kMargin - wide, middle_->height() - kMargin - high, wide, high);
}

bool Notices::event(QEvent* event) {
  const bool isDone = BannerStack::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) place();
  return isDone;
}

bool Notices::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return BannerStack::eventFilter(watched, event);
}

}  // namespace waferpair::gui
