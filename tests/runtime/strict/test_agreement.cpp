// SPDX-License-Identifier: GPL-3.0-or-later
// Fast and strict mode on the default model: the same tokens, but for ties. bench_strict asks of
// more prompts.
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
    std::printf("%d tokens: %d the same, %d ties, %zu others; error of a logit %.4f, FP16 %.4f\n",
                found->tokens, found->same, found->ties, found->differences.size(), found->error,
                found->distance);
    QCOMPARE(found->tokens, 12 * 6);
    // What FP16 sums change is of the size of a few FP16 steps; see docs/mesh.md for 200 prompts.
    QVERIFY(found->same + found->ties >= found->tokens * 95 / 100);
    for (const auto& difference : found->differences) QVERIFY(difference.margin < 16);
    QVERIFY(found->error < 8 * found->distance);
  }
};

QTEST_GUILESS_MAIN(TestAgreement)
#include "test_agreement.moc"
