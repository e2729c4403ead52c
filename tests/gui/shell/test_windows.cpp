// SPDX-License-Identifier: GPL-3.0-or-later
// Several windows in one program, driven by keys and mouse: opened, closed, kept for the next
// start, and tabs that go from one to another with all that belongs to them.
#include <QDir>
#include <QMessageBox>
#include <QTest>

#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"
#include "gui/kit/banner.h"
#include "gui/kit/tab_bar.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/window_set.h"
#include "gui/store/recovery_store.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"

namespace waferpair::gui {
namespace {

void chord(Qt::Key second, Qt::KeyboardModifiers modifiers = {}) {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(second, modifiers);
}

// The program as main() has it, without a model; the fixture's files and profile.
class Program {
 public:
  explicit Program(WindowFixture* files) : f_(files) {}

  void start(const QStringList& targets, bool restores = false) {
    set_ = std::make_unique<WindowSet>(AppPaths{f_->config(), f_->state()}, nullptr);
    MainWindow* first = set_->makeFirst(restores);
    QObject::connect(first, &MainWindow::painted, first,
                     [first, targets] { first->start(targets); });
    first->show();
    first->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(first));
  }
  // As far as a crash is possible inside of one process.
  void crash() { set_.reset(); }

  WindowSet& set() { return *set_; }
  MainWindow& window(int index) { return *set_->windows()[index]; }
  EditorTabs& tabs(int index) { return *window(index).parts().tabs; }
  Document* document(int index) { return tabs(index).current(); }
  bool has(qsizetype windows) {
    return QTest::qWaitFor([this, windows] { return set_->windows().size() == windows; });
  }
  // It has the keyboard, and its text does.
  bool isInFront(int index) {
    return QTest::qWaitFor(
        [this, index] { return set_->windows().size() > index && window(index).isActiveWindow(); });
  }
  QStringList titles(int index) {
    QStringList titles;
    for (const Document* document : tabs(index).documents()) titles.append(document->title());
    return titles;
  }

 private:
  WindowFixture* f_;
  std::unique_ptr<WindowSet> set_;
};

QStringList copiesIn(const QString& directory) {
  QStringList texts;
  const QDir runs(directory);
  for (const QString& run : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const QDir folder(runs.filePath(run));
    for (const QString& name : folder.entryList({"*.copy"}, QDir::Files)) {
      QFile file(folder.filePath(name));
      RecoveryEntry entry;
      if (file.open(QIODevice::ReadOnly) && decodeRecovery(file.readAll(), &entry))
        texts.append(QString::fromUtf8(entry.text.toByteArray()));
    }
  }
  return texts;
}

// From the middle of the tab to a place on the screen.
void dragTab(TabBar* bar, int index, const QPoint& global) {
  const QPoint from = bar->tabRect(index).center();
  const QPoint target = bar->mapFromGlobal(global);
  QTest::mousePress(bar, Qt::LeftButton, {}, from);
  for (const double part : {0.2, 0.5, 0.8, 1.0}) {
    const QPoint point = from + (target - from) * part;
    QMouseEvent move(QEvent::MouseMove, point, bar->mapToGlobal(point), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(bar, &move);
  }
  QTest::mouseRelease(bar, Qt::LeftButton, {}, target);
}

}  // namespace

class TestWindows : public QObject {
  Q_OBJECT
 private slots:
  void aTabMovesWithItsTextItsHistoryAndItsPlace();
  void aNewTextKeepsANameOfItsOwn();
  void aTabGoesToTheNextWindowAndBack();
  void aTabIsDraggedToAnotherWindow();
  void aTabIsDraggedOutOfAllWindows();
  void aFileThatIsOpenThereIsNotOpenedTwice();
  void theOthersStayWhenOneIsClosed();
  void quitClosesAllAndTheNextStartHasThemAgain();
  void aWindowThatStaysEndsTheEnd();
  void whatAKilledProgramHadUnsavedComesBackInItsWindow();
  void whatAWindowThatDoesNotComeBackHadIsTheFirstOnes();
  void aFolderHasOneWindow();
};

void TestWindows::aTabMovesWithItsTextItsHistoryAndItsPlace() {
  WindowFixture f;
  QByteArray text = "int main() {\n  int a;\n  int b;\n}\n";
  for (int i = 0; i < 200; ++i) text += "// " + QByteArray::number(i) + '\n';
  f.write("a.cpp", text);
  Program p(&f);
  p.start({f.project(), f.path("a.cpp")});
  QTRY_VERIFY(p.document(0));
  editor::CodeEditor* editor = p.document(0)->editor();
  editor->setFocus();
  editor->goToLine(1, 2);
  WindowFixture::type("one");
  WindowFixture::key(Qt::Key_End);
  WindowFixture::type(" two");
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);  // there is something to redo as well
  editor->highlightAll();
  editor->goToLine(120);
  editor->goToLine(2, 3);
  editor->perform("fold");
  editor->setIndentation({true, 8});
  const QByteArray here = editor->text();
  const editor::ViewState before = editor->viewState();
  QCOMPARE(before.folded, QVector<int>{0});

