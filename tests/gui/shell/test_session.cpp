// SPDX-License-Identifier: GPL-3.0-or-later
// Tests what is still there the next time: sessions after an orderly end, unsaved text after a
// crash. The crash is real: this program runs a window in a second process, types there and kills
// it.
#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTabBar>
#include <QTest>
#include <csignal>
#include <cstdio>
#include <thread>

#include "gui/documents/recovery_keeper.h"
#include "gui/kit/banner.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/orderly_end.h"
#include "gui/shell/session_keeper.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

constexpr char kTyped[] = "text that was never saved ";

QStringList copiesBelow(const QString& directory) {
  QStringList found;
  QDirIterator files(directory, {"*.copy"}, QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) found.append(files.next());
  return found;
}

RecoveryEntry entry(const QString& path, const QByteArray& text, const QDateTime& time) {
  return {path, QStringLiteral("Untitled 1"), {}, 0, {}, time, editor::Snapshot(text)};
}

QStringList titles(const WindowParts& parts) {
  QStringList all;
  for (const Document* document : parts.tabs->documents()) all.append(document->title());
  return all;
}

QStringList noticesIn(const WindowParts& parts) {
  QStringList all;
  const auto banners = parts.notices->findChildren<Banner*>();
  for (const Banner* banner : banners) all.append(banner->text());
  return all;
}

// The text of the copies, in no order.
QList<QByteArray> textsBelow(const QString& directory) {
  QList<QByteArray> texts;
  const QStringList copies = copiesBelow(directory);
  for (const QString& copy : copies) {
    QFile file(copy);
    RecoveryEntry read;
    if (file.open(QIODevice::ReadOnly) && decodeRecovery(file.readAll(), &read)) {
      texts.append(read.text.toByteArray());
    }
  }
  return texts;
}

}  // namespace

// A second process: opens a window, types, says so at once, and is ended in the way named.
int typeAndEnd(const QString& config, const QString& state, const QString& folder,
               const QString& way) {
  MainWindow window(AppPaths{config, state}, nullptr);
  const OrderlyEnd orderlyEnd([&window] { window.keepEverything(); });
  window.show();
  window.activateWindow();
  if (!QTest::qWaitForWindowActive(&window)) return 1;
  window.start({folder, folder + "/a.txt", folder + "/b.txt"});
  QTest::keyClicks(QApplication::focusWidget(), kTyped);
  if (way == QLatin1String("exit")) std::exit(1);  // as Qt does when the X server is gone
  if (way == QLatin1String("wayland")) {
    qWarning("The Wayland connection broke. Did the Wayland compositor die?");
    ::_exit(255);
  }
  // Qt's thread for Wayland's events finds out, too, while the other has its hands full.
  std::thread events;
  if (way == QLatin1String("wayland-thread")) {
    events = std::thread([] {
      qWarning("The Wayland connection broke. Did the Wayland compositor die?");
      ::_exit(255);
    });
  }
  std::puts("typed");
  std::fflush(stdout);
  return QApplication::exec();
}

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
  void largeFilesAreReadWhileTheWindowGoesOn();
  void largeFilesThatAreNamedLeaveTheKeyboard();
  void docksComeBack();
  void whatIsOpenIsKeptWhileTheProgramRuns();
  void anUnfinishedStartKeepsTheSession();
  void filesWithoutAFolderComeBack();
  void eachFolderHasItsOwnSession();
  void vanishedFilesAreLeftOut();
  void aFolderThatIsGoneLeavesTheOpenOne();
  void damagedStateIsANoticeAndNoMore();
  void unsavedTextSurvivesKill9();
  void endedFromOutsideItLeavesInOrder_data();
  void endedFromOutsideItLeavesInOrder();
  void twoRunsWithChangesToOneFileLoseNeither();
  void aCopyOfWhatWasSavedIsNoChange();
  void largeTextsComeBackWhileTheWindowGoesOn();
  void largeTextsWithoutAFileComeBack();
  void anOrderlyEndLeavesNothingToRecover();
  void recoveredTextCanBeGivenUp();
  void theTextOfADeletedFileIsKept();
  void aFileThatBecameBinaryDoesNotTakeTheRecoveredText();
  void aRecoveredTextIsNotSavedOverANewerFile_data();
  void aRecoveredTextIsNotSavedOverANewerFile();
  void aRecoveredTextIsSavedInTheEncodingThatWasChosen();
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
  f.write("d.cpp", "int f() {\n  return 1;\n}\nint g() {\n  return 2;\n}\n");
  f.openFile("d.cpp");
  f.editor()->highlightAll();
  f.editor()->goToLine(4);
  QVERIFY(f.editor()->perform("fold"));
  f.openFile("b.txt");
  f.editor()->goToLine(120, 3);
  const int firstLine = f.editor()->viewState().firstLine;
  f.openFile("c.txt");
  f.parts().tabs->setCurrent(f.parts().tabs->documentAt(f.path("b.txt")));
  QVERIFY(f.close());

  f.open({});  // the last folder, without being told
  QCOMPARE(f.parts().workspace->folder(), QFileInfo(f.project()).canonicalFilePath());
  QCOMPARE(f.parts().tabs->documents().size(), 4);
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
  editor::CodeEditor* folded = f.parts().tabs->documentAt(f.path("d.cpp"))->editor();
  QTRY_COMPARE(folded->sci(QsciScintillaBase::SCI_GETLINEVISIBLE, 4), 0);
  QCOMPARE(folded->viewState().folded, QVector<int>{3});
  QCOMPARE(f.editor()->caretLine(), 120);
  QCOMPARE(f.editor()->caretColumn(), 3);
  QCOMPARE(f.editor()->viewState().firstLine, firstLine);
}

