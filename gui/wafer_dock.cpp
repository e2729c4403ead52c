// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer_dock.h"

#include <QEvent>

#include "gui/runtime_service.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {
namespace {

constexpr int kTelemetryHz = 60;  // as fast as a screen shows it

}  // namespace

WaferDock::WaferDock(RuntimeService* runtime, QWidget* parent)
    : QDockWidget(tr("Wafer"), parent), runtime_(runtime), panel_(new view::WaferPanel) {
  setObjectName(QStringLiteral("waferDock"));  // restoreState() and the tour find it by this
  setWidget(panel_);
  connect(panel_, &view::WaferPanel::wantsFramesChanged, this, [this](bool wanted) {
    panelWants_ = wanted;
    updateSubscription();
  });
  // A dock may be pulled out of the window, or put into another.
  connect(this, &QDockWidget::topLevelChanged, this, &WaferDock::watchWindow);
  connect(runtime_, &RuntimeService::telemetryLayout, panel_,
          qOverload<const protocol::WaferLayout&>(&view::WaferPanel::setLayout));
  connect(runtime_, &RuntimeService::telemetryFrame, panel_, &view::WaferPanel::addFrame);
  connect(runtime_, &RuntimeService::stateChanged, this, &WaferDock::showConnectionState);
  // A small model is a speck on the wafer: it is shown first, the inset says where it is.
  connect(panel_->view(), &view::WaferView::layoutChanged, this,
          [this] { panel_->view()->fitModel(); });
  showConnectionState();
}

void WaferDock::showConnectionState() {
  if (runtime_->state() == RuntimeService::State::kReady) return panel_->setConnectionState({});
  const QString problem = runtime_->problem().message();
  panel_->setConnectionState(runtime_->stateText() +
                             (problem.isEmpty() ? QString() : QLatin1Char('\n') + problem));
}

void WaferDock::showEvent(QShowEvent* event) {
  QDockWidget::showEvent(event);
  watchWindow();
}

void WaferDock::watchWindow() {
  if (watched_ != window()) {
    if (watched_) watched_->removeEventFilter(this);
    watched_ = window();
    watched_->installEventFilter(this);
  }
  updateSubscription();
}

bool WaferDock::eventFilter(QObject* watched, QEvent* event) {
  if (watched == watched_ && event->type() == QEvent::WindowStateChange) updateSubscription();
  return QDockWidget::eventFilter(watched, event);
}

void WaferDock::updateSubscription() {
  const bool wanted = panelWants_ && !window()->isMinimized();
  if (wanted == subscribed_) return;
  subscribed_ = wanted;
  runtime_->setTelemetryRate(wanted ? kTelemetryHz : 0);
}

}  // namespace waferpair::gui
