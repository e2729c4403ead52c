// SPDX-License-Identifier: GPL-3.0-or-later
// A change of a file as it is drawn while its lines come.
#include <QtTest>

#include "pairing/answers/answer_reader.h"
#include "pairing/edits/growing_edit.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

using Kind = ProposedChange::Kind;

constexpr char kText[] =
    "import os\n\n\nclass A:\n    def first(self):\n        one = 1\n        two = 2\n"
    "        return one + two\n\n    def second(self):\n        return 2\n";
constexpr LineRange kFirst{4, 4};
constexpr LineRange kAll{0, 12};

EditTask taskOf(const QByteArray& text, LineRange target) {
  return {QStringLiteral("do it"), QStringLiteral("a.py"), QStringLiteral("Python"),
          editor::Snapshot(text), target};
}

ProposedChange changeOf(Kind kind, const QByteArray& old, const QByteArray& fresh) {
  ProposedChange change;
  change.kind = kind;
  change.oldText = old;
  change.newText = fresh;
  return change;
}

// "-old" and "+new" lines, hunk by hunk.
QByteArray drawn(const GrowingEdit& growing, const QByteArray& text) {
  QByteArray shown;
  const auto add = [&shown](char sign, const QByteArray& lines) {
    for (const QByteArray& line : lines.split('\n')) shown += sign + line + '\n';
    shown.chop(2);  // what is behind the last line's end
  };
  for (const editor::Hunk& hunk : growing.hunks()) {
    const QByteArray old = text.sliced(hunk.range.start(), hunk.range.size());
    if (!old.isEmpty()) add('-', old);
    if (!hunk.text.isEmpty()) add('+', hunk.text);
  }
  return shown;
}

QByteArray applied(const GrowingEdit& growing, QByteArray text) {
  const auto hunks = growing.hunks();
  for (auto hunk = hunks.crbegin(); hunk != hunks.crend(); ++hunk)
    text.replace(hunk->range.start(), hunk->range.size(), hunk->text);
  return text;
}

}  // namespace

class TestGrowingEdit : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void linesAreLaidOverTheOldOnes_data() {
    QTest::addColumn<LineRange>("target");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("old");
    QTest::addColumn<QByteArray>("fresh");
    QTest::addColumn<QByteArray>("expected");
    const auto replace = static_cast<int>(Kind::kReplace);
    const auto code = static_cast<int>(Kind::kCode);
    const QByteArray body = "        one = 1\n        two = 2\n        return one + two\n";

