// SPDX-License-Identifier: GPL-3.0-or-later
// Several panes in the real window: splitting, one text in two of them, tabs that go from one to
// another by keys and by mouse.
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTest>
#include <QTreeView>
#include <QWindow>

#include "gui/documents/find_bar.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"
#include "gui/kit/tab_bar.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

QByteArray numbered(int lines) {
  QByteArray text;
  for (int i = 1; i <= lines; ++i) text += "line " + QByteArray::number(i) + '\n';
  return text;
}

QList<QStringList> titlesIn(const EditorTabs& tabs) {
  QList<QStringList> all;
  for (const Pane* pane : tabs.tree()->panes()) {
    QStringList titles;
    for (const Document* document : pane->documents()) titles += document->title();
    all += titles;
  }
  return all;
}

editor::CodeEditor* secondView(const EditorTabs& tabs) {
  for (const Pane* pane : tabs.tree()->panes()) {
    const Document* document = pane->current();
    auto* view = qobject_cast<editor::CodeEditor*>(pane->page(document));
    if (view) return view;
  }
  return nullptr;
}

void chord(Qt::Key second) {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(second);
}

// Where a mouse would go: from the middle of the tab to a point of the other widget.
void dragTab(TabBar* bar, int index, const QWidget* to, const QPoint& at) {
  const QPoint from = bar->tabRect(index).center();
  const QPoint target = bar->mapFromGlobal(to->mapToGlobal(at));
  QTest::mousePress(bar, Qt::LeftButton, {}, from);
  for (const double part : {0.2, 0.5, 0.8, 1.0}) {
    const QPoint point = from + (target - from) * part;
    QMouseEvent move(QEvent::MouseMove, point, bar->mapToGlobal(point), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(bar, &move);
  }
  QTest::mouseRelease(bar, Qt::LeftButton, {}, target);
}

void clickInTree(WindowFixture& f, const char* name) {
  FolderTree* tree = f.parts().tree;
  QVERIFY(QTest::qWaitFor([&] { return tree->model()->indexOf(f.path(name)).isValid(); }));
  QTreeView* view = tree->view();
  const QModelIndex index = tree->model()->indexOf(f.path(name));
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
}

}  // namespace

class TestPanes : public QObject {
  Q_OBJECT
 private slots:
  void aSplitShowsTheTextTwice();
  void keysGoFromPaneToPane();
  void aClickInASecondViewPutsTheCaretThere();
  void eachViewHasItsOwnScrollingAndFolds();
  void aFileIsBroughtUpWhereItIs();
  void theLastTabOfADocumentClosesIt();
  void closingAPaneKeepsItsTabs();
  void aTabGoesToAnotherPaneByKey();
  void aTabIsDraggedToAPaneAndToAnEdge();
  void findGoesWithTheActivePane();
  void aTextReadAnewIsSeenInBothViews();
  void theNextStartHasThePanesAgain();
  void filesThatAreGoneCostTheirPane();
  void aFileOfTheTreeIsOpenedToTheSide();
  void aClickInTheTreePreviews();
  void aPreviewIsKept_data();
  void aPreviewIsKept();
  void withoutPreviewsEachClickOpensATab();
};

void TestPanes::aSplitShowsTheTextTwice() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\ntwo\n");
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  EditorTabs& tabs = *f.parts().tabs;
  const QList<QStringList> both{{"a.txt"}, {"a.txt"}};
  QCOMPARE(titlesIn(tabs), both);
  QCOMPARE(tabs.documents().size(), 1);
  QCOMPARE(tabs.activePane(), tabs.tree()->panes().last());
  QVERIFY(f.editor()->hasFocus());
  WindowFixture::type("new ");
  QCOMPARE(f.editor()->text(), QByteArray("new one\ntwo\n"));
  QCOMPARE(secondView(tabs)->text(), QByteArray("new one\ntwo\n"));
  QVERIFY(f.document()->isModified());
  chord(Qt::Key_Left);
  QCOMPARE(tabs.activePane(), tabs.tree()->panes().first());
  // The first pane's caret is where it was: before what was typed in the other.
  WindowFixture::key(Qt::Key_End);
  WindowFixture::type("!");
  QCOMPARE(secondView(tabs)->text(), QByteArray("new one!\ntwo\n"));
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("one\ntwo\n"));
  QCOMPARE(secondView(tabs)->text(), QByteArray("one\ntwo\n"));
  QVERIFY(!f.document()->isModified());
}

