// SPDX-License-Identifier: GPL-3.0-or-later
// Fast and strict mode on the default model: the same tokens, but for ties within FP16 rounding and
// what fast's activations in 8 bits change. bench_strict asks of more prompts.
#include <QtTest>
#include <cstdio>

#include "tests/runtime/strict/agreement.h"

using namespace waferpair;

class TestAgreement : public QObject {
  Q_OBJECT

 private slots:
  void fastAndStrictChooseTheSameTokens() {
    const auto found =
        test::compareModes({.model = WAFERPAIR_SOURCE_DIR "/resources/models/waferpair-mini.gguf",
                            .root = WAFERPAIR_SOURCE_DIR,
                            .prompts = 12,
                            .promptTokens = 24,
                            .newTokens = 6});
    if (!found) qFatal("%s", found.error().message().c_str());
    std::printf("%d tokens: %d the same, %d ties, %d by activations in 8 bits, %zu others\n",
                found->tokens, found->same, found->ties, found->eightBits,
                found->differences.size());
    std::printf("error of a logit: %.4f by FP16, %.4f by 8 bits; FP16 values are %.4f apart\n",
                found->rounding, found->eightBitsError, found->distance);
    QCOMPARE(found->tokens, 12 * 6);
    QVERIFY(found->differences.empty());
    QVERIFY(found->same >= found->tokens * 95 / 100);
    // What a tie is measured by is FP16's doing, not a mistake's.
    QVERIFY(found->rounding < found->distance);
  }
};

QTEST_GUILESS_MAIN(TestAgreement)
#include "test_agreement.moc"
