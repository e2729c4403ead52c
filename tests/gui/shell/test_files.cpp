// SPDX-License-Identifier: GPL-3.0-or-later
// Files through the real window: opening, saving, what other programs do meanwhile, full disks.
#include <signal.h>
#include <sys/resource.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/project/folder_model.h"
#include "gui/project/folder_tree.h"
#include "gui/shell/status_line.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {

class TestFiles : public QObject {
  Q_OBJECT
 private slots:
  void opensAFileFromTheTreeByKeys();
  void aLargeFileIsReadWhileTheWindowGoesOn();
  void whoWentOnMeanwhileStaysThere();
  void aLargeFileIsOpenedOnce();
  void onlyTheLastPreviewIsShown();
  void savesWhatIsTyped();
  void makesRenamesAndTrashesFilesByKeys();
  void aRenamedFileStaysOpen();
  void refusesNamesThatAreTaken();
  void treeHidesWhatGitIgnores();
  void treeIsInOrderFromTheFirstFrame();
  void keepsEncodingAndLineEnds_data();
  void keepsEncodingAndLineEnds();
  void convertsLineEndsAndEncodingOnRequest();
  void isReadAnewInAnotherEncoding();
  void anEncodingThatDoesNotFitIsSaidAndChangesNothing();
  void whatIsNoTextByItsBytesMayBeOneInAnEncoding();
  void reloadsAnUntouchedFileThatChanged();
  void asksAboutAFileChangedOnBothSides();
  void keepMineIsRemembered();
  void whatIsReadAnewKeepsTheCaretsPlace();
  void undoLeadsBackToWhatIsOnDisk();
  void neverOverwritesAnOutsideChangeUnasked();
  void tellsOfADeletedFile();
  void aDeletedFileMayComeBack_data();
  void aDeletedFileMayComeBack();
  void fullDiskKeepsTheFileAndTheText();
  void aFolderThatIsGoneIsMadeOnRequest();
  void aFolderThatCannotBeMadeIsNamed();
  void safeModeSaysWhatIsOff();
  void aBinaryFileThatChangedIsShownAnew();
  void aLongLineSaysWhatIsOffWhileItIsThere();
  void reportsAFileThatCannotBeRead();
};

void TestFiles::opensAFileFromTheTreeByKeys() {
  WindowFixture f;
  f.write("alpha.txt", "first\n");
  f.write("src/beta.cpp", "int main() {}\n");
  f.openProject();
  WindowFixture::trigger(f.window(), "files.focus");
  auto* view = f.find<QTreeView>("folderTreeView");
  QTRY_VERIFY(view->model()->rowCount(view->rootIndex()) == 2);  // folders first
  view->setCurrentIndex(view->model()->index(0, 0, view->rootIndex()));
  QCOMPARE(view->currentIndex().data().toString(), QStringLiteral("src"));
  f.key(Qt::Key_Return);
  QTRY_VERIFY(view->isExpanded(view->currentIndex()));
  QTRY_COMPARE(view->model()->rowCount(view->currentIndex()), 1);
  f.key(Qt::Key_Down);
  f.key(Qt::Key_Return);
  QVERIFY(f.document());
  QCOMPARE(f.document()->path(), f.path("src/beta.cpp"));
  QCOMPARE(f.editor()->text(), QByteArray("int main() {}\n"));
  QVERIFY(f.editor()->hasFocus());
  QCOMPARE(f.editor()->language(), QStringLiteral("C++"));
}

