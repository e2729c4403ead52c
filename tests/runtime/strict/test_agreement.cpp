// SPDX-License-Identifier: GPL-3.0-or-later
// Fast and strict mode on the default model: the same tokens, but for ties within FP16
// rounding. bench_strict asks of more prompts.
#include <QtTest>
#include <cstdio>

#include "tests/runtime/strict/agreement.h"
#include "tests/support/paths.h"

using namespace waferpair;

class TestAgreement : public QObject {
  Q_OBJECT

 private slots:
  void fastAndStrictChooseTheSameTokens() {
    const test::Agreement found = compare(std::nullopt);
    QCOMPARE(found.tokens, kPrompts * kTokens);
    QVERIFY(found.alike());
    QVERIFY(found.same >= found.tokens * 98 / 100);
    // The measure of a tie comes from FP16, not from a mistake.
    QVERIFY(found.rounding < found.distance);
    // Far finer than what the two modes are compared by.
    QVERIFY(found.activationsError < found.rounding / 4);
  }

  // Otherwise the comparison would not see what 16 bits are for.
  void activationsInEightBitsAreSeen() {
    const test::Agreement found = compare(tensor::Activations::k8Bits);
    QVERIFY(found.activationsError > 2 * found.rounding);
  }

 private:
  static constexpr int kPrompts = 24, kTokens = 6;

  static test::Agreement compare(std::optional<tensor::Activations> activations) {
    auto found =
        test::compareModes({.model = test::sourceDir() + "/resources/models/waferpair-mini.gguf",
                            .root = test::sourceDir(),
                            .prompts = kPrompts,
                            .promptTokens = 24,
                            .newTokens = kTokens,
                            .activations = activations});
    if (!found) qFatal("%s", found.error().message().c_str());
    std::printf("%d tokens: %d the same, %d ties, %zu others\n", found->tokens, found->same,
                found->ties, found->differences.size());
    std::printf("error of a logit: %.4f by FP16, %.4f by activations; FP16 values are %.4f apart\n",
                found->rounding, found->activationsError, found->distance);
    return std::move(*found);
  }
};

QTEST_GUILESS_MAIN(TestAgreement)
#include "test_agreement.moc"
