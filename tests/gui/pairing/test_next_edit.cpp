// SPDX-License-Identifier: GPL-3.0-or-later
// Next edits in the window, by real keys: the hint, Tab that goes and makes, Esc that ends it.
#include <QtTest>

#include "editor/assist/hunks.h"
#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/view/view_numbers.h"
#include "editor/widget/decorations.h"
#include "gui/kit/command_registry.h"
#include "gui/pairing/next_edit_service.h"
#include "gui/pairing/next_edit_status.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

constexpr char kCounter[] =
    "int total(int size) {\n"
    "  int count = 0;\n"
    "  for (int i = 0; i < size; ++i) {\n"
    "    count += values[i];\n"
    "  }\n"
    "  log(count);\n"
    "  return count;\n"
    "}\n";

constexpr char kSource[] =
    "#include \"counter.h\"\n\nint Counter::totalCount() const { return 1; }\n";
constexpr char kHeader[] = "class Counter {\n public:\n  int totalCount() const;\n};\n";

// The user renames the word at the caret's place of `line`.
void retype(WindowFixture& f, int line, const QByteArray& word, const QString& by) {
  const auto at = f.editor()->lineStart(line) + f.editor()->lineText(line).indexOf(word);
  f.editor()->setSelection(at, at + word.size());
  f.type(by);
}

// The project with this file in it, in a window that offers every renaming: how likely it is right
// is the matter of other tests.
void openWith(WindowFixture& f, const QString& file, const QByteArray& text) {
  f.openProjectWith(file, text);
  f.parts().nextEdits->setGate(
      *pairing::Gate::parse(R"({"finders": {"name": {"bias": 1, "threshold": 0.5}}})"));
}

editor::LineHint* hint(WindowFixture& f) { return f.editor()->nextEditHint(); }

NextEditService* service(WindowFixture& f) { return f.parts().nextEdits; }

}  // namespace

class TestNextEditWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tabGoesThereAndTabMakesIt();
  void eachIsOneUndoStep();
  void escapeEndsItAndItStaysAway();
  void anotherOpenFileIsReached();
  void aFileThatIsNotOpenIsOpened();
  void aFileThatChangedSinceIsLeftAlone_data();
  void aFileThatChangedSinceIsLeftAlone();
  void aFileInAnotherEncodingIsNotSearched();
  void ghostTextComesFirst();
  void whatIsTypedOrLeftTakesItAway();
  void tabIndentsWhereNothingIsOffered();
  void hunksThatComeTakeItAway();
  void itCanBeTurnedOff();
  void theStatusBarAndTheMouseReachIt();
  void anImportIsAddedFromWhereItIsNeeded();
};

void TestNextEditWindow::tabGoesThereAndTabMakesIt() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  QCOMPARE(hint(f)->line(), 1);
  QCOMPARE(hint(f)->text(), QString("Tab: rename in line 4, 3 left"));
  QVERIFY(hint(f)->isVisible());
  const QByteArray before = f.editor()->text();
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->text(), before);
  QCOMPARE(f.editor()->caretLine(), 3);
  QCOMPARE(hint(f)->text(), QString("Tab: apply"));
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->lineText(3), QByteArray("    sum += values[i];"));
  for (const int line : {5, 6}) {
    QTRY_VERIFY(hint(f)->isOffered());
    f.key(Qt::Key_Tab);
    QCOMPARE(f.editor()->caretLine(), line);
    f.key(Qt::Key_Tab);
  }
  QCOMPARE(f.editor()->text(), QByteArray(kCounter).replace("count", "sum"));
  QCOMPARE(service(f)->counts().accepted, 3);
  QCOMPARE(service(f)->counts().shown, 3);
}

// The caret stays with the name that needs it.
void TestNextEditWindow::anImportIsAddedFromWhereItIsNeeded() {
  WindowFixture f;
  f.write("one.py", "import time\nfrom shapes import area\n\narea(1)\n");
  openWith(f, "two.py", "import os\n\n\ndef f():\n    return os.name\n");
  service(f)->setGate(
      *pairing::Gate::parse(R"({"finders": {"import": {"bias": 1, "threshold": 0.5}}})"));
  f.editor()->goToLine(4, 0);
  f.key(Qt::Key_End);
  f.type(" + area(2)");
  QTRY_COMPARE(service(f)->offered(), QString("add “from shapes import area”"));
  QVERIFY(hint(f)->isVisible());
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->text(), QByteArray("import os\nfrom shapes import area\n\n\ndef f():\n"
                                          "    return os.name + area(2)\n"));
  QCOMPARE(f.editor()->caretLine(), 5);
  QCOMPARE(f.editor()->caret(), f.editor()->lineEnd(5));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(f.editor()->text().startsWith("import os\n\n\n"));
}

