// SPDX-License-Identifier: GPL-3.0-or-later
// The crash reports on this computer, to be read, copied and deleted. Nothing is sent. UI thread
// only.
#pragma once

#include <QDialog>

#include "gui/store/crash_reports.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace waferpair::gui {

class CrashDialog : public QDialog {
  Q_OBJECT
 public:
  CrashDialog(const CrashReports& reports, QWidget* parent);

 private:
  void fill();
  void showReport();
  void removeShown();

  CrashReports store_;
  QList<CrashReport> reports_;
  QLabel* about_;
  QComboBox* choice_;
  QPlainTextEdit* text_;
  QPushButton* copy_;
  QPushButton* remove_;
};

}  // namespace waferpair::gui
