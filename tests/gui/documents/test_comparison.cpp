// SPDX-License-Identifier: GPL-3.0-or-later
// Two texts beside each other in the real window: what is marked, going from change to change, and
// moving changes across by keys and by mouse.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollBar>
#include <QTest>

#include "editor/layers/margin_words.h"
#include "editor/view/view_numbers.h"
#include "gui/documents/compare_commands.h"
#include "gui/documents/comparison.h"
#include "gui/documents/comparison_gap.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/rest.h"

namespace waferpair::gui {
namespace {

using Sci = QsciScintillaBase;

Comparison* shown(WindowFixture& f) { return Comparison::of(f.document()); }

void keyChord(Qt::Key second, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
  WindowFixture::key(second, modifiers);
}

bool isMarked(const editor::CodeEditor& view, int line, int marker) {
  return (view.sci(Sci::SCI_MARKERGET, static_cast<unsigned long>(line)) & (1L << marker)) != 0;
}

bool isWordMarked(const editor::CodeEditor& view, qint64 at, unsigned long indicator) {
  return view.sci(Sci::SCI_INDICATORVALUEAT, indicator, static_cast<long>(at)) != 0;
}

QString countShown(WindowFixture& f) { return f.find<QLabel>("comparedCount")->text(); }

constexpr char kOld[] = "one\ntwo = 2\nthree\nfour\nfive\n";
constexpr char kNew[] = "one\ntwo = 3\nthree\nfive\nsix\n";

void openBoth(WindowFixture& f) {
  f.write("old.txt", kOld);
  f.openProjectWith("new.txt", kNew);
  compareFiles(f.parts().tabs, f.path("old.txt"), f.path("new.txt"));
}

}  // namespace

class TestComparison : public QObject {
  Q_OBJECT
 private slots:
  void changedLinesAndWordsAreMarked();
  void keysGoFromChangeToChange();
  void aChangeIsTakenOverAsOneStep();
  void aChangeIsMovedToTheOtherOpenText();
  void theArrowTakesAChangeOver();
  void typingIsCompared();
  void theTwoScrollTogether();
  void bothBeginWhereTheCaretIs();
  void oneColumnHasTheLinesOfBoth();
  void aTextIsComparedWithItsFile();
  void aTextIsComparedWithTheClipboard();
  void lineEndsAreNoDifference();
  void whatIsTakenOverGetsTheTextsLineEnds_data();
  void whatIsTakenOverGetsTheTextsLineEnds();
  void theEndLeavesNoMarks();
  void theOtherTextMayBeClosed();
  void filesThatCannotBeComparedAreTold();
};

void TestComparison::changedLinesAndWordsAreMarked() {
  WindowFixture f;
  openBoth(f);
  const Comparison* comparison = shown(f);
  QVERIFY(comparison);
  QCOMPARE(f.document()->title(), QStringLiteral("new.txt"));
  QCOMPARE(comparison->changes().size(), 3);
  QCOMPARE(comparison->left()->text(), QByteArray(kOld));
  QCOMPARE(countShown(f), QStringLiteral("3 changes"));
  QVERIFY(!isMarked(*f.editor(), 0, editor::kNewChangeMarker));
  QVERIFY(isMarked(*f.editor(), 1, editor::kNewChangeMarker));
  QVERIFY(isMarked(*f.editor(), 4, editor::kNewChangeMarker));
  QVERIFY(isMarked(*comparison->left(), 1, editor::kGoneChangeMarker));
  QVERIFY(isMarked(*comparison->left(), 3, editor::kGoneChangeMarker));
  // "two = " is the same, the number is not.
  QVERIFY(!isWordMarked(*f.editor(), 4, editor::kNewWordsIndicator));
  QVERIFY(isWordMarked(*f.editor(), 10, editor::kNewWordsIndicator));
  QVERIFY(isWordMarked(*comparison->left(), 10, editor::kGoneWordsIndicator));
}

void TestComparison::keysGoFromChangeToChange() {
  WindowFixture f;
  openBoth(f);
  f.editor()->goToLine(0);
  QList<int> lines;
  for (int i = 0; i < 4; ++i) {
    WindowFixture::key(Qt::Key_F7);
    lines += f.editor()->caretLine();
  }
  QCOMPARE(lines, QList<int>({1, 3, 4, 1}));
  QCOMPARE(countShown(f), QStringLiteral("1 of 3 changes"));
  WindowFixture::key(Qt::Key_F7, Qt::ShiftModifier);
  QCOMPARE(f.editor()->caretLine(), 4);
  WindowFixture::key(Qt::Key_F7, Qt::ShiftModifier);
  QCOMPARE(f.editor()->caretLine(), 3);
}

void TestComparison::aChangeIsTakenOverAsOneStep() {
  WindowFixture f;
  openBoth(f);
  f.editor()->goToLine(0);
  WindowFixture::key(Qt::Key_F7);
  WindowFixture::key(Qt::Key_F7);
  keyChord(Qt::Key_T);
  QCOMPARE(f.editor()->text(), QByteArray("one\ntwo = 3\nthree\nfour\nfive\nsix\n"));
  QCOMPARE(shown(f)->changes().size(), 2);
  QVERIFY(f.document()->isModified());
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.editor()->text(), QByteArray(kNew));
  QVERIFY(!f.document()->isModified());
}

