// SPDX-License-Identifier: GPL-3.0-or-later
// All breakpoints of the project and the exceptions to stop at, to be turned on and off, gone to,
// edited and taken away. UI thread only.
#pragma once

#include <QTimer>
#include <QTreeView>

#include "workbench/debug/breakpoints.h"

class QStandardItem;
class QStandardItemModel;

namespace waferpair::gui {

class DebugRunner;

class BreakpointList : public QTreeView {
  Q_OBJECT
 public:
  // `runner` outlives this.
  BreakpointList(DebugRunner* runner, QWidget* parent);

 Q_SIGNALS:
  void goToWanted(const waferpair::workbench::Breakpoint& breakpoint);
  void editWanted(const waferpair::workbench::Breakpoint& breakpoint);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void rebuild();
  void take(QStandardItem* item);
  const workbench::Breakpoint* at(const QModelIndex& index) const;

  DebugRunner* runner_;
  QStandardItemModel* model_;
  QTimer soon_{this};
  bool isBuilding_ = false;
};

// "line 12 if x > 3, logs “x is {x}”": what a breakpoint is beside its file.
QString wordsOf(const workbench::Breakpoint& breakpoint);

}  // namespace waferpair::gui