namespace {

const QByteArray kLargeText = QByteArray("int value(int a) { return a + 1; }\n").repeated(60'000);

EditorTabs* tabsOf(WindowFixture& f) { return f.parts().tabs; }

}  // namespace

void TestFiles::aLargeFileIsReadWhileTheWindowGoesOn() {
  WindowFixture f;
  f.write("large.cpp", kLargeText);
  f.openProjectWith("small.txt", "");
  Document* told = nullptr;
  tabsOf(f)->open(f.path("large.cpp"), {.then = [&](Document* document) {
                    told = document;
                    document->editor()->goToLine(50'000);
                  }});
  // Until it is there the text in front is written in.
  QVERIFY(tabsOf(f)->isOpening());
  QCOMPARE(tabsOf(f)->documents().size(), 1);
  WindowFixture::type("ab");
  QCOMPARE(f.editor()->text(), QByteArray("ab"));
  QTRY_VERIFY(told);
  QVERIFY(!tabsOf(f)->isOpening());
  QCOMPARE(f.document(), told);
  QVERIFY(f.editor()->hasFocus());
  QVERIFY(f.editor()->text() == kLargeText);
  QCOMPARE(f.editor()->caretLine(), 50'000);
  QCOMPARE(f.editor()->language(), "C++");
  WindowFixture::type("x");
  WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("large.cpp").size(), kLargeText.size() + 1);
  // What another program writes is seen as ever.
  f.write("large.cpp", "short\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("short\n"));
}

void TestFiles::whoWentOnMeanwhileStaysThere() {
  WindowFixture f;
  f.write("large.cpp", kLargeText);
  f.write("other.txt", "other\n");
  f.openProjectWith("small.txt", "small\n");
  tabsOf(f)->open(f.path("large.cpp"));
  QVERIFY(tabsOf(f)->isOpening());
  f.openFile("other.txt");
  QTRY_COMPARE(tabsOf(f)->documents().size(), 3);
  QCOMPARE(f.document()->title(), "other.txt");
  QVERIFY(f.editor()->hasFocus());
  WindowFixture::type("x");
  QCOMPARE(f.editor()->text(), QByteArray("xother\n"));
}

void TestFiles::aLargeFileIsOpenedOnce() {
  WindowFixture f;
  f.write("large.cpp", kLargeText);
  f.openProjectWith("small.txt", "small\n");
  QVector<Document*> told;
  for (int i = 0; i < 2; ++i)
    tabsOf(f)->open(f.path("large.cpp"),
                    {.then = [&](Document* document) { told.append(document); }});
  // By another way, which does not wait.
  Document* at = tabsOf(f)->openFile(f.path("large.cpp"));
  QTRY_COMPARE(told, (QVector<Document*>{at, at}));
  QCOMPARE(tabsOf(f)->documents().size(), 2);
  // The window may be closed while one is read.
  tabsOf(f)->close(at);
  tabsOf(f)->open(f.path("large.cpp"));
  QVERIFY(tabsOf(f)->isOpening());
  QVERIFY(f.close());
}

// Who walks along the tree by keys wants none of those that were passed.
void TestFiles::onlyTheLastPreviewIsShown() {
  WindowFixture f;
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"}) f.write(name, kLargeText);
  f.openProjectWith("small.txt", "small\n");
  QVector<QString> told;
  for (const char* name : {"a.cpp", "b.cpp", "c.cpp"})
    tabsOf(f)->open(f.path(name), {.isPreview = true, .then = [&](Document* document) {
                                     told.append(document ? document->title() : QString());
                                   }});
  QTRY_COMPARE(told.size(), 3);
  std::sort(told.begin(), told.end());
  QCOMPARE(told, (QVector<QString>{{}, {}, "c.cpp"}));
  QCOMPARE(tabsOf(f)->documents().size(), 2);
  QCOMPARE(f.document(), tabsOf(f)->preview());
  QCOMPARE(f.document()->title(), "c.cpp");
}

void TestFiles::savesWhatIsTyped() {
  WindowFixture f;
  f.openProjectWith("a.txt", "old\n");
  f.type("new ");
  QVERIFY(f.document()->isModified());
  QVERIFY(f.window().isWindowModified());
  f.key(Qt::Key_S, Qt::ControlModifier);
  QVERIFY(!f.document()->isModified());
  QCOMPARE(f.read("a.txt"), QByteArray("new old\n"));
  QVERIFY(!f.window().isWindowModified());
}

void TestFiles::makesRenamesAndTrashesFilesByKeys() {
  WindowFixture f;
  f.write("keep.txt", "x");
  f.openProject();
  WindowFixture::trigger(f.window(), "files.focus");
  auto* view = f.find<QTreeView>("folderTreeView");
  WindowFixture::trigger(f.window(), "files.newFile");
  f.type("sub/new.txt");
  f.key(Qt::Key_Return);
  QCOMPARE(f.read("sub/new.txt"), QByteArray());
  QVERIFY(f.document());
  QCOMPARE(f.document()->path(), f.path("sub/new.txt"));

  WindowFixture::trigger(f.window(), "files.focus");
  QTRY_COMPARE(f.parts().tree->selectedPath(), f.path("sub/new.txt"));
  f.key(Qt::Key_F2);
  QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("inputPromptField"));
  f.type("renamed");  // replaces the marked part, which leaves out the suffix
  f.key(Qt::Key_Return);
  QVERIFY(QFile::exists(f.path("sub/renamed.txt")));
  QVERIFY(!QFile::exists(f.path("sub/new.txt")));

  view->setFocus();
  QTRY_COMPARE(f.parts().tree->selectedPath(), f.path("sub/renamed.txt"));
  f.key(Qt::Key_Delete);
  QVERIFY(WindowFixture::click("trashCancel"));
  QVERIFY(QFile::exists(f.path("sub/renamed.txt")));
  view->setFocus();
  f.key(Qt::Key_Delete);
  QVERIFY(WindowFixture::click("trashConfirm"));
  QTRY_VERIFY(!QFile::exists(f.path("sub/renamed.txt")));
  QVERIFY(QFile::exists(f.path("keep.txt")));
}

void TestFiles::aRenamedFileStaysOpen() {
  WindowFixture f;
  f.openProjectWith("lib/a.txt", "one\n");
  f.type("unsaved ");
  QVERIFY(QDir().rename(f.path("lib"), f.path("library")));
  f.parts().tabs->pathRenamed(f.path("lib"), f.path("library"));
  QCOMPARE(f.document()->path(), f.path("library/a.txt"));
  QVERIFY(f.document()->isModified());
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("library/a.txt"), QByteArray("unsaved one\n"));
}

void TestFiles::refusesNamesThatAreTaken() {
  WindowFixture f;
  f.write("taken.txt", "precious");
  f.openProject();
  WindowFixture::trigger(f.window(), "files.newFile");
  f.type("taken.txt");
  auto* complaint = f.find<QLabel>("inputPromptComplaint");
  QVERIFY(complaint->isVisible());
  QVERIFY(complaint->text().contains("taken.txt"));
  f.key(Qt::Key_Return);
  QVERIFY(f.find<QWidget>("inputPrompt")->isVisible());
  QCOMPARE(f.read("taken.txt"), QByteArray("precious"));
  f.key(Qt::Key_Escape);
  QVERIFY(!f.find<QWidget>("inputPrompt")->isVisible());
}

void TestFiles::treeHidesWhatGitIgnores() {
  WindowFixture f;
  f.write(".gitignore", "*.o\n");
  f.write("a.cpp", "");
  f.write("a.o", "");
  f.openProject();
  auto* view = f.find<QTreeView>("folderTreeView");
  const auto rows = [view] { return view->model()->rowCount(view->rootIndex()); };
  QTRY_COMPARE(rows(), 1);
  WindowFixture::trigger(f.window(), "view.ignoredFiles");
  QTRY_COMPARE(rows(), 2);
  WindowFixture::trigger(f.window(), "view.hiddenFiles");
  QTRY_COMPARE(rows(), 3);
}

void TestFiles::treeIsInOrderFromTheFirstFrame() {
  WindowFixture f;
  for (const char* name : {"b.txt", "part10.txt", "part2.txt", "Z/in.txt", "a.txt", "d/in.txt"})
    f.write(QLatin1String(name), "");
  FolderModel model;
  QPersistentModelIndex root;
  const auto names = [&] {
    QStringList all;
    for (int row = 0; row < model.rowCount(root); ++row)
      all.append(model.index(row, 0, root).data().toString());
    return all;
  };
  QList<QStringList> seen;
  connect(&model, &FolderModel::rowsInserted, this, [&](const QModelIndex& parent) {
    if (root.isValid() && parent == root) seen.append(names());
  });
  // Names are asked for as a view does: rows nobody has asked for since a new layout are not told
  // of.
  connect(&model, &FolderModel::layoutChanged, this, names);
  model.setFolders({f.project()});
  root = model.index(0, 0);
  const QStringList expected{"d", "Z", "a.txt", "b.txt", "part2.txt", "part10.txt"};
  QTRY_COMPARE(names(), expected);
  QVERIFY(!seen.isEmpty());
  for (const QStringList& some : std::as_const(seen)) {
    QStringList inOrder;
    for (const QString& name : expected)
      if (some.contains(name)) inOrder.append(name);
    QCOMPARE(some, inOrder);
  }
}

void TestFiles::keepsEncodingAndLineEnds_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QByteArray>("expected");  // after typing "x" at the start
  QTest::newRow("UTF-8, LF") << QByteArray("\xc3\xa4\nb\n") << QByteArray("x\xc3\xa4\nb\n");
  QTest::newRow("UTF-8 with mark")
      << QByteArray("\xef\xbb\xbf\xc3\xa4\n") << QByteArray("\xef\xbb\xbfx\xc3\xa4\n");
  QTest::newRow("CRLF") << QByteArray("a\r\nb\r\n") << QByteArray("xa\r\nb\r\n");
  QTest::newRow("no line end at the end") << QByteArray("a\nb") << QByteArray("xa\nb");
  QTest::newRow("UTF-16 LE") << QByteArray("\xff\xfe\xe4\0\n\0", 6)
                             << QByteArray("\xff\xfex\0\xe4\0\n\0", 8);
  QTest::newRow("UTF-16 BE") << QByteArray("\xfe\xff\0\xe4\0\n", 6)
                             << QByteArray("\xfe\xff\0x\0\xe4\0\n", 8);
  QTest::newRow("Windows-1252") << QByteArray("\xe4\x80\n") << QByteArray("x\xe4\x80\n");
}