void TestNextEditWindow::eachIsOneUndoStep() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  const QByteArray before = f.editor()->text();
  f.key(Qt::Key_Tab);
  f.key(Qt::Key_Tab);
  QVERIFY(f.editor()->text() != before);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), before);
}

void TestNextEditWindow::escapeEndsItAndItStaysAway() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  f.key(Qt::Key_Escape);
  QVERIFY(!hint(f)->isOffered());
  QCOMPARE(service(f)->counts().dismissed, 1);
  // The next edit asks again; the place that was dismissed is not among what comes.
  f.type(" ");
  f.key(Qt::Key_Backspace);
  QTRY_VERIFY(hint(f)->isOffered() || service(f)->counts().dismissed > 1);
  QVERIFY2(!hint(f)->text().contains("line 4"), qPrintable(hint(f)->text()));
}

void TestNextEditWindow::anotherOpenFileIsReached() {
  WindowFixture f;
  f.write("counter.h", kHeader);
  openWith(f, "counter.cpp", kSource);
  f.openFile("counter.h");
  f.openFile("counter.cpp");
  retype(f, 2, "totalCount", "grandTotal");
  QTRY_VERIFY(hint(f)->isOffered());
  QCOMPARE(hint(f)->text(), QString("Tab: rename in counter.h:3"));
  f.key(Qt::Key_Tab);
  QCOMPARE(f.document()->title(), QString("counter.h"));
  QVERIFY(f.editor()->hasFocus());
  QCOMPARE(f.editor()->caretLine(), 2);
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->lineText(2), QByteArray("  int grandTotal() const;"));
}

// The name stands in a file that has no tab: Tab opens it there.
void TestNextEditWindow::aFileThatIsNotOpenIsOpened() {
  WindowFixture f;
  f.write("parts/counter.h", kHeader);
  openWith(f, "counter.cpp",
           "#include \"parts/counter.h\"\n\nint Counter::totalCount() const { return 1; }\n");
  retype(f, 2, "totalCount", "grandTotal");
  QTRY_VERIFY(hint(f)->isOffered());
  QCOMPARE(hint(f)->text(), QString("Tab: rename in counter.h:3"));
  QCOMPARE(f.document()->title(), QString("counter.cpp"));
  f.key(Qt::Key_Tab);
  QCOMPARE(f.document()->title(), QString("counter.h"));
  QVERIFY(f.editor()->hasFocus());
  QCOMPARE(f.editor()->caretLine(), 2);
  QCOMPARE(hint(f)->text(), QString("Tab: apply"));
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->lineText(2), QByteArray("  int grandTotal() const;"));
  f.key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->lineText(2), QByteArray("  int totalCount() const;"));
}

void TestNextEditWindow::aFileThatChangedSinceIsLeftAlone_data() {
  QTest::addColumn<QByteArray>("now");
  QTest::newRow("the line is lower") << QByteArray("#pragma once\n") + kHeader;
  QTest::newRow("the line is where it was, but begins at another byte")
      << QByteArray(kHeader).replace("Counter {", "Counter {  // of all");
}

void TestNextEditWindow::aFileThatChangedSinceIsLeftAlone() {
  QFETCH(QByteArray, now);
  WindowFixture f;
  f.write("counter.h", kHeader);
  openWith(f, "counter.cpp", kSource);
  retype(f, 2, "totalCount", "grandTotal");
  QTRY_COMPARE(hint(f)->text(), QString("Tab: rename in counter.h:3"));
  f.write("counter.h", now);
  f.key(Qt::Key_Tab);
  QCOMPARE(f.document()->title(), QString("counter.h"));
  QVERIFY(!hint(f)->isOffered());
  QVERIFY(f.document()->decorations()->decorations().isEmpty());
  QCOMPARE(f.editor()->text(), now);
}