  chord(Qt::Key_N, Qt::ShiftModifier);
  QVERIFY(p.has(2));
  QVERIFY(p.isInFront(1));
  QCOMPARE(p.titles(0), QStringList());
  QCOMPARE(p.titles(1), QStringList{"a.cpp"});
  Document* moved = p.document(1);
  editor = moved->editor();
  QTRY_VERIFY(editor->hasFocus());
  QCOMPARE(moved->path(), f.path("a.cpp"));
  QCOMPARE(editor->text(), here);
  QVERIFY(moved->isModified());
  QCOMPARE(editor->viewState().caret, before.caret);
  QCOMPARE(editor->viewState().firstLine, before.firstLine);
  QCOMPARE(editor->language(), QString("C++"));
  QCOMPARE(editor->indentation().width, 8);
  editor->highlightAll();
  WindowFixture::key(Qt::Key_Y, Qt::ControlModifier);
  QVERIFY(editor->text().contains(" two"));
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(editor->text(), text);
  QVERIFY(!moved->isModified());
  WindowFixture::key(Qt::Key_Y, Qt::ControlModifier);
  QCOMPARE(editor->text(), here);
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.cpp"), here);
}

void TestWindows::aNewTextKeepsANameOfItsOwn() {
  WindowFixture f;
  Program p(&f);
  p.start({f.project()});
  WindowFixture::key(Qt::Key_N, Qt::ControlModifier);
  QTRY_VERIFY(p.document(0));
  WindowFixture::type("first");
  chord(Qt::Key_N, Qt::ShiftModifier);
  QVERIFY(p.isInFront(1));
  WindowSet::raise(&p.window(0));
  QVERIFY(p.isInFront(0));
  WindowFixture::key(Qt::Key_N, Qt::ControlModifier);
  WindowFixture::type("second");
  const QString name = p.document(0)->title();
  p.document(0)->editor()->setFocus();
  chord(Qt::Key_N, Qt::ControlModifier);  // to the next window
  QTRY_COMPARE(p.tabs(1).documents().size(), 2);
  QCOMPARE(p.document(1)->editor()->text(), QByteArray("second"));
  QStringList ids;
  for (const Document* document : p.tabs(1).documents()) ids.append(document->id());
  QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), 2);
  QVERIFY(p.document(1)->title().startsWith(name.section(' ', 0, 0)));
}

void TestWindows::aTabGoesToTheNextWindowAndBack() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "b\n");
  Program p(&f);
  p.start({f.project(), f.path("a.txt"), f.path("b.txt")});
  QTRY_VERIFY(p.document(0));
  chord(Qt::Key_N, Qt::ControlModifier);  // there is none yet
  QVERIFY(p.isInFront(1));
  QCOMPARE(p.titles(0), QStringList{"a.txt"});
  QCOMPARE(p.titles(1), QStringList{"b.txt"});
  p.document(1)->editor()->setFocus();
  WindowFixture::type("new ");
  chord(Qt::Key_N, Qt::ControlModifier);
  QVERIFY(p.isInFront(0));
  QCOMPARE(p.titles(1), QStringList());
  QCOMPARE(p.document(0)->editor()->text(), QByteArray("new b\n"));
  p.document(0)->editor()->setFocus();
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(p.document(0)->editor()->text(), QByteArray("b\n"));
  chord(Qt::Key_Tab);
  QVERIFY(p.isInFront(1));
}

