// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/idle.h"

#include <QMainWindow>
#include <QThreadPool>

#include "editor/text/busy.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kQuietFrameMs = 500;

}  // namespace

Idle::Idle(QMainWindow* window, RuntimeService* runtime, QObject* parent)
    : QObject(parent), window_(window), runtime_(runtime) {
  if (!runtime_) return;
  connect(runtime_->completions(), &editor::CompletionProvider::completionFinished, this, [this] {
    quietFrameDue_ = true;
    sinceCompletion_.start();
  });
  connect(runtime_, &RuntimeService::telemetryFrame, this,
          [this](const protocol::TelemetryFrame& frame) {
            if (frame.intervalCycles == 0) quietFrameDue_ = false;
          });
}

QStringList Idle::busyWith() const {
  QStringList busy = editor::busyBelow(*window_) + editor::markedWork();
  if (QThreadPool::globalInstance()->activeThreadCount() > 0)
    busy.append(QStringLiteral("threads of the program"));
  if (!runtime_) return busy;
  const auto add = [&busy](bool is, const char* what) {
    if (is) busy.append(QLatin1String(what));
  };
  using State = RuntimeService::State;
  const State state = runtime_->state();
  add(state == State::kStarting || state == State::kLoading || state == State::kRestarting,
      "starting the model");
  add(runtime_->isTryingModel(), "trying a model");
  add(runtime_->documents()->isBusy(), "a request to the model");
  const auto* dock = window_->findChild<WaferDock*>();
  add(quietFrameDue_ && dock && dock->isSubscribed() && sinceCompletion_.elapsed() < kQuietFrameMs,
      "telemetry");
  return busy;
}

}  // namespace waferpair::gui