void TestSession::largeFilesAreReadWhileTheWindowGoesOn() {
  WindowFixture f;
  f.write("a.txt", "one\ntwo\n");
  f.write("large.txt", QByteArray("a line of it\n").repeated(80'000));
  f.write("c.txt", "x\n");
  f.openProject();
  const QStringList all{"a.txt", "large.txt", "c.txt"};
  for (const QString& name : all) f.openFile(name);
  f.parts().tabs->documentAt(f.path("large.txt"))->editor()->goToLine(70'000, 2);
  QVERIFY(f.close());
  for (const bool isEndedMeanwhile : {true, false}) {
    f.openProject();
    QVERIFY(f.parts().tabs->isOpening());
    QVERIFY(f.parts().tabs->documents().isEmpty());
    if (!isEndedMeanwhile) continue;
    f.window().keepEverything();
    f.drop();
  }
  QTRY_COMPARE(titles(f.parts()), all);
  QVERIFY(!f.parts().tabs->isOpening());
  QCOMPARE(f.document()->title(), "c.txt");
  QVERIFY(f.document()->hasFocus() || f.document()->isAncestorOf(QApplication::focusWidget()));
  QCOMPARE(f.parts().tabs->documentAt(f.path("large.txt"))->editor()->caretLine(), 70'000);
}

void TestSession::largeFilesThatAreNamedLeaveTheKeyboard() {
  WindowFixture f;
  f.write("large.txt", QByteArray("a line of it\n").repeated(80'000));
  f.open({f.path("large.txt") + ":500:3"});
  QVERIFY(f.parts().tabs->isOpening());
  QTRY_VERIFY(f.document());
  QCOMPARE(f.document()->title(), "large.txt");
  QCOMPARE(f.editor()->caretLine(), 499);
  QCOMPARE(f.editor()->caretColumn(), 2);
  QVERIFY(f.close());

  f.open({f.path("large.txt")});
  Document* other = f.parts().tabs->newDocument();
  other->setFocus();
  WindowFixture::type("mine");
  QTRY_COMPARE(f.parts().tabs->documents().size(), 2);
  QCOMPARE(f.document(), other);
  WindowFixture::type("s");
  QCOMPARE(other->editor()->text(), "mines");
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

void TestSession::whatIsOpenIsKeptWhileTheProgramRuns() {
  WindowFixture f;
  QByteArray text;
  for (int i = 0; i < 200; ++i) text += "line " + QByteArray::number(i) + '\n';
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.write(name, text);
  f.openProject();
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.openFile(name);
  f.find<QTabBar>("editorTabBar")->moveTab(2, 0);
  f.parts().tabs->setCurrent(f.parts().tabs->documentAt(f.path("b.txt")));
  f.document()->setFocus();
  for (int i = 0; i < 5; ++i) f.key(Qt::Key_Down);
  WindowFixture::trigger(f.window(), "view.files");

  // Nobody closes it: what is on disk is what a kill leaves.
  const SessionStore store(f.state());
  const QString folder = QFileInfo(f.project()).canonicalFilePath();
  QString problem;
  const auto kept = [&] { return store.load(folder, &problem); };
  const Session open = f.parts().workspace->session();
  QTRY_COMPARE(kept().files.size(), 3);
  QTRY_VERIFY(kept() == open);
  QCOMPARE(open.files[2].line, 5);
  QTRY_COMPARE(store.loadLayout(&problem).state, f.window().saveState());
  f.drop();

  f.open({});
  QCOMPARE(titles(f.parts()), QStringList({"c.txt", "a.txt", "b.txt"}));
  QCOMPARE(f.document()->title(), QStringLiteral("b.txt"));
  QCOMPARE(f.editor()->caretLine(), 5);
  QVERIFY(!f.parts().filesDock->isVisible());
}

// Ended before, or while, the files of last time are opened.
void TestSession::anUnfinishedStartKeepsTheSession() {
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  QVERIFY(f.close());
  f.drop();
  {
    MainWindow window(AppPaths{f.config(), f.state()}, nullptr);
    window.show();
    window.keepEverything();
    window.close();
  }
  f.open({});
  QCOMPARE(titles(f.parts()), QStringList({"a.txt"}));
}

void TestSession::filesWithoutAFolderComeBack() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "b\n");
  f.open({f.path("a.txt"), f.path("b.txt")});
  QVERIFY(f.close());
  f.open({});
  QCOMPARE(f.parts().workspace->folder(), QString());
  QCOMPARE(titles(f.parts()), QStringList({"a.txt", "b.txt"}));
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
  f.parts().folders->open(f.path("gone"));
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

void TestSession::endedFromOutsideItLeavesInOrder_data() {
  QTest::addColumn<QString>("way");
  QTest::addColumn<int>("signal");
  QTest::addColumn<int>("code");
  QTest::newRow("SIGTERM") << "signal" << SIGTERM << 128 + SIGTERM;
  QTest::newRow("SIGINT") << "signal" << SIGINT << 128 + SIGINT;
  QTest::newRow("SIGHUP") << "signal" << SIGHUP << 128 + SIGHUP;
  QTest::newRow("the X server is gone") << "exit" << 0 << 1;
  QTest::newRow("the Wayland compositor is gone") << "wayland" << 0 << 255;
  QTest::newRow("the same, seen by another thread") << "wayland-thread" << 0 << 255;
}

void TestSession::endedFromOutsideItLeavesInOrder() {
  QFETCH(QString, way);
  QFETCH(int, signal);
  QFETCH(int, code);
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "saved\n");
  QProcess child;
  child.start(QCoreApplication::applicationFilePath(),
              {"--type-and-end", f.config(), f.state(), f.project(), way});
  if (signal != 0) {
    QVERIFY(child.waitForReadyRead(30'000));
    QCOMPARE(child.readLine().trimmed(), QByteArray("typed"));
    QCOMPARE(::kill(static_cast<pid_t>(child.processId()), signal), 0);
  }
  QVERIFY(child.waitForFinished(30'000));
  QCOMPARE(child.exitStatus(), QProcess::NormalExit);
  QCOMPARE(child.exitCode(), code);
  QCOMPARE(textsBelow(f.state() + "/recovery"),
           QList<QByteArray>({QByteArray(kTyped) + "saved\n"}));
  QCOMPARE(f.read("b.txt"), QByteArray("saved\n"));
  QString problem;
  const Session kept =
      SessionStore(f.state()).load(QFileInfo(f.project()).canonicalFilePath(), &problem);
  QCOMPARE(kept.files.size(), 2);
  QCOMPARE(kept.files[1].column, static_cast<int>(sizeof(kTyped)) - 1);

  f.open({});
  QCOMPARE(titles(f.parts()), QStringList({"a.txt", "b.txt"}));
  QCOMPARE(f.editor()->text(), QByteArray(kTyped) + "saved\n");
  QVERIFY(f.document()->isModified());
}

void TestSession::twoRunsWithChangesToOneFileLoseNeither() {
  WindowFixture f;
  f.write("a.txt", "saved\n");
  const QDateTime now = QDateTime::currentDateTime();
  const QString directory = f.state() + "/recovery";
  {
    RecoveryStore one(directory), other(directory), third(directory);
    one.write("1", entry(f.path("a.txt"), "one saved\n", now.addSecs(-60)));
    other.write("1", entry(f.path("a.txt"), "other saved\n", now));
    third.write("1", entry(f.path("a.txt"), "one saved\n", now.addSecs(-30)));
  }
  f.openProject();
  QCOMPARE(titles(f.parts()), QStringList({"a.txt", "a.txt (2)"}));
  const QList<Document*> documents = f.parts().tabs->documents();
  QCOMPARE(documents[0]->editor()->text(), QByteArray("one saved\n"));
  QCOMPARE(documents[1]->editor()->text(), QByteArray("other saved\n"));
  for (const Document* document : documents) {
    QVERIFY(document->isModified());
    QVERIFY(document->banners()->find("bannerRecovered"));
  }
  const QStringList notices = noticesIn(f.parts());
  QCOMPARE(notices.size(), 1);
  QVERIFY2(notices[0].contains("a.txt (2)"), qPrintable(notices[0]));
  // Each is kept on, once.
  f.parts().recovery->store()->flush();
  QList<QByteArray> kept = textsBelow(directory);
  std::sort(kept.begin(), kept.end());
  QCOMPARE(kept, QList<QByteArray>({"one saved\n", "other saved\n"}));
  f.drop();
  f.openProject();
  QCOMPARE(titles(f.parts()), QStringList({"a.txt", "a.txt (2)"}));
}

// Neither its copy nor its file is read where the window waits.
void TestSession::largeTextsComeBackWhileTheWindowGoesOn() {
  WindowFixture f;
  const QByteArray saved = QByteArray("a line of it\n").repeated(300'000);
  f.write("large.txt", saved);
  const QString directory = f.state() + "/recovery";
  {
    RecoveryStore run(directory);
    run.write("1", entry(f.path("large.txt"), kTyped + saved, QDateTime::currentDateTime()));
  }
  // Ended while it is read, and then not.
  for (const bool isEndedMeanwhile : {true, false}) {
    f.openProject();
    QVERIFY(f.parts().tabs->documents().isEmpty());
    QCOMPARE(textsBelow(directory), QList<QByteArray>{kTyped + saved});
    if (isEndedMeanwhile) f.drop();
  }
  // Who begins another text meanwhile stays there.
  Document* other = f.parts().tabs->newDocument();
  other->setFocus();
  WindowFixture::type("mine");
  QTRY_COMPARE(f.parts().tabs->documents().size(), 2);
  QCOMPARE(f.document(), other);
  Document* large = f.parts().tabs->documentAt(f.path("large.txt"));
  QVERIFY(large);
  QVERIFY(large->isModified());
  QCOMPARE(large->editor()->text(), kTyped + saved);
  QVERIFY(large->banners()->find("bannerRecovered"));
  // Typing and taking that back leaves it as unsaved as it came.
  f.parts().tabs->setCurrent(large);
  large->setFocus();
  f.type("more");
  while (large->textDocument()->buffer()->undo()) {
  }
  QCOMPARE(large->editor()->text(), kTyped + saved);
  QVERIFY(large->isModified());
  QVERIFY(WindowFixture::click("discardRecovered"));
  QCOMPARE(large->editor()->text(), saved);
  QVERIFY(!large->isModified());
  large->editor()->undo();
  QCOMPARE(large->editor()->text(), kTyped + saved);
  QVERIFY(large->isModified());
  QVERIFY(large->save());
  QVERIFY(!large->isModified());
}

void TestSession::largeTextsWithoutAFileComeBack() {
  WindowFixture f;
  const QByteArray text = QByteArray("a line of it\n").repeated(100'000);
  const QString directory = f.state() + "/recovery";
  {
    RecoveryStore run(directory);
    const QDateTime now = QDateTime::currentDateTime();
    run.write("1", entry({}, text, now));
    run.write("2", entry(f.path("gone.txt"), text + "of a file", now.addSecs(1)));
    run.write("3", entry({}, "a small one", now.addSecs(2)));
    RecoveryEntry far = entry({}, text + QByteArray(1'000'000, 'x'), now.addSecs(3));
    far.caret = text.size() + 700'000;
    run.write("4", far);
  }
  f.openProject();
  QTRY_COMPARE(f.parts().tabs->documents().size(), 4);
  QCOMPARE(titles(f.parts()),
           QStringList({"Untitled 1", "gone.txt", "Untitled 1 (2)", "Untitled 1 (3)"}));
  const QList<Document*> documents = f.parts().tabs->documents();
  QCOMPARE(documents[0]->editor()->text(), text);
  QCOMPARE(documents[1]->editor()->text(), text + "of a file");
  QCOMPARE(documents[1]->path(), f.path("gone.txt"));
  QCOMPARE(documents[2]->editor()->text(), QByteArray("a small one"));
  // The caret is back in a long line, too, and that line is seen.
  const editor::CodeEditor* far = documents[3]->editor();
  QCOMPARE(far->caret(), text.size() + 700'000);
  QVERIFY(far->viewState().firstLine > 0);
  for (const Document* document : documents) {
    QVERIFY(document->isModified());
    QVERIFY(document->banners()->find("bannerRecovered"));
  }
  // Another crash loses none of them.
  f.parts().recovery->keepAll();
  f.drop();
  QCOMPARE(textsBelow(directory).size(), 4);
}

// Killed after the file was written, and before its copy was removed.
void TestSession::aCopyOfWhatWasSavedIsNoChange() {
  WindowFixture f;
  f.write("a.txt", "typed and saved\n");
  const QString directory = f.state() + "/recovery";
  {
    RecoveryStore run(directory);
    run.write("1", entry(f.path("a.txt"), "typed and saved\n", QDateTime::currentDateTime()));
  }
  f.openProject();
  QCOMPARE(titles(f.parts()), QStringList({"a.txt"}));
  QVERIFY(!f.document()->isModified());
  QVERIFY(!f.document()->banners()->find("bannerRecovered"));
  f.parts().recovery->store()->flush();
  QCOMPARE(copiesBelow(directory), QStringList());
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

void TestSession::aRecoveredTextIsNotSavedOverANewerFile_data() {
  QTest::addColumn<QString>("way");
  QTest::addColumn<bool>("asks");
  QTest::addColumn<qint64>("size");
  for (const qint64 size : {0, 1 << 20}) {
    const auto row = [size](const char* way, bool asks) {
      QTest::addRow("%s, %s", way, size == 0 ? "small" : "large")
          << QString::fromLatin1(way) << asks << size;
    };
    for (const char* way : {"another text", "the same size and time", "a file where none was",
                            "a link to the same text", "a folder"})
      row(way, true);
    for (const char* way : {"nothing happened", "written anew with the same content"})
      row(way, false);
  }
}

void TestSession::aRecoveredTextIsNotSavedOverANewerFile() {
  QFETCH(QString, way);
  QFETCH(bool, asks);
  QFETCH(qint64, size);
  WindowFixture f;
  const QByteArray rest = QByteArray("a line of it\n").repeated(size / 13);
  const QByteArray mine = "mine saved\n" + rest;
  f.write("a.txt", "saved\n" + rest);
  RecoveryEntry kept = entry(f.path("a.txt"), mine, QDateTime::currentDateTime().addDays(1));
  kept.base = editor::TextFile::open(f.path("a.txt"))->stamp();
  if (way == QLatin1String("a file where none was")) kept.base = {};
  {
    RecoveryStore run(f.state() + "/recovery");
    run.write("1", kept);
  }
  QByteArray theirs = "saved\n" + rest;
  if (way == QLatin1String("another text")) {
    f.write("a.txt", theirs = "theirs, newer\n" + rest);
  } else if (way == QLatin1String("the same size and time")) {
    QFile file(f.path("a.txt"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QDateTime time = file.fileTime(QFileDevice::FileModificationTime);
    QCOMPARE(file.write("other\n"), 6);
    theirs = "other\n" + rest;
    QVERIFY(file.flush() && file.setFileTime(time, QFileDevice::FileModificationTime));
  } else if (way == QLatin1String("a link to the same text")) {
    QVERIFY(QFile::rename(f.path("a.txt"), f.path("elsewhere.txt")));
    QVERIFY(QFile::link(f.path("elsewhere.txt"), f.path("a.txt")));
  } else if (way == QLatin1String("a folder")) {
    QVERIFY(QFile::remove(f.path("a.txt")) && QDir().mkdir(f.path("a.txt")));
    theirs = "(no such file)";
  } else if (way == QLatin1String("written anew with the same content")) {
    QVERIFY(QFile::remove(f.path("a.txt")));
    f.write("a.txt", theirs);
  }

  f.openProject();
  QTRY_VERIFY(f.document() && f.document()->isModified());
  QCOMPARE(f.document()->path(), f.path("a.txt"));
  QCOMPARE(f.editor()->text(), mine);
  QVERIFY(f.document()->isModified());
  QVERIFY(f.document()->banners()->find("bannerRecovered"));
  QCOMPARE(f.document()->banners()->find("bannerChanged") != nullptr, asks);
  if (!asks) {
    f.document()->saveByItself();
    QCOMPARE(f.read("a.txt"), mine);
    return;
  }
  f.document()->saveByItself();
  QCOMPARE(f.read("a.txt"), theirs);
  f.document()->setFocus();
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), theirs);
  QVERIFY(f.document()->isModified());
  // To save at the end asks no less.
  QVERIFY(!f.close());
  QVERIFY(WindowFixture::click("unsavedSave"));
  QTRY_VERIFY(!f.find<QWidget>("unsavedDialog"));
  QCOMPARE(f.read("a.txt"), theirs);
  QVERIFY(f.window().isVisible());
  // Nor does another crash make it forget.
  f.parts().recovery->keepAll();
  f.drop();
  f.openProject();
  QTRY_VERIFY(f.document() && f.document()->isModified());
  QCOMPARE(f.editor()->text(), mine);
  f.document()->saveByItself();
  QCOMPARE(f.read("a.txt"), theirs);
  if (way == QLatin1String("a folder")) return;
  QVERIFY(WindowFixture::click("keepMine"));
  f.document()->setFocus();
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), mine);
}

void TestSession::aRecoveredTextIsSavedInTheEncodingThatWasChosen() {
  WindowFixture f;
  f.openProjectWith("a.txt", "caf\xE9\n");
  QVERIFY(f.document()->reopen(editor::Encoding::kWindows1251));
  f.type(QStringLiteral("x"));
  QTRY_COMPARE(copiesBelow(f.state() + "/recovery").size(), 1);
  f.drop();
  f.openProject();
  QCOMPARE(f.document()->encoding(), editor::Encoding::kWindows1251);
  QCOMPARE(f.editor()->text(), QByteArray("xcafй\n"));
  QVERIFY(f.document()->save());
  QCOMPARE(f.read("a.txt"), QByteArray("xcaf\xE9\n"));
}

}  // namespace waferpair::gui

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  if (arguments.size() == 6 && arguments[1] == QLatin1String("--type-and-wait")) {
    return waferpair::gui::typeAndWait(arguments[2], arguments[3], arguments[4], arguments[5]);
  }
  if (arguments.size() == 6 && arguments[1] == QLatin1String("--type-and-end")) {
    return waferpair::gui::typeAndEnd(arguments[2], arguments[3], arguments[4], arguments[5]);
  }
  waferpair::gui::TestSession test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_session.moc"
