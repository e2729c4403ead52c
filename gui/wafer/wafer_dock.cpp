// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/wafer_dock.h"

#include <QEvent>
#include <QVBoxLayout>

#include "gui/client/runtime_service.h"
#include "gui/wafer/replay_bar.h"
#include "gui/wafer/trace_replay.h"
#include "wafer_view/strip_chart.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

namespace waferpair::gui {
namespace {

constexpr int kTelemetryHz = 60;  // as fast as a screen shows it

}  // namespace

WaferDock::WaferDock(RuntimeService* runtime, QWidget* parent)
    : QDockWidget(tr("Wafer"), parent),
      runtime_(runtime),
      panel_(new view::WaferPanel),
      bar_(new ReplayBar) {
  setObjectName(QStringLiteral("waferDock"));  // restoreState() and the tour find it by this
  auto* content = new QWidget(this);
  auto* box = new QVBoxLayout(content);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  box->addWidget(panel_, 1);
  box->addWidget(bar_);
  bar_->hide();
  setWidget(content);
  connect(bar_, &ReplayBar::closed, this, &WaferDock::closeTrace);
  connect(panel_, &view::WaferPanel::wantsFramesChanged, this, [this](bool wanted) {
    panelWants_ = wanted;
    updateSubscription();
  });
  // A dock may be pulled out of the window, or put into another.
  connect(this, &QDockWidget::topLevelChanged, this, &WaferDock::watchWindow);
  connect(runtime_, &RuntimeService::telemetryLayout, this,
          [this](const protocol::WaferLayout& layout) {
            if (replay_) return;
            panel_->setLayout(layout);
            showRates();
          });
  connect(runtime_, &RuntimeService::telemetryFrame, this,
          [this](const protocol::TelemetryFrame& frame) {
            if (!replay_) panel_->addFrame(frame);
          });
  connect(runtime_, &RuntimeService::figuresChanged, this, &WaferDock::showRates);
  connect(panel_, &view::WaferPanel::endShadowWanted, runtime_,
          [this] { runtime_->shadow()->choose({}); });
  connect(runtime_, &RuntimeService::stateChanged, this, &WaferDock::showConnectionState);
  // A small model is a speck on the wafer: it is shown first, the inset says where it is.
  connect(panel_->view(), &view::WaferView::layoutChanged, this,
          [this] { panel_->view()->fitModel(); });
  showConnectionState();
}

WaferDock::~WaferDock() = default;

bool WaferDock::openTrace(const QString& path, editor::Error* problem) {
  std::unique_ptr<TraceReplay> replay = TraceReplay::open(path, problem);
  if (!replay) return false;
  *problem = replay->damage();
  bar_->setReplay(nullptr);
  replay_ = std::move(replay);
  updateSubscription();
  panel_->clearLayout();  // the figures of another run go with it
  panel_->setLayout(replay_->layout());
  connect(replay_.get(), &TraceReplay::frame, panel_,
          [this](const protocol::TelemetryFrame& frame) {
            panel_->addFrame(frame);
            if (frame.intervalDecoded > 0)
              panel_->setRates({frame.hostTokensPerSecond, frame.waferTokensPerSecond});
          });
  connect(replay_.get(), &TraceReplay::wentBack, panel_->chart(), &view::StripChart::clear);
  connect(replay_.get(), &TraceReplay::failed, this, &WaferDock::replayFailed);
  bar_->setReplay(replay_.get());
  bar_->show();
  panel_->setShadowEndable(false);
  replay_->setPlaying(true);
  Q_EMIT replayChanged();
  return true;
}

void WaferDock::closeTrace() {
  if (!replay_) return;
  bar_->setReplay(nullptr);
  bar_->hide();
  panel_->setShadowEndable(true);
  // It may be up the call stack.
  replay_->disconnect(this);
  replay_->disconnect(panel_);
  replay_->setPlaying(false);
  replay_.release()->deleteLater();
  panel_->clearLayout();
  updateSubscription();  // the live layout comes with it
  Q_EMIT replayChanged();
}

void WaferDock::showRates() {
  if (replay_) return;
  const RuntimeFigures& figures = runtime_->figures();
  panel_->setRates(
      {figures.hostTokensPerSecond.value_or(0), figures.waferTokensPerSecond.value_or(0)});
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
  const bool wanted = panelWants_ && !replay_ && !window()->isMinimized();
  if (wanted == subscribed_) return;
  subscribed_ = wanted;
  runtime_->setTelemetryRate(wanted ? kTelemetryHz : 0);
}

}  // namespace waferpair::gui