void TestComparison::aChangeIsMovedToTheOtherOpenText() {
  WindowFixture f;
  openBoth(f);
  f.editor()->goToLine(0);
  WindowFixture::key(Qt::Key_F7);
  keyChord(Qt::Key_G);
  const Document* other = f.parts().tabs->documentAt(f.path("old.txt"));
  QCOMPARE(other->editor()->text(), QByteArray("one\ntwo = 3\nthree\nfour\nfive\n"));
  QCOMPARE(shown(f)->left()->text(), other->editor()->text());
  QCOMPARE(shown(f)->changes().size(), 2);
  QCOMPARE(f.editor()->text(), QByteArray(kNew));
}

void TestComparison::theArrowTakesAChangeOver() {
  WindowFixture f;
  openBoth(f);
  QCoreApplication::processEvents();
  auto* gap = f.find<ComparisonGap>("comparisonGap");
  const auto height = static_cast<int>(f.editor()->sci(Sci::SCI_TEXTHEIGHT));
  QTest::mouseClick(gap, Qt::LeftButton, {}, QPoint(8, height + height / 2));
  QCOMPARE(f.editor()->lineText(1), QByteArray("two = 2"));
  // The second of those that are left begins in the other text's line 3; its arrow is at the right.
  QTest::mouseClick(gap, Qt::LeftButton, {}, QPoint(gap->width() - 8, 3 * height + height / 2));
  QCOMPARE(f.parts().tabs->documentAt(f.path("old.txt"))->editor()->text(),
           QByteArray("one\ntwo = 2\nthree\nfive\n"));
}

void TestComparison::typingIsCompared() {
  WindowFixture f;
  openBoth(f);
  f.editor()->goToLine(0, 3);
  f.document()->setFocus();
  WindowFixture::type(QStringLiteral(" more"));
  QTRY_COMPARE(shown(f)->changes().size(), 3);
  QTRY_COMPARE(shown(f)->changes().first().newStart, 0);
  QCOMPARE(shown(f)->changes().first().newCount, 2);
  QVERIFY(isMarked(*f.editor(), 0, editor::kNewChangeMarker));
}

void TestComparison::theTwoScrollTogether() {
  WindowFixture f;
  QByteArray left;
  QByteArray right;
  for (int i = 0; i < 400; ++i) {
    const QByteArray line = "line " + QByteArray::number(i) + '\n';
    left += line;
    if (i == 100) right += QByteArray("new\n").repeated(50);
    right += line;
  }
  f.write("left.txt", left);
  f.openProjectWith("right.txt", right);
  compareFiles(f.parts().tabs, f.path("left.txt"), f.path("right.txt"));
  const editor::CodeEditor* other = shown(f)->left();
  f.editor()->goToLine(300);
  const auto apart = [&] {
    return f.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE) - other->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  };
  QTRY_VERIFY(qAbs(apart() - 50) <= 1);
  // They stay there: neither moves the other on.
  const auto first = f.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  test::rest();
  QCOMPARE(f.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE), first);
  f.editor()->goToLine(200);
  const auto middle = f.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  test::rest();
  QCOMPARE(f.editor()->sci(Sci::SCI_GETFIRSTVISIBLELINE), middle);
  QScrollBar* bar = other->verticalScrollBar();
  bar->setValue(bar->maximum());
  QTRY_COMPARE(f.editor()->verticalScrollBar()->value(),
               f.editor()->verticalScrollBar()->maximum());
  bar->setValue(0);
  QTRY_COMPARE(f.editor()->verticalScrollBar()->value(), 0);
}

void TestComparison::bothBeginWhereTheCaretIs() {
  WindowFixture f;
  QByteArray text;
  for (int i = 0; i < 400; ++i) text += "line " + QByteArray::number(i) + '\n';
  f.openProjectWith("right.txt", text);
  QGuiApplication::clipboard()->setText(QString::fromUtf8("new\n" + text));
  f.editor()->goToLine(300);
  keyChord(Qt::Key_C);
  QTRY_VERIFY(shown(f));
  const editor::CodeEditor* other = shown(f)->left();
  const auto first = [](const editor::CodeEditor* view) {
    return view->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  };
  QTRY_VERIFY(qAbs(first(other) - first(f.editor()) - 1) <= 1);
  QVERIFY(first(f.editor()) <= 300);
  QVERIFY(first(f.editor()) + f.editor()->sci(Sci::SCI_LINESONSCREEN) > 300);
}

