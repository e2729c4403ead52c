// SPDX-License-Identifier: GPL-3.0-or-later
// The program on a disk that is really full: nothing that was there is lost, and the user is told.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>

#include "gui/automation/tour_report.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/store/recovery_store.h"
#include "gui/store/session_store.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/small_disk.h"

namespace waferpair::gui {
namespace {

using test::SmallDisk;

QString onDisk(const QString& name) {
  return QString::fromStdString(SmallDisk::instance()->path()) + u'/' + name;
}

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no such file)");
}

void write(const QString& path, const QByteArray& bytes) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

void makeRoom() { QVERIFY(QFile::remove(onDisk(QStringLiteral("ballast")))); }

// All files below a folder, with what is in them.
QMap<QString, QByteArray> filesBelow(const QString& folder, const QStringList& names = {"*"}) {
  QMap<QString, QByteArray> found;
  const QFileInfoList all = QDir(folder).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot |
                                                       QDir::Hidden | QDir::System);
  for (const QFileInfo& info : all) {
    if (info.isDir())
      found.insert(filesBelow(info.filePath(), names));
    else if (QDir::match(names, info.fileName()))
      found.insert(info.filePath(), read(info.filePath()));
  }
  return found;
}

// The texts of the recovery copies below a folder.
QList<QByteArray> copiesBelow(const QString& folder) {
  QList<QByteArray> texts;
  const auto files = filesBelow(folder, {"*.copy"});
  for (const QByteArray& bytes : files) {
    RecoveryEntry entry;
    texts.append(decodeRecovery(bytes, &entry) ? entry.text.toByteArray()
                                               : QByteArray("(damaged)"));
  }
  return texts;
}

RecoveryEntry entryOf(const QByteArray& text) {
  return {{},
          QStringLiteral("Untitled 1"),
          {},
          0,
          {},
          QDateTime::currentDateTime(),
          editor::Snapshot(text)};
}

}  // namespace

