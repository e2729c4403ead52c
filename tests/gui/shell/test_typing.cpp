// SPDX-License-Identifier: GPL-3.0-or-later
// Open and type: however a file was opened, its text has the keyboard, and what is typed stands in
// it. And what the window makes of suggestions that are typed with.
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QTabBar>
#include <QTest>
#include <QTreeView>
#include <QUrl>
#include <functional>

#include "editor/ghost/ghost_text.h"
#include "editor/widget/list_popup.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"

namespace waferpair::gui {
namespace {

using Sci = QsciScintillaBase;

// Returns where the tree shows the file, once it does.
QRect rowOf(WindowFixture& f, const QString& relative) {
  auto* view = f.find<QTreeView>("folderTreeView");
  f.parts().tree->reveal(f.path(relative));
  (void)QTest::qWaitFor([&] { return f.parts().tree->selectedPath() == f.path(relative); });
  return view->visualRect(view->currentIndex());
}

QWidget* treeViewport(WindowFixture& f) { return f.find<QTreeView>("folderTreeView")->viewport(); }

void dropUrls(QWidget* target, const QStringList& paths) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& path : paths) urls.append(QUrl::fromLocalFile(path));
  data.setUrls(urls);
  const QPoint at = target->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &drop);
  QVERIFY(drop.isAccepted());
}

using Way = std::function<void(WindowFixture& f)>;

}  // namespace

class TestTyping : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatWasOpenedIsTypedInto_data();
  void whatWasOpenedIsTypedInto();
  void aClickInTheTreeLooksAndLeavesTheKeysThere();
  void aFolderDroppedIsOpened();
  void textDroppedStaysText();
  void theChipGoesWhenTheKeyIsKnown();
  void wordsOfOpenFilesAreListed();
  void pairsAreClosedUnlessToldNotTo();
};

