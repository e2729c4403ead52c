// SPDX-License-Identifier: GPL-3.0-or-later
// What is still there the next time: sessions after an orderly end, unsaved text after a crash. The
// crash is real: this program runs a window in a second process, types there and kills it.
#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>
#include <cstdio>

#include "gui/banner.h"
#include "gui/recovery_keeper.h"
#include "gui/window_commands.h"
#include "gui/workspace.h"
#include "window_fixture.h"

namespace waferpair::gui {
namespace {

constexpr char kTyped[] = "text that was never saved ";

QStringList copiesBelow(const QString& directory) {
  QStringList found;
  QDirIterator files(directory, {"*.copy"}, QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) found.append(files.next());
  return found;
}

}  // namespace

// The second process: opens a window, types into a file and into a new text, says when both have
// been kept, and waits to be killed.
int typeAndWait(const QString& config, const QString& state, const QString& folder,
                const QString& file) {
  MainWindow window(AppPaths{config, state}, nullptr);
  window.show();
  window.activateWindow();
  if (!QTest::qWaitForWindowActive(&window)) return 1;
  window.start({folder, file});
  QTest::keyClicks(QApplication::focusWidget(), kTyped);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_N, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), "an untitled thought");
  const bool kept =
      QTest::qWaitFor([&state] { return copiesBelow(state + "/recovery").size() == 2; }, 20'000);
  std::puts(kept ? "kept" : "not kept");
  std::fflush(stdout);
  return QApplication::exec();
}

class TestSession : public QObject {
  Q_OBJECT
 private slots:
  void filesCaretsAndTabComeBack();
  void docksComeBack();
  void eachFolderHasItsOwnSession();
  void vanishedFilesAreLeftOut();
  void aFolderThatIsGoneLeavesTheOpenOne();
  void damagedStateIsANoticeAndNoMore();
  void unsavedTextSurvivesKill9();
  void anOrderlyEndLeavesNothingToRecover();
  void recoveredTextCanBeGivenUp();
  void theTextOfADeletedFileIsKept();
  void aFileThatBecameBinaryDoesNotTakeTheRecoveredText();
};

void TestSession::filesCaretsAndTabComeBack() {
  WindowFixture f;
  QByteArray text;
  for (int i = 0; i < 200; ++i) text += "line " + QByteArray::number(i) + '\n';
  f.write("a.txt", text);
  f.write("b.txt", text);
  f.write("c.txt", text);
  f.openProject();
  f.openFile("a.txt");
  f.openFile("b.txt");
  f.editor()->goToLine(120, 3);
  const int firstLine = f.editor()->viewState().firstLine;
  f.openFile("c.txt");
  f.parts().tabs->setCurrent(f.parts().tabs->documentAt(f.path("b.txt")));
  QVERIFY(f.close());

  f.open({});  // the last folder, without being told
  QCOMPARE(f.parts().workspace->folder(), QFileInfo(f.project()).canonicalFilePath());
  QCOMPARE(f.parts().tabs->documents().size(), 3);
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
  QCOMPARE(f.editor()->caretLine(), 120);
  QCOMPARE(f.editor()->caretColumn(), 3);
  QCOMPARE(f.editor()->viewState().firstLine, firstLine);
}

void TestSession::docksComeBack() {
  WindowFixture f;
  f.openProject();
  QVERIFY(f.parts().filesDock->isVisible());
  WindowFixture::trigger(f.window(), "view.files");
  QVERIFY(!f.parts().filesDock->isVisible());
  QVERIFY(f.close());
  f.openProject();
  QVERIFY(!f.parts().filesDock->isVisible());
}

void TestSession::eachFolderHasItsOwnSession() {
  WindowFixture f;
  f.write("x/a.txt", "");
  f.write("y/b.txt", "");
  f.open({f.path("x")});
  f.openFile("x/a.txt");
  QVERIFY(f.close());
  f.open({f.path("y")});
  QCOMPARE(f.parts().tabs->documents().size(), 0);
  f.openFile("y/b.txt");
  QVERIFY(f.close());
  f.open({f.path("x")});
  QCOMPARE(f.document()->title(), QStringLiteral("a.txt"));
}

void TestSession::vanishedFilesAreLeftOut() {
  WindowFixture f;
  f.write("a.txt", "");
  f.write("b.txt", "");
  f.openProject();
  f.openFile("a.txt");
  f.openFile("b.txt");
  QVERIFY(f.close());
  QVERIFY(QFile::remove(f.path("b.txt")));
  f.openProject();
  QCOMPARE(f.parts().tabs->documents().size(), 1);
  QVERIFY(f.find<QWidget>("notices")->findChildren<Banner*>().isEmpty());
}

void TestSession::aFolderThatIsGoneLeavesTheOpenOne() {
  WindowFixture f;
  f.openProjectWith("a.txt", "");
  openFolder(f.parts(), f.path("gone"));
  QCOMPARE(f.parts().tabs->documents().size(), 1);
  QCOMPARE(f.find<QWidget>("notices")->findChildren<Banner*>().size(), 1);
  QVERIFY(f.close());
  f.openProject();
  QCOMPARE(f.parts().tabs->documents().size(), 1);
}