void TestFiles::keepsEncodingAndLineEnds() {
  QFETCH(QByteArray, bytes);
  QFETCH(QByteArray, expected);
  WindowFixture f;
  f.openProjectWith("a.txt", bytes);
  f.type("x");
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt").toHex(' '), expected.toHex(' '));
}

void TestFiles::convertsLineEndsAndEncodingOnRequest() {
  WindowFixture f;
  f.openProjectWith("a.txt", "\xc3\xa4\nb\n");
  QVERIFY(WindowFixture::click("statusLineEnds"));
  f.type("crlf");
  f.key(Qt::Key_Return);
  QCOMPARE(f.find<QToolButton>("statusLineEnds")->text(), QStringLiteral("CRLF"));
  QVERIFY(WindowFixture::click("statusEncoding"));
  f.type("1252");
  f.key(Qt::Key_Return);
  QVERIFY(f.document()->isModified());
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt").toHex(' '), QByteArray("\xe4\r\nb\r\n").toHex(' '));
}

void TestFiles::isReadAnewInAnotherEncoding() {
  WindowFixture f;
  f.openProjectWith("a.txt", "\xF0\xD2\n");
  QCOMPARE(f.editor()->text(), QByteArray("ðÒ\n"));
  QVERIFY(WindowFixture::click("statusEncoding"));
  f.type("reopen");
  f.key(Qt::Key_Return);
  QVERIFY(f.parts().picker->isOpen());
  f.type("koi8r");
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->text(), QByteArray("Пр\n"));
  QCOMPARE(f.find<QToolButton>("statusEncoding")->text(), QStringLiteral("KOI8-R"));
  QVERIFY(!f.document()->isModified());
  // It holds on, through a change on disk and a new name.
  f.write("a.txt", "\xD2\xF0\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("рП\n"));
  QVERIFY(QFile::rename(f.path("a.txt"), f.path("b.txt")));
  f.document()->moveTo(f.path("b.txt"));
  f.editor()->replaceRange(0, 0, "П");
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("b.txt").toHex(' '), QByteArray("\xF0\xD2\xF0\n").toHex(' '));
}

