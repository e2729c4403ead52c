// SPDX-License-Identifier: GPL-3.0-or-later
// What is put right on save, and texts that are saved by themselves.
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "gui/documents/find_bar.h"
#include "gui/kit/banner.h"
#include "gui/shell/settings_dialog.h"
#include "gui/store/settings.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {
namespace {

void prefer(WindowFixture& f, const std::function<void(Preferences&)>& change) {
  Preferences p = f.parts().settings->get();
  change(p);
  f.parts().settings->set(p);
}

// By the dialog, as if its question about the file that is there were answered.
void saveAs(WindowFixture& f, const QString& path) {
  WindowFixture::trigger(f.window(), "file.saveAs");
  QTRY_VERIFY(f.find<QFileDialog>("saveAsDialog") != nullptr);
  auto* dialog = f.find<QFileDialog>("saveAsDialog");
  dialog->setOption(QFileDialog::DontConfirmOverwrite);
  dialog->selectFile(path);
  QMetaObject::invokeMethod(dialog, "accept");
}

// Also where a dialog has just had the keyboard.
void takeKeyboard(WindowFixture& f) {
  f.window().activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&f.window()));
  f.document()->setFocus();
}

}  // namespace

class TestSaving : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void nothingIsPutRightUnlessWanted();
  void lineEndsArePutRightAsOneStep();
  void itsChoicesAreInTheSettings();
  void savedWhenTheKeyboardGoes();
  void savedAMomentAfterTheLastChange();
  void whatNeedsTheUserWaits();
  void savedAsAFileThatIsOpenItTakesTheOthersPlace();
  void savedAsAFileThatIsOpenAndChangedItAsks();
  void aLinkToNothingIsANewText();
  void anEditorConfigIsKeptTo();
  void anEditorConfigThatChangesIsKeptTo();
  void settingsSayHowTextsAreIndented();
};

void TestSaving::savedAsAFileThatIsOpenItTakesTheOthersPlace() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  f.openFile("b.txt");
  f.openFile("a.txt");
  saveAs(f, f.path("b.txt"));
  QTRY_COMPARE(f.parts().tabs->documents().size(), 1);
  QCOMPARE(f.document()->path(), f.path("b.txt"));
  QCOMPARE(f.editor()->text(), QByteArray("a\n"));
  QCOMPARE(f.read("b.txt"), QByteArray("a\n"));
}