void TestSession::damagedStateIsANoticeAndNoMore() {
  WindowFixture f;
  f.write("a.txt", "");
  f.openProject();
  f.openFile("a.txt");
  QVERIFY(f.close());
  QDirIterator files(f.state(), {"*.json"}, QDir::Files, QDirIterator::Subdirectories);
  int damaged = 0;
  while (files.hasNext()) {
    QFile file(files.next());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.resize(file.size() / 2));
    ++damaged;
  }
  QVERIFY(damaged >= 2);
  f.openProject();
  QCOMPARE(f.parts().tabs->documents().size(), 0);
  QVERIFY(!f.find<QWidget>("notices")->findChildren<Banner*>().isEmpty());
}

void TestSession::unsavedTextSurvivesKill9() {
  WindowFixture f;
  f.write("a.txt", "saved\n");
  QProcess child;
  child.start(QCoreApplication::applicationFilePath(),
              {"--type-and-wait", f.config(), f.state(), f.project(), f.path("a.txt")});
  QVERIFY(child.waitForReadyRead(30'000));
  QCOMPARE(child.readLine().trimmed(), QByteArray("kept"));
  child.kill();
  QVERIFY(child.waitForFinished());
  QCOMPARE(child.exitStatus(), QProcess::CrashExit);
  QCOMPARE(f.read("a.txt"), QByteArray("saved\n"));

  f.openProject();
  Document* file = f.parts().tabs->documentAt(f.path("a.txt"));
  QVERIFY(file);
  QCOMPARE(file->editor()->text(), QByteArray(kTyped) + "saved\n");
  QVERIFY(file->isModified());
  QVERIFY(file->banners()->find("bannerRecovered"));
  Document* untitled = nullptr;
  for (Document* one : f.parts().tabs->documents()) {
    if (one->path().isEmpty()) untitled = one;
  }
  QVERIFY(untitled);
  QCOMPARE(untitled->editor()->text(), QByteArray("an untitled thought"));
  QVERIFY(untitled->isModified());

  // Still there after another crash, although nobody has touched it since; and saved for good.
  QCOMPARE(copiesBelow(f.state() + "/recovery").size(), 2);
  f.parts().tabs->setCurrent(file);
  file->setFocus();
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), QByteArray(kTyped) + "saved\n");
  f.parts().recovery->store()->flush();
  QCOMPARE(copiesBelow(f.state() + "/recovery").size(), 1);
}

void TestSession::anOrderlyEndLeavesNothingToRecover() {
  WindowFixture f;
  f.write("a.txt", "saved\n");
  f.openProject();
  f.openFile("a.txt");
  f.type(kTyped);
  QTRY_COMPARE(copiesBelow(f.state() + "/recovery").size(), 1);
  QVERIFY(!f.close());
  QVERIFY(WindowFixture::click("unsavedDiscard"));
  QTRY_VERIFY(!f.window().isVisible());
  f.drop();
  QCOMPARE(copiesBelow(f.state() + "/recovery").size(), 0);
  f.openProject();
  QVERIFY(!f.document()->isModified());
}

void TestSession::recoveredTextCanBeGivenUp() {
  WindowFixture f;
  f.write("a.txt", "saved\n");
  f.openProject();
  f.openFile("a.txt");
  f.type(kTyped);
  QTRY_COMPARE(copiesBelow(f.state() + "/recovery").size(), 1);
  f.drop();  // nobody was asked
  f.write("a.txt", "saved by someone else\n");
  f.openProject();
  const Banner* banner = f.document()->banners()->find("bannerRecovered");
  QVERIFY(banner);
  QVERIFY2(banner->text().contains("changed"), qPrintable(banner->text()));
  QVERIFY(WindowFixture::click("discardRecovered"));
  QCOMPARE(f.editor()->text(), QByteArray("saved by someone else\n"));
  f.parts().recovery->store()->flush();
  QCOMPARE(copiesBelow(f.state() + "/recovery").size(), 0);
}

void TestSession::theTextOfADeletedFileIsKept() {
  WindowFixture f;
  f.openProjectWith("a.txt", "the only copy\n");
  QVERIFY(QFile::remove(f.path("a.txt")));
  QTRY_COMPARE(copiesBelow(f.state() + "/recovery").size(), 1);
  f.drop();
  f.openProject();
  QCOMPARE(f.document()->editor()->text(), QByteArray("the only copy\n"));
  QVERIFY(f.document()->isModified());
}

void TestSession::aFileThatBecameBinaryDoesNotTakeTheRecoveredText() {
  WindowFixture f;
  f.openProjectWith("a.txt", "saved\n");
  f.type(kTyped);
  QTRY_COMPARE(copiesBelow(f.state() + "/recovery").size(), 1);
  f.drop();
  f.write("a.txt", QByteArray(64, '\0'));
  f.openProject();
  Document* recovered = nullptr;
  for (Document* one : f.parts().tabs->documents()) {
    if (one->isModified()) recovered = one;
  }
  QVERIFY(recovered);
  QCOMPARE(recovered->editor()->text(), QByteArray(kTyped) + "saved\n");
  QVERIFY(recovered->path().isEmpty());
}

}  // namespace waferpair::gui

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  if (arguments.size() == 6 && arguments[1] == QLatin1String("--type-and-wait")) {
    return waferpair::gui::typeAndWait(arguments[2], arguments[3], arguments[4], arguments[5]);
  }
  waferpair::gui::TestSession test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_session.moc"