void TestFiles::anEncodingThatDoesNotFitIsSaidAndChangesNothing() {
  WindowFixture f;
  f.openProjectWith("a.txt", "caf\xE9\n");
  f.key(Qt::Key_M, Qt::ControlModifier);
  f.key(Qt::Key_R);
  f.type("shift_jis");
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->text(), QByteArray("café\n"));
  const Banner* banner = f.document()->banners()->find(QStringLiteral("bannerNotEncoded"));
  QVERIFY(banner);
  QVERIFY(banner->text().contains(QStringLiteral("Shift_JIS")));
  QCOMPARE(f.document()->encoding(), editor::Encoding::kWindows1252);
  QVERIFY(!f.document()->isModified());
}

void TestFiles::whatIsNoTextByItsBytesMayBeOneInAnEncoding() {
  WindowFixture f;
  f.openProjectWith("a.txt", QByteArray("a\0\n\0", 4));
  QCOMPARE(f.editor()->safeMode(), editor::SafeMode::kBinary);
  QVERIFY(WindowFixture::click("statusEncoding"));
  QCOMPARE(f.parts().picker->accessibleName(), QStringLiteral("Encoding of the file"));
  f.type(editor::encodingName(editor::Encoding::kUtf16LeNoMark));
  f.key(Qt::Key_Return);
  QCOMPARE(f.editor()->safeMode(), editor::SafeMode::kOff);
  QCOMPARE(f.editor()->text(), QByteArray("a\n"));
  f.type("b");
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt").toHex(' '), QByteArray("b\0a\0\n\0", 6).toHex(' '));
}