// The bytes of such a file are not those that the editor has of it.
void TestNextEditWindow::aFileInAnotherEncodingIsNotSearched() {
  WindowFixture f;
  f.write("a.h", "// caf\xe9\nint totalCount();\n");
  f.write("b.h", "\xef\xbb\xbf// mark\nint totalCount();\n");
  f.write("c.h", "// plain\nint totalCount();\n");
  openWith(f, "counter.cpp", "#include \"a.h\"\n\nint totalCount() { return 1; }\n");
  retype(f, 2, "totalCount", "grandTotal");
  QTRY_VERIFY(hint(f)->isOffered());
  QCOMPARE(hint(f)->text(), QString("Tab: rename in c.h:2"));
}

void TestNextEditWindow::ghostTextComesFirst() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  f.editor()->ghost()->show(f.editor()->caret(), "mary");
  QVERIFY(!hint(f)->isVisible());
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->lineText(1), QByteArray("  int summary = 0;"));
}

void TestNextEditWindow::whatIsTypedOrLeftTakesItAway() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  f.type("s");
  QVERIFY(!hint(f)->isOffered());
  QTRY_VERIFY(hint(f)->isOffered());
  f.key(Qt::Key_Down);
  QVERIFY(!hint(f)->isOffered());
  QCOMPARE(service(f)->counts().dismissed, 0);
}

void TestNextEditWindow::tabIndentsWhereNothingIsOffered() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  f.editor()->setSelection(0, f.editor()->lineStart(2));
  f.editor()->flushEdits();
  f.key(Qt::Key_Tab);
  QCOMPARE(f.editor()->lineText(0), QByteArray("  int total(int size) {"));
}

void TestNextEditWindow::hunksThatComeTakeItAway() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  f.key(Qt::Key_Tab);
  QCOMPARE(hint(f)->text(), QString("Tab: apply"));
  const auto isMarked = [&f](qint64 at) {
    return f.editor()->sci(QsciScintillaBase::SCI_INDICATORVALUEAT, editor::kRemovedGroundIndicator,
                           static_cast<long>(at)) != 0;
  };
  const qint64 count = f.editor()->lineStart(3) + 4;
  QVERIFY(isMarked(count));
  QList<int> lines;  // with the margin's mark: the replaced one alone
  for (int line = 0; line < f.editor()->lineCount(); ++line)
    if ((f.editor()->sci(QsciScintillaBase::SCI_MARKERGET, static_cast<unsigned long>(line)) &
         1L << editor::kChangedLineMarker) != 0)
      lines += line;
  QCOMPARE(lines, QList<int>{3});

  editor::Hunks* hunks = f.document()->hunks();
  hunks->offer(editor::suggestionOf(f.document()->id(), {{0, 3, "long"}}));
  QVERIFY(!hint(f)->isOffered());
  QVERIFY(!isMarked(count));
  QVERIFY(isMarked(0));
  QCOMPARE(f.document()->decorations()->decorations().size(), 2);
  hunks->clear();
  QVERIFY(!isMarked(0));
}

void TestNextEditWindow::itCanBeTurnedOff() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  WindowFixture::trigger(f.window(), "edit.nextEdits");
  QVERIFY(!hint(f)->isOffered());
  retype(f, 0, "size", "length");
  test::rest();
  QVERIFY(!hint(f)->isOffered());
  QCOMPARE(service(f)->counts().shown, 1);
}

void TestNextEditWindow::theStatusBarAndTheMouseReachIt() {
  WindowFixture f;
  openWith(f, "a.cpp", kCounter);
  auto* status = f.find<NextEditStatus>("nextEditStatus");
  QVERIFY(!status->isVisible());
  retype(f, 1, "count", "sum");
  QTRY_VERIFY(hint(f)->isOffered());
  QCOMPARE(status->text(), QString("Next edit: rename in line 4, 3 left"));
  QTest::mouseClick(hint(f), Qt::LeftButton);
  QCOMPARE(f.editor()->caretLine(), 3);
  status->click();
  QCOMPARE(f.editor()->lineText(3), QByteArray("    sum += values[i];"));
}

QTEST_MAIN(TestNextEditWindow)
#include "test_next_edit.moc"