    QTest::newRow("nothing came") << kAll << replace << body << QByteArray() << QByteArray();
    QTest::newRow("the same so far")
        << kAll << replace << body << QByteArray("        one = 1\n") << QByteArray();
    QTest::newRow("a line that became another one")
        << kAll << replace << body << QByteArray("        one = 11\n")
        << QByteArray("-        one = 1\n+        one = 11\n");
    QTest::newRow("a line between")
        << kAll << replace << body << QByteArray("        one = 1\n        print(self)\n")
        << QByteArray("+        print(self)\n");
    QTest::newRow("a line between, and then the next")
        << kAll << replace << body
        << QByteArray("        one = 1\n        print(self)\n        two = 2\n")
        << QByteArray("+        print(self)\n");
    QTest::newRow("a line that goes") << kAll << replace << body << QByteArray("        two = 2\n")
                                      << QByteArray("-        one = 1\n");
    QTest::newRow("a line of which nobody knows yet what it takes the place of")
        << kAll << replace << body << QByteArray("        if not self:\n")
        << QByteArray("+        if not self:\n");
    QTest::newRow("deeper lines are others")
        << kAll << replace << body << QByteArray("        if self:\n            one = 1\n")
        << QByteArray("-        one = 1\n+        if self:\n+            one = 1\n");
    QTest::newRow("old text that has lost its indentation")
        << kAll << replace << QByteArray("one = 1\ntwo = 2\n") << QByteArray("one = 1\ntwo = 22\n")
        << QByteArray("-        two = 2\n+        two = 22\n");
    QTest::newRow("old text that is nowhere")
        << kAll << replace << QByteArray("        three = 3\n") << QByteArray("        one = 1\n")
        << QByteArray();
    QTest::newRow("code, as the target stands at the margin")
        << kFirst << code << QByteArray() << QByteArray("def first(self):\n    one = 11\n")
        << QByteArray("-        one = 1\n+        one = 11\n");
    QTest::newRow("code with another head")
        << kFirst << code << QByteArray() << QByteArray("def first(self, more):\n    one = 1\n")
        << QByteArray("-    def first(self):\n+    def first(self, more):\n");
    QTest::newRow("code behind its imports")
        << kFirst << code << QByteArray()
        << QByteArray("import sys\n\ndef first(self):\n    sys.exit()\n")
        << QByteArray("+        sys.exit()\n");
    QTest::newRow("code of something else")
        << kFirst << code << QByteArray() << QByteArray("make install\nmake check\n")
        << QByteArray();
    QTest::newRow("a whole file") << kFirst << code << QByteArray()
                                  << QByteArray("import os\n\n\nclass B(A):\n")
                                  << QByteArray("-class A:\n+class B(A):\n");
    QTest::newRow("a file that is there is not made")
        << kAll << static_cast<int>(Kind::kCreate) << QByteArray() << QByteArray("import os\n")
        << QByteArray();
  }
  void linesAreLaidOverTheOldOnes() {
    QFETCH(LineRange, target);
    QFETCH(int, kind);
    QFETCH(QByteArray, old);
    QFETCH(QByteArray, fresh);
    QFETCH(QByteArray, expected);
    GrowingEdit growing(taskOf(kText, target));
    growing.take(changeOf(static_cast<Kind>(kind), old, fresh));
    QCOMPARE(drawn(growing, kText), expected);
    QCOMPARE(growing.lineCount(), qint64{fresh.count('\n')});

    // Line by line it is the same.
    GrowingEdit slow(taskOf(kText, target));
    for (qsizetype end = fresh.indexOf('\n'); end >= 0; end = fresh.indexOf('\n', end + 1))
      slow.take(changeOf(static_cast<Kind>(kind), old, fresh.first(end + 1)));
    QCOMPARE(drawn(slow, kText), expected);
  }

  void aTextOfTwoPlacesIsNotDrawn() {
    const QByteArray twice = "a = 1\nb = 2\n\na = 1\nb = 2\n";
    const ProposedChange change = changeOf(Kind::kReplace, "a = 1\n", "a = 11\n");
    GrowingEdit growing(taskOf(twice, {0, 6}));
    growing.take(change);
    QVERIFY(growing.hunks().isEmpty());
    QCOMPARE(growing.lineCount(), 1);
    // In the target it stands once.
    GrowingEdit second(taskOf(twice, {3, 2}));
    second.take(change);
    QCOMPARE(drawn(second, twice), QByteArray("-a = 1\n+a = 11\n"));
    QCOMPARE(second.hunks().value(0).range.start(), 13);
    // The answer's number tells.
    ProposedChange numbered = change;
    numbered.hintLine = 3;
    GrowingEdit told(taskOf(twice, {0, 6}));
    told.take(numbered);
    QCOMPARE(told.hunks().value(0).range.start(), 13);
  }

  void anEmptyTextIsFilled() {
    GrowingEdit growing(taskOf("", {0, 1}));
    growing.take(changeOf(Kind::kCreate, "", "a\nb\n"));
    QCOMPARE(drawn(growing, ""), QByteArray("+a\n+b\n"));
  }

  // Another block of the answer begins anew.
  void theNextChangeIsAnotherOne() {
    GrowingEdit growing(taskOf(kText, kAll));
    growing.take(changeOf(Kind::kReplace, "        one = 1\n", "        one = 11\n"));
    growing.take(changeOf(Kind::kReplace, "        return 2\n", "        return 22\n"));
    QCOMPARE(drawn(growing, kText), QByteArray("-        return 2\n+        return 22\n"));
    QCOMPARE(growing.lineCount(), 1);
  }

  // What is drawn, put in, is the lines so far and then what is left of the old ones; and what was
  // laid before the last hunk is never laid otherwise.
  void eachLineOnlyAddsToWhatIsThere() {
    QByteArray text, old, fresh;
    for (int i = 0; i < 300; ++i) {
      const QByteArray line =
          "  value" + QByteArray::number(i % 50) + " = call(" + QByteArray::number(i) + ");\n";
      old += line;
      if (i % 7 == 0) fresh += "  // step\n";
      if (i % 11 == 0) continue;
      fresh += i % 5 == 0 ? QByteArray(line).replace("call", "invoke") : line;
      if (i % 13 == 0) fresh += "\n  more(" + line.trimmed().chopped(1) + ");\n";
    }
    const QByteArray head = "int f() {\n";
    text = head + old + "}\n";
    GrowingEdit growing(taskOf(text, {0, 302}));
    QVector<editor::Hunk> before;
    for (qsizetype end = fresh.indexOf('\n'); end >= 0; end = fresh.indexOf('\n', end + 1)) {
      const QByteArray sofar = fresh.first(end + 1);
      growing.take(changeOf(Kind::kReplace, old, sofar));
      QVERIFY2(applied(growing, text).startsWith(head + sofar), sofar.constData());
      const QVector<editor::Hunk> now = growing.hunks();
      const qsizetype settled = std::max<qsizetype>(before.size() - 1, 0);
      QVERIFY(now.size() >= settled);
      QCOMPARE(now.first(settled), before.first(settled));
      for (qsizetype i = 1; i < now.size(); ++i)
        QVERIFY(now[i - 1].range.end() < now[i].range.start());
      before = now;
    }
    QVERIFY(before.size() > 50);
  }
};

QTEST_GUILESS_MAIN(TestGrowingEdit)
#include "test_growing_edit.moc"