class TestFullDisk : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    const SmallDisk& disk = *SmallDisk::instance();
    if (!disk.problem().empty()) QSKIP(disk.problem().c_str());
    disk.empty();
  }

  void ctrlSKeepsFileTextAndCopy_data() {
    QTest::addColumn<int>("size");
    for (const int size : {1, 16'383, 16'384, 16'385, 1 << 20})
      QTest::addRow("%d bytes", size) << size;
  }
  void ctrlSKeepsFileTextAndCopy() {
    QFETCH(int, size);
    const QString path = onDisk("a.txt");
    write(path, "the original\n");
    WindowFixture f;
    f.openProject();
    QVERIFY(f.parts().tabs->openFile(path));
    f.document()->setFocus();
    f.editor()->selectAll();
    f.key(Qt::Key_Delete);
    f.editor()->replaceRange(0, 0, QByteArray(size - 1, 'm'));
    f.type("n");
    const QByteArray text = f.editor()->text();
    QCOMPARE(text.size(), size);
    QTRY_COMPARE(copiesBelow(f.state()), QList<QByteArray>{text});
    QVERIFY(SmallDisk::instance()->fill());

    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(path), QByteArray("the original\n"));
    QVERIFY(f.document()->isModified());
    QVERIFY(f.window().isWindowModified());
    QCOMPARE(f.editor()->text(), text);
    const Banner* banner = f.document()->banners()->find("bannerSaveFailed");
    QVERIFY(banner && banner->isVisible());
    const QString news = banner->text();
    for (const char* part :
         {"a.txt", "was not saved", "disk is full", "as it was", "Free some space"})
      QVERIFY2(news.contains(part), qPrintable(news));
    QCOMPARE(copiesBelow(f.state()), QList<QByteArray>{text});
    const QStringList names = QDir(onDisk({})).entryList(QDir::Files | QDir::Hidden);
    QCOMPARE(names, (QStringList{"a.txt", "ballast"}));

    makeRoom();
    QVERIFY(WindowFixture::click("tryAgain"));
    QCOMPARE(read(path), text);
    QVERIFY(!f.document()->isModified());
    QVERIFY(!f.document()->banners()->find("bannerSaveFailed"));
    QTRY_VERIFY(copiesBelow(f.state()).isEmpty());
  }

  void aGoodRecoveryCopyStays_data() {
    QTest::addColumn<int>("size");
    for (const int size : {1, 12'000, 16'385, 1 << 20}) QTest::addRow("%d bytes", size) << size;
  }
  void aGoodRecoveryCopyStays() {
    QFETCH(int, size);
    RecoveryStore store(onDisk("recovery"));
    QSignalSpy problem(&store, &RecoveryStore::problem);
    const QByteArray good(size, 'g');
    store.write("1", entryOf(good));
    store.flush();
    QCOMPARE(copiesBelow(onDisk("recovery")), QList<QByteArray>{good});
    QVERIFY(SmallDisk::instance()->fill());
    store.write("1", entryOf(good + "more"));
    store.flush();
    QCOMPARE(copiesBelow(onDisk("recovery")), QList<QByteArray>{good});
    QTRY_COMPARE(problem.count(), 1);
    const QString news = problem.first().first().toString();
    QVERIFY2(news.contains("disk is full") && news.contains(onDisk("recovery")), qPrintable(news));
    makeRoom();
    store.write("1", entryOf(good + "more"));
    store.flush();
    QCOMPARE(copiesBelow(onDisk("recovery")), QList<QByteArray>{good + "more"});
  }

  void settingsKeysAndSessionsStay() {
    const SessionStore sessions(onDisk("state"));
    Settings settings(AppPaths{onDisk("config"), onDisk("state")});
    QSignalSpy problem(&settings, &Settings::problem);
    QMainWindow window;
    CommandRegistry commands(&window, onDisk("config/keys.json"));
    commands.add({.id = "a.one",
                  .category = "A",
                  .text = "One",
                  .help = "First.",
                  .keys = {Qt::CTRL | Qt::Key_1},
                  .run = [] {}});

    Preferences large;
    large.fontSize = 20;
    settings.set(large);
    QCOMPARE(commands.setKeys("a.one", {Qt::CTRL | Qt::Key_9}), QString());
    QCOMPARE(sessions.save({"/p", {{"/p/a.cpp", 3, 7, 1}}, 0}), QString());
    QCOMPARE(sessions.saveLayout({"geometry", "state"}), QString());
    QCOMPARE(problem.count(), 0);
    const auto before = filesBelow(onDisk({}));
    QCOMPARE(before.size(), 4);

    QVERIFY(SmallDisk::instance()->fill());
    large.fontSize = 21;
    settings.set(large);
    QCOMPARE(problem.count(), 1);
    QStringList news{problem.first().first().toString()};
    news << commands.setKeys("a.one", {Qt::CTRL | Qt::Key_8});
    news << sessions.save({"/p", {{"/p/b.cpp", 0, 0, 0}}, 0});
    news << sessions.saveLayout({"another", "another"});
    for (const QString& text : std::as_const(news))
      QVERIFY2(text.contains("disk is full") && text.contains("as it was"), qPrintable(text));
    QVERIFY(news[0].contains("settings.json") && news[1].contains("keys.json"));
    makeRoom();
    QCOMPARE(filesBelow(onDisk({})), before);
    QCOMPARE(Settings(AppPaths{onDisk("config"), onDisk("state")}).get().fontSize, 20.0);
  }

  void aTourReportStays() {
    TourFigures figures;
    figures.windowUpMs = 100;
    QVERIFY(QDir().mkpath(onDisk("tour")));
    QVERIFY(writeTourReport(onDisk("tour"), figures));
    const auto before = filesBelow(onDisk("tour"));
    QVERIFY(SmallDisk::instance()->fill());
    figures.windowUpMs = 200;
    QVERIFY(!writeTourReport(onDisk("tour"), figures));
    QCOMPARE(filesBelow(onDisk("tour")), before);
  }

  // A file of root's that this user may write to: the kernel takes set-user-ID from it.
  void whatASaveCouldNotKeepIsSaid() {
    if (geteuid() != 0) QSKIP("only root can make a file of somebody else's");
    const QString path = onDisk("tool.sh");
    write(path, "#!/bin/sh\n");
    QCOMPARE(chmod(QFile::encodeName(path), 04777), 0);
    WindowFixture f;
    f.openProject();
    QVERIFY(f.parts().tabs->openFile(path));
    f.document()->setFocus();
    f.type("x");
    QCOMPARE(seteuid(65534), 0);
    f.key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(seteuid(0), 0);
    QCOMPARE(read(path), QByteArray("x#!/bin/sh\n"));
    QVERIFY(!f.document()->isModified());
    const Banner* banner = f.document()->banners()->find("bannerNotKept");
    QVERIFY(banner);
    QVERIFY2(banner->text().contains("tool.sh is saved") && banner->text().contains("4777"),
             qPrintable(banner->text()));
    f.document()->setFocus();
    f.type("y");
    f.key(Qt::Key_S, Qt::ControlModifier);  // nothing more to lose
    QVERIFY(!f.document()->banners()->find("bannerNotKept"));
  }
};

}  // namespace waferpair::gui

int main(int argc, char** argv) {
  const waferpair::test::SmallDisk disk(8 << 20);
  QApplication application(argc, argv);
  waferpair::gui::TestFullDisk test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_full_disk.moc"
