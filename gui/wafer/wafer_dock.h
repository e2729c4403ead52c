// SPDX-License-Identifier: GPL-3.0-or-later
// The dock with the wafer view. It asks the server for telemetry only while the view can be seen
// and is not paused, so a hidden or minimized one costs nothing on either side.
#pragma once

#include <QDockWidget>
#include <QPointer>
#include <memory>

#include "editor/text/result.h"

namespace waferpair::view {
class WaferPanel;
}

namespace waferpair::gui {

class ReplayBar;
class RuntimeService;
class TraceReplay;

class WaferDock : public QDockWidget {
  Q_OBJECT
 public:
  // `runtime` is not owned and outlives the dock.
  explicit WaferDock(RuntimeService* runtime, QWidget* parent = nullptr);
  ~WaferDock() override;

  view::WaferPanel* panel() const { return panel_; }
  // Returns whether telemetry is asked for now.
  bool isSubscribed() const { return subscribed_; }

  // Shows a recorded trace instead of the live wafer, and plays it. False if it can't be opened:
  // `problem` says why, and what is shown stays. A trace that is damaged is shown as far as it is
  // whole; `problem` says so.
  bool openTrace(const QString& path, editor::Error* problem);
  void closeTrace();
  // Null while the live wafer is shown.
  TraceReplay* replay() const { return replay_.get(); }

 Q_SIGNALS:
  void replayChanged();
  void replayFailed(const waferpair::editor::Error& problem);

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void watchWindow();
  void updateSubscription();
  void showConnectionState();
  void showRates();

  RuntimeService* runtime_;
  view::WaferPanel* panel_;  // owned by Qt as the dock's widget
  ReplayBar* bar_;           // shown with a replay
  std::unique_ptr<TraceReplay> replay_;
  QPointer<QWidget> watched_;  // the top-level window, whose minimizing is told to it alone
  bool panelWants_ = false;
  bool subscribed_ = false;
};

}  // namespace waferpair::gui
