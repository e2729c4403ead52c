// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/inference/sequence.h"

namespace waferpair::inference {

namespace {

transformer::Config smallConfig() {
  transformer::Config config;
  config.layers = 1;
  config.width = 32;
  config.feedForward = 32;
  config.heads = 2;
  config.kvHeads = 1;
  config.headDim = 16;
  config.ropeDim = 16;
  config.contextLength = 128;
  config.vocabSize = 300;
  return config;
}

using Tokens = std::vector<std::int32_t>;

// As Forward does at the end of a step.
void feedAll(Sequence& sequence) {
  sequence.kv().setLength(sequence.length() + static_cast<int>(sequence.pending().size()));
}

}  // namespace

class TestSequence : public QObject {
  Q_OBJECT
 private slots:
  void aNewPromptIsAllPending() {
    auto sequence = *Sequence::make(smallConfig(), 64);
    QCOMPARE(sequence.setPrompt(Tokens{1, 2, 3}), 0);
    QCOMPARE(sequence.pending().size(), size_t{3});
  }

  void theCommonPrefixStaysAndTheLastTokenIsFedAgain() {
    auto sequence = *Sequence::make(smallConfig(), 64);
    sequence.setPrompt(Tokens{1, 2, 3, 4});
    feedAll(sequence);
    QCOMPARE(sequence.setPrompt(Tokens{1, 2, 3, 4, 5}), 4);
    QCOMPARE(sequence.pending().size(), size_t{1});
    feedAll(sequence);
    QCOMPARE(sequence.setPrompt(Tokens{1, 2, 3, 4, 5}), 4);
    feedAll(sequence);
    QCOMPARE(sequence.setPrompt(Tokens{1, 2, 9, 4, 5}), 2);
    QCOMPARE(sequence.length(), 2);
    QCOMPARE(sequence.pending().front(), 9);
  }

  void generatedTokensServeTheNextPrompt() {
    auto sequence = *Sequence::make(smallConfig(), 64);
    sequence.setPrompt(Tokens{1, 2});
    feedAll(sequence);
    sequence.append(3);
    feedAll(sequence);
    sequence.append(4);  // chosen, but not yet fed
    QCOMPARE(sequence.pending().size(), size_t{1});
    QCOMPARE(sequence.setPrompt(Tokens{1, 2, 3, 4, 5}), 3);
  }

  // Against the definition, on random prompts that share random prefixes.
  void cachedTokensAreAlwaysThoseOfThePrompt() {
    std::mt19937 random(7);
    auto sequence = *Sequence::make(smallConfig(), 64);
    Tokens cached;
    for (int round = 0; round < 2000; ++round) {
      Tokens prompt(cached.begin(), cached.begin() + random() % (cached.size() + 1));
      while (prompt.empty() || random() % 4) {
        if (prompt.size() == 64) break;
        prompt.push_back(static_cast<std::int32_t>(random() % 3));
      }
      size_t common = 0;
      while (common < cached.size() && common + 1 < prompt.size() &&
             cached[common] == prompt[common])
        ++common;
      QCOMPARE(sequence.setPrompt(prompt), static_cast<int>(common));
      QVERIFY(std::ranges::equal(sequence.tokens(), prompt));
      // Only part of it may be fed before the next prompt comes.
      const int fed = static_cast<int>(random() % (sequence.pending().size() + 1));
      sequence.kv().setLength(sequence.length() + fed);
      cached.assign(prompt.begin(), prompt.begin() + sequence.length());
    }
  }

  void thePoolPrefersTheSequenceThatSharesMost() {
    auto pool = *SequencePool::make(smallConfig(), 3, 64);
    const Tokens a(20, 1), b(20, 2);
    Sequence* first = pool.take(a);
    first->setPrompt(a);
    feedAll(*first);
    Sequence* second = pool.take(b);
    QVERIFY(second != first);
    second->setPrompt(b);
    feedAll(*second);
    pool.release(first);
    pool.release(second);

    Tokens longerA = a;
    longerA.push_back(5);
    QCOMPARE(pool.take(longerA), first);
    QVERIFY(pool.take(longerA) != first);  // taken
  }

  void whatSharesLittleGoesToTheOneUnusedLongest() {
    auto pool = *SequencePool::make(smallConfig(), 2, 64);
    Tokens a(30, 1), b(30, 2), c(30, 3);
    b[0] = c[0] = a[0];  // as a license header would be
    Sequence* first = pool.take(a);
    first->setPrompt(a);
    feedAll(*first);
    pool.release(first);
    Sequence* second = pool.take(b);
    QVERIFY(second != first);
    second->setPrompt(b);
    feedAll(*second);
    pool.release(second);
    QCOMPARE(pool.take(c), first);
    QCOMPARE(pool.take(c), second);
    QVERIFY(!pool.take(c));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestSequence)
#include "test_sequence.moc"
