// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/inference/engine/sequence.h"

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

// A model of two layers, one of which sees the last positions alone.
transformer::Config windowedConfig() {
  transformer::Config config = smallConfig();
  config.layers = 2;
  config.window = 100;
  config.fullAttentionEvery = 2;
  return config;
}

using Tokens = std::vector<std::int32_t>;

// Feeds as Forward does, but for the numbers.
bool feed(Sequence& sequence, int tokens) {
  const int end = sequence.length() + tokens;
  if (!sequence.kv().reserve(end)) return false;
  sequence.kv().setLength(end);
  return true;
}
bool feedAll(Sequence& sequence) {
  return feed(sequence, static_cast<int>(sequence.pending().size()));
}

// Feeds as a prompt is fed, so that windowed layers give back on the way.
bool feedInSteps(Sequence& sequence) {
  while (!sequence.pending().empty())
    if (!feed(sequence, std::min(32, static_cast<int>(sequence.pending().size())))) return false;
  return true;
}

constexpr int kCapacity = 256;
constexpr tensor::KvFormat kFormat = tensor::KvFormat::kF16;
SequencePool poolOf(int pages) {
  const std::size_t page =
      tensor::kChunk * transformer::KvPool::bytesPerToken(smallConfig(), kFormat);
  return *SequencePool::make(smallConfig(), kCapacity, kFormat,
                             static_cast<std::size_t>(pages) * page);
}
// Returns the used memory in pages.
int used(const SequencePool& pool) {
  const std::size_t page =
      tensor::kChunk * transformer::KvPool::bytesPerToken(smallConfig(), kFormat);
  return static_cast<int>(pool.usedBytes() / page);
}

