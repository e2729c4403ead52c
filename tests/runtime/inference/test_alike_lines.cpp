// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>
#include <set>

#include "runtime/inference/sampling/alike_lines.h"

namespace waferpair::inference {

namespace {

// Returns the best line, or "-" where there is none.
std::string best(std::string_view above, std::string_view below = "", std::string_view gone = "") {
  const auto lines = alikeLines(above, below, gone);
  return lines.empty() ? "-" : lines.front().rest;
}

}  // namespace

class TestAlikeLines : public QObject {
  Q_OBJECT
 private slots:
  void namesAreReplaced_data() {
    QTest::addColumn<QString>("above");
    QTest::addColumn<QString>("rest");
    QTest::newRow("the nearest counterpart") << "int put(int key) {\n"
                                                "  check(key);\n"
                                                "  return store(key);\n"
                                                "}\n"
                                                "int put(int word) {\n"
                                                "  check(word);\n  "
                                             << "return store(word);";
    QTest::newRow("parts of names") << "case kRedApple:\n  return \"red apple\";\n"
                                       "case kGreenApple:\n  return \"green "
                                    << "apple\";";
    QTest::newRow("twice in a line") << "PUT: 'PUT',\nput: 'put',\n"
                                        "GET: 'GET',\nget: '"
                                     << "get',";
    QTest::newRow("a shorter name") << "\n  firstAndLast = read(in);\n  print(firstAndLast);\n"
                                       "  first = read(in);\n  print("
                                    << "first);";
    QTest::newRow("a longer name") << "\n  first = read(in);\n  print(first);\n"
                                      "  firstAndLast = read(in);\n  print("
                                   << "firstAndLast);";
    QTest::newRow("another indentation") << "if a:\n  b = f(a)\n  g(b)\n"
                                            "  if a:\n    b = f(a)\n    "
                                         << "g(b)";
  }
  void namesAreReplaced() {
    QFETCH(QString, above);
    QFETCH(QString, rest);
    QCOMPARE(QString::fromStdString(best(above.toStdString())), rest);
  }

  void aNameThatIsBegunIsFinished() {
    const std::string above = "one:\n  open(file);\n  close(file);\ntwo:\n  open(folder);\n  ";
    QCOMPARE(best(above), "close(folder);");
    QCOMPARE(best(above + "clo"), "se(folder);");
    QCOMPARE(best(above + "close"), "(folder);");
    QCOMPARE(best(above + "close(fol"), "der);");
    QCOMPARE(best(above + "close(fil"), "e);");  // as behind "open("
    QCOMPARE(best(above + "read"), "-");
  }

  void otherTextsAreLookedAtToo() {
    QCOMPARE(best("a = one(b);\n  two(", "x);\n  two(y, z);\n"), "y, z);");
    QCOMPARE(best("a = one(b);\n  two(", "", "\n  two(old);\n"), "old);");
    const auto lines = alikeLines("f(1);\ng(2);\nf(", "3);\nf(4);\n", "\nf(5);\n");
    std::set<std::string> rests;
    for (const AlikeLine& line : lines) rests.insert(line.rest);
    QCOMPARE(rests, (std::set<std::string>{"1);", "2);", "4);", "5);"}));
  }

  void whatAgreesIsWeighed() {
    const auto lines = alikeLines("f(a);\nf(b);\nf(", "", "");
    QCOMPARE(lines.size(), std::size_t{2});
    // Backwards "(", "f", the line break, ";" and ")"; a name; "(" and "f".
    QCOMPARE(lines[0].rest, "b);");
    QCOMPARE(lines[0].replaced, 1);
    QVERIFY(std::abs(lines[0].agreement - (0.4 + 1 + 1 + 0.4 + 0.4 - 1 + 0.4 + 1)) < 1e-9);
    QCOMPARE(lines[0].distance, std::size_t{6});
    QCOMPARE(lines[1].rest, "a);");
    QCOMPARE(lines[1].replaced, 0);
    QVERIFY(std::abs(lines[1].agreement - 1.4) < 1e-9);
    QCOMPARE(lines[1].distance, std::size_t{12});
  }

  void blanksAloneMakeNothingAlike() {
    QCOMPARE(best("int a = 5;\nreturn b + "), "-");
    QCOMPARE(best("int a = c + 5;\nreturn b + "), "5;");
  }

  void noLineIsCut() {
    std::string below = "\n";
    while (below.size() < AlikeLimits::kMostBelow) below += "  call(ä, ö);\n";
    for (const AlikeLine& line : alikeLines("call(x);\n  call(", below, ""))
      QVERIFY2(line.rest == "ä, ö);" || line.rest == "x);", line.rest.c_str());
  }

  void longLinesAreLeftOut() {
    const std::string sum(1000, '+');
    QCOMPARE(best("a = f(" + sum + ");\nb = f("), "-");
    QCOMPARE(best("a = f(" + sum.substr(0, 100) + ");\nb = f("), sum.substr(0, 100) + ");");
    QVERIFY(!alikeLines(std::string(30000, ')'), std::string(30000, ')'), "").empty());
  }

  void anyTextWillDo() {
    std::mt19937 random(1);
    const std::string signs = "ab(B_ \t\n\r1.\xc3\xa4";
    for (int round = 0; round < 2000; ++round) {
      const auto draw = [&](std::size_t most) {
        std::string text(random() % most, ' ');
        for (char& c : text) c = signs[random() % signs.size()];
        return text;
      };
      const std::string above = draw(120), below = draw(60), gone = draw(30);
      const auto lines = alikeLines(above, below, gone);
      QVERIFY(lines.size() <= AlikeLimits::kMostLines);
      std::set<std::string> rests;
      for (const AlikeLine& line : lines) {
        QVERIFY(line.rest.find('\n') == std::string::npos);
        QVERIFY(line.rest.find_first_not_of(" \t") != std::string::npos);
        QVERIFY(rests.insert(line.rest).second);
        QVERIFY(line.replaced <= AlikeLimits::kMostReplaced);
        QVERIFY(line.agreement <= lines.front().agreement);
        QVERIFY(line.agreement <= static_cast<double>(AlikeLimits::kMostAgreeing));
      }
      QCOMPARE(alikeLines(above, below, gone), lines);
    }
    QVERIFY(alikeLines("", "", "").empty());
    QVERIFY(alikeLines("name", "name", "name").empty());
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestAlikeLines)
#include "test_alike_lines.moc"
