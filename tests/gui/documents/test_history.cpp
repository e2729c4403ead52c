// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier states of files: what is kept with each save, what is not, and how a state comes back.
#include <QDir>
#include <QFileInfo>
#include <QTest>

#include "gui/documents/comparison.h"
#include "gui/store/clock.h"
#include "gui/store/file_history.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

QDateTime at(int minute) { return QDateTime({2026, 3, 4}, {12, minute, 0}); }

QByteArrayList texts(FileHistory* history, const QString& path) {
  QByteArrayList all;
  for (const FileHistory::State& state : history->states(path)) {
    const auto text = history->read(state);
    all += text ? text->toByteArray() : QByteArray("damaged");
  }
  return all;
}

HistoryLimits limits() {
  HistoryLimits limits;
  limits.states = 3;
  limits.textBytes = 100;
  limits.fileBytes = 5000;
  limits.seconds = 1'000'000'000;  // the states here are of one day
  return limits;
}

void saveWith(WindowFixture& f, const QByteArray& text) {
  f.editor()->selectAll();
  f.type(QString::fromUtf8(text));
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
}

}  // namespace

class TestHistory : public QObject {
  Q_OBJECT
 private slots:
  void cleanup() { stopClock({}); }

  void statesAreKeptLatestFirst() {
    const QTemporaryDir folder;
    FileHistory history(folder.path() + "/history", limits());
    history.keep("/a/b.txt", at(1), editor::Snapshot("one"));
    history.keep("/a/b.txt", at(2), editor::Snapshot("two"));
    history.keep("/a/b.txt", at(3), editor::Snapshot("two"));  // the same again
    history.keep("/a/c.txt", at(3), editor::Snapshot("another"));
    QCOMPARE(texts(&history, "/a/b.txt"), QByteArrayList({"two", "one"}));
    QCOMPARE(history.states("/a/b.txt").first().time, at(2));
    QCOMPARE(texts(&history, "/a/c.txt"), QByteArrayList({"another"}));
    QVERIFY(history.states("/a/d.txt").isEmpty());
  }

  void onlySoManyAreKept() {
    const QTemporaryDir folder;
    FileHistory history(folder.path() + "/history", limits());
    for (int i = 1; i <= 5; ++i) history.keep("/a", at(i), editor::Snapshot(QByteArray::number(i)));
    QCOMPARE(texts(&history, "/a"), QByteArrayList({"5", "4", "3"}));
    history.keep("/a", at(6), editor::Snapshot(QByteArray(101, 'x')));
    QCOMPARE(history.states("/a").size(), 3);
  }

  void whatIsOldGoes() {
    const QTemporaryDir folder;
    HistoryLimits few = limits();
    few.seconds = 3600;
    FileHistory history(folder.path() + "/history", few);
    const QDateTime now = QDateTime::currentDateTime();
    history.keep("/a", now.addSecs(-7200), editor::Snapshot("old"));
    history.keep("/a", now, editor::Snapshot("new"));
    QCOMPARE(texts(&history, "/a"), QByteArrayList({"new"}));
  }

  void statesOfOneMomentAreOne() {
    const QTemporaryDir folder;
    FileHistory history(folder.path() + "/history", limits());
    history.keep("/a", at(1), editor::Snapshot("before"));
    history.keep("/a", at(2), editor::Snapshot("1"));
    history.keep("/a", at(2).addSecs(3), editor::Snapshot("2"));
    QCOMPARE(texts(&history, "/a"), QByteArrayList({"2", "before"}));
  }

  void onlyTheOwnerMayRead() {
    const QTemporaryDir folder;
    FileHistory history(folder.path() + "/history", limits());
    history.keep("/a", at(1), editor::Snapshot("text"));
    const QString file = history.states("/a").first().file;
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::ExeOther |
                        QFile::ExeGroup | QFile::WriteOther;
    QVERIFY(!(QFileInfo(file).permissions() & others));
    QVERIFY(!(QFileInfo(QFileInfo(file).path()).permissions() & others));
    QVERIFY(!(QFileInfo(folder.path() + "/history").permissions() & others));
  }

  void aDamagedStateIsTold() {
    const QTemporaryDir folder;
    FileHistory history(folder.path() + "/history", limits());
    history.keep("/a", at(1), editor::Snapshot("text"));
    const FileHistory::State state = history.states("/a").first();
    QFile file(state.file);
    QVERIFY(file.open(QIODevice::Append));
    file.write("more");
    file.close();
    QVERIFY(!history.read(state));
    history.forget("/a");
    QVERIFY(history.states("/a").isEmpty());
  }

  void aSavedTextComesBack() {
    WindowFixture f;
    f.openProjectWith("a.txt", "first\n");
    stopClock(QDateTime::currentDateTime().addSecs(100));
    saveWith(f, "second");
    stopClock(QDateTime::currentDateTime().addSecs(200));
    saveWith(f, "third");
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_H);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(Comparison::of(f.document()));
    QCOMPARE(Comparison::of(f.document())->left()->text(), QByteArray("second"));
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_T, Qt::ShiftModifier);
    QCOMPARE(f.editor()->text(), QByteArray("second"));
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(f.editor()->text(), QByteArray("third"));
    // How it was before the first save is kept, too.
    FileHistory history(f.state() + "/history");
    QCOMPARE(texts(&history, f.path("a.txt")), QByteArrayList({"third", "second", "first\n"}));
  }

  void secretsAreNotKept() {
    WindowFixture f;
    f.write(".waferpairignore", "private.txt\n");
    f.openProjectWith(".env", "NAME=1\n");
    saveWith(f, "NAME=2");
    f.write("private.txt", "mine\n");
    f.openFile("private.txt");
    saveWith(f, "still mine");
    f.write("plain.txt", "a\n");
    f.openFile("plain.txt");
    saveWith(f, "b");
    FileHistory history(f.state() + "/history");
    // It was asked for last.
    QTRY_COMPARE(history.states(f.path("plain.txt")).size(), 2);
    QVERIFY(history.states(f.path(".env")).isEmpty());
    QVERIFY(history.states(f.path("private.txt")).isEmpty());
    QCOMPARE(QDir(f.state() + "/history").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
  }

  void whoDoesNotWantItHasNone() {
    WindowFixture f;
    f.openProjectWith("a.txt", "a\n");
    WindowFixture::trigger(f.window(), "file.keepHistory");
    QVERIFY(!f.parts().settings->get().localHistory);
    saveWith(f, "b");
    QVERIFY(!QFileInfo::exists(f.state() + "/history"));
  }
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestHistory)
#include "test_history.moc"
