// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "gui/store/crash_reports.h"

namespace waferpair::gui {

class TestCrashReports : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> state_;

  void put(const QString& name, const QByteArray& text = "x") const {
    QDir().mkpath(state_->filePath("crashes"));
    QFile file(state_->filePath("crashes/" + name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  QStringList names() const {
    QStringList found;
    for (const CrashReport& report : CrashReports(state_->path()).all())
      found.append(QFileInfo(report.path).fileName());
    return found;
  }

 private slots:
  void init() { state_ = std::make_unique<QTemporaryDir>(); }

  void aReportIsNewOnce() {
    const CrashReports reports(state_->path());
    QVERIFY(reports.takeNew().isEmpty());  // where there is no folder yet
    put("waferpair-100-7.new", "Signal\n");
    put("waferd-200-8.txt");
    const QList<CrashReport> fresh = reports.takeNew();
    QCOMPARE(fresh.size(), 1);
    QCOMPARE(fresh[0].program, QStringLiteral("waferpair"));
    QCOMPARE(fresh[0].when.toSecsSinceEpoch(), 100);
    QCOMPARE(CrashReports::text(fresh[0]), QStringLiteral("Signal\n"));
    QVERIFY(reports.takeNew().isEmpty());
    QCOMPARE(names(), QStringList({"waferd-200-8.txt", "waferpair-100-7.txt"}));
    QVERIFY(CrashReports::remove(reports.all()[1]));
    QCOMPARE(names(), QStringList({"waferd-200-8.txt"}));
  }

  void onlyReportsAreListed() {
    put("notes.txt");
    put("waferpair-1-2.txt.bak");
    put("other-1-2.new");
    put("waferd-99999999999999999999-2.new");
    QVERIFY(QFile::link("/etc/passwd", state_->filePath("crashes/waferd-1-2.new")));
    QCOMPARE(mkfifo(state_->filePath("crashes/waferd-3-4.new").toLocal8Bit(), 0600), 0);
    QVERIFY(CrashReports(state_->path()).takeNew().isEmpty());
    QCOMPARE(names(), QStringList());
  }

  void theOldestGo() {
    for (int i = 1; i <= 13; ++i) put(QStringLiteral("waferpair-%1-1.txt").arg(i));
    put("waferd-14-1.new");
    QCOMPARE(CrashReports(state_->path()).takeNew().size(), 1);
    QCOMPARE(names().size(), CrashReports::kMostKept);
    QCOMPARE(names().first(), QStringLiteral("waferd-14-1.txt"));
    QCOMPARE(names().last(), QStringLiteral("waferpair-5-1.txt"));
  }

  void aLongReportIsCut() {
    put("waferd-1-2.txt", QByteArray(1 << 20, 'a'));
    QCOMPARE(CrashReports::text(CrashReports(state_->path()).all()[0]).size(), 64 << 10);
  }
};

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestCrashReports)
#include "test_crash_reports.moc"