void TestFiles::reloadsAnUntouchedFileThatChanged() {
  WindowFixture f;
  f.openProjectWith("a.txt", "old\n");
  f.write("a.txt", "from outside\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("from outside\n"));
  QVERIFY(!f.document()->isModified());
  // Seen by the next change, too, although programs replace files instead of writing into them.
  QVERIFY(QFile::remove(f.path("a.txt")));
  f.write("a.txt", "replaced\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("replaced\n"));
}

void TestFiles::asksAboutAFileChangedOnBothSides() {
  WindowFixture f;
  f.write("a.txt", "old\n");
  f.openProject();
  f.openFile("a.txt");
  f.type("mine ");
  f.write("a.txt", "theirs\n");
  QTRY_VERIFY(f.document()->banners()->find("bannerChanged"));
  QCOMPARE(f.editor()->text(), QByteArray("mine old\n"));
  QVERIFY(WindowFixture::click("reload"));
  QCOMPARE(f.editor()->text(), QByteArray("theirs\n"));
  QVERIFY(!f.document()->isModified());
  QVERIFY(!f.document()->banners()->find("bannerChanged"));
  // Reloading is one step back for whoever regrets it.
  f.document()->setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("mine old\n"));
}

void TestFiles::keepMineIsRemembered() {
  WindowFixture f;
  f.write("a.txt", "old\n");
  f.openProject();
  f.openFile("a.txt");
  f.type("mine ");
  f.write("a.txt", "theirs\n");
  QVERIFY(WindowFixture::click("keepMine"));
  f.document()->checkDisk();
  QVERIFY(!f.document()->banners()->find("bannerChanged"));
  f.document()->setFocus();
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), QByteArray("mine old\n"));
}

void TestFiles::whatIsReadAnewKeepsTheCaretsPlace() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\ntwo\nthree\nfour\nfive\n");
  f.editor()->goToLine(2, 3);
  f.write("a.txt", "zero\none\ntwo\nthree\nfour\n5\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("zero\none\ntwo\nthree\nfour\n5\n"));
  QCOMPARE(f.editor()->caretLine(), 3);
  QCOMPARE(f.editor()->caretColumn(), 3);
}