void TestWindows::aTabIsDraggedToAnotherWindow() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "b\n");
  Program p(&f);
  p.start({f.project(), f.path("a.txt")});
  QTRY_VERIFY(p.document(0));
  MainWindow* other = p.set().open({f.path("b.txt")});
  QVERIFY(p.isInFront(1));
  QTRY_VERIFY(p.document(1));
  // Both on the screen, which has no more than 800 x 800 pixels in some tests.
  p.window(0).setGeometry(0, 0, 640, 400);
  other->setGeometry(100, 400, 640, 400);
  QVERIFY(QTest::qWaitFor([&] {
    return other->geometry() == QRect(100, 400, 640, 400) && p.window(0).height() == 400;
  }));
  WindowSet::raise(&p.window(0));
  QVERIFY(p.isInFront(0));
  p.document(0)->editor()->setFocus();
  WindowFixture::type("new ");
  const Pane* there = p.tabs(1).tree()->panes().first();
  TabBar* bar = p.tabs(0).activePane()->bar();
  // To the middle: into that pane.
  dragTab(bar, 0, there->mapToGlobal(there->rect().center()));
  QCOMPARE(p.titles(0), QStringList());
  QCOMPARE(p.titles(1), (QStringList{"b.txt", "a.txt"}));
  QCOMPARE(p.document(1)->editor()->text(), QByteArray("new a\n"));
  QCOMPARE(p.set().windows().size(), 2);
  QVERIFY(p.isInFront(1));
  // From there to an edge of the first: beside what lies there.
  WindowSet::raise(&p.window(0));
  QVERIFY(p.isInFront(0));
  WindowFixture::key(Qt::Key_N, Qt::ControlModifier);
  WindowFixture::type("c");  // an empty text would make room
  const Pane* first = p.tabs(0).tree()->panes().first();
  TabBar* from = p.tabs(1).activePane()->bar();
  dragTab(from, 0, first->mapToGlobal(QPoint(first->width() - 10, first->height() / 2)));
  QCOMPARE(p.tabs(0).tree()->panes().size(), 2);
  QCOMPARE(p.tabs(0).tree()->panes().last()->documents().first()->title(), QString("b.txt"));
}

void TestWindows::aTabIsDraggedOutOfAllWindows() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "b\n");
  Program p(&f);
  p.start({f.project(), f.path("a.txt"), f.path("b.txt")});
  QTRY_VERIFY(p.document(0));
  p.window(0).setGeometry(0, 0, 640, 450);
  QVERIFY(QTest::qWaitFor([&] { return p.window(0).width() == 640; }));
  dragTab(p.tabs(0).activePane()->bar(), 1, QPoint(790, 590));
  QVERIFY(p.has(2));
  QCOMPARE(p.titles(0), QStringList{"a.txt"});
  QCOMPARE(p.titles(1), QStringList{"b.txt"});
}

void TestWindows::aFileThatIsOpenThereIsNotOpenedTwice() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  Program p(&f);
  p.start({f.project(), f.path("a.txt")});
  QTRY_VERIFY(p.document(0));
  p.set().open({f.path("a.txt")});
  QVERIFY(p.isInFront(1));
  QTRY_VERIFY(p.document(1));
  p.document(1)->editor()->setFocus();
  WindowFixture::type("x");
  chord(Qt::Key_N, Qt::ControlModifier);
  // It stays, and says why.
  QCOMPARE(p.titles(1), QStringList{"a.txt"});
  QCOMPARE(p.document(0)->editor()->text(), QByteArray("a\n"));
  const auto* notice = p.window(1).parts().notices->find("notice0");
  QVERIFY(notice);
  QVERIFY2(notice->text().startsWith("a.txt is open in the other window"),
           qPrintable(notice->text()));
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  chord(Qt::Key_N, Qt::ControlModifier);
  QVERIFY(p.isInFront(0));
  QCOMPARE(p.titles(0), QStringList{"a.txt"});
  QCOMPARE(p.titles(1), QStringList());
}

void TestWindows::theOthersStayWhenOneIsClosed() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "b\n");
  Program p(&f);
  p.start({f.path("a.txt")});
  QTRY_VERIFY(p.document(0));
  WindowFixture::key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(p.isInFront(1));
  QCOMPARE(p.titles(1), QStringList());
  p.tabs(1).openFile(f.path("b.txt"));
  QPointer<MainWindow> first = &p.window(0);
  first->close();
  QVERIFY(p.has(1));
  QTRY_VERIFY(!first);
  QCOMPARE(p.titles(0), QStringList{"b.txt"});
  p.document(0)->editor()->setFocus();
  WindowFixture::type("x");
  QCOMPARE(p.document(0)->editor()->text(), QByteArray("xb\n"));
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  // The next start has what was open at the end.
  p.window(0).close();
  QVERIFY(QTest::qWaitFor([&] { return !p.window(0).isVisible(); }));
  p.start({}, true);
  QTRY_COMPARE(p.titles(0), QStringList{"b.txt"});
  QCOMPARE(p.set().windows().size(), 1);
}

