// SPDX-License-Identifier: GPL-3.0-or-later
// Search and replace in all files, by keys and mouse in the real window.
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>

#include "editor/widget/code_editor.h"
#include "gui/pairing/review_list.h"
#include "gui/project/file_index.h"
#include "gui/workbench/search_panel.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestSearch : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->write("src/a.cpp", "int add(int a);\n\tint b = add(1);\n");
    w_->write("src/b.cpp", "// add and ADD\n");
    w_->write("notes.txt", "nothing\n");
    w_->write(".gitignore", "build\n");
    w_->write("build/a.o.txt", "add\n");
    w_->openProject();
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
  }
  void cleanup() { w_.reset(); }

  void matchesComeAsOneTypes() {
    find("add");
    QTRY_COMPARE(rows(), (QStringList{"a.cpp", "1: int add(int a);", "2: int b = add(1);", "b.cpp",
                                      "1: // add and ADD", "1: // add and ADD"}));
    QTRY_COMPARE(panel()->stateText(), "4 matches in 2 files");
    QVERIFY(WindowFixture::click("searchCase"));
    QTRY_COMPARE(panel()->stateText(), "3 matches in 2 files");
    QVERIFY(WindowFixture::click("searchWord"));
    QVERIFY(WindowFixture::click("searchRegex"));
    panel()->findChild<QLineEdit*>("searchText")->setFocus();
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("a(");
    QTRY_VERIFY2(panel()->stateText().contains("is not a regular expression"),
                 qPrintable(panel()->stateText()));
    QVERIFY(rows().isEmpty());
  }

  void patternsChooseFiles() {
    find("add");
    field("searchExclude")->setFocus();
    WindowFixture::type("*b.cpp");
    QTRY_COMPARE(panel()->stateText(), "2 matches in 1 file");
    field("searchInclude")->setFocus();
    WindowFixture::type("*.txt");
    QTRY_COMPARE(panel()->stateText(), "No match in 1 file.");
  }

  // By F4 from anywhere, by Enter from the tree, and round the ends.
  void matchesAreGoneTo() {
    find("add");
    QTRY_COMPARE(panel()->stateText(), "4 matches in 2 files");
    WindowFixture::key(Qt::Key_Down);
    QVERIFY(panel()->tree()->hasFocus());
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Down);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->document() && w_->document()->path() == w_->path("src/a.cpp"));
    QTRY_VERIFY(w_->editor()->hasFocus());
    QCOMPARE(w_->editor()->selectedText(), "add");
    QCOMPARE(w_->editor()->caretLine(), 1);
    WindowFixture::key(Qt::Key_F4);
    QTRY_COMPARE(w_->document()->path(), w_->path("src/b.cpp"));
    QCOMPARE(w_->editor()->selectedText(), "add");
    WindowFixture::key(Qt::Key_F4);
    QTRY_COMPARE(w_->editor()->selectedText(), "ADD");
    WindowFixture::key(Qt::Key_F4);
    QTRY_COMPARE(w_->document()->path(), w_->path("src/a.cpp"));
    QCOMPARE(w_->editor()->caretLine(), 0);
    WindowFixture::key(Qt::Key_F4, Qt::ShiftModifier);
    QTRY_COMPARE(w_->document()->path(), w_->path("src/b.cpp"));
  }

  // The text in the window counts, saved or not.
  void openTextsAreSearchedAsTheyAre() {
    w_->openFile("notes.txt");
    WindowFixture::type("unsaved ");
    find("unsaved");
    QTRY_COMPARE(rows(), (QStringList{"notes.txt", "1: unsaved nothing"}));
  }

  // At the next start, and after a kill: what is asked for is on disk a moment later.
  void theFieldsComeBackAtTheNextStart() {
    find("add");
    QVERIFY(WindowFixture::click("searchCase"));
    QVERIFY(WindowFixture::click("searchWord"));
    field("searchExclude")->setFocus();
    WindowFixture::type("*b.cpp");
    WindowFixture::key(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    field("searchReplace")->setFocus();
    WindowFixture::type("plus");
    QTRY_COMPARE(panel()->stateText(), "2 matches in 1 file");
    const QJsonObject asked = panel()->query();
    test::rest();
    w_->drop();
    w_->openProject();
    QCOMPARE(panel()->query(), asked);
    QCOMPARE(field("searchText")->text(), "add");
    QCOMPARE(field("searchReplace")->text(), "plus");
    QCOMPARE(field("searchExclude")->text(), "*b.cpp");
    QVERIFY(panel()->findChild<QToolButton*>("searchCase")->isChecked());
    QVERIFY(!panel()->findChild<QToolButton*>("searchRegex")->isChecked());
    QTRY_COMPARE(panel()->stateText(), "2 matches in 1 file");
  }

  void theSelectionIsSearchedFor() {
    w_->openFile("src/a.cpp");
    w_->editor()->setSelection(4, 7);
    WindowFixture::key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(field("searchText")->text(), "add");
    QTRY_COMPARE(panel()->stateText(), "4 matches in 2 files");
    // Esc leads back to the text.
    WindowFixture::key(Qt::Key_Escape);
    QTRY_VERIFY(w_->editor()->hasFocus());
  }

  // One change is rejected, the others are made: in the open text as one step, in the file on disk.
  void replacingIsLookedAtFirst() {
    w_->openFile("src/a.cpp");
    WindowFixture::key(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(field("searchText")->hasFocus());
    WindowFixture::type("add");
    QVERIFY(WindowFixture::click("searchCase"));
    QTRY_COMPARE(panel()->stateText(), "3 matches in 2 files");
    field("searchReplace")->setFocus();
    WindowFixture::type("sum");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_VERIFY(panel()->reviewList()->isVisible());
    QCOMPARE(panel()->findChild<QLabel*>("reviewCount")->text(), "2 changes in 2 files, 2 open");
    QCOMPARE(w_->read("src/b.cpp"), "// add and ADD\n");
    if (qEnvironmentVariableIsSet("SHOTS")) w_->window().grab().save("/tmp/replace.png");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(w_->read("src/b.cpp"), "// sum and ADD\n");
    QCOMPARE(w_->document()->text().toByteArray(), "int sum(int a);\n\tint b = sum(1);\n");
    w_->editor()->setFocus();
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->document()->text().toByteArray(), "int add(int a);\n\tint b = add(1);\n");
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);

    QVERIFY(WindowFixture::click("searchUndo"));
    QTRY_COMPARE(w_->read("src/b.cpp"), "// add and ADD\n");
    QCOMPARE(w_->document()->text().toByteArray(), "int add(int a);\n\tint b = add(1);\n");
    QVERIFY(WindowFixture::click("searchBack"));
    QTRY_COMPARE(panel()->stateText(), "3 matches in 2 files");
  }

  void whatWasSearchedForComesBack() {
    find("add");
    QTRY_COMPARE(panel()->stateText(), "4 matches in 2 files");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->document());
    WindowFixture::key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(field("searchText")->hasFocus());
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("nothing");
    QTRY_COMPARE(panel()->stateText(), "1 match in 1 file");
    WindowFixture::key(Qt::Key_Up);
    QCOMPARE(field("searchText")->text(), "add");
    QTRY_COMPARE(panel()->stateText(), "4 matches in 2 files");
    if (!qEnvironmentVariableIsSet("SHOTS")) return;
    w_->window().resize(1200, 800);
    test::rest();
    w_->window().grab().save("/tmp/search.png");
    w_->window().resize(640, 480);
    test::rest();
    w_->window().grab().save("/tmp/search-small.png");
  }

 private:
  SearchPanel* panel() { return w_->parts().search; }
  QLineEdit* field(const char* name) { return panel()->findChild<QLineEdit*>(name); }
  void find(const QString& text) {
    WindowFixture::key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(field("searchText")->hasFocus());
    WindowFixture::type(text);
  }
  // "a.cpp", and "2: text" for its lines.
  QStringList rows() {
    QStringList rows;
    const FoundModel* model = panel()->model();
    for (int file = 0; file < model->rowCount(); ++file) {
      const QModelIndex parent = model->index(file, 0);
      rows.append(parent.data().toString());
      for (int line = 0; line < model->rowCount(parent); ++line) {
        const QModelIndex index = model->index(line, 0, parent);
        rows.append(QStringLiteral("%1: %2").arg(index.data(FoundModel::kFoundLineRole).toString(),
                                                 index.data().toString()));
      }
    }
    return rows;
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestSearch)
#include "test_search.moc"
