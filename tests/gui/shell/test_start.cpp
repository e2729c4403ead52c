// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to begin: the start page, the sample project, recent folders, and a way on from whatever is
// empty.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/project/folder_tree.h"
#include "gui/project/sample_project.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/start_page.h"
#include "gui/store/folder_trust.h"
#include "gui/store/resource_paths.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

QString canonical(const QString& path) { return QFileInfo(path).canonicalFilePath(); }

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no such file)");
}

}  // namespace

class TestStart : public QObject {
  Q_OBJECT
 private slots:
  void theSampleProjectIsCopiedAndOpened();
  void aCopyOfTheSampleIsOpenedAsItIs();
  void theSampleGoesOnlyWhereItMay();
  void aSampleInstalledReadOnlyCanBeWritten();
  void recentFoldersOpenFromTheStartPage();
  void aRecentFolderThatIsGoneIsSaidAndCanBeRemoved();
  void aGoneFolderChosenElsewhereIsOffered();
  void aGoneFolderMayComeBack();
  void anEmptyTreeLeadsToAFolder();
  void quickOpenWithoutAFolderLeadsToOne();
  void whatWasClosedStaysClosed();
  void aLastFolderThatIsGoneIsSaidOnce();
  void thingsToTryBeginOnTheSample_data();
  void thingsToTryBeginOnTheSample();
  void thingsToTryAreThereWhileNoFolderIs();
  void theStartPageIsGoneThroughByKeys();
  void keysAreSearchedAndSaved();
};

void TestStart::theSampleProjectIsCopiedAndOpened() {
  WindowFixture f;
  f.open({});
  const QString place = f.path("deep/down/sample");
  QVERIFY(WindowFixture::click("start.file.openSample"));
  auto* field = f.find<QLineEdit>("inputPromptField");
  QVERIFY(field->hasFocus());
  QCOMPARE(samplePlace(field->text()), usualSamplePlace());
  field->selectAll();
  f.type(place);
  f.key(Qt::Key_Return);
  QCOMPARE(f.parts().workspace->folder(), canonical(place));
  // It is the program's own.
  QVERIFY(f.parts().trust->folders().contains(canonical(place)));
  const QString sample = resourcePath("sample_project");
  for (const char* name : {"/CMakeLists.txt", "/src/text_stats.cpp", "/texts/shore.txt"})
    QCOMPARE(contentOf(place + QLatin1String(name)), contentOf(sample + QLatin1String(name)));
  // Nothing half-made is left beside it.
  QCOMPARE(
      QDir(f.path("deep/down")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
      QStringList{"sample"});
}

void TestStart::thingsToTryBeginOnTheSample_data() {
  QTest::addColumn<QString>("thing");
  QTest::addColumn<QString>("shown");  // what has the keyboard in the end
  QTest::newRow("edit") << "try.edit"
                        << "editInstruction";
  QTest::newRow("ask") << "try.ask"
                       << "askInput";
  QTest::newRow("go") << "try.go"
                      << "pickerInput";
  QTest::newRow("search") << "try.search"
                          << "searchText";
}
void TestStart::thingsToTryBeginOnTheSample() {
  QFETCH(QString, thing);
  QFETCH(QString, shown);
  WindowFixture f;
  f.open({});
  QVERIFY(WindowFixture::click(qPrintable(thing)));
  auto* field = f.find<QLineEdit>("inputPromptField");
  QVERIFY(field->hasFocus());
  field->selectAll();
  f.type(f.path("sample"));
  f.key(Qt::Key_Return);
  QCOMPARE(f.parts().workspace->folder(), canonical(f.path("sample")));
  QTRY_VERIFY(QApplication::focusWidget());
  QTRY_COMPARE(QApplication::focusWidget()->objectName(), shown);
  const Banner* next = f.parts().notices->find("tryNotice");
  QVERIFY(next && next->text().contains("Type"));
}

void TestStart::thingsToTryAreThereWhileNoFolderIs() {
  WindowFixture f;
  f.open({});
  const auto shown = [&f] {
    int rows = 0;
    for (const auto* button : f.find<StartPage>("startPage")->findChildren<QPushButton*>())
      rows += button->objectName().startsWith("try.") && button->isVisible();
    return rows;
  };
  QCOMPARE(shown(), 5);
  f.parts().folders->open(f.project());
  QTRY_COMPARE(shown(), 0);
  f.parts().folders->close();
  QTRY_COMPARE(shown(), 5);
}

void TestStart::theStartPageIsGoneThroughByKeys() {
  WindowFixture f;
  f.open({});
  auto* first = f.find<QPushButton>("start.file.openFolder");
  first->setFocus();
  f.key(Qt::Key_Down);
  QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("start.file.open"));
  f.key(Qt::Key_Down);
  f.key(Qt::Key_Space);  // a new file
  QTRY_VERIFY(f.document());
}

