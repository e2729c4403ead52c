// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "editor/text/word_diff.h"

namespace waferpair::editor {
namespace {

QByteArrayList cut(const QByteArray& text, const QVector<ByteRange>& ranges) {
  QByteArrayList parts;
  for (const ByteRange& range : ranges) parts += text.mid(range.start, range.end - range.start);
  return parts;
}

}  // namespace

class TestWordDiff : public QObject {
  Q_OBJECT
 private slots:
  void wordsThatDifferAreFound() {
    const QByteArray before = "int count = first(values);\n";
    const QByteArray after = "long count = last(values, 2);\n";
    const WordChanges words = wordDiff(before, after);
    QCOMPARE(cut(before, words.before), QByteArrayList({"int", "first"}));
    QCOMPARE(cut(after, words.after), QByteArrayList({"long", "last", ", 2"}));
  }

  void lettersOfOtherScriptsStayWhole() {
    const QByteArray before = "name = \"Zoë\"\n";
    const QByteArray after = "name = \"Zoé\"\n";
    const WordChanges words = wordDiff(before, after);
    QCOMPARE(cut(before, words.before), QByteArrayList({"Zoë"}));
    QCOMPARE(cut(after, words.after), QByteArrayList({"Zoé"}));
  }

  void wordsAreFoundInSeveralLines() {
    const QByteArray before = "a = 1\nb = 2\n";
    const QByteArray after = "a = 1\n\nb = 3\n";
    const WordChanges words = wordDiff(before, after);
    QCOMPARE(cut(before, words.before), QByteArrayList({"2"}));
    QCOMPARE(cut(after, words.after), QByteArrayList({"\n", "3"}));
  }

  void aTextThatIsAnotherHasNoMarks() {
    const WordChanges words = wordDiff("return parse(input);\n", "while true do\n");
    QVERIFY(words.before.isEmpty());
    QVERIFY(words.after.isEmpty());
  }

  void nothingIsMarkedInEqualOrLargeTexts() {
    QVERIFY(wordDiff("same\n", "same\n").after.isEmpty());
    const QByteArray large(kMostComparedBytes, 'a');
    QVERIFY(wordDiff(large + " b", large + " c").after.isEmpty());
    QVERIFY(wordDiff({}, {}).before.isEmpty());
  }
};

}  // namespace waferpair::editor

QTEST_GUILESS_MAIN(waferpair::editor::TestWordDiff)
#include "test_word_diff.moc"
