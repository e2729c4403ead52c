// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "pairing/placing/placement.h"

using namespace waferpair::pairing;
using waferpair::editor::Result;
using waferpair::editor::Snapshot;
using waferpair::editor::TextEdit;

namespace {

QByteArray applied(const Snapshot& text, const QVector<TextEdit>& edits) {
  Snapshot now = text;
  for (const TextEdit& edit : edits) {
    if (!now.holds(edit.start, edit.end)) return "(an edit outside the text)";
    now = now.edited(edit);
  }
  return now.toByteArray();
}

ProposedChange changing(ProposedChange::Kind kind, const QByteArray& oldText,
                        const QByteArray& newText, qint64 hint = -1) {
  ProposedChange change;
  change.kind = kind;
  change.oldText = oldText;
  change.newText = newText;
  change.hintLine = hint;
  return change;
}

ProposedChange replacing(const QByteArray& oldText, const QByteArray& newText, qint64 hint = -1) {
  return changing(ProposedChange::Kind::kReplace, oldText, newText, hint);
}

}  // namespace

class TestEditPlacement : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aChangeFindsItsPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("oldText");
    QTest::addColumn<QByteArray>("newText");
    QTest::addColumn<qint64>("hint");
    QTest::addColumn<QByteArray>("result");
    QTest::addColumn<Fit>("fit");
    const auto row = [](const char* name, const char* text, const char* oldText,
                        const char* newText, qint64 hint, const char* result, Fit fit) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(oldText) << QByteArray(newText) << hint
                          << QByteArray(result) << fit;
    };
    row("exact", "a\nb\nc\n", "b\n", "B\n", -1, "a\nB\nc\n", Fit::kExact);
    row("a part of a line", "int x = 1;\n", "x = 1", "y = 2", -1, "int y = 2;\n", Fit::kExact);
    row("whole lines are preferred", "xb\nb\n", "b\n", "B\n", -1, "xb\nB\n", Fit::kExact);
    row("removed", "a\nb\nc\n", "b\n", "", -1, "a\nc\n", Fit::kExact);
    row("the text's line ends", "a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\nb\n", -1,
        "a\r\nx\r\nb\r\nc\r\n", Fit::kExact);
    row("an empty line is not the end of another", "\nelse\n![logo and more](x)\n\nCobra\n",
        "\n![logo and more](x)\n\n", "<div>\n\n### Warp\n</div>\n\n![logo and more](x)\n\n", -1, "",
        Fit::kMerged);
    row("the nearest of several", "b\na\nb\na\nb\n", "b\n", "B\n", 3, "", Fit::kExact);
    row("the nearest of two", "b\na\na\na\nb\n", "b\n", "B\n", 3, "b\na\na\na\nB\n", Fit::kExact);
    row("inserted before a line", "a\nb\n", "", "x\n", 1, "a\nx\nb\n", Fit::kExact);
    row("inserted at the end", "a\nb\n", "", "x\n", 2, "a\nb\nx\n", Fit::kExact);
    row("into an empty text", "", "", "x\n", -1, "x\n", Fit::kExact);
    row("other indentation", "  if (a) {\n    b();\n  }\n", "if (a) {\n  b();\n}\n",
        "if (a) {\n  c();\n}\n", -1, "  if (a) {\n    c();\n  }\n", Fit::kBlanks);
    row("blanks at line ends", "int a;  \nint b;\n", "int a;\nint b;\n", "int a;\nint c;\n", -1,
        "int a;  \nint c;\n", Fit::kBlanks);
    row("the indentation of the text", "class A:\n\tdef f(self):\n\t\treturn 1\n",
        "def f(self):\n    return 1\n", "def f(self):\n    if x:\n        return 1\n", -1,
        "class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 1\n", Fit::kBlanks);
    row("indentation of another width", "f {\n  a;\n  if (b) {\n    c;\n  }\n}\n",
        "f {\n    a;\n    if (b) {\n        c;\n    }\n}\n",
        "f {\n    a;\n    if (b) {\n        c;\n        while (d) {\n            e;\n        }\n   "
        " }\n}\n",
        -1, "f {\n  a;\n  if (b) {\n    c;\n    while (d) {\n      e;\n    }\n  }\n}\n",
        Fit::kBlanks);
    row("beside a line that has changed", "one();\ntwo(2);\nfour();\nfive();\n",
        "one();\ntwo();\nfour();\nfive();\n", "one();\ntwo();\nthree();\nfour();\nfive();\n", -1,
        "one();\ntwo(2);\nthree();\nfour();\nfive();\n", Fit::kMerged);
    row("no line end at the end", "a\nlast", "last\n", "LAST\n", -1, "a\nLAST", Fit::kBlanks);
    row("around another change", "void f() {\n  one();\n  other();\n  three();\n  four();\n}\n",
        "void f() {\n  one();\n  two();\n  three();\n  four();\n}\n",
        "void f() {\n  one();\n  two();\n  three();\n  vier();\n}\n", -1,
        "void f() {\n  one();\n  other();\n  three();\n  vier();\n}\n", Fit::kMerged);
    // The insertion may as well begin with the empty line as end with it.
    row("beside what has changed, with an empty line", "one(1);\n\ntwo();\nthree();\n",
        "one();\n\ntwo();\nthree();\n", "one();\n\nnew();\n\ntwo();\nthree();\n", -1,
        "one(1);\n\nnew();\n\ntwo();\nthree();\n", Fit::kMerged);
    // Another place has some of the lines; this one has all of them.
    row("all lines with another between them",
        "deploy:\n  id: write\n  steps:\n    get v7\n    path: a\n"
        "build:\n  contents: write\n  steps:\n    get v7\nother\n    path: a\n",
        "  contents: write\n  steps:\n    get v7\n    path: a\n",
        "  contents: write\n  steps:\n    get v8\n    path: a\n", -1,
        "deploy:\n  id: write\n  steps:\n    get v7\n    path: a\n"
        "build:\n  contents: write\n  steps:\n    get v8\nother\n    path: a\n",
        Fit::kMerged);
    // Its first lines stand earlier, before one that looks like the rest of it.
    row("a line that has changed, after one like it",
        "class A:\n    def read(self): ...\n\n@checked\nclass B:\n    def read(self): pass\n"
        "\n@checked\nclass ItemsOfAll(Protocol):\n    def items(self): ...\n",
        "    def read(self): ...\n\n@checked\nclass ItemsOfAll(Protocol):\n    def items(self): "
        "...\n",
        "    def read(self): ...\n\nx = 1\n\n@checked\nclass ItemsOfAll(Protocol):\n    def "
        "items(self): ...\n",
        -1, "", Fit::kMerged);
    // The brackets at its end stand for others: one of them has changed.
    row("a bracket that has changed",
        "void f() {\n  if (expected(1)) {\n    fail();\n  } else;\n}\n",
        "  if (expected(1)) {\n    fail();\n  }\n}\n",
        "  if (expected(1)) {\n    fail();\n  }\n}\n\nvoid g() {\n  if (expected(2)) {\n"
        "    fail();\n  }\n}\n",
        -1, "", Fit::kMerged);
    row("around a line that came", "a\nb\nnew\nc\nd\ne\n", "a\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", -1,
        "a\nb\nnew\nc\nd\nE\n", Fit::kMerged);
  }
  void aChangeFindsItsPlace() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, oldText);
    QFETCH(QByteArray, newText);
    QFETCH(qint64, hint);
    QFETCH(QByteArray, result);
    QFETCH(Fit, fit);
    const Snapshot before(text);
    const Result<Placement> placed = place(before, replacing(oldText, newText, hint));
    if (result.isEmpty()) {  // as far from one as from another
      QVERIFY(!placed);
      return;
    }
    QVERIFY2(placed, placed ? "" : qPrintable(placed.error().message()));
    QCOMPARE(applied(before, placed->edits), result);
    QCOMPARE(placed->fit, fit);
  }

  void whatHasNoPlaceIsNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("oldText");
    QTest::addColumn<QByteArray>("newText");
    QTest::addColumn<qint64>("hint");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* text, const char* oldText,
                        const char* newText, qint64 hint, const char* says) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(oldText) << QByteArray(newText) << hint
                          << QString::fromUtf8(says);
    };
    row("missing", "a\nb\n", "  nowhere();\n", "x\n", -1, "“nowhere();”");
    row("several", "b\na\nb\n", "b\n", "B\n", -1, "2 times");
    row("several but for blanks", " b c\na\nb  c\n", "b c \n", "B\n", -1, "2 times");
    row("only blanks", "a\n \nb\n", " \n", "x\n", -1, "does not stand");
    row("changed at the same place", "a\nb\nother\nd\ne\n", "a\nb\nc\nd\ne\n", "a\nb\nmine\nd\ne\n",
        -1, "no longer");
    row("nowhere to insert", "a\n", "", "x\n", -1, "“x”");
    row("past the end", "a\n", "", "x\n", 7, "line 8");
  }
  void whatHasNoPlaceIsNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, oldText);
    QFETCH(QByteArray, newText);
    QFETCH(qint64, hint);
    QFETCH(QString, says);
    const Result<Placement> placed = place(Snapshot(text), replacing(oldText, newText, hint));
    QVERIFY(!placed);
    QVERIFY2(placed.error().what.contains(says), qPrintable(placed.error().what));
    QVERIFY(!placed.error().remedy.isEmpty());
  }

  void aWholeFileChangesOnlyTheLinesThatDiffer() {
    const Snapshot before("a\r\nb\r\nc\r\n");
    const auto change = changing(ProposedChange::Kind::kCode, {}, "a\nB\nc\n");
    const Result<Placement> placed = place(before, change);
    QVERIFY(placed);
    QCOMPARE(placed->edits.size(), 1);
    QCOMPARE(placed->edits[0].start, 3);
    QCOMPARE(placed->edits[0].end, 6);
    QCOMPARE(applied(before, placed->edits), QByteArray("a\r\nB\r\nc\r\n"));
  }

  void aFileIsMadeOnlyWhereNoneIs() {
    const auto change = changing(ProposedChange::Kind::kCreate, {}, "int x;\n");
    const Result<Placement> placed = place(Snapshot(), change);
    QVERIFY(placed);
    QCOMPARE(applied(Snapshot(), placed->edits), QByteArray("int x;\n"));
    QVERIFY(!place(Snapshot("there\n"), change));
  }

  void editsAreSmallAndInOrder() {
    const Snapshot before("one\ntwo\nthree\nfour\nfive\n");
    const Result<Placement> placed =
        place(before, replacing("two\nthree\nfour\nfive\n", "zwei\nthree\nfour\nfuenf\n"));
    QVERIFY(placed);
    QCOMPARE(placed->edits.size(), 2);
    QCOMPARE(placed->edits[0].text, QByteArray("zwei\n"));
    QCOMPARE(placed->edits[1].text, QByteArray("fuenf\n"));
  }

  void linesAreFoundInATextThatMovedOn() {
    const Snapshot madeFor("a\nb\nc\nd\ne\n");
    const LineChange change{.first = 3, .count = 1, .newText = "D\nD2\n"};
    const Result<Placement> same = placeLines(madeFor, madeFor, change);
    QVERIFY(same);
    QCOMPARE(same->fit, Fit::kExact);
    QCOMPARE(applied(madeFor, same->edits), QByteArray("a\nb\nc\nD\nD2\ne\n"));

    const Snapshot movedOn("new\na\nB\nc\nd\ne\n");
    const Result<Placement> merged = placeLines(movedOn, madeFor, change);
    QVERIFY(merged);
    QCOMPARE(merged->fit, Fit::kMerged);
    QCOMPARE(applied(movedOn, merged->edits), QByteArray("new\na\nB\nc\nD\nD2\ne\n"));

    const Result<Placement> conflict = placeLines(Snapshot("a\nb\nc\nother\ne\n"), madeFor, change);
    QVERIFY(!conflict);
    QVERIFY(conflict.error().what.contains(u"Lines 4 to 4"));
    QVERIFY(!placeLines(madeFor, madeFor, {.first = 4, .count = 3, .newText = {}}));
  }

  // A place is looked for in time, also in a long text of lines that are much alike.
  void aLongTextIsSearched() {
    QByteArray text;
    for (int i = 0; i < 20'000; ++i)
      text += i % 2 == 0 ? "  }\n" : "  call(" + QByteArray::number(i) + ");\n";
    const Snapshot before(text);
    const Result<Placement> placed = place(
        before, replacing("  call(9999);\n  }\n  call(10001);\n  gone();\n  call(10003);\n",
                          "  call(9999);\n  }\n  call(10001);\n  moved();\n  call(10003);\n"));
    // The text to be changed is not there.
    QVERIFY(!placed);
    const Result<Placement> other = place(
        before, replacing("  call(9999);\n  }\n  call(10001);\n  gone();\n  call(10003);\n",
                          "  moved(9999);\n  }\n  call(10001);\n  gone();\n  call(10003);\n"));
    QVERIFY2(other, other ? "" : qPrintable(other.error().message()));
    QCOMPARE(applied(before, other->edits), text.replace("call(9999)", "moved(9999)"));
  }
};

QTEST_GUILESS_MAIN(TestEditPlacement)
#include "test_edit_placement.moc"