// Takes, feeds and releases.
Sequence* serve(SequencePool& pool, const Tokens& prompt) {
  Sequence* sequence = pool.take(prompt);
  if (!sequence) return nullptr;
  sequence->setPrompt(prompt);
  const bool fed = feedAll(*sequence);
  pool.release(sequence);
  return fed ? sequence : nullptr;
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
      QVERIFY(feed(sequence, fed));
      cached.assign(prompt.begin(), prompt.begin() + sequence.length());
    }
  }

  void thePoolPrefersTheSequenceThatSharesMost() {
    auto pool = poolOf(16);
    const Tokens a(20, 1), b(20, 2);
    Sequence* first = serve(pool, a);
    QVERIFY(serve(pool, b) != first);
    Tokens longerA = a;
    longerA.push_back(5);
    QCOMPARE(pool.take(longerA), first);
    QVERIFY(pool.take(longerA) != first);  // taken
  }

  void memoryKeptBesideIsNotTheCaches() {
    auto pool = poolOf(4);
    Sequence* sequence = serve(pool, Tokens(200, 1));
    QCOMPARE(used(pool), 4);
    pool.keepBeside(pool.pageBytes() + 1);
    QCOMPARE(pool.besideBytes(), 2 * pool.pageBytes());
    QCOMPARE(used(pool), 2);
    QCOMPARE(sequence->length(), 2 * tensor::kChunk);  // it gave its end
    // What is in use stays so.
    QCOMPARE(pool.take(Tokens(200, 1)), sequence);
    pool.keepBeside(pool.bytes());
    QCOMPARE(pool.besideBytes(), 2 * pool.pageBytes());
    sequence->setPrompt(Tokens(200, 1));
    QVERIFY(!feedAll(*sequence));
    QVERIFY(pool.giveBeside() && pool.giveBeside() && !pool.giveBeside());
    QVERIFY(feedAll(*sequence));
    QCOMPARE(used(pool), 4);
    pool.release(sequence);
    pool.keepBeside(pool.bytes());
    QCOMPARE(used(pool), 0);
    pool.keepBeside(0);
    QVERIFY(serve(pool, Tokens(200, 2)));
  }

  // The common beginning of two prompts is computed once, also while the first is at work.
  void whatPromptsBeginWithIsShared() {
    auto pool = poolOf(16);
    Tokens a(200, 1), b(a.begin(), a.begin() + 90);
    b.resize(200, 2);
    Sequence* first = pool.take(a);
    first->setPrompt(a);
    QVERIFY(feedAll(*first));
    QCOMPARE(used(pool), 4);
    Sequence* second = pool.take(b);
    QVERIFY(second != first);
    QCOMPARE(second->setPrompt(b), 90);
    QVERIFY(feedAll(*second));
    QCOMPARE(used(pool), 4 + 3);  // one page is shared, the one with position 90 was copied
    QVERIFY(std::ranges::equal(first->tokens(), a));
    QCOMPARE(first->length(), 200);
  }

  // The common beginning is short, as a license header would be.
  void whatSharesLittleDoesNotCostTheOtherItsCache() {
    auto pool = poolOf(16);
    Tokens a(200, 1), b(200, 2);
    b[0] = a[0];
    Sequence* first = serve(pool, a);
    QVERIFY(serve(pool, b) != first);
    QCOMPARE(first->length(), 200);
    QCOMPARE(pool.take(a), first);
  }

  void theOneUnusedLongestGivesItsMemoryBack() {
    auto pool = poolOf(8);
    const Tokens a(200, 1), b(200, 2), c(130, 3);
    Sequence* first = serve(pool, a);
    Sequence* second = serve(pool, b);
    QCOMPARE(used(pool), 8);
    serve(pool, b);
    QVERIFY(serve(pool, c));
    QCOMPARE(used(pool), 8);
    QCOMPARE(first->length(), 64);  // its beginning was kept
    QCOMPARE(second->length(), 200);
  }

  // Jobs that are under way keep what they have, and the one that finds no room is told.
  void sequencesThatAreTakenKeepTheirMemory() {
    auto pool = poolOf(4);
    const Tokens a(200, 1), b(65, 2);
    Sequence* first = pool.take(a);
    first->setPrompt(a);
    QVERIFY(feedAll(*first));
    Sequence* second = pool.take(b);
    second->setPrompt(b);
    QVERIFY(!feedAll(*second));
    QCOMPARE(first->length(), 200);
    pool.release(first);
    QVERIFY(feedAll(*second));
    QCOMPARE(used(pool), 4);
  }

  void thePoolMayBeMoved() {
    auto pool = poolOf(4);
    serve(pool, Tokens(200, 1));
    auto moved = std::move(pool);
    QVERIFY(serve(moved, Tokens(200, 2)));
  }

  void onlySoManySequencesAreUsedAtOnce() {
    auto pool = poolOf(SequencePool::kMost);
    const Tokens prompt{1, 2, 3};
    for (int i = 0; i < SequencePool::kMost; ++i) QVERIFY(pool.take(prompt));
    QVERIFY(!pool.take(prompt));
  }

  // The positions that a windowed layer gave back are computed anew, once: where a text is edited,
  // it is edited again.
  void anEditFarBackGoesOnFromWhatIsKept() {
    constexpr int kLong = 5000, kEdit = 1900;
    auto sequence = *Sequence::make(windowedConfig(), kLong);
    Tokens prompt(kLong, 1);
    QCOMPARE(sequence.setPrompt(prompt), 0);
    QVERIFY(feedInSteps(sequence));
    const std::size_t whole = sequence.kv().bytesPerToken() * kLong;
    QVERIFY(sequence.kv().bytes() < whole * 7 / 10);
    prompt[kEdit] = 2;
    QCOMPARE(sequence.setPrompt(prompt), sequence.kv().resumeEvery());
    QVERIFY(feedInSteps(sequence));
    prompt[kEdit] = 3;
    QCOMPARE(sequence.setPrompt(prompt), kEdit);
    QVERIFY(feedInSteps(sequence));
    prompt.back() = 4;  // as one types
    QCOMPARE(sequence.setPrompt(prompt), kLong - 1);
    QVERIFY(feedInSteps(sequence));
  }

  // Sequences that begin alike share what both can go on from; memory that runs short is given back
  // from the end, to where that is so.
  void windowedSequencesShareAndShrink() {
    constexpr int kLong = 3000;
    const auto bytes = kLong * transformer::KvPool::bytesPerToken(windowedConfig(), kFormat);
    auto pool = *SequencePool::make(windowedConfig(), kLong, kFormat, 3 * bytes);
    const Tokens prompt(kLong, 1);
    Sequence* first = pool.take(prompt);
    first->setPrompt(prompt);
    QVERIFY(feedInSteps(*first));
    for (const int alike : {2100, 1500}) {
      Tokens other = prompt;
      std::fill(other.begin() + alike, other.end(), alike);
      Sequence* second = pool.take(other);
      QVERIFY(second != first);
      QCOMPARE(second->setPrompt(other), alike == 2100 ? 2100 : first->kv().resumeEvery());
      QVERIFY(feedInSteps(*second));
      QCOMPARE(first->length(), kLong);
    }
    for (int length = kLong; length > 0; length = first->length()) {
      QCOMPARE(first->kv().resumable(length), length);
      first->shrink();
      QVERIFY(first->length() < length);
      if (length > 2100) QVERIFY(first->length() >= length - tensor::kChunk);
    }
    QCOMPARE(first->kv().bytes(), std::size_t{0});
  }

  // Whatever is asked of it: no page is lost, and what a sequence is said to hold was fed to it.
  void randomPromptsFindWhatWasFed() {
    std::mt19937 random(11);
    auto pool = poolOf(12);
    std::vector<Tokens> prompts;
    for (int round = 0; round < 1000; ++round) {
      Tokens prompt;
      if (!prompts.empty()) {
        const Tokens& other = prompts[random() % prompts.size()];
        prompt.assign(other.begin(), other.begin() + random() % (other.size() + 1));
      }
      while (prompt.empty() || (random() % 80 != 0 && prompt.size() < kCapacity))
        prompt.push_back(static_cast<std::int32_t>(random() % 3));
      Sequence* sequence = pool.take(prompt);
      QVERIFY(sequence);
      const int cached = sequence->setPrompt(prompt);
      QCOMPARE(sequence->length(), cached);
      QVERIFY(cached < static_cast<int>(prompt.size()));
      QVERIFY(feedAll(*sequence));
      QVERIFY(used(pool) <= 12);
      pool.release(sequence);
      prompts.push_back(prompt);
      if (prompts.size() > 20) prompts.erase(prompts.begin());
    }
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestSequence)
#include "test_sequence.moc"