void TestStart::keysAreSearchedAndSaved() {
  WindowFixture f;
  f.open({});
  f.key(Qt::Key_F1);
  QTRY_VERIFY(f.find<QDialog>("keysDialog"));
  auto* text = f.find<QTextBrowser>("keysText");
  auto* search = f.find<QLineEdit>("keysSearch");
  // Not every display gives a new window the keyboard by itself.
  QTRY_COMPARE(f.find<QDialog>("keysDialog")->focusWidget(), search);
  QVERIFY(text->toPlainText().contains("one layer at a time"));  // the page
  QVERIFY(text->toPlainText().contains("Ctrl+Shift+P"));         // the table
  QTest::keyClicks(search, "command palette");
  QTRY_VERIFY(!text->toPlainText().contains("one layer at a time"));
  QVERIFY(text->toPlainText().contains("Ctrl+Shift+P"));
  QVERIFY(!text->toPlainText().contains("Save All"));
  // A key that is set meanwhile is shown.
  f.parts().commands->setKeys("view.palette", {QKeySequence("Ctrl+Alt+P")});
  QTRY_VERIFY(text->toPlainText().contains("Ctrl+Alt+P"));
  search->setText("no such thing");
  QTRY_VERIFY(text->toPlainText().contains("no such thing"));

  QVERIFY(WindowFixture::click("keysSave"));
  auto* dialog = f.find<QFileDialog>("keysFileDialog");
  QVERIFY(dialog);
  dialog->selectFile(f.path("keys.pdf"));
  Q_EMIT dialog->fileSelected(f.path("keys.pdf"));
  QVERIFY(f.read("keys.pdf").startsWith("%PDF"));
  Q_EMIT dialog->fileSelected(f.path("no folder/keys.pdf"));
  QTRY_VERIFY(f.find<QMessageBox>("keysSaveFailed"));
}

void TestStart::aCopyOfTheSampleIsOpenedAsItIs() {
  WindowFixture f;
  const QString sample = resourcePath("sample_project");
  const QString place = f.path("sample");
  QCOMPARE(copySampleProject(sample, place), QString());
  f.write("sample/src/main.cpp", "// changed since\n");
  QCOMPARE(copySampleProject(sample, place), QString());
  QCOMPARE(f.read("sample/src/main.cpp"), QByteArray("// changed since\n"));
}