void TestTyping::whatWasOpenedIsTypedInto_data() {
  QTest::addColumn<Way>("way");
  const auto row = [](const char* name, Way way) { QTest::newRow(name) << way; };
  row("command line", [](WindowFixture& f) {
    f.drop();
    f.open({f.project(), f.path("b.txt")});
  });
  row("command line, file alone", [](WindowFixture& f) {
    f.drop();
    f.open({f.path("b.txt")});
  });
  row("tree, Enter", [](WindowFixture& f) {
    rowOf(f, "b.txt");
    WindowFixture::trigger(f.window(), "files.focus");
    f.key(Qt::Key_Return);
  });
  row("tree, double click", [](WindowFixture& f) {
    const QPoint at = rowOf(f, "b.txt").center();
    QTest::mouseClick(treeViewport(f), Qt::LeftButton, {}, at);
    QTest::mouseDClick(treeViewport(f), Qt::LeftButton, {}, at);
  });
  row("tree, double click on an open file", [](WindowFixture& f) {
    f.openFile("b.txt");
    f.openFile("a.txt");
    const QPoint at = rowOf(f, "b.txt").center();
    QTest::mouseClick(treeViewport(f), Qt::LeftButton, {}, at);
    QTest::mouseDClick(treeViewport(f), Qt::LeftButton, {}, at);
  });
  row("tree, new file", [](WindowFixture& f) {
    QFile::remove(f.path("b.txt"));
    WindowFixture::trigger(f.window(), "files.focus");
    WindowFixture::trigger(f.window(), "files.newFile");
    f.type("b.txt");
    f.key(Qt::Key_Return);
  });
  row("quick open", [](WindowFixture& f) {
    QTRY_VERIFY(f.parts().fileIndex->files().contains("b.txt"));
    f.key(Qt::Key_P, Qt::ControlModifier);
    f.type("b.txt");
    f.key(Qt::Key_Return);
  });
  row("open dialog", [](WindowFixture& f) {
    f.parts().tree->setFocus();
    WindowFixture::trigger(f.window(), "file.open");
    QTRY_VERIFY(f.find<QFileDialog>("openFileDialog") != nullptr);
    auto* dialog = f.find<QFileDialog>("openFileDialog");
    dialog->selectFile(f.path("b.txt"));
    Q_EMIT dialog->filesSelected({f.path("b.txt")});
    dialog->close();
  });
  row("recent folder on the start page", [](WindowFixture& f) {
    f.openFile("b.txt");
    QVERIFY(f.close());
    f.drop();
    // Another folder was last.
    QDir().mkpath(f.path("other"));
    f.open({f.path("other")});
    WindowFixture::trigger(f.window(), "file.closeFolder");
    const QString name = "recent." + QFileInfo(f.project()).canonicalFilePath();
    QVERIFY(WindowFixture::click(qPrintable(name)));
    QTRY_VERIFY(f.document());
  });
  row("the session of last time", [](WindowFixture& f) {
    f.openFile("a.txt");
    f.openFile("b.txt");
    QVERIFY(f.close());
    f.drop();
    f.open({});
  });
  row("next tab", [](WindowFixture& f) {
    f.openFile("b.txt");
    f.openFile("a.txt");
    f.key(Qt::Key_PageUp, Qt::ControlModifier);
  });
  row("next tab, from the tree", [](WindowFixture& f) {
    f.openFile("b.txt");
    f.openFile("a.txt");
    WindowFixture::trigger(f.window(), "files.focus");
    f.key(Qt::Key_PageUp, Qt::ControlModifier);
  });
  row("last used file, from the tree", [](WindowFixture& f) {
    f.openFile("b.txt");
    f.openFile("a.txt");
    WindowFixture::trigger(f.window(), "files.focus");
    WindowFixture::trigger(f.window(), "go.recentTab");
    QTest::keyRelease(QApplication::focusWidget(), Qt::Key_Control);
  });
  row("click on a tab, from the tree", [](WindowFixture& f) {
    f.openFile("b.txt");
    f.openFile("a.txt");
    WindowFixture::trigger(f.window(), "files.focus");
    auto* bar = f.find<QTabBar>("editorTabBar");
    for (int i = 0; i < bar->count(); ++i)
      if (bar->tabText(i) == "b.txt")
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center() - QPoint(10, 0));
  });
  row("reopen closed, from the tree", [](WindowFixture& f) {
    f.openFile("b.txt");
    f.key(Qt::Key_W, Qt::ControlModifier);
    WindowFixture::trigger(f.window(), "files.focus");
    f.key(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  });
  row("drop on the window", [](WindowFixture& f) {
    f.parts().tree->setFocus();
    dropUrls(&f.window(), {f.path("a.txt"), f.path("b.txt")});
  });
  row("drop on a text", [](WindowFixture& f) {
    f.openFile("a.txt");
    dropUrls(f.editor()->viewport(), {f.path("b.txt")});
  });
}

void TestTyping::whatWasOpenedIsTypedInto() {
  QFETCH(Way, way);
  WindowFixture f;
  f.write("a.txt", "first\n");
  f.write("b.txt", "");
  f.openProject();
  way(f);
  // Quick open searches on a thread.
  QTRY_VERIFY(f.document() && f.document()->path() == f.path("b.txt"));
  QTRY_VERIFY(f.editor()->hasFocus());
  f.type("typed");
  QCOMPARE(f.editor()->text(), QByteArray("typed"));
  // And the caret is there to be seen.
  QCOMPARE(f.editor()->sci(Sci::SCI_GETFOCUS), 1);
  QVERIFY(f.editor()->sci(Sci::SCI_GETCARETWIDTH) > 0);
  const long y = f.editor()->sci(Sci::SCI_POINTYFROMPOSITION, 0, f.editor()->caret());
  QVERIFY(y >= 0 && y < f.editor()->viewport()->height());
}

