// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a program that is debugged, and below each the calls that it is in. The frame that
// is looked at is the current row. UI thread only.
#pragma once

#include <QTimer>
#include <QTreeView>

class QStandardItemModel;

namespace waferpair::gui {

class DebugRunner;

class StackView : public QTreeView {
  Q_OBJECT
 public:
  StackView(DebugRunner* runner, QWidget* parent);

 Q_SIGNALS:
  // The text of the current frame is to have the keyboard.
  void entered();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void rebuild();
  void choose(const QModelIndex& index, bool enters);

  DebugRunner* runner_;
  QStandardItemModel* model_;
  QTimer soon_{this};
  bool isBuilding_ = false;
};

}  // namespace waferpair::gui