void TestSaving::savedAsAFileThatIsOpenAndChangedItAsks() {
  WindowFixture f;
  f.write("b.txt", "b\n");
  f.openProjectWith("a.txt", "a\n");
  QVERIFY(QFile::link(f.path("b.txt"), f.path("link.txt")));
  f.openFile("b.txt");
  f.type(QStringLiteral("mine "));
  f.openFile("a.txt");
  for (const char* name : {"b.txt", "link.txt"}) {
    saveAs(f, f.path(name));
    QVERIFY(WindowFixture::click("saveOverCancel"));
    QTRY_VERIFY(!f.find<QWidget>("saveOverDialog"));
    QCOMPARE(f.read("b.txt"), QByteArray("b\n"));
    QCOMPARE(f.parts().tabs->documents().size(), 2);
    QCOMPARE(f.parts().tabs->documentAt(f.path("b.txt"))->text().toByteArray(), "mine b\n");
  }
  saveAs(f, f.path("b.txt"));
  QVERIFY(WindowFixture::click("saveOverReplace"));
  QTRY_COMPARE(f.parts().tabs->documents().size(), 1);
  QCOMPARE(f.document()->path(), f.path("b.txt"));
  QCOMPARE(f.read("b.txt"), QByteArray("a\n"));
  // Others are told of what is typed there now.
  takeKeyboard(f);
  f.type(QStringLiteral("x"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("b.txt"), QByteArray("xa\n"));
}

void TestSaving::aLinkToNothingIsANewText() {
  WindowFixture f;
  QVERIFY(QFile::link(f.path("target.txt"), f.path("link.txt")));
  QVERIFY(QFile::link(f.path("loop.txt"), f.path("loop.txt")));
  f.open({f.project(), f.path("loop.txt"), f.path("link.txt")});
  QCOMPARE(f.parts().tabs->documents().size(), 1);
  QCOMPARE(f.document()->path(), f.path("link.txt"));
  f.type(QStringLiteral("text"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("target.txt"), QByteArray("text"));
  QVERIFY(!f.document()->isModified());
}

void TestSaving::anEditorConfigIsKeptTo() {
  WindowFixture f;
  f.write(".editorconfig",
          "root = true\n[*.c]\nindent_style = space\nindent_size = 3\n"
          "trim_trailing_whitespace = true\ninsert_final_newline = true\nend_of_line = crlf\n");
  f.write("a.c", "int f() {\n    int a; \n    int b;\n}");
  f.openProject();
  f.openFile("a.c");
  QCOMPARE(f.editor()->indentation(), (editor::Indentation{false, 3}));
  auto* field = f.find<QToolButton>("statusIndentation");
  QCOMPARE(field->text(), QStringLiteral("Spaces: 3"));
  QVERIFY(field->toolTip().contains(QStringLiteral(".editorconfig")));
  f.key(Qt::Key_Tab);
  f.key(Qt::Key_S, Qt::ControlModifier);
  // Line ends that are there stay.
  QCOMPARE(f.read("a.c"), QByteArray("   int f() {\n    int a;\n    int b;\n}\n"));
  // A new file has those that the project wants.
  f.write("n.c", "");
  f.openFile("n.c");
  f.type(QStringLiteral("x"));
  f.key(Qt::Key_Return);
  f.type(QStringLiteral("y"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("n.c"), QByteArray("x\r\ny\r\n"));
  // Others are as they were found.
  f.write("b.txt", "a\n\tb\n\tc\n\td\n\te\n");
  f.openFile("b.txt");
  QVERIFY(f.editor()->indentation().tabs);
  QCOMPARE(field->toolTip(), QStringLiteral("Indentation"));
}

// Written, made and removed while the file is open, in its folder and above it.
void TestSaving::anEditorConfigThatChangesIsKeptTo() {
  WindowFixture f;
  f.write(".editorconfig", "root = true\n[*]\nindent_style = space\nindent_size = 4\n");
  f.write("sub/a.txt", "x\n");
  f.openProject();
  f.openFile("sub/a.txt");
  const auto indentation = [&f] { return f.editor()->indentation(); };
  QCOMPARE(indentation(), (editor::Indentation{false, 4}));
  f.write(".editorconfig", "root = true\n[*]\nindent_style = space\nindent_size = 9\n");
  QTRY_COMPARE(indentation(), (editor::Indentation{false, 9}));
  QCOMPARE(f.find<QToolButton>("statusIndentation")->text(), QStringLiteral("Spaces: 9"));
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->text(), QByteArray("         x\n"));
  f.write("sub/.editorconfig", "[*.txt]\nindent_style = tab\ntrim_trailing_whitespace = true\n");
  QTRY_VERIFY(indentation().tabs);
  QVERIFY(QFile::remove(f.path("sub/.editorconfig")));
  QTRY_COMPARE(indentation(), (editor::Indentation{false, 9}));
  // What was chosen by hand stays while nothing else is said.
  f.editor()->setIndentation({false, 2});
  f.write(".editorconfig",
          "root = true\n[*]\nindent_style = space\nindent_size = 9\ninsert_final_newline = true\n");
  f.write("sub/.editorconfig", "[*.c]\nindent_style = tab\n");
  f.write("sub/b.c", "");
  f.openFile("sub/b.c");
  QTRY_VERIFY(indentation().tabs);
  f.openFile("sub/a.txt");
  QCOMPARE(indentation(), (editor::Indentation{false, 2}));
}

void TestSaving::settingsSayHowTextsAreIndented() {
  WindowFixture f;
  const auto indentation = [&f] { return f.editor()->indentation(); };
  f.write("empty.js", "");
  f.write("empty.go", "");
  f.write("three.js", "if (a) {\n   b();\n   if (c) {\n      d();\n   }\n}\n");
  f.openProjectWith("empty.txt", "");
  QCOMPARE(indentation(), (editor::Indentation{false, 4}));
  // Texts that are open follow.
  prefer(f, [](Preferences& p) { p.tabSize = 5; });
  QCOMPARE(indentation(), (editor::Indentation{false, 5}));
  QCOMPARE(f.find<QToolButton>("statusIndentation")->text(), QStringLiteral("Spaces: 5"));
  prefer(f, [](Preferences& p) { p.languageIndentations = QStringList{"javascript=Tabs: 2"}; });
  f.openFile("empty.js");
  QCOMPARE(indentation(), (editor::Indentation{true, 2}));
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->text(), QByteArray("\t"));
  f.key(Qt::Key_Backspace);
  f.openFile("empty.go");
  QCOMPARE(indentation(), (editor::Indentation{true, 5}));
  // What a file shows comes first, unless it is not looked at; also where it is read once more.
  f.openFile("three.js");
  QCOMPARE(indentation(), (editor::Indentation{false, 3}));
  prefer(f, [](Preferences& p) { p.detectIndentation = false; });
  QCOMPARE(indentation(), (editor::Indentation{true, 2}));
  f.write("three.js", "if (a) {\n   b();\n}\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("if (a) {\n   b();\n}\n"));
  QCOMPARE(indentation(), (editor::Indentation{true, 2}));
  // And what the project says before all of them.
  f.write(".editorconfig", "root = true\n[*.js]\nindent_style = space\nindent_size = 7\n");
  QTRY_COMPARE(indentation(), (editor::Indentation{false, 7}));
  f.write("three.js", "if (a) {\n   b();\n   c();\n}\n");
  QTRY_COMPARE(f.editor()->text(), QByteArray("if (a) {\n   b();\n   c();\n}\n"));
  QCOMPARE(indentation(), (editor::Indentation{false, 7}));
  // A text whose language becomes another one.
  f.openFile("empty.txt");
  QCOMPARE(indentation(), (editor::Indentation{false, 5}));
  f.editor()->setLanguage(QStringLiteral("JavaScript"));
  QCOMPARE(indentation(), (editor::Indentation{true, 2}));
}

void TestSaving::nothingIsPutRightUnlessWanted() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a  \nb\t");
  f.type(QStringLiteral("x"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), QByteArray("xa  \nb\t"));
}

void TestSaving::lineEndsArePutRightAsOneStep() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a  \r\n\t\r\nb \t");
  prefer(f, [](Preferences& p) { p.trimOnSave = p.finalLineEndOnSave = true; });
  f.type(QStringLiteral("x"));
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), QByteArray("xa\r\n\r\nb\r\n"));
  QVERIFY(!f.document()->isModified());
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray("xa  \r\n\t\r\nb \t"));
  // An empty text stays empty.
  f.openFile("a.txt");
  f.write("e.txt", "");
  f.openFile("e.txt");
  f.type(QStringLiteral("x"));
  f.key(Qt::Key_Backspace);
  f.key(Qt::Key_S, Qt::ControlModifier);
  QCOMPARE(f.read("e.txt"), QByteArray());
}

