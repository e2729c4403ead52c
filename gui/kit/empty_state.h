// SPDX-License-Identifier: GPL-3.0-or-later
// An EmptyState is what a list or tree says while it has no rows: a sentence, and where something
// can be done about it a button for that command. UI thread only.
#pragma once

#include <QWidget>

class QAbstractItemView;
class QPushButton;

namespace waferpair::gui {

class EmptyState : public QWidget {
  Q_OBJECT
 public:
  // `view` has its model by now. `command` names a command of the window ("debug.start"); empty:
  // there is none.
  EmptyState(QAbstractItemView* view, const QString& text, const QString& command = {});

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void look();

  QAbstractItemView* view_;
  QString command_;
  QPushButton* button_;
};

}  // namespace waferpair::gui
