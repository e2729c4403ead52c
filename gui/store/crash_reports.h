// SPDX-License-Identifier: GPL-3.0-or-later
// The crash reports that the program and the model server have left (runtime/base/crash_report.h).
// They stay on this computer. Small files in one folder; UI thread only.
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

namespace waferpair::gui {

struct CrashReport {
  QString path;
  QString program;  // "waferpair", "waferd"
  QDateTime when;   // in UTC
  bool operator==(const CrashReport&) const = default;
};

class CrashReports {
 public:
  static constexpr qsizetype kMostKept = 10;

  // Below the program's folder for state.
  explicit CrashReports(const QString& stateDirectory);

  const QString& folder() const { return folder_; }
  // The latest first.
  QList<CrashReport> all() const;
  // Those that the user was not told of yet; from now on the user was. Removes the oldest of all
  // where there are too many.
  QList<CrashReport> takeNew() const;
  // Empty where it cannot be read.
  static QString text(const CrashReport& report);
  static bool remove(const CrashReport& report);

 private:
  QString folder_;
};

}  // namespace waferpair::gui
