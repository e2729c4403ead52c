// SPDX-License-Identifier: GPL-3.0-or-later
// The panels that share a place in the window, as tabs in the head of each: the one that is shown
// is in front, and choosing another shows that in its place. UI thread only.
#pragma once

#include <QList>
#include <QTabBar>

class QDockWidget;

namespace waferpair::gui {

class PanelTabs : public QTabBar {
  Q_OBJECT
 public:
  // For the head of `own`, which is one of the panels; all outlive this. Those that the user has
  // moved elsewhere have no tab here.
  PanelTabs(const QList<QDockWidget*>& panels, QDockWidget* own);

 private:
  void choose(int index);
  void showThoseHere();

  QList<QDockWidget*> panels_;
  QDockWidget* own_;
};

}  // namespace waferpair::gui
