// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "runtime/inference/sampling/replaced_line.h"
#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

class TestReplacedLine : public QObject {
  Q_OBJECT

  static std::string rest(std::string_view line, const std::vector<std::string>& removed) {
    return restOfRemoved(line, removed).value_or("(none)");
  }
  static double probability(std::span<const float> logits, std::size_t token) {
    return std::exp(logits[token] - logOfSum(logits));
  }

 private slots:
  void theRestBehindTheLongestAgreementIsFound() {
    const std::vector<std::string> removed = {"  log_number = versions->LogNumber();\n",
                                              "  old = versions->OldNumber();\n  f(a, b);\n"};
    QCOMPARE(rest("  const int log_number = versions", removed), std::string("->LogNumber();"));
    QCOMPARE(rest("  old_one = versions->Old", removed), std::string("Number();"));
    // The last place in a line, and of equal lines the first.
    QCOMPARE(rest("abcdef", {"xabcdef 1 abcdef 2\nyabcdef 3\n"}), std::string(" 2"));
    // Blanks at its end do not come again.
    QCOMPARE(rest("int abcdef", {"long abcdef;  \n"}), std::string(";"));
  }

  void tooLittleIsNoAgreement() {
    QCOMPARE(rest("abcde", {"xabcde;\n"}), std::string("(none)"));
    QCOMPARE(rest("abcdef", {"xabcdef;\n"}), std::string(";"));
    QCOMPARE(rest("second =         ", {"first  =         1;\n"}), std::string("(none)"));
    QCOMPARE(rest("", {"xabcdef;\n"}), std::string("(none)"));
    QCOMPARE(rest("abcdef", {}), std::string("(none)"));
    QCOMPARE(rest("x.abcdef", {"abcdef\n"}), std::string("(none)"));  // nothing goes on
  }

  // Who removes a line does not write it again; but may in another block.
  void theLineThatWasRemovedDoesNotComeAgain() {
    QCOMPARE(rest("  return f(", {"  return f(x);\n"}), std::string("(none)"));
    QCOMPARE(rest("    return f(", {"  return f(x);\n"}), std::string("x);"));
    // Another line that agrees as much may.
    QCOMPARE(rest("  return f(", {"  return f(x);\n  y = 1; return f(y);\n"}), std::string("y);"));
  }

  void theTokenGetsTheTrustAndTheOthersKeepTheirShares() {
    const std::vector<float> before = {0.1f, 2.0f, -1.0f, 0.5f};
    ReplacedLine line({2, 0});
    for (const auto& [token, trust] : {std::pair{std::size_t{2}, ReplacedLine::kFirstTrust},
                                       std::pair{std::size_t{0}, ReplacedLine::kFurtherTrust}}) {
      std::vector<float> logits = before;
      QVERIFY(line.applies());
      line.apply(logits);
      const double was = probability(before, token);
      QVERIFY(std::abs(probability(logits, token) - (was + trust * (1 - was))) < 1e-5);
      const double share = (1 - probability(logits, token)) / (1 - was);
      QVERIFY(std::abs(probability(logits, 1) - share * probability(before, 1)) < 1e-5);
      line.chosen(static_cast<std::int32_t>(token));
    }
    QVERIFY(!line.applies());
  }

  void whatGoesAnotherWayLeavesIt() {
    ReplacedLine line({2, 0});
    line.chosen(1);
    QVERIFY(!line.applies());
    line.chosen(2);
    QVERIFY(!line.applies());
  }

  void whatIsForbiddenStaysSo() {
    std::vector<float> logits = {0, -INFINITY};
    ReplacedLine line({1});
    line.apply(logits);
    QCOMPARE(logits, (std::vector<float>{0, -INFINITY}));
    std::vector<float> never = {0, -10'000};
    line.apply(never);
    QVERIFY(std::isfinite(never[1]));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestReplacedLine)
#include "test_replaced_line.moc"
