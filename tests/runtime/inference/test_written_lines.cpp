// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/inference/engine/written_lines.h"

namespace waferpair::inference {

class TestWrittenLines : public QObject {
  Q_OBJECT
 private slots:
  void aLineIsNotRepeatedWhereverItsLettersComeFrom() {
    WrittenLines written;
    written.add("int main() {\n    int i;\n");
    written.add("    ");
    QVERIFY(written.wouldRepeat("int i;"));
    QVERIFY(written.wouldRepeat("int i;  "));
    QVERIFY(!written.wouldRepeat("int j;"));
    QVERIFY(!written.isInLine());
    written.add("int ");
    QVERIFY(written.isInLine());
    QVERIFY(written.wouldRepeat("i;"));
    QVERIFY(!written.wouldRepeat("j;"));
  }

  void aShortLineMayComeAgainFurtherOnOnce() {
    WrittenLines written;
    written.add("int i;\n");
    for (int i = 0; i < 6; ++i) {
      QVERIFY(written.wouldRepeat("int i;"));
      written.add("call" + std::string(static_cast<std::size_t>(i + 1), '!') + "\n");
    }
    QVERIFY(!written.wouldRepeat("int i;"));
    written.add("int i;\n");
    for (int i = 0; i < 6; ++i)
      written.add("call" + std::string(static_cast<std::size_t>(i + 1), '?') + "\n");
    QVERIFY(written.wouldRepeat("int i;"));
  }

  void aLongLineMayNot() {
    WrittenLines written;
    written.add("return first + second;\n");
    for (std::size_t i = 1; i < WrittenLines::kKept; ++i) {
      QVERIFY(written.wouldRepeat("return first + second;"));
      written.add(std::string(i, '!') + "\n");
    }
    written.add("\n  \n");  // blank ones are none
    QVERIFY(written.wouldRepeat("return first + second;"));
    written.add("+\n");
    QVERIFY(!written.wouldRepeat("return first + second;"));
  }

  void marksMayComeTwice() {
    WrittenLines written;
    written.add("/*\n");
    QVERIFY(!written.wouldRepeat("/*"));
    written.add("*/\n/*\n");
    QVERIFY(written.wouldRepeat("/*"));
    written.add("}\n}\n}\n}\n");
    QVERIFY(!written.wouldRepeat("}"));
    QVERIFY(!written.wouldRepeat("});"));
  }

  void linesThatDifferInNamesOnlyCome3Times() {
    WrittenLines written;
    written.add("int a = 1;\nint b = 2;\n");
    QVERIFY(!written.wouldRepeat("int c = 3;"));
    written.add("int c = 3;\n");
    QVERIFY(written.wouldRepeat("int d = 4;"));
    QVERIFY(!written.wouldRepeat("int d = 4, e = 5;"));
    // Further apart only with another name.
    written.add("call();\n");
    QVERIFY(written.wouldRepeat("int d = 4;"));
    QVERIFY(written.wouldRepeat("int dd = 4;"));
    QVERIFY(!written.wouldRepeat("int ddd = 4;"));
    written.add("ddd();\n");
    QVERIFY(written.wouldRepeat("int ddd = 4;"));
  }

  void soDoLinesOfFewLetters() {
    WrittenLines written;
    written.add("a = b\nf()\nb = a\ng()\n");
    QVERIFY(!written.wouldRepeat("c = a"));
    written.add("c = a\nh()\n");
    QVERIFY(written.wouldRepeat("c = b"));
    QVERIFY(!written.wouldRepeat("c = b + a"));
    QVERIFY(written.wouldRepeat("i()"));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestWrittenLines)
#include "test_written_lines.moc"
