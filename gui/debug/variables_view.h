// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of values: those that have changed since the last stop stand out, Return or F2 sets one,
// Ctrl+C copies it. UI thread only.
#pragma once

#include <QTreeView>

namespace waferpair::workbench {
class VariablesModel;
}

namespace waferpair::gui {

class VariablesView : public QTreeView {
  Q_OBJECT
 public:
  VariablesView(workbench::VariablesModel* model, QWidget* parent);

 Q_SIGNALS:
  // The expression of a row is to be watched.
  void watchWanted(const QString& expression);
  // The row of a watched expression is to go.
  void removeWanted(int row);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void copyValue();
  QModelIndex valueIndex() const;
};

}  // namespace waferpair::gui