void TestComparison::oneColumnHasTheLinesOfBoth() {
  WindowFixture f;
  openBoth(f);
  keyChord(Qt::Key_V);
  auto* column = f.find<editor::CodeEditor>("comparedInline");
  QVERIFY(column);
  QCOMPARE(column->text(), QByteArray("one\ntwo = 2\ntwo = 3\nthree\nfour\nfive\nsix\n"));
  QVERIFY(isMarked(*column, 1, editor::kGoneChangeMarker));
  QVERIFY(isMarked(*column, 2, editor::kNewChangeMarker));
  QVERIFY(isMarked(*column, 4, editor::kGoneChangeMarker));
  QStringList signs;
  for (int line = 0; line < 7; ++line) signs.append(editor::MarginWords::of(column)->words(line));
  QCOMPARE(signs.join(u'|'), QStringLiteral("|\u2212|+||\u2212||+"));
  QVERIFY(!f.editor()->isVisible());
  QVERIFY(column->hasFocus());
  WindowFixture::key(Qt::Key_F7);
  QCOMPARE(column->caretLine(), 1);
  WindowFixture::type(QStringLiteral("x"));  // it is for reading
  QCOMPARE(column->lineCount(), 8);
  keyChord(Qt::Key_T);
  QCOMPARE(f.editor()->lineText(1), QByteArray("two = 2"));
  QCOMPARE(column->text(), QByteArray("one\ntwo = 2\nthree\nfour\nfive\nsix\n"));
  keyChord(Qt::Key_V);
  QVERIFY(f.editor()->isVisible());
  QVERIFY(f.editor()->hasFocus());
}

void TestComparison::aTextIsComparedWithItsFile() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\ntwo\n");
  WindowFixture::type(QStringLiteral("new "));
  keyChord(Qt::Key_D, Qt::ShiftModifier);
  QVERIFY(shown(f));
  QCOMPARE(shown(f)->left()->text(), QByteArray("one\ntwo\n"));
  QCOMPARE(shown(f)->changes().size(), 1);
  QVERIFY(!shown(f)->canGive());
}

void TestComparison::aTextIsComparedWithTheClipboard() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\r\ntwo\r\n");
  QGuiApplication::clipboard()->setText(QStringLiteral("one\n2\n"));
  keyChord(Qt::Key_C);
  QVERIFY(shown(f));
  QCOMPARE(shown(f)->changes().size(), 1);
  QCOMPARE(shown(f)->changes().first().newStart, 1);
}

void TestComparison::lineEndsAreNoDifference() {
  WindowFixture f;
  f.write("old.txt", "one\r\ntwo = 2\r\nthree\r\n");
  f.openProjectWith("new.txt", "one\ntwo = 2\nthree\n");
  compareFiles(f.parts().tabs, f.path("old.txt"), f.path("new.txt"));
  QCOMPARE(shown(f)->changes().size(), 0);
  QCOMPARE(countShown(f), QStringLiteral("No differences; line ends differ: CRLF | LF"));
  for (int line = 0; line < 3; ++line) {
    QVERIFY(!isMarked(*f.editor(), line, editor::kNewChangeMarker));
    QVERIFY(!isMarked(*shown(f)->left(), line, editor::kGoneChangeMarker));
  }
  f.editor()->goToLine(1, 7);
  f.document()->setFocus();
  WindowFixture::type(QStringLiteral("0"));
  QTRY_COMPARE(countShown(f), QStringLiteral("1 change; line ends differ: CRLF | LF"));
  QCOMPARE(shown(f)->changes().first().oldFrom, 5);
  QCOMPARE(shown(f)->changes().first().oldTo, 14);
  QVERIFY(isMarked(*f.editor(), 1, editor::kNewChangeMarker));
  QVERIFY(!isMarked(*f.editor(), 2, editor::kNewChangeMarker));
  // The word that differs is marked where it is, behind a CRLF.
  QVERIFY(isWordMarked(*shown(f)->left(), 11, editor::kGoneWordsIndicator));
  QVERIFY(!isWordMarked(*shown(f)->left(), 10, editor::kGoneWordsIndicator));
  QVERIFY(!isWordMarked(*shown(f)->left(), 14, editor::kGoneWordsIndicator));
}