void TestStart::theSampleGoesOnlyWhereItMay() {
  WindowFixture f;
  const QString sample = resourcePath("sample_project");
  f.write("file", "mine");
  f.write("full/other.txt", "mine");
  QDir().mkpath(f.path("empty"));
  QVERIFY(checkSamplePlace(sample, f.path("file")).contains("file of this name"));
  QVERIFY(checkSamplePlace(sample, f.path("full")).contains("Other things"));
  QVERIFY(checkSamplePlace(sample, f.path("file/below")).contains("may not be written"));
  QVERIFY(copySampleProject(sample, "/proc/sample").contains("/proc/sample"));
  QCOMPARE(checkSamplePlace(sample, f.path("empty")), QString());
  QCOMPARE(checkSamplePlace(sample, f.path("new/one")), QString());
  QVERIFY(!copySampleProject(sample, f.path("full")).isEmpty());
  QCOMPARE(QDir(f.path("full")).entryList(QDir::Files), QStringList{"other.txt"});
  QCOMPARE(copySampleProject(sample, f.path("empty")), QString());
  QVERIFY(QFileInfo(f.path("empty/src/main.cpp")).isFile());
  // The field says so while one types.
  f.open({});
  WindowFixture::trigger(f.window(), "file.openSample");
  auto* field = f.find<QLineEdit>("inputPromptField");
  field->selectAll();
  f.type(f.path("full"));
  QVERIFY(f.find<QLabel>("inputPromptComplaint")->text().contains("Other things"));
  f.key(Qt::Key_Return);
  QVERIFY(f.parts().prompt->isOpen());
  QVERIFY(f.parts().workspace->folder().isEmpty());
}

void TestStart::aSampleInstalledReadOnlyCanBeWritten() {
  WindowFixture f;
  f.write("installed/README.md", "read me\n");
  f.write("installed/src/main.cpp", "int main() {}\n");
  for (const char* name : {"installed/README.md", "installed/src/main.cpp"})
    QVERIFY(QFile::setPermissions(f.path(name), QFile::ReadOwner | QFile::ReadOther));
  QCOMPARE(copySampleProject(f.path("installed"), f.path("copy")), QString());
  const QFile::Permissions now = QFile(f.path("copy/src/main.cpp")).permissions();
  QVERIFY(now & QFile::WriteOwner);
  QVERIFY(now & QFile::ReadOther);
  QCOMPARE(f.read("copy/src/main.cpp"), QByteArray("int main() {}\n"));
}

void TestStart::recentFoldersOpenFromTheStartPage() {
  WindowFixture f;
  f.write("x/a.txt", "");
  f.write("y/b.txt", "");
  f.open({f.path("x")});
  f.parts().folders->open(f.path("y"));
  const QString x = "recent." + canonical(f.path("x"));
  QVERIFY(WindowFixture::click(x.toUtf8()));
  QCOMPARE(f.parts().workspace->folder(), canonical(f.path("x")));
}

void TestStart::aRecentFolderThatIsGoneIsSaidAndCanBeRemoved() {
  WindowFixture f;
  f.write("x/a.txt", "");
  f.write("y/b.txt", "");
  f.open({f.path("x")});
  f.parts().folders->open(f.path("y"));
  const QString x = canonical(f.path("x"));
  QVERIFY(QDir(x).removeRecursively());
  QVERIFY(f.close());
  f.open({});
  auto* page = f.find<StartPage>("startPage");
  auto* link = page->findChild<QPushButton*>("recent." + x);
  QVERIFY(link && !link->isEnabled());
  bool said = false;
  for (const QLabel* label : link->parentWidget()->findChildren<QLabel*>())
    said |= label->text() == QLatin1String("not there any more");
  QVERIFY(said);
  auto* remove = page->findChild<QToolButton*>("forget." + x);
  QVERIFY(remove);
  remove->setFocus();
  f.key(Qt::Key_Space);
  QTRY_VERIFY(!page->findChild<QPushButton*>("recent." + x));
  QCOMPARE(f.parts().workspace->recentFolders(), QStringList{canonical(f.path("y"))});
  QVERIFY(f.close());
  f.open({});
  QCOMPARE(f.parts().workspace->recentFolders(), QStringList{canonical(f.path("y"))});
}

void TestStart::aGoneFolderChosenElsewhereIsOffered() {
  WindowFixture f;
  f.write("x/a.txt", "");
  f.write("y/b.txt", "");
  f.open({f.path("x")});
  f.parts().folders->open(f.path("y"));
  const QString x = canonical(f.path("x"));
  QVERIFY(QDir(x).removeRecursively());
  f.parts().folders->openRecent(x);
  QCOMPARE(f.parts().workspace->folder(), canonical(f.path("y")));
  const Banner* notice = f.parts().notices->find("goneNotice");
  QVERIFY(notice && notice->text().contains(x));
  QVERIFY(WindowFixture::click("forgetGone"));
  QCOMPARE(f.parts().workspace->recentFolders(), QStringList{canonical(f.path("y"))});
}