void TestTyping::aClickInTheTreeLooksAndLeavesTheKeysThere() {
  WindowFixture f;
  f.write("a.txt", "first\n");
  f.write("b.txt", "second\n");
  f.openProject();
  auto* view = f.find<QTreeView>("folderTreeView");
  for (const char* name : {"a.txt", "b.txt"}) {
    QTest::mouseClick(treeViewport(f), Qt::LeftButton, {}, rowOf(f, name).center());
    QCOMPARE(f.document()->path(), f.path(name));
    QVERIFY(view->hasFocus());
  }
  // So the arrows go on from there, and Enter goes to the text.
  f.key(Qt::Key_Up);
  QCOMPARE(f.parts().tree->selectedPath(), f.path("a.txt"));
  f.key(Qt::Key_Return);
  QVERIFY(f.editor()->hasFocus());
  f.type("typed ");
  QCOMPARE(f.document()->path(), f.path("a.txt"));
  QCOMPARE(f.editor()->text(), QByteArray("typed first\n"));
}

void TestTyping::aFolderDroppedIsOpened() {
  WindowFixture f;
  f.write("inner/c.txt", "third\n");
  f.open({});
  dropUrls(&f.window(), {f.path("inner")});
  QTRY_COMPARE(f.parts().workspace->folder(), QFileInfo(f.path("inner")).canonicalFilePath());
}

void TestTyping::textDroppedStaysText() {
  WindowFixture f;
  f.openProjectWith("a.txt", "");
  QMimeData data;
  data.setText("dropped");
  QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(f.editor()->viewport(), &enter);
  QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(f.editor()->viewport(), &drop);
  QCOMPARE(f.editor()->text(), QByteArray("dropped"));
}

void TestTyping::pairsAreClosedUnlessToldNotTo() {
  WindowFixture f;
  f.openProjectWith("a.cpp", "\n");
  f.type("f(");
  QCOMPARE(f.editor()->text(), QByteArray("f()\n"));
  f.type("x);");
  QCOMPARE(f.editor()->text(), QByteArray("f(x);\n"));
  f.trigger(f.window(), "edit.closePairs");
  QVERIFY(!f.parts().settings->get().closePairs);
  f.type("g(");
  QCOMPARE(f.editor()->text(), QByteArray("f(x);g(\n"));
}

void TestTyping::wordsOfOpenFilesAreListed() {
  WindowFixture f;
  f.write("other.h", "int aNameOfItsOwn;\n");
  f.openProjectWith("a.cpp", "int x = aNa;\n");
  f.openFile("other.h");
  f.openFile("a.cpp");
  f.editor()->setSelection(11, 11);
  f.key(Qt::Key_Space, Qt::ControlModifier);
  QTRY_VERIFY(f.editor()->list()->isVisible());
  QCOMPARE(f.editor()->list()->currentIndex().data().toString(), QStringLiteral("aNameOfItsOwn"));
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->text(), QByteArray("int x = aNameOfItsOwn;\n"));
  f.editor()->setSelection(f.editor()->length(), f.editor()->length());
  f.type("aNam");
  test::rest();
  QVERIFY(!f.editor()->list()->isOpen());
  f.trigger(f.window(), "edit.wordsWhileTyping");
  f.type(" aNam");
  QTRY_VERIFY(f.editor()->list()->isVisible());
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->lineText(1), QByteArray("aNam aNameOfItsOwn"));
}

// The chip goes in every window from then on.
void TestTyping::theChipGoesWhenTheKeyIsKnown() {
  WindowFixture f;
  f.openProjectWith("a.txt", "");
  for (int accepted = 0; accepted < kEnoughAccepted; ++accepted) {
    QCOMPARE(f.editor()->ghost()->namedKey(), QStringLiteral("Tab"));
    QVERIFY(f.editor()->ghost()->show(f.editor()->caret(), "word"));
    f.key(Qt::Key_Tab);
    if (accepted == 1) {  // it is counted over restarts
      f.key(Qt::Key_S, Qt::ControlModifier);
      QVERIFY(f.close());
      f.drop();
      f.open({f.path("a.txt")});
    }
  }
  QCOMPARE(f.editor()->ghost()->namedKey(), QString());
  f.key(Qt::Key_S, Qt::ControlModifier);
  QVERIFY(f.close());
  f.drop();
  f.open({f.path("a.txt")});
  QCOMPARE(f.editor()->ghost()->namedKey(), QString());
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestTyping)
#include "test_typing.moc"
