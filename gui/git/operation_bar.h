// SPDX-License-Identifier: GPL-3.0-or-later
// While a merge, a rebase or the like is under way: what it is, and ways on: continue, skip the
// commit at hand, or abort all of it. UI thread only.
#pragma once

#include <QFrame>

#include "gui/git/file_actions.h"

class QLabel;
class QPushButton;

namespace waferpair::gui {

class ElidedLabel;

class OperationBar : public QFrame {
  Q_OBJECT
 public:
  // Both outlive this.
  OperationBar(FileActions* actions, workbench::GitWatch* watch, QWidget* parent);

  // What the buttons do; where nothing is under way, or git has no such way, that is said.
  void goOn();
  void skip();
  // The files as they are then are kept among what was discarded.
  void abort();

 private:
  void refresh();
  void run(const QString& way);

  FileActions* actions_;
  workbench::GitWatch* watch_;
  ElidedLabel* text_;
  QPushButton* continue_;
  QPushButton* skip_;
  QPushButton* abort_;
};

}  // namespace waferpair::gui
