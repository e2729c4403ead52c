// SPDX-License-Identifier: GPL-3.0-or-later
// The files the program keeps for itself: sessions, recent folders, the layout. Whatever is in
// them, the program starts.
#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include "gui/store/session_store.h"

namespace waferpair::gui {
namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

}  // namespace

class TestStores : public QObject {
  Q_OBJECT
 private slots:
  void sessionComesBackAsItWas();
  void foldersKeepSessionsApart();
  void damagedSessionIsReportedAndEmpty();
  void noDamageToASessionCrashes();
  void recentFoldersAreFewAndStayWhenGone();
  void missingFilesAreNoProblem();
};

void TestStores::sessionComesBackAsItWas() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  Session session{QStringLiteral("/p"),
                  {{QStringLiteral("/p/a.cpp"), 3, 7, 1}, {QStringLiteral("/p/ü b.txt"), 0, 0, 0}},
                  1};
  QCOMPARE(store.save(session), QString());
  QString problem;
  const Session back = store.load(QStringLiteral("/p"), &problem);
  QCOMPARE(problem, QString());
  QCOMPARE(back.files.size(), 2);
  QCOMPARE(back.files[0].line, 3);
  QCOMPARE(back.files[0].column, 7);
  QCOMPARE(back.files[0].firstLine, 1);
  QCOMPARE(back.files[1].path, session.files[1].path);
  QCOMPARE(back.active, 1);
  const WindowLayout layout{QByteArray("\0\1geometry", 10), QByteArray("state\xff")};
  QCOMPARE(store.saveLayout(layout), QString());
  const WindowLayout layoutBack = store.loadLayout(&problem);
  QCOMPARE(layoutBack.geometry, layout.geometry);
  QCOMPARE(layoutBack.state, layout.state);
}

void TestStores::foldersKeepSessionsApart() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  QString problem;
  store.save({QStringLiteral("/a"), {{QStringLiteral("/a/x"), 0, 0, 0}}, 0});
  store.save({QStringLiteral("/b"), {}, -1});
  QCOMPARE(store.load(QStringLiteral("/a"), &problem).files.size(), 1);
  QCOMPARE(store.load(QStringLiteral("/b"), &problem).files.size(), 0);
  QCOMPARE(store.load(QStringLiteral("/c"), &problem).files.size(), 0);
  QCOMPARE(problem, QString());
}

void TestStores::damagedSessionIsReportedAndEmpty() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  store.save({QStringLiteral("/p"), {{QStringLiteral("/p/x"), 1, 1, 1}}, 0});
  const QDir sessions(state.filePath(QStringLiteral("sessions")));
  const QString file = sessions.filePath(sessions.entryList(QDir::Files).first());
  const QByteArray whole = contentOf(file);
  overwrite(file, whole.left(whole.size() / 2));
  QString problem;
  QVERIFY(store.load(QStringLiteral("/p"), &problem).files.isEmpty());
  QVERIFY2(problem.contains(file), qPrintable(problem));
}

void TestStores::noDamageToASessionCrashes() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  store.save({QStringLiteral("/p"),
              {{QStringLiteral("/p/x"), 1, 1, 1}, {QStringLiteral("/p/y"), 2, 2, 2}},
              1});
  const QDir sessions(state.filePath(QStringLiteral("sessions")));
  const QString file = sessions.filePath(sessions.entryList(QDir::Files).first());
  const QByteArray whole = contentOf(file);
  QRandomGenerator random(3);
  for (int round = 0; round < 2000; ++round) {
    QByteArray bytes = whole;
    for (int n = random.bounded(1, 5); n > 0; --n) {
      const int at = random.bounded(static_cast<int>(bytes.size()));
      if (random.bounded(2) == 0) {
        bytes[at] = static_cast<char>(random.bounded(256));
      } else {
        bytes.remove(at, random.bounded(1, 12));
      }
      if (bytes.isEmpty()) break;
    }
    overwrite(file, bytes);
    QString problem;
    const Session session = store.load(QStringLiteral("/p"), &problem);
    QVERIFY(session.active < session.files.size());
    for (const SessionFile& one : session.files) {
      QVERIFY(!one.path.isEmpty() && one.line >= 0 && one.column >= 0 && one.firstLine >= 0);
    }
  }
}

void TestStores::recentFoldersAreFewAndStayWhenGone() {
  QTemporaryDir state;
  QTemporaryDir folders;
  const SessionStore store(state.path());
  for (int i = 0; i < 20; ++i) {
    const QString folder = folders.filePath(QString::number(i));
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(store.remember(folder), QString());
  }
  store.setLastFolder(folders.filePath(QStringLiteral("19")));
  QStringList recent = store.recentFolders();
  QCOMPARE(recent.size(), 12);
  QCOMPARE(recent.first(), folders.filePath(QStringLiteral("19")));
  // A folder that is gone may be on a disk that comes back; a user who asks for it can take it off.
  QVERIFY(QDir(recent.first()).removeRecursively());
  QCOMPARE(store.recentFolders(), recent);
  QCOMPARE(store.forget(recent.first()), QString());
  QCOMPARE(store.recentFolders(), recent.mid(1));
  QCOMPARE(store.forgetRecent(), QString());
  QVERIFY(store.recentFolders().isEmpty());
  QCOMPARE(store.lastFolder(), folders.filePath(QStringLiteral("19")));
}

void TestStores::missingFilesAreNoProblem() {
  const SessionStore store(QStringLiteral("/no/such/folder"));
  QString problem;
  QVERIFY(store.load(QStringLiteral("/p"), &problem).files.isEmpty());
  QCOMPARE(problem, QString());
  QVERIFY(store.loadLayout(&problem).geometry.isEmpty());
  QCOMPARE(problem, QString());
  QVERIFY(store.recentFolders(&problem).isEmpty());
  QCOMPARE(problem, QString());
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestStores)
#include "test_stores.moc"