void TestSaving::itsChoicesAreInTheSettings() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  SettingsDialog dialog(f.parts().settings, nullptr);
  auto* choice = dialog.findChild<QComboBox*>(QStringLiteral("setting.files/autoSave"));
  QCOMPARE(choice->currentIndex(), 0);
  QTest::keyClick(choice, Qt::Key_Down);
  QCOMPARE(f.parts().settings->get().autoSave, AutoSave::kFocusLoss);
  QTest::keyClick(choice, Qt::Key_Down);
  QCOMPARE(f.parts().settings->get().autoSave, AutoSave::kDelay);
}

void TestSaving::savedWhenTheKeyboardGoes() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a \nb \n");
  prefer(f, [](Preferences& p) {
    p.autoSave = AutoSave::kFocusLoss;
    p.trimOnSave = true;
  });
  f.type(QStringLiteral("x"));
  QCOMPARE(f.read("a.txt"), QByteArray("a \nb \n"));
  f.key(Qt::Key_F, Qt::ControlModifier);
  // The line that somebody types in stays as it is.
  QCOMPARE(f.read("a.txt"), QByteArray("xa \nb\n"));
  QVERIFY(!f.document()->isModified());
}

void TestSaving::savedAMomentAfterTheLastChange() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  prefer(f, [](Preferences& p) { p.autoSave = AutoSave::kDelay; });
  f.type(QStringLiteral("xy"));
  QCOMPARE(f.read("a.txt"), QByteArray("a\n"));
  QTRY_COMPARE(f.read("a.txt"), QByteArray("xya\n"));
  QTRY_VERIFY(!f.document()->isModified());
}

void TestSaving::whatNeedsTheUserWaits() {
  WindowFixture f;
  f.openProjectWith("a.txt", "a\n");
  prefer(f, [](Preferences& p) { p.autoSave = AutoSave::kFocusLoss; });
  f.type(QStringLiteral("x"));
  f.write("a.txt", "from elsewhere\n");
  f.key(Qt::Key_F, Qt::ControlModifier);
  QCOMPARE(f.read("a.txt"), QByteArray("from elsewhere\n"));
  QCOMPARE(f.editor()->text(), QByteArray("xa\n"));
  QVERIFY(f.document()->banners()->findChild<Banner*>() != nullptr);
  // A text without a file.
  Document* untitled = f.parts().tabs->newDocument();
  untitled->setFocus();
  f.type(QStringLiteral("new"));
  f.key(Qt::Key_F, Qt::ControlModifier);
  QVERIFY(untitled->isModified());
  // A file that is gone is not made again.
  f.write("g.txt", "g\n");
  f.openFile("g.txt");
  f.type(QStringLiteral("x"));
  QVERIFY(QFile::remove(f.path("g.txt")));
  f.document()->checkDisk();
  f.key(Qt::Key_F, Qt::ControlModifier);
  QVERIFY(!QFile::exists(f.path("g.txt")));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestSaving)
#include "test_saving.moc"
