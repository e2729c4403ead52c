// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/help/crash_news.h"

#include <algorithm>

#include "gui/help/crash_dialog.h"
#include "gui/kit/banner.h"

namespace waferpair::gui {

CrashNews::CrashNews(const CrashReports& reports, BannerStack* notices, QWidget* window)
    : QObject(window), reports_(reports), notices_(notices), window_(window) {}

void CrashNews::look() {
  const QList<CrashReport> fresh = reports_.takeNew();
  if (fresh.isEmpty()) return;
  const bool isServers = std::all_of(fresh.begin(), fresh.end(), [](const CrashReport& report) {
    return report.program == u"waferd";
  });
  const QString what = isServers ? tr("The model server crashed.") : tr("Waferpair crashed.");
  notices_
      ->show(QStringLiteral("crashNotice"), Banner::Kind::kWarning, what + u' ' + whereReportsAre())
      .addButton(QStringLiteral("showCrash"), tr("Show the &Report"), [this] { showReports(); });
}

QString CrashNews::whereReportsAre() {
  return tr("A report of it is on this computer; it was sent to nobody.");
}

bool CrashNews::take() { return !reports_.takeNew().isEmpty(); }

void CrashNews::showReports() {
  auto* dialog = new CrashDialog(reports_, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace waferpair::gui
