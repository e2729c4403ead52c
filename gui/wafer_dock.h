// SPDX-License-Identifier: GPL-3.0-or-later
// The dock with the wafer view. It asks the server for telemetry only while it can be seen, so a
// hidden or minimized view costs nothing on either side.
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
  ~WaferDock() override;

  view::WaferPanel* panel() const { return panel_; }

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void updateSubscription();

  RuntimeService* runtime_;
  view::WaferPanel* panel_;          // owned by Qt as the dock's widget
  QPointer<QWidget> watchedWindow_;  // the top-level window whose minimizing is watched
};

}  // namespace waferpair::gui