// Back over a reload, to before and after what was typed: each step is one, and so is the place
// where nothing is to be saved.
void TestFiles::undoLeadsBackToWhatIsOnDisk() {
  WindowFixture f;
  f.openProjectWith("a.txt", "old\n");
  f.write("a.txt", "new\nand longer\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("new\nand longer\n"));
  f.type("typed ");
  QVERIFY(f.document()->isModified());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("new\nand longer\n"));
  QVERIFY(!f.document()->isModified());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("old\n"));
  QVERIFY(f.document()->isModified());
  QCOMPARE(f.document()->text().toByteArray(), QByteArray("old\n"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), QByteArray("old\n"));
  QVERIFY(!f.document()->isModified());
}

void TestFiles::neverOverwritesAnOutsideChangeUnasked() {
  WindowFixture f;
  f.write("a.txt", "old\n");
  f.openProject();
  f.openFile("a.txt");
  f.type("mine ");
  f.write("a.txt", "theirs\n");
  // Quicker than any notice from the system.
  QVERIFY(!f.document()->save());
  QCOMPARE(f.read("a.txt"), QByteArray("theirs\n"));
  QVERIFY(f.document()->isModified());
  QVERIFY(WindowFixture::click("overwrite"));
  QCOMPARE(f.read("a.txt"), QByteArray("mine old\n"));
  QVERIFY(!f.document()->isModified());
}

void TestFiles::tellsOfADeletedFile() {
  WindowFixture f;
  f.write("a.txt", "text\n");
  f.openProject();
  f.openFile("a.txt");
  QVERIFY(QFile::remove(f.path("a.txt")));
  QTRY_VERIFY(f.document()->banners()->find("bannerChanged"));
  QVERIFY(f.document()->isModified());
  QVERIFY(WindowFixture::click("saveAgain"));
  QCOMPARE(f.read("a.txt"), QByteArray("text\n"));
}

void TestFiles::aDeletedFileMayComeBack_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("as it was") << QByteArray("text\n");
  QTest::newRow("another one") << QByteArray("other\n");
}
void TestFiles::aDeletedFileMayComeBack() {
  QFETCH(QByteArray, text);
  WindowFixture f;
  f.openProjectWith("a.txt", "text\n");
  QVERIFY(QFile::remove(f.path("a.txt")));
  QTRY_VERIFY(f.document()->banners()->find("bannerChanged"));
  f.write("a.txt", text);
  f.document()->checkDisk();
  QVERIFY(!f.document()->banners()->find("bannerChanged"));
  QVERIFY(!f.document()->isModified());
  QCOMPARE(f.editor()->text(), text);
}

void TestFiles::fullDiskKeepsTheFileAndTheText() {
  WindowFixture f;
  f.openProjectWith("a.txt", "the original\n");
  const QByteArray much(200'000, 'm');
  f.editor()->replaceRange(0, 0, much);
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 64 * 1024;
  QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);

  QCOMPARE(f.read("a.txt"), QByteArray("the original\n"));
  QVERIFY(f.document()->isModified());
  QCOMPARE(f.editor()->length(), much.size() + 13);
  const Banner* banner = f.document()->banners()->find("bannerSaveFailed");
  QVERIFY(banner);
  QVERIFY2(banner->text().contains("a.txt"), qPrintable(banner->text()));
  QCOMPARE(QDir(f.project()).entryList(QDir::Files), QStringList("a.txt"));

  QVERIFY(WindowFixture::click("tryAgain"));  // there is room again
  QVERIFY(!f.document()->isModified());
  QCOMPARE(f.read("a.txt").size(), much.size() + 13);
}