void TestComparison::whatIsTakenOverGetsTheTextsLineEnds_data() {
  QTest::addColumn<QByteArray>("left");
  QTest::addColumn<QByteArray>("right");
  QTest::addColumn<QByteArray>("taken");
  QTest::addColumn<QByteArray>("given");
  QTest::newRow("CRLF from LF") << QByteArray("a\nb\nc\nd\n") << QByteArray("a\r\nx\r\nd\r\n")
                                << QByteArray("a\r\nb\r\nc\r\nd\r\n") << QByteArray("a\nx\nd\n");
  QTest::newRow("LF from CRLF") << QByteArray("a\r\nb\r\nd\r\n") << QByteArray("a\nx\ny\nd\n")
                                << QByteArray("a\nb\nd\n") << QByteArray("a\r\nx\r\ny\r\nd\r\n");
  QTest::newRow("CR from LF") << QByteArray("a\nb\nd\n") << QByteArray("a\rx\rd\r")
                              << QByteArray("a\rb\rd\r") << QByteArray("a\nx\nd\n");
  // Lines that are not touched keep theirs, and what is new gets what most have.
  QTest::newRow("mixed") << QByteArray("a\nb\nc\nd\n") << QByteArray("a\r\nx\r\nd\n")
                         << QByteArray("a\r\nb\r\nc\r\nd\n") << QByteArray("a\nx\nd\n");
}

void TestComparison::whatIsTakenOverGetsTheTextsLineEnds() {
  QFETCH(QByteArray, left);
  QFETCH(QByteArray, right);
  QFETCH(QByteArray, taken);
  QFETCH(QByteArray, given);
  WindowFixture f;
  f.write("left.txt", left);
  f.openProjectWith("right.txt", right);
  compareFiles(f.parts().tabs, f.path("left.txt"), f.path("right.txt"));
  QCOMPARE(shown(f)->changes().size(), 1);
  QVERIFY(shown(f)->take(0));
  QCOMPARE(f.document()->text().toByteArray(), taken);
  QCOMPARE(shown(f)->changes().size(), 0);
  f.document()->setFocus();
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(f.document()->text().toByteArray(), right);
  QTRY_COMPARE(shown(f)->changes().size(), 1);
  QVERIFY(shown(f)->takeAll());
  QCOMPARE(f.document()->text().toByteArray(), taken);
  WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(shown(f)->changes().size(), 1);
  QVERIFY(shown(f)->give(0));
  QCOMPARE(f.parts().tabs->documentAt(f.path("left.txt"))->text().toByteArray(), given);
}

void TestComparison::theEndLeavesNoMarks() {
  WindowFixture f;
  openBoth(f);
  keyChord(Qt::Key_Q);
  QVERIFY(!shown(f));
  QVERIFY(!isMarked(*f.editor(), 1, editor::kNewChangeMarker));
  QVERIFY(!isWordMarked(*f.editor(), 10, editor::kNewWordsIndicator));
  QVERIFY(f.editor()->hasFocus());
  QTRY_VERIFY(!f.find<QWidget>("comparisonHeader"));
  // Another one right behind it has its own.
  compareFiles(f.parts().tabs, f.path("old.txt"), f.path("new.txt"));
  compareFiles(f.parts().tabs, f.path("old.txt"), f.path("new.txt"));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  QVERIFY(isMarked(*f.editor(), 1, editor::kNewChangeMarker));
}

void TestComparison::theOtherTextMayBeClosed() {
  WindowFixture f;
  openBoth(f);
  EditorTabs* tabs = f.parts().tabs;
  tabs->close(tabs->documentAt(f.path("old.txt")));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  QVERIFY(shown(f));
  QVERIFY(!shown(f)->canGive());
  f.editor()->goToLine(1);
  QVERIFY(shown(f)->take(0));
  QCOMPARE(f.editor()->lineText(1), QByteArray("two = 2"));
  // And then the one that is compared.
  tabs->close(f.document());
}

void TestComparison::filesThatCannotBeComparedAreTold() {
  WindowFixture f;
  f.openProjectWith("a.txt", "one\n");
  QStringList problems;
  QObject::connect(f.parts().tabs, &EditorTabs::problem, f.parts().tabs,
                   [&](const QString& text) { problems += text; });
  compareFiles(f.parts().tabs, f.path("a.txt"), f.path("a.txt"));
  compareFiles(f.parts().tabs, f.path("gone.txt"), f.path("a.txt"));
  QCOMPARE(problems.size(), 2);
  QVERIFY(problems[0].contains(QLatin1String("same file")));
  QVERIFY(problems[1].contains(QLatin1String("gone.txt")));
  QVERIFY(!shown(f));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestComparison)
#include "test_comparison.moc"
