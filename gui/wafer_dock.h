// SPDX-License-Identifier: GPL-3.0-or-later
// The dock with the wafer view. It asks the server for telemetry only while the view can be seen
// and is not paused, so a hidden or minimized one costs nothing on either side.
#pragma once

#include <QDockWidget>
#include <QPointer>

namespace waferpair::view {
class WaferPanel;
}

namespace waferpair::gui {

class RuntimeService;

class WaferDock : public QDockWidget {
  Q_OBJECT
 public:
  // `runtime` is not owned and outlives the dock.
  explicit WaferDock(RuntimeService* runtime, QWidget* parent = nullptr);

  view::WaferPanel* panel() const { return panel_; }
  // Whether telemetry is asked for now.
  bool isSubscribed() const { return subscribed_; }

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void watchWindow();
  void updateSubscription();
  void showConnectionState();

  RuntimeService* runtime_;
  view::WaferPanel* panel_;    // owned by Qt as the dock's widget
  QPointer<QWidget> watched_;  // the top-level window, whose minimizing is told to it alone
  bool panelWants_ = false;
  bool subscribed_ = false;
};

}  // namespace waferpair::gui