void TestStart::aGoneFolderMayComeBack() {
  WindowFixture f;
  f.write("x/a.txt", "");
  f.open({f.path("x")});
  const QString x = canonical(f.path("x"));
  WindowFixture::trigger(f.window(), "file.closeFolder");
  QVERIFY(QDir().rename(x, x + "-away"));
  auto* page = f.find<StartPage>("startPage");
  page->lookAgain();
  const auto link = [&] { return page->findChildren<QPushButton*>("recent." + x).last(); };
  QVERIFY(!link()->isEnabled());
  QVERIFY(QDir().rename(x + "-away", x));
  page->lookAgain();
  QVERIFY(link()->isEnabled());
}

void TestStart::anEmptyTreeLeadsToAFolder() {
  WindowFixture f;
  f.open({});
  auto* button = f.find<QPushButton>("treeOpenFolder");
  QVERIFY(button->isVisible());
  f.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(button->hasFocus());
  f.key(Qt::Key_Space);
  auto* dialog = f.find<QFileDialog>("openFolderDialog");
  QVERIFY(dialog);
  dialog->reject();
  f.drop();
  f.openProject();
  QVERIFY(!f.find<QPushButton>("treeOpenFolder")->isVisible());
  WindowFixture::trigger(f.window(), "file.closeFolder");
  QVERIFY(f.find<QPushButton>("treeOpenFolder")->isVisible());
}

void TestStart::quickOpenWithoutAFolderLeadsToOne() {
  WindowFixture f;
  f.open({});
  f.key(Qt::Key_P, Qt::ControlModifier);
  auto* button = f.find<QPushButton>("pickerNoteButton");
  QVERIFY(button->isVisible());
  QCOMPARE(button->text(), QStringLiteral("Open Folder"));
  f.key(Qt::Key_Tab);
  QVERIFY(button->hasFocus());
  f.find<QLineEdit>("pickerInput")->setFocus();
  f.key(Qt::Key_Return);  // nothing else could be meant
  QVERIFY(!f.parts().picker->isOpen());
  auto* dialog = f.find<QFileDialog>("openFolderDialog");
  QVERIFY(dialog);
  dialog->reject();
  f.drop();
  f.openProject();
  f.key(Qt::Key_P, Qt::ControlModifier);
  QVERIFY(!f.find<QPushButton>("pickerNoteButton")->isVisible());
}

void TestStart::whatWasClosedStaysClosed() {
  WindowFixture f;
  f.openProjectWith("a.txt", "");
  WindowFixture::trigger(f.window(), "file.closeFolder");
  QTRY_VERIFY(!f.document());
  QVERIFY(f.close());
  f.open({});
  QVERIFY(f.parts().workspace->folder().isEmpty());
  QVERIFY(f.find<StartPage>("startPage")->isVisible());
  const QString recent = "recent." + canonical(f.project());
  QVERIFY(WindowFixture::click(recent.toUtf8()));
  QCOMPARE(f.document()->title(), QStringLiteral("a.txt"));
}

void TestStart::aLastFolderThatIsGoneIsSaidOnce() {
  WindowFixture f;
  f.write("x/a.txt", "");
  f.open({f.path("x")});
  const QString x = canonical(f.path("x"));
  QVERIFY(f.close());
  QVERIFY(QDir(x).removeRecursively());
  f.open({});
  QVERIFY(f.find<StartPage>("startPage")->isVisible());
  const Banner* notice = f.parts().notices->find("goneNotice");
  QVERIFY(notice && notice->text().contains(x));
  QVERIFY(f.close());
  f.open({});
  QVERIFY(!f.parts().notices->find("goneNotice"));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestStart)
#include "test_start.moc"