void TestFiles::aFolderThatIsGoneIsMadeOnRequest() {
  WindowFixture f;
  f.openProjectWith("lib/deep/a.txt", "text\n");
  f.type("new ");
  QVERIFY(QDir(f.path("lib")).removeRecursively());
  f.key(Qt::Key_S, Qt::ControlModifier);
  QVERIFY(f.document()->isModified());
  QVERIFY(!QFile::exists(f.path("lib")));  // not unasked
  const Banner* banner = f.document()->banners()->find("bannerSaveFailed");
  QVERIFY(banner);
  QVERIFY2(banner->text().contains(f.path("lib/deep")), qPrintable(banner->text()));
  QVERIFY2(banner->text().contains("Make that folder"), qPrintable(banner->text()));
  f.document()->checkDisk();  // it knows already
  QVERIFY(!f.document()->banners()->find("bannerChanged"));

  QVERIFY(WindowFixture::click("makeFolder"));
  QCOMPARE(f.read("lib/deep/a.txt"), QByteArray("new text\n"));
  QVERIFY(!f.document()->isModified());
  QVERIFY(!f.document()->banners()->find("bannerSaveFailed"));
}

void TestFiles::aFolderThatCannotBeMadeIsNamed() {
  WindowFixture f;
  f.openProjectWith("lib/deep/a.txt", "text\n");
  f.type("new ");
  QVERIFY(QDir(f.path("lib")).removeRecursively());
  f.key(Qt::Key_S, Qt::ControlModifier);
  f.write("lib", "a file by now\n");
  QVERIFY(WindowFixture::click("makeFolder"));
  const Banner* banner = f.document()->banners()->find("bannerSaveFailed");
  QVERIFY(banner);
  QVERIFY2(banner->text().contains(f.path("lib/deep")), qPrintable(banner->text()));
  QVERIFY(f.document()->isModified());
  QCOMPARE(f.read("lib"), QByteArray("a file by now\n"));
  QVERIFY(QFile::remove(f.path("lib")));
  QVERIFY(QDir().mkpath(f.path("lib/deep")));
  QVERIFY(WindowFixture::click("tryAgain"));
  QCOMPARE(f.read("lib/deep/a.txt"), QByteArray("new text\n"));
}

void TestFiles::safeModeSaysWhatIsOff() {
  WindowFixture f;
  f.write("a.bin", QByteArray("\0\1\2\3binary", 10));
  f.openProject();
  QVERIFY(f.openFile("a.bin"));
  QVERIFY(f.document()->banners()->find("bannerNotice"));
  f.type("x");
  QVERIFY(!f.document()->isModified());
}

void TestFiles::aBinaryFileThatChangedIsShownAnew() {
  WindowFixture f;
  f.openProjectWith("a.bin", QByteArray("\0\1one", 5));
  f.write("a.bin", QByteArray("\0\1two", 5));
  QTRY_COMPARE(f.editor()->text(), QByteArray("\0\1two", 5));
  QVERIFY(!f.document()->isModified());
  f.write("a.bin", "a text by now\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("a text by now\n"));
  QVERIFY(!f.document()->banners()->find("bannerNotice"));
  f.type("x");
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.bin"), QByteArray("xa text by now\n"));
}

void TestFiles::aLongLineSaysWhatIsOffWhileItIsThere() {
  WindowFixture f;
  f.openProjectWith("a.json", "[\n" + QByteArray(editor::kLongLine + 1, '1') + "\n]\n");
  const Banner* banner = f.document()->banners()->find("bannerLongLine");
  QVERIFY(banner);
  QVERIFY2(banner->text().startsWith("Line 2 has 64.0 KiB, more than 64 KiB:"),
           qPrintable(banner->text()));
  f.editor()->goToLine(1, 5);
  WindowFixture::key(Qt::Key_Return);
  QVERIFY(!f.document()->banners()->find("bannerLongLine"));
  f.editor()->undo();
  QVERIFY(f.document()->banners()->find("bannerLongLine"));
}

void TestFiles::reportsAFileThatCannotBeRead() {
  WindowFixture f;
  f.openProject();
  QVERIFY(!f.openFile("not-there.txt"));
  const auto banners = f.find<QWidget>("notices")->findChildren<Banner*>();
  QCOMPARE(banners.size(), 1);
  QVERIFY2(banners.first()->text().contains("not-there.txt"), qPrintable(banners.first()->text()));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestFiles)
#include "test_files.moc"
