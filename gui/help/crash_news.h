// SPDX-License-Identifier: GPL-3.0-or-later
// Tells of crash reports once: after the start, and when the model server died. UI thread only.
#pragma once

#include <QObject>

#include "gui/store/crash_reports.h"

class QWidget;

namespace waferpair::gui {

class BannerStack;

class CrashNews : public QObject {
  Q_OBJECT
 public:
  // Both outlive this; dialogs belong to `window`.
  CrashNews(const CrashReports& reports, BannerStack* notices, QWidget* window);

  // Tells of those that nobody was told of.
  void look();
  // For who tells of them himself: whether there are any. They count as told from then on.
  bool take();
  void showReports();
  // A sentence for notices of a crash that has left a report.
  static QString whereReportsAre();

 private:
  CrashReports reports_;
  BannerStack* notices_;
  QWidget* window_;
};

}  // namespace waferpair::gui