void TestPanes::keysGoFromPaneToPane() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier | Qt::AltModifier);
  EditorTabs& tabs = *f.parts().tabs;
  const QList<Pane*> panes = tabs.tree()->panes();
  QCOMPARE(panes.size(), 3);  // left, above right, below right
  QCOMPARE(tabs.activePane(), panes[2]);
  chord(Qt::Key_Up);
  QCOMPARE(tabs.activePane(), panes[1]);
  chord(Qt::Key_Left);
  QCOMPARE(tabs.activePane(), panes[0]);
  QVERIFY(panes[0]->isAncestorOf(QApplication::focusWidget()));
  chord(Qt::Key_Left);  // there is none
  QCOMPARE(tabs.activePane(), panes[0]);
  chord(Qt::Key_Right);
  chord(Qt::Key_Down);
  QCOMPARE(tabs.activePane(), panes[2]);
}

void TestPanes::aClickInASecondViewPutsTheCaretThere() {
  WindowFixture f;
  f.openProjectWith("a.txt", numbered(10));
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  EditorTabs& tabs = *f.parts().tabs;
  editor::CodeEditor* view = secondView(tabs);
  const qint64 start = view->lineStart(4) + 2;
  using Sci = QsciScintillaBase;
  const QPoint at(int(view->sci(Sci::SCI_POINTXFROMPOSITION, 0, long(start))),
                  int(view->sci(Sci::SCI_POINTYFROMPOSITION, 0, long(start))) + 4);
  // To the window, as a click comes: what lies at the place changes in the midst of it.
  QTest::mouseClick(f.window().windowHandle(), Qt::LeftButton, {},
                    view->viewport()->mapTo(&f.window(), at));
  QCOMPARE(tabs.activePane(), tabs.tree()->panes().first());
  QVERIFY(f.editor()->hasFocus());
  QCOMPARE(f.editor()->caret(), start);
  WindowFixture::type("X");
  QCOMPARE(f.editor()->lineText(4), QByteArray("liXne 5"));
}

void TestPanes::eachViewHasItsOwnScrollingAndFolds() {
  WindowFixture f;
  QByteArray text = "int main() {\n  int a;\n  int b;\n}\n" + numbered(300);
  f.openProjectWith("a.cpp", text);
  f.editor()->highlightAll();
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  EditorTabs& tabs = *f.parts().tabs;
  const QList<Pane*> panes = tabs.tree()->panes();
  f.editor()->perform("fold");
  QCOMPARE(f.editor()->viewState().folded, QVector<int>{0});
  QCOMPARE(secondView(tabs)->viewState().folded, QVector<int>{});
  secondView(tabs)->verticalScrollBar()->setValue(100);
  chord(Qt::Key_Left);
  QCOMPARE(f.editor()->viewState().folded, QVector<int>{});
  QCOMPARE(f.editor()->viewState().firstLine, 100);
  QCOMPARE(tabs.viewState(f.document(), panes[1]).folded, QVector<int>{0});
  QCOMPARE(tabs.viewState(f.document(), panes[1]).firstLine, 0);
}

void TestPanes::aFileIsBroughtUpWhereItIs() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  f.openFile("b.txt");
  chord(Qt::Key_N);
  EditorTabs& tabs = *f.parts().tabs;
  const QList<QStringList> apart{{"a.txt"}, {"b.txt"}};
  QCOMPARE(titlesIn(tabs), apart);
  f.openFile("a.txt");
  QCOMPARE(titlesIn(tabs), apart);
  QCOMPARE(tabs.activePane(), tabs.tree()->panes().first());
  f.write("c.txt", "c\n");
  f.openFile("c.txt");
  const QList<QStringList> three{{"a.txt", "c.txt"}, {"b.txt"}};
  QCOMPARE(titlesIn(tabs), three);
}

void TestPanes::theLastTabOfADocumentClosesIt() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  WindowFixture::type("x");  // nobody is asked while there is another tab
  EditorTabs& tabs = *f.parts().tabs;
  WindowFixture::key(Qt::Key_W, Qt::ControlModifier);
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt"}}));
  QCOMPARE(f.editor()->text(), QByteArray("xa\n"));
  QVERIFY(f.editor()->hasFocus());
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  WindowFixture::key(Qt::Key_W, Qt::ControlModifier);
  QVERIFY(tabs.documents().isEmpty());
  QCOMPARE(tabs.tree()->panes().size(), 1);
  QCOMPARE(f.read("a.txt"), QByteArray("xa\n"));
}