void TestWindows::quitClosesAllAndTheNextStartHasThemAgain() {
  WindowFixture f;
  f.write("one/a.txt", "a\n");
  f.write("two/b.txt", "b\nc\n");
  f.write("c.txt", "c\n");
  Program p(&f);
  p.start({f.path("one"), f.path("one/a.txt")});
  QTRY_VERIFY(p.document(0));
  p.set().open({f.path("two"), f.path("two/b.txt:2:1")});
  QTRY_VERIFY(p.has(2) && p.document(1));
  p.set().open({f.path("c.txt")});
  QTRY_VERIFY(p.has(3) && p.document(2));
  QVERIFY(p.isInFront(2));
  p.window(1).setGeometry(120, 80, 700, 480);
  test::rest();  // what is kept is written within a moment
  WindowFixture::key(Qt::Key_Q, Qt::ControlModifier);
  QTRY_VERIFY(p.set().windows().size() == 1 && !p.window(0).isVisible());
  p.start({}, true);
  QVERIFY(p.has(3));
  QTRY_COMPARE(p.titles(0), QStringList{"a.txt"});
  QTRY_COMPARE(p.titles(1), QStringList{"b.txt"});
  QTRY_COMPARE(p.titles(2), QStringList{"c.txt"});
  QCOMPARE(p.window(0).parts().workspace->folder(), f.path("one"));
  QCOMPARE(p.window(1).parts().workspace->folder(), f.path("two"));
  QCOMPARE(p.window(2).parts().workspace->folder(), QString());
  QCOMPARE(p.document(1)->editor()->caretLine(), 1);
  QCOMPARE(p.window(1).size(), QSize(700, 480));
}

void TestWindows::aWindowThatStaysEndsTheEnd() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  Program p(&f);
  p.start({f.path("a.txt")});
  QTRY_VERIFY(p.document(0));
  p.set().open();
  QVERIFY(p.isInFront(1));
  p.document(0)->editor()->setFocus();
  QTest::keyClicks(p.document(0)->editor(), "x");
  WindowFixture::key(Qt::Key_Q, Qt::ControlModifier);
  // The empty one is closed; the other asks.
  QVERIFY(p.has(1));
  QTRY_VERIFY(p.window(0).findChild<QMessageBox*>());
  QTest::keyClick(p.window(0).findChild<QMessageBox*>(), Qt::Key_Escape);
  QTRY_VERIFY(!p.window(0).findChild<QMessageBox*>());
  QVERIFY(p.window(0).isVisible());
  QCOMPARE(p.titles(0), QStringList{"a.txt"});
}

void TestWindows::whatAKilledProgramHadUnsavedComesBackInItsWindow() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  f.write("b.txt", "b\n");
  Program p(&f);
  p.start({f.path("a.txt"), f.path("b.txt")});
  QTRY_VERIFY(p.document(0));
  p.document(0)->editor()->setFocus();
  WindowFixture::type("unsaved ");
  QTRY_COMPARE(copiesIn(f.state() + "/recovery"), QStringList{"unsaved b\n"});
  chord(Qt::Key_N, Qt::ShiftModifier);
  QVERIFY(p.isInFront(1));
  // The copy goes along.
  QTRY_COMPARE(copiesIn(f.state() + "/recovery-1"), QStringList{"unsaved b\n"});
  QTRY_COMPARE(copiesIn(f.state() + "/recovery"), QStringList());
  test::rest();
  p.crash();
  p.start({}, true);
  QVERIFY(p.has(2));
  QTRY_COMPARE(p.titles(0), QStringList{"a.txt"});
  QTRY_COMPARE(p.titles(1), QStringList{"b.txt"});
  QTRY_COMPARE(p.document(1)->editor()->text(), QByteArray("unsaved b\n"));
  QVERIFY(p.document(1)->isModified());
}

void TestWindows::whatAWindowThatDoesNotComeBackHadIsTheFirstOnes() {
  WindowFixture f;
  f.write("a.txt", "a\n");
  Program p(&f);
  p.start({});
  p.set().open({f.path("a.txt")});
  QVERIFY(p.isInFront(1));
  QTRY_VERIFY(p.document(1));
  p.document(1)->editor()->setFocus();
  WindowFixture::type("unsaved ");
  QTRY_COMPARE(copiesIn(f.state() + "/recovery-1"), QStringList{"unsaved a\n"});
  p.crash();
  p.start({f.project()});  // something else is opened
  QTRY_COMPARE(p.titles(0), QStringList{"a.txt"});
  QCOMPARE(p.document(0)->editor()->text(), QByteArray("unsaved a\n"));
  QCOMPARE(p.set().windows().size(), 1);
}

void TestWindows::aFolderHasOneWindow() {
  WindowFixture f;
  f.write("one/a.txt", "a\n");
  Program p(&f);
  p.start({f.path("one")});
  p.set().open();
  QVERIFY(p.isInFront(1));
  p.window(1).parts().folders->open(f.path("one"));
  QVERIFY(p.isInFront(0));
  QCOMPARE(p.window(1).parts().workspace->folder(), QString());
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestWindows)
#include "test_windows.moc"
