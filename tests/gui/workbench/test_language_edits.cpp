// SPDX-License-Identifier: GPL-3.0-or-later
// What language servers do to texts, and the names in these, by keys: a scripted server, and
// clangd.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListView>
#include <QStandardPaths>

#include "editor/layers/bookmarks.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/pairing/review_list.h"
#include "gui/workbench/search_panel.h"
#include "tests/gui/workbench/language_window.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestLanguageEdits : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  void theTextIsFormattedAsOneStep_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("piece by piece") << "";
    QTest::newRow("as a whole") << "whole";
    QTest::newRow("in bytes") << "utf8";
  }
  void theTextIsFormattedAsOneStep() {
    QFETCH(QString, how);
    w_->begin("\u00e4=1\nb=2\n// last\n", how);
    w_->editor()->bookmarks()->setLines({2});
    caretAt(1, 3);  // behind the 2
    format();
    QTRY_COMPARE(w_->editor()->text(), "\u00e4 = 1\nb = 2\n// last\n");
    QCOMPARE(w_->editor()->caretLine(), 1);
    QCOMPARE(w_->editor()->caretColumn(), 5);
    QCOMPARE(w_->editor()->bookmarks()->lines(), QVector<int>{2});
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "\u00e4=1\nb=2\n// last\n");
  }

  void lineEndsStayThoseOfTheText_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("formatted");
    QTest::newRow("all of it, as LF")
        << "whole,lf" << QByteArray("a=1\r\nb=2\r\n") << QByteArray("a = 1\r\nb = 2\r\n");
    QTest::newRow("mixed") << "whole,lf" << QByteArray("a=1\r\nb\nc=2\r\n")
                           << QByteArray("a = 1\r\nb\nc = 2\r\n");
    QTest::newRow("piece by piece")
        << "" << QByteArray("a=1\r\nb=2\r\n") << QByteArray("a = 1\r\nb = 2\r\n");
  }
  void lineEndsStayThoseOfTheText() {
    QFETCH(QString, how);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, formatted);
    w_->begin(text, how);
    caretAt(0, 0);
    format();
    QTRY_COMPARE(w_->document()->text().toByteArray(), formatted);
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QTRY_COMPARE(w_->read("a.cpp"), formatted);
  }

  void onlyTheSelectionIsWhereThereIsOne() {
    w_->begin("a=1\nb=2\nc=3\n");
    w_->editor()->setSelection(4, 8);
    format();
    QTRY_COMPARE(w_->editor()->text(), "a=1\nb = 2\nc=3\n");
  }

  void whatWasTypedMeanwhileStays() {
    w_->begin("a=1\n", "slow");
    caretAt(0, 3);
    format();
    WindowFixture::type("0");
    QTRY_VERIFY(notice().contains("changed meanwhile"));
    QCOMPARE(w_->editor()->text(), "a=10\n");
  }

  void nonsenseChangesNothing() {
    w_->begin("a=1\n", "overlap");
    format();
    QTRY_VERIFY2(notice().contains("two change the same text"), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "a=1\n");
  }

  void symbolsOfTheFileAreGoneTo_data() {
    QTest::addColumn<bool>("byPrefix");
    QTest::newRow("by key") << false;
    QTest::newRow("from the box for files") << true;
  }
  void symbolsOfTheFileAreGoneTo() {
    QFETCH(bool, byPrefix);
    w_->begin("class Outer\ndef run\ndef other\nclass Last\n");
    if (byPrefix) {
      WindowFixture::key(Qt::Key_P, Qt::ControlModifier);
      WindowFixture::type("@");
    } else {
      WindowFixture::key(Qt::Key_R, Qt::ControlModifier);
    }
    QTRY_COMPARE(rows(), (QStringList{"Outer", "Outer::run", "Outer::other", "Last"}));
    WindowFixture::type("oth");
    QTRY_COMPARE(rows(), QStringList{"Outer::other"});
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->caretLine(), 2);
    QCOMPARE(w_->editor()->caretColumn(), 4);
    QVERIFY(w_->editor()->hasFocus());
  }

  void symbolsOfTheProjectAreAskedForAsOneTypes() {
    w_->write("b.cpp", "\nclass Other\n");
    w_->begin("class First\n");
    w_->openFile("b.cpp");
    w_->openFile("a.cpp");
    WindowFixture::key(Qt::Key_T, Qt::ControlModifier);
    QTRY_COMPARE(sorted(rows()), (QStringList{"First", "Other"}));
    WindowFixture::type("oth");
    QTRY_COMPARE(rows(), QStringList{"Other"});
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->document()->title(), "b.cpp");
    QCOMPARE(w_->editor()->caretLine(), 1);
    QCOMPARE(w_->editor()->caretColumn(), 6);
  }

  void aNameOfOneTextIsRenamedAtOnce_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("plain") << "";
    QTest::newRow("asked first") << "prepares";
  }
  void aNameOfOneTextIsRenamedAtOnce() {
    QFETCH(QString, how);
    w_->begin("int \u00e4one = 1;\nreturn \u00e4one + other;\n", how);
    caretAt(1, 11);
    rename("two");
    QTRY_COMPARE(w_->editor()->text(), "int two = 1;\nreturn two + other;\n");
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "int \u00e4one = 1;\nreturn \u00e4one + other;\n");
  }

  void namesInSeveralFilesAreLookedAtFirst() {
    w_->write("closed.cpp", "one closed\n");
    w_->write("b.cpp", "// b\none();\n");
    w_->begin("one\none\n", "closed");
    w_->openFile("b.cpp");
    w_->openFile("a.cpp");
    caretAt(0, 0);
    rename("two");
    QTRY_VERIFY(w_->parts().search->reviewList()->isVisible());
    QCOMPARE(w_->parts().search->stateText(), "Rename \u201cone\u201d to \u201ctwo\u201d");
    QCOMPARE(w_->editor()->text(), "one\none\n");
    QVERIFY(WindowFixture::click("reviewAcceptAll"));
    QTRY_COMPARE(w_->editor()->text(), "two\ntwo\n");
    QCOMPARE(w_->read("closed.cpp"), "two closed\n");
    w_->openFile("b.cpp");
    QCOMPARE(w_->editor()->text(), "// b\ntwo();\n");
    QVERIFY(WindowFixture::click("searchUndo"));
    QTRY_COMPARE(w_->editor()->text(), "// b\none();\n");
    QCOMPARE(w_->read("closed.cpp"), "one closed\n");
  }

  // Several lists of changes for one file are made in order.
  void aRenameInPiecesIsMade() {
    w_->begin("int one = 1;\none + one;\n", "pieces");
    caretAt(0, 5);
    rename("two");
    QTRY_COMPARE(w_->editor()->text(), "int two = 1;\ntwo + two;\n");
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "int one = 1;\none + one;\n");
  }

  // The file of that name is renamed along, with its tab and what is unsaved in it.
  void aFileIsRenamedAlong() {
    w_->write("one.h", "int x;\n");
    w_->begin("int one = 1;\none + one;\n", "moves");
    w_->openFile("one.h");
    Document* header = w_->document();
    WindowFixture::type("// ");
    w_->openFile("a.cpp");
    caretAt(0, 5);
    rename("two");
    QTRY_COMPARE(w_->editor()->text(), "int two = 1;\ntwo + two;\n");
    QCOMPARE(header->path(), w_->path("sub/two.h"));
    QVERIFY(header->isModified() && header->editor()->text() == "// int x;\n");
    QVERIFY(!QFile::exists(w_->path("one.h")));
    QCOMPARE(w_->read("sub/two.h"), "int x;\n");
    QVERIFY2(w_->parts().notices->find("filesRenamed")->text().contains("sub/two.h"),
             qPrintable(w_->parts().notices->find("filesRenamed")->text()));
    QVERIFY(WindowFixture::click("filesRenamedBack"));
    QTRY_COMPARE(header->path(), w_->path("one.h"));
    QVERIFY(QFile::exists(w_->path("one.h")));
  }

  void noFileIsRenamedOverAnother() {
    w_->write("one.h", "1\n");
    w_->write("sub/two.h", "2\n");
    w_->begin("one\n", "moves");
    caretAt(0, 0);
    rename("two");
    QTRY_VERIFY2(notice().contains("there already"), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "one\n");
    QCOMPARE(w_->read("one.h"), "1\n");
    QCOMPARE(w_->read("sub/two.h"), "2\n");
  }

  // A server that knows open files only, or does not say, leaves uses behind unless told.
  void whatWouldBeLeftBehindIsSaidFirst_data() {
    QTest::addColumn<QByteArray>("other");
    QTest::addColumn<bool>("isSaid");
    QTest::newRow("another use") << QByteArray("x = one;\n") << true;
    QTest::newRow("part of a word") << QByteArray("x = onex;\n") << false;
    QTest::newRow("another case") << QByteArray("x = One;\n") << false;
  }
  void whatWouldBeLeftBehindIsSaidFirst() {
    QFETCH(QByteArray, other);
    QFETCH(bool, isSaid);
    w_->write("b.cpp", other);
    w_->write("notes.md", "one\n");
    w_->begin("int one = 1;\n");
    caretAt(0, 5);
    rename("two");
    if (!isSaid) {
      QTRY_COMPARE(w_->editor()->text(), "int two = 1;\n");
      QVERIFY(!w_->parts().notices->find("renameReach"));
      return;
    }
    QTRY_VERIFY(w_->parts().notices->find("renameReach"));
    const QString text = w_->parts().notices->find("renameReach")->text();
    QVERIFY2(text.contains("one other file") && text.contains("b.cpp") && !text.contains("notes") &&
                 text.contains("does not say"),
             qPrintable(text));
    QCOMPARE(w_->editor()->text(), "int one = 1;\n");
    QVERIFY(WindowFixture::click("renameNot"));
    QTRY_VERIFY(!w_->parts().notices->find("renameReach"));
    QCOMPARE(w_->editor()->text(), "int one = 1;\n");
    rename("three");
    QTRY_VERIFY(w_->parts().notices->find("renameReach"));
    QVERIFY(WindowFixture::click("renameAnyway"));
    QTRY_COMPARE(w_->editor()->text(), "int three = 1;\n");
    QCOMPARE(w_->read("b.cpp"), other);
  }

  void whatIsTypedBeforeTheWordStays() {
    w_->write("b.cpp", "one\n");
    w_->begin("int one = 1;\n");
    caretAt(0, 5);
    rename("two");
    QTRY_VERIFY(w_->parts().notices->find("renameReach"));
    w_->editor()->setFocus();
    caretAt(0, 0);
    WindowFixture::type("x");
    QVERIFY(WindowFixture::click("renameAnyway"));
    QTRY_VERIFY2(notice().contains("changed meanwhile"), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "xint one = 1;\n");
  }

  void aServerThatStillReadsSaysSo() {
    w_->write("closed.cpp", "one closed\n");
    w_->write("third.cpp", "one\n");
    w_->begin("one\none\n", "closed");
    LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    client->ask("test/works", w_->document()->id(), {}, [](const auto&) {});
    QTRY_COMPARE(client->progress(), "Indexing 3/7 42 %");
    caretAt(0, 0);
    rename("two");
    QTRY_VERIFY(w_->parts().notices->find("renameReach"));
    const QString text = w_->parts().notices->find("renameReach")->text();
    QVERIFY2(text.contains("still reading the project (Indexing 3/7 42 %)") &&
                 text.contains("third.cpp") && !text.contains("closed.cpp"),
             qPrintable(text));
    WindowFixture::key(Qt::Key_F12, Qt::ShiftModifier);
    QTRY_VERIFY(w_->parts().picker->isOpen());
    const auto* note = w_->find<QLabel>("pickerNote");
    QVERIFY(note && note->isVisible());
    QVERIFY2(note->text().contains("still reading"), qPrintable(note->text()));
  }

  void whatCannotBeRenamedSaysWhy_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("why");
    QTest::newRow("outside of the folder") << "outside"
                                           << "hostname";
    QTest::newRow("removes files") << "removes"
                                   << "remove files";
    QTest::newRow("renames what is not there") << "moves"
                                               << "one.h is not there";
    QTest::newRow("nothing") << "refuses"
                             << "nothing changes by it";
  }
  void whatCannotBeRenamedSaysWhy() {
    QFETCH(QString, how);
    QFETCH(QString, why);
    w_->begin("one\none\n", how);
    caretAt(0, 0);
    rename("two");
    QTRY_VERIFY2(notice().contains(why), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "one\none\n");
  }

  void whatIsTypedBeforeTheAnswerStays() {
    w_->begin("one\none\n", "slow");
    caretAt(0, 0);
    rename("two");
    WindowFixture::type("x");
    QTRY_VERIFY2(notice().contains("changed meanwhile"), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "xone\none\n");
  }

  void whereThereIsNoNameItIsSaid() {
    for (const char* how : {"", "prepares"}) {
      init();
      w_->begin("  +  \n", how);
      caretAt(0, 1);
      WindowFixture::key(Qt::Key_F2);
      QTRY_VERIFY2(notice().contains("name at the caret") || notice().contains("cannot be renamed"),
                   qPrintable(notice()));
      QVERIFY(!w_->parts().prompt->isOpen());
    }
  }

  void clangdRenamesOverFiles() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->write("a.h", "int area(int a);\n#warning known\n");
    w_->openProjectWith("a.cpp", "#include \"a.h\"\nint area(int a) { return a; }\n");
    w_->agree();
    w_->openFile("a.h");
    // clangd knows the names of a file that is open by the time it tells what is wrong there.
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    w_->openFile("a.cpp");
    caretAt(1, 5);
    rename("surface");
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().search->reviewList()->isVisible(), kPatience);
    QVERIFY(WindowFixture::click("reviewAcceptAll"));
    QTRY_COMPARE(w_->editor()->text(), "#include \"a.h\"\nint surface(int a) { return a; }\n");
    w_->openFile("a.h");
    QCOMPARE(w_->editor()->text(), "int surface(int a);\n#warning known\n");
  }

  void clangdRenamesInClosedFiles() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    helperProject(true);
    const LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    QTRY_COMPARE_WITH_TIMEOUT(client->reach(), workbench::ProjectReach::kProject, kPatience);
    caretAt(1, 10);
    rename("helped");
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().search->reviewList()->isVisible(), kPatience);
    QVERIFY(!w_->parts().notices->find("renameReach"));
    QVERIFY(WindowFixture::click("reviewAcceptAll"));
    QTRY_COMPARE(w_->editor()->text(), "#include \"h.h\"\nint k = helped();\n");
    QCOMPARE(w_->read("h.h"), "#pragma once\nint helped();\n");
    QCOMPARE(w_->read("impl.cpp"), "#include \"h.h\"\n\n\nint helped() { return 1; }\n");
    QCOMPARE(w_->read("other.cpp"), "#include \"h.h\"\r\nint z = helped();\r\n");
    // The index is the project's, and none of git's business.
    QCOMPARE(w_->read(".cache/clangd/.gitignore"), "*\n");
  }

  // A source that CMake was not run for is in no index.
  void clangdDoesNotKnowANewSource() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->write("new.cpp", "#include \"h.h\"\nint n = helper();\n");
    helperProject(true);
    const LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    QTRY_COMPARE_WITH_TIMEOUT(client->reach(), workbench::ProjectReach::kProject, kPatience);
    caretAt(1, 10);
    rename("helped");
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("renameReach"), kPatience);
    const QString text = w_->parts().notices->find("renameReach")->text();
    QVERIFY2(text.contains("one other file") && text.contains("new.cpp") &&
                 text.contains("has not indexed them"),
             qPrintable(text));
    QVERIFY(!w_->parts().search->reviewList()->isVisible());
    QVERIFY(WindowFixture::click("renameAnyway"));
    QTRY_VERIFY(w_->parts().search->reviewList()->isVisible());
  }

  // What is a function's own is used nowhere else, whatever stands in other files.
  void clangdRenamesWhatIsLocal() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->write("other.cpp", "int count;\n");
    w_->openProjectWith("a.cpp", "int f(int count) {\n  return count;\n}\n");
    w_->agree();
    caretAt(1, 10);
    rename("size");
    QTRY_COMPARE_WITH_TIMEOUT(w_->editor()->text(), "int f(int size) {\n  return size;\n}\n",
                              kPatience);
    QVERIFY(!w_->parts().notices->find("renameReach"));
  }

  void clangdGoesToWhatIsClosed() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    helperProject(true);
    const LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    QTRY_COMPARE_WITH_TIMEOUT(client->reach(), workbench::ProjectReach::kProject, kPatience);
    caretAt(1, 10);
    WindowFixture::key(Qt::Key_F12, Qt::ShiftModifier);
    QTRY_COMPARE_WITH_TIMEOUT(rows().size(), 4, kPatience);
    WindowFixture::key(Qt::Key_Escape);
    WindowFixture::key(Qt::Key_F12);
    QTRY_COMPARE_WITH_TIMEOUT(w_->document()->title(), "impl.cpp", kPatience);
    QCOMPARE(w_->editor()->caretLine(), 3);
    QCOMPARE(notice(), "");
  }

  void clangdWithoutAnIndexSaysSo() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    helperProject(false);
    caretAt(1, 10);
    rename("helped");
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().notices->find("renameReach"), kPatience);
    const QString text = w_->parts().notices->find("renameReach")->text();
    QVERIFY2(text.contains("3 other files") && text.contains("h.h, impl.cpp, other.cpp") &&
                 text.contains("compile_commands.json"),
             qPrintable(text));
    QCOMPARE(w_->editor()->text(), "#include \"h.h\"\nint k = helper();\n");
    QVERIFY(WindowFixture::click("renameNot"));
    WindowFixture::key(Qt::Key_F12);
    QTRY_COMPARE_WITH_TIMEOUT(w_->document()->title(), "h.h", kPatience);
    QTRY_VERIFY2(notice().contains("no index of this project"), qPrintable(notice()));
    // Once is enough.
    w_->openFile("use.cpp");
    caretAt(1, 10);
    WindowFixture::key(Qt::Key_F12);
    QTRY_COMPARE_WITH_TIMEOUT(w_->document()->title(), "h.h", kPatience);
    QCOMPARE(notice(), "");
    QVERIFY(!QFileInfo::exists(w_->project() + "/.cache"));
  }

  void whatIsWrongIsMended() {
    w_->begin("one\n  BAD\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    caretAt(1, 0);  // in its line
    WindowFixture::key(Qt::Key_Period, Qt::ControlModifier);
    // The preferred one first, what cannot be done last.
    QTRY_COMPARE(rows(), (QStringList{"Make it good", "Say what is done", "Later", "Not so"}));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->text(), "one\n  good\n");
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "one\n  BAD\n");
  }

  void actionsAreCompletedAndRunAndRefused_data() {
    QTest::addColumn<QString>("letters");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("completed first") << "later" << QByteArray("later one\n") << "";
    QTest::newRow("a command") << "say" << QByteArray("note one\n") << "";
    QTest::newRow("not here") << "not" << QByteArray("one\n") << "it is too late";
  }
  void actionsAreCompletedAndRunAndRefused() {
    QFETCH(QString, letters);
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    w_->begin("one\n");
    WindowFixture::key(Qt::Key_Period, Qt::ControlModifier);
    QTRY_COMPARE(rows().size(), 3);
    WindowFixture::type(letters);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->text(), text);
    QTRY_VERIFY2(notice().contains(said), qPrintable(notice()));
  }

  // The place of what is wrong is told as it is by now, though the server is slow to tell it again.
  void whatIsWrongIsToldWhereItIsByNow() {
    w_->begin("one\nBAD\n", "late");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    caretAt(0, 0);
    WindowFixture::key(Qt::Key_Return);
    caretAt(2, 0);
    WindowFixture::key(Qt::Key_Period, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(rows().value(0), "Make it good", kPatience);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->text(), "\none\ngood\n");
  }

  void nothingToDoIsSaid() {
    w_->begin("one\n", "refuses");
    WindowFixture::key(Qt::Key_Period, Qt::ControlModifier);
    QTRY_COMPARE(notice(), "Nothing is offered for this place.");
  }

  void clangdMendsAndRefactors() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp", "int f() {\n  int a = 1\n  return a;\n}\n");
    w_->agree();
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 1, kPatience);
    caretAt(2, 2);  // where clang misses it
    WindowFixture::key(Qt::Key_Period, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(rows().value(0).contains("';'"), kPatience);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->text(), "int f() {\n  int a = 1;\n  return a;\n}\n");
    QTRY_COMPARE_WITH_TIMEOUT(w_->foundCount(), 0, kPatience);
    // A refactoring, which clangd runs as a command.
    w_->editor()->setSelection(20, 21);
    WindowFixture::key(Qt::Key_Period, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!rows().filter("xtract").isEmpty(), kPatience);
    WindowFixture::type("extract subex");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(w_->editor()->text().contains("placeholder"), kPatience);
  }

  void declarationTypeAndImplementationAreGoneTo() {
    w_->begin("one\none\none\nnothing +\n");
    caretAt(0, 1);
    run("go.declaration");
    QTRY_COMPARE(w_->editor()->caretLine(), 1);
    run("go.typeDefinition");
    QTRY_COMPARE(w_->editor()->caretLine(), 2);
    WindowFixture::key(Qt::Key_F12, Qt::ControlModifier);
    QTRY_COMPARE(rows(), (QStringList{"one", "one", "one"}));
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->caretLine(), 0);
    caretAt(3, 8);
    for (const auto& [id, what] : {std::pair{"go.declaration", "declaration"},
                                   {"go.typeDefinition", "type"},
                                   {"go.implementation", "implementation"}}) {
      caretAt(3, 9);
      run(id);
      QTRY_VERIFY2(notice().contains(what), qPrintable(notice()));
    }
  }

  void withoutAServerItIsSaid() {
    w_->openProjectWith("notes.txt", "a=1\n");
    for (const auto& [key, modifiers] :
         {std::pair{Qt::Key_R, Qt::KeyboardModifiers(Qt::ControlModifier)},
          {Qt::Key_T, Qt::KeyboardModifiers(Qt::ControlModifier)},
          {Qt::Key_F2, Qt::KeyboardModifiers()},
          {Qt::Key_Period, Qt::KeyboardModifiers(Qt::ControlModifier)},
          {Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier}}) {
      w_->parts().notices->remove("languageGuide");
      WindowFixture::key(key, modifiers);
      QTRY_VERIFY(notice().contains("No language server runs for this file"));
    }
  }

  void clangdFormatsAndKnowsTheNames() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->openProjectWith("a.cpp",
                        "namespace n {\nstruct A { int  x; };\n}\nint   main( ) {return 0;}\n");
    w_->agree();
    caretAt(3, 0);
    format();
    QTRY_VERIFY_WITH_TIMEOUT(w_->editor()->text().contains("int main() { return 0; }"), kPatience);
    WindowFixture::key(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(rows(), (QStringList{"n", "n::A", "n::A::x", "main"}), kPatience);
    WindowFixture::type("main");
    QTRY_COMPARE(rows().value(0), "main");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->caretColumn(), 4);
  }

 private:
  // A project as CMake tells clangd of it, and the same without a word about how it is built.
  void helperProject(bool isTold) {
    w_->useInstalledLanguageServers();
    w_->write("h.h", "#pragma once\nint helper();\n");
    w_->write("impl.cpp", "#include \"h.h\"\n\n\nint helper() { return 1; }\n");
    w_->write("other.cpp", "#include \"h.h\"\r\nint z = helper();\r\n");
    if (isTold) {
      QJsonArray commands;
      for (const char* file : {"impl.cpp", "other.cpp", "use.cpp"})
        commands.append(QJsonObject{{"directory", w_->project()},
                                    {"file", file},
                                    {"arguments", QJsonArray{"g++", "-c", file}}});
      w_->write("compile_commands.json", QJsonDocument(commands).toJson());
    }
    w_->openProjectWith("use.cpp", "#include \"h.h\"\nint k = helper();\n");
    w_->agree();
  }

  void format() { WindowFixture::key(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier); }
  void rename(const QString& name) {
    WindowFixture::key(Qt::Key_F2);
    QTRY_VERIFY_WITH_TIMEOUT(w_->parts().prompt->isOpen(), kPatience);
    WindowFixture::type(name);
    WindowFixture::key(Qt::Key_Return);
  }
  void run(const char* command) { QVERIFY(w_->parts().commands->run(QLatin1String(command))); }
  void caretAt(int line, int column) { w_->editor()->goToLine(line, column); }
  QString notice() {
    const Banner* banner = w_->parts().notices->find("languageGuide");
    return banner ? banner->text() : QString();
  }
  QStringList rows() {
    QStringList rows;
    if (!w_->parts().picker->isOpen()) return rows;
    const QAbstractItemModel* model = w_->find<QListView>("pickerList")->model();
    for (int row = 0; row < model->rowCount(); ++row)
      rows.append(model->index(row, 0).data().toString());
    return rows;
  }
  static QStringList sorted(QStringList list) {
    list.sort();
    return list;
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestLanguageEdits)
#include "test_language_edits.moc"
