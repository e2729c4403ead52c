// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <array>
#include <random>
#include <sstream>

#include "runtime/inference/engine/replaced_lines.h"

namespace waferpair::inference {

using Lines = std::vector<std::string>;

class TestReplacedLines : public QObject {
  Q_OBJECT

  // A text that is edited, and what is known of its edits.
  struct Text {
    std::string text;
    ReplacedLines replaced = {};

    void edit(std::size_t start, std::size_t end, const std::string& by) {
      replaced.edited(text, {start, end, by});
      text.replace(start, end - start, by);
    }
    void replace(const std::string& from, const std::string& by) {
      const std::size_t at = text.find(from);
      QVERIFY(at != std::string::npos);
      edit(at, at + from.size(), by);
    }
    Lines gone() const { return replaced.gone(text); }
  };

 private slots:
  void aRemovedLineIsGone() {
    Text text{"int a;\n  int b = f(1);\nint c;\n"};
    QCOMPARE(text.gone(), Lines());
    text.replace("  int b = f(1);\n", "");
    QCOMPARE(text.gone(), Lines({"  int b = f(1);\n"}));
    // What is typed in its place changes nothing of that.
    const std::size_t at = text.text.find("int c");
    text.edit(at, at, "\n");
    text.edit(at, at, "  long b");
    QCOMPARE(text.gone(), Lines({"  int b = f(1);\n"}));
    // Until it stands again, with other blanks and more behind.
    text.replace("  long b", "int b = f(1);  // again");
    QCOMPARE(text.gone(), Lines());
  }

  void aLineThatGrowsIsNotGone() {
    Text text{"a\nreturn f(x)\nb\n"};
    text.edit(13, 13, ";");
    QCOMPARE(text.text, std::string("a\nreturn f(x);\nb\n"));
    QCOMPARE(text.gone(), Lines());
    text.edit(11, 12, "y");
    QCOMPARE(text.gone(), Lines({"return f(x)\n"}));
  }

  void lettersTakenBackOneByOneAreOfOneLine() {
    Text text{"a\ncall(one);\nb\n"};
    for (std::size_t end = 12; end > 6; --end) text.edit(end - 1, end, "");
    QCOMPARE(text.text, std::string("a\ncall\nb\n"));
    QCOMPARE(text.gone(), Lines({"call(one);\n"}));
  }

  void linesBesideOneAnotherAreOnePlace() {
    Text text{"zero\none\ntwo\nthree\n"};
    text.replace("two", "2");
    text.replace("one\n", "");
    QCOMPARE(text.gone(), Lines({"one\ntwo\n"}));
    text.replace("three", "3");
    QCOMPARE(text.gone(), Lines({"three\n"}));
  }

  void linesApartAreTold() {
    Text text{"one\nkept\ntwo\n"};
    text.replace("one\nkept\ntwo", "1\nkept\n2");
    QCOMPARE(text.gone(), Lines({"one\n", "two\n"}));
  }

  void anotherPlaceIsAnother() {
    Text text{"one\ntwo\nthree\nfour\n"};
    text.replace("one", "1");
    text.replace("three", "3");
    QCOMPARE(text.gone(), Lines({"three\n"}));
  }

  void whatIsTooLargeIsNotRemembered() {
    const std::string line(ReplacedLines::kMostBytes, 'x');
    Text text{"a\n" + line + "y\nb\n"};
    text.replace("y\n", "");
    QCOMPARE(text.gone(), Lines());
    text.edit(0, 1, "c");
    QCOMPARE(text.gone(), Lines({"a\n"}));
    text.edit(1, 1, "\n" + line);
    QCOMPARE(text.gone(), Lines());
  }

  // Whatever is edited: a line that is told of stood in the text once, and no line of the place
  // begins with it.
  void anyEditsKeepThePlaceWithinTheText() {
    std::mt19937 random(7);
    int told = 0;
    for (int round = 0; round < 300; ++round) {
      Text text{"a\nbb\nccc\n\n dd\ne\n"};
      std::string history = "\n" + text.text;
      for (int step = 0; step < 40; ++step) {
        const std::size_t start = random() % (text.text.size() + 1);
        const std::size_t end =
            std::min(text.text.size(), start + (random() % 3 == 0 ? random() % 6 : 0));
        static const std::array<std::string, 6> kTexts = {"", "\n", "x", "yy\n", "\nzz", " "};
        text.edit(start, end, kTexts[random() % kTexts.size()]);
        history += "\n" + text.text + "\n";
        for (const std::string& lines : text.gone()) {
          ++told;
          QVERIFY(lines.ends_with('\n'));
          std::istringstream read(lines);
          for (std::string line; std::getline(read, line);)
            QVERIFY(history.find("\n" + line + "\n") != std::string::npos);
        }
      }
    }
    QVERIFY(told > 1000);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestReplacedLines)
#include "test_replaced_lines.moc"
