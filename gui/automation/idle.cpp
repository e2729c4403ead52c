// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/idle.h"

#include <QMainWindow>
#include <QTimer>

#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/image_view.h"
#include "gui/documents/markdown_preview.h"
#include "gui/documents/recovery_keeper.h"
#include "gui/kit/fuzzy_search.h"
#include "gui/pairing/edit_session.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_model.h"
#include "gui/project/project_feed.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

// Nobody waits for what a timer with a longer pause brings: looking at disks again, say.
constexpr int kLongestPauseMs = 1500;
constexpr qint64 kQuietFrameMs = 500;

// In this program each timer is a child of what it serves, and runs only while there is something
// for it to do. What recovery copies changes nothing that is shown.
void addTimers(const QObject& root, QStringList* busy) {
  for (const QTimer* timer : root.findChildren<QTimer*>())
    if (timer->isActive() && timer->interval() <= kLongestPauseMs &&
        !qobject_cast<const RecoveryKeeper*>(timer->parent()))
      busy->append(QStringLiteral("timer of ") +
                   QLatin1String(timer->parent()->metaObject()->className()));
}

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
  QStringList busy;
  addTimers(*window_, &busy);
  const auto add = [&busy](bool is, const char* what) {
    if (is) busy.append(QLatin1String(what));
  };
  for (const auto* index : window_->findChildren<FileIndex*>())
    add(index->isReading(), "reading the folder");
  for (const auto* model : window_->findChildren<FolderModel*>())
    add(model->isReading(), "reading ignore rules");
  for (const auto* view : window_->findChildren<ImageView*>())
    add(view->isLoading(), "loading a picture");
  for (const auto* tabs : window_->findChildren<EditorTabs*>())
    add(tabs->isOpening(), "opening a file");
  for (const auto* preview : window_->findChildren<MarkdownPreview*>())
    add(preview->isLoading(), "loading pictures");
  for (const auto* search : window_->findChildren<FuzzySearch*>())
    add(search->isRunning(), "searching names");
  for (const auto* feed : window_->findChildren<ProjectFeed*>())
    add(feed->isBusy(), "telling the model of files");
  for (const auto* session : window_->findChildren<EditSession*>())
    add(session->run() && !session->run()->isOver(), "an edit in place");
  if (!runtime_) return busy;
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