void TestPanes::closingAPaneKeepsItsTabs() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  f.openFile("b.txt");
  EditorTabs& tabs = *f.parts().tabs;
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt"}, {"a.txt", "b.txt"}}));
  chord(Qt::Key_W);
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt", "b.txt"}}));
  QCOMPARE(f.document()->title(), QString("b.txt"));
  QVERIFY(f.editor()->hasFocus());
  WindowFixture::type("z");
  QCOMPARE(f.editor()->text(), QByteArray("zb\n"));
}

void TestPanes::aTabGoesToAnotherPaneByKey() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  f.openFile("b.txt");
  chord(Qt::Key_N);
  EditorTabs& tabs = *f.parts().tabs;
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt"}, {"b.txt"}}));
  QCOMPARE(f.document()->title(), QString("b.txt"));
  chord(Qt::Key_N);  // its pane is gone with its last tab
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt", "b.txt"}}));
  QCOMPARE(f.document()->title(), QString("b.txt"));
  QVERIFY(f.editor()->hasFocus());
}

void TestPanes::aTabIsDraggedToAPaneAndToAnEdge() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  f.openFile("b.txt");
  EditorTabs& tabs = *f.parts().tabs;
  Pane* first = tabs.activePane();
  dragTab(first->bar(), 1, first, QPoint(first->width() / 2, first->height() - 10));
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt"}, {"b.txt"}}));
  const QList<Pane*> panes = tabs.tree()->panes();
  QVERIFY(panes[1]->mapTo(tabs.tree(), QPoint()).y() > panes[0]->mapTo(tabs.tree(), QPoint()).y());
  dragTab(panes[1]->bar(), 0, panes[0], panes[0]->rect().center());
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt", "b.txt"}}));
  WindowFixture::type("z");
  QCOMPARE(f.editor()->text(), QByteArray("zb\n"));
}

void TestPanes::findGoesWithTheActivePane() {
  WindowFixture f;
  f.write("b.txt", "needle in b\n");
  f.openProjectWith("a.txt", "a needle\n");
  f.openFile("b.txt");
  chord(Qt::Key_N);
  EditorTabs& tabs = *f.parts().tabs;
  WindowFixture::key(Qt::Key_F, Qt::ControlModifier);
  WindowFixture::type("needle");
  QCOMPARE(f.editor()->selectedText(), QByteArray("needle"));
  QVERIFY(tabs.activePane()->isAncestorOf(tabs.findBar()));
  tabs.focusPane(Qt::LeftEdge);
  QVERIFY(tabs.tree()->panes().first()->isAncestorOf(tabs.findBar()));
  WindowFixture::key(Qt::Key_F3);
  QCOMPARE(f.document()->title(), QString("a.txt"));
  QCOMPARE(f.editor()->selectedText(), QByteArray("needle"));
}

void TestPanes::aTextReadAnewIsSeenInBothViews() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  f.write("a.txt", "another text\n");
  f.document()->checkDisk();
  QCOMPARE(f.editor()->text(), QByteArray("another text\n"));
  QCOMPARE(secondView(*f.parts().tabs)->text(), QByteArray("another text\n"));
}

void TestPanes::theNextStartHasThePanesAgain() {
  WindowFixture f;
  f.write("b.txt", numbered(200));
  f.write("c.txt", "c\n");
  f.openProjectWith("a.txt", "one\ntwo\nthree\n");
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier);
  f.editor()->goToLine(2, 3);
  WindowFixture::key(Qt::Key_Backslash, Qt::ControlModifier | Qt::AltModifier);
  f.openFile("b.txt");
  f.editor()->goToLine(120, 2);
  f.openFile("c.txt");
  f.openFile("b.txt");
  const EditorTabs* before = f.parts().tabs;
  before->tree()->root()->setSizes({300, 500});
  const QList<QStringList> titles = titlesIn(*before);
  QCOMPARE(titles, (QList<QStringList>{{"a.txt"}, {"a.txt"}, {"a.txt", "b.txt", "c.txt"}}));
  const QList<int> sizes = before->tree()->root()->sizes();
  const qint64 caretInSecond =
      before->viewState(before->tree()->panes()[1]->current(), before->tree()->panes()[1]).caret;
  QVERIFY(f.close());

  f.open({});
  const EditorTabs& tabs = *f.parts().tabs;
  QCOMPARE(titlesIn(tabs), titles);
  const QList<Pane*> panes = tabs.tree()->panes();
  QCOMPARE(tabs.activePane(), panes[2]);
  QCOMPARE(f.document()->title(), QString("b.txt"));
  QCOMPARE(f.editor()->caretLine(), 120);
  QCOMPARE(f.editor()->caretColumn(), 2);
  QVERIFY(f.editor()->hasFocus());
  QCOMPARE(tabs.viewState(panes[1]->current(), panes[1]).caret, caretInSecond);
  QCOMPARE(tabs.viewState(panes[0]->current(), panes[0]).caret, 0);
  QCOMPARE(tabs.tree()->root()->sizes(), sizes);
  QCOMPARE(tabs.documents().size(), 3);
}

