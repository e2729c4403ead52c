// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/crash_reports.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>

#include "runtime/base/crash_report.h"

namespace waferpair::gui {
namespace {

QString latinText(std::string_view text) {
  return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

CrashReports::CrashReports(const QString& stateDirectory)
    : folder_(stateDirectory + u'/' + latinText(base::kCrashFolder)) {}

QList<CrashReport> CrashReports::all() const {
  static const QRegularExpression shape(
      QStringLiteral("^(waferpair|waferd)-(\\d{1,12})-\\d{1,10}\\.(new|txt)$"));
  QList<CrashReport> reports;
  const QFileInfoList files = QDir(folder_).entryInfoList(QDir::Files | QDir::NoSymLinks);
  for (const QFileInfo& file : files) {
    const auto match = shape.match(file.fileName());
    if (!match.hasMatch()) continue;
    reports.append({file.filePath(), match.captured(1),
                    QDateTime::fromSecsSinceEpoch(match.captured(2).toLongLong(), Qt::UTC)});
  }
  std::stable_sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) {
    return std::pair(a.when, a.path) > std::pair(b.when, b.path);
  });
  return reports;
}

QList<CrashReport> CrashReports::takeNew() const {
  QList<CrashReport> fresh;
  const QList<CrashReport> reports = all();
  for (qsizetype i = 0; i < reports.size(); ++i) {
    if (i >= kMostKept) {
      remove(reports[i]);
      continue;
    }
    const QString suffix = latinText(base::kNewReportSuffix);
    if (!reports[i].path.endsWith(suffix)) continue;
    CrashReport told = reports[i];
    told.path.chop(suffix.size());
    told.path += latinText(base::kToldReportSuffix);
    // Another window may have told of it just now.
    if (QFile::rename(reports[i].path, told.path)) fresh.append(told);
  }
  return fresh;
}

QString CrashReports::text(const CrashReport& report) {
  QFile file(report.path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QString::fromUtf8(file.read(base::kLongestCrashReport));
}

bool CrashReports::remove(const CrashReport& report) { return QFile::remove(report.path); }

}  // namespace waferpair::gui