void TestPanes::filesThatAreGoneCostTheirPane() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  f.openFile("b.txt");
  chord(Qt::Key_N);
  QVERIFY(f.close());
  QVERIFY(QFile::remove(f.path("b.txt")));
  f.open({});
  QCOMPARE(titlesIn(*f.parts().tabs), (QList<QStringList>{{"a.txt"}}));
}

void TestPanes::aFileOfTheTreeIsOpenedToTheSide() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  const EditorTabs& tabs = *f.parts().tabs;
  f.parts().tree->reveal(f.path("b.txt"));
  QTRY_COMPARE(f.parts().tree->selectedPath(), f.path("b.txt"));
  f.parts().tree->setFocus();
  WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt"}, {"b.txt"}}));
  QVERIFY(f.editor()->hasFocus());
  // From there the next pane is the first; what is open elsewhere gets a second view.
  f.parts().tree->setFocus();
  WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt", "b.txt"}, {"b.txt"}}));
  QCOMPARE(tabs.activePane(), tabs.tree()->panes().first());
  WindowFixture::type("z");
  QCOMPARE(secondView(tabs)->text(), QByteArray("zb\n"));
}

void TestPanes::aClickInTheTreePreviews() {
  WindowFixture f;
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) f.write(name, "text\n");
  f.openProject();
  EditorTabs& tabs = *f.parts().tabs;
  clickInTree(f, "a.txt");
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt"}}));
  QCOMPARE(tabs.activePane()->bar()->italic(), 0);
  clickInTree(f, "b.txt");
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"b.txt"}}));
  QCOMPARE(f.document(), tabs.preview());
  f.openFile("a.txt");
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"b.txt", "a.txt"}}));
  QCOMPARE(tabs.activePane()->bar()->italic(), 0);
  clickInTree(f, "c.txt");
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt", "c.txt"}}));
  QCOMPARE(tabs.activePane()->bar()->italic(), 1);
}

void TestPanes::aPreviewIsKept_data() {
  QTest::addColumn<QString>("by");
  for (const char* by : {"typing", "double click", "key", "opening"}) QTest::newRow(by) << by;
}

void TestPanes::aPreviewIsKept() {
  QFETCH(QString, by);
  WindowFixture f;
  for (const char* name : {"a.txt", "b.txt"}) f.write(name, "text\n");
  f.openProject();
  clickInTree(f, "a.txt");
  EditorTabs& tabs = *f.parts().tabs;
  TabBar* bar = tabs.activePane()->bar();
  if (by == "typing") {
    f.document()->setFocus();
    WindowFixture::type("x");
    f.editor()->flushEdits();
  } else if (by == "double click") {
    QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(0).center());
  } else if (by == "key") {
    chord(Qt::Key_K);
  } else {
    f.openFile("a.txt");
  }
  QCOMPARE(bar->italic(), -1);
  clickInTree(f, "b.txt");
  QCOMPARE(titlesIn(tabs), (QList<QStringList>{{"a.txt", "b.txt"}}));
}

void TestPanes::withoutPreviewsEachClickOpensATab() {
  WindowFixture f;
  for (const char* name : {"a.txt", "b.txt"}) f.write(name, "text\n");
  f.openProject();
  Preferences preferences = f.parts().settings->get();
  preferences.previewTabs = false;
  f.parts().settings->set(preferences);
  clickInTree(f, "a.txt");
  clickInTree(f, "b.txt");
  QCOMPARE(titlesIn(*f.parts().tabs), (QList<QStringList>{{"a.txt", "b.txt"}}));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestPanes)
#include "test_panes.moc"
