// SPDX-License-Identifier: GPL-3.0-or-later
// Windowed layers give pages back: what is computed must not show it, and memory must.
#include <QtTest>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

using tensor::kChunk;
using tensor::KvFormat;

namespace {

constexpr int kContext = 4096, kLength = 3300, kBatch = 32;

// A pool whose layers all keep everything, for the same model.
Config withoutWindows(Config config) {
  config.window = 0;
  return config;
}

std::shared_ptr<KvPool> poolOf(const Config& config, KvFormat format, int positions) {
  auto pool = KvPool::make(
      config, format, static_cast<std::size_t>(positions) * KvPool::bytesPerToken(config, format));
  if (!pool) qFatal("%s", pool.error().message().c_str());
  return *pool;
}

// Returns the most bytes that windowed layers hold of a sequence of that length: the tail, with
// what its first position sees and the chunk that is being written, and a quarter and a cut further
// back.
std::size_t mostBytes(const KvPool& pool, int length) {
  const KvPages& pages = pool.layout();
  const int chunks = (length + kChunk - 1) / kChunk;
  const int windowChunks = (pages.window + kChunk - 1) / kChunk + 1;
  const int windowed = (KvCache::kTail + kChunk - 1) / kChunk + 2 + 2 * windowChunks +
                       length / std::max(KvCache::kTail, 4 * pages.window) * windowChunks;
  const int all =
      (pages.ofChunk - pages.windowed) * chunks + pages.windowed * std::min(windowed, chunks);
  return pages.bytes * static_cast<std::size_t>(all);
}

}  // namespace

class TestKvWindows : public QObject {
  Q_OBJECT

  std::mt19937 random_{11};

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  static void models() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<int>("window");
    QTest::addColumn<bool>("quantized");
    for (const char* label :
         {"mistral", "starcoder2", "gemma2", "gemma3", "gemma3 with a pattern", "gpt-oss"})
      QTest::addRow("%s", label) << label << 0 << false;
    for (const int window : {1, 2, 64, 65, 300})
      QTest::addRow("window %d", window) << "gemma2" << window << false;
    QTest::addRow("8 bits") << "gpt-oss" << 0 << true;
  }
  struct Subject {
    std::unique_ptr<Loaded> loaded;
    KvFormat format = KvFormat::kF16;
    const Config& config() const { return loaded->model->config(); }
  };
  static Subject subject() {
    QFETCH_GLOBAL(QString, label);
    QFETCH_GLOBAL(int, window);
    QFETCH_GLOBAL(bool, quantized);
    auto tiny = test::tinyArchitecture(label.toStdString());
    tiny.contextLength = kContext;
    if (quantized) tiny.headDim = 32;
    for (auto& [key, value] : tiny.keys)
      if (window > 0 && key == "attention.sliding_window") value = window;
    return {std::make_unique<Loaded>(test::makeTinyArchitecture(tiny).bytes()),
            quantized ? KvFormat::kQ8_0 : KvFormat::kF16};
  }
  // Feeds tokens[kv.length()..end), some at a time; false if a row's logits are not the expected
  // ones, or there is no memory.
  bool feed(Forward& forward, KvCache& kv, const Tokens& tokens, int end,
            const std::vector<std::vector<float>>& expected) {
    while (kv.length() < end) {
      const int at = kv.length(), n = std::min(end - at, 1 + below(kBatch));
      const auto some =
          std::span(tokens).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(n));
      if (!forward.begin({.tokens = some, .kv = &kv, .logits = n})) return false;
      runStages(forward, 1);
      for (int i = 0; i < n; ++i)
        if (!std::ranges::equal(forward.logits(i), expected[static_cast<std::size_t>(at + i)]))
          return false;
    }
    return true;
  }
  static std::vector<std::vector<float>> keepingAll(const Subject& s, const Tokens& tokens) {
    Forward forward(s.loaded->model, kBatch, 1);
    const auto pool = poolOf(withoutWindows(s.config()), s.format, kContext);
    KvCache kv(pool, kContext);
    std::vector<std::vector<float>> all;
    for (std::size_t at = 0; at < tokens.size();) {
      const std::size_t n = std::min<std::size_t>(kBatch, tokens.size() - at);
      if (!forward.begin({.tokens = std::span(tokens).subspan(at, n),
                          .kv = &kv,
                          .logits = static_cast<int>(n)}))
        qFatal("cannot feed");
      runStages(forward, 1);
      for (int i = 0; i < forward.logitRows(); ++i)
        all.emplace_back(forward.logits(i).begin(), forward.logits(i).end());
      at += n;
    }
    if (kv.bytes() !=
        kv.bytesPerToken() * static_cast<std::size_t>((kv.length() + kChunk - 1) / kChunk * kChunk))
      qFatal("a cache without windows gave something back");
    return all;
  }

 private slots:
  void initTestCase_data() { models(); }

  // Two sequences and forks of theirs, cut and continued at random, in a pool so small that what
  // one gives back the other writes to.
  void logitsAreThoseOfACacheThatKeepsAll() {
    const Subject s = subject();
    Forward forward(s.loaded->model, kBatch, 1);
    const auto pool = poolOf(s.config(), s.format, 2 * kLength);
    std::vector<Tokens> texts;
    std::vector<std::vector<std::vector<float>>> expected;
    for (std::uint32_t seed = 1; seed <= 2; ++seed) {
      texts.push_back(randomTokens(kLength, s.config().vocabSize, seed));
      // The second begins as the first does.
      if (seed == 2) std::copy_n(texts[0].begin(), 1500, texts[1].begin());
      expected.push_back(keepingAll(s, texts.back()));
    }
    {
      std::vector<KvCache> caches;
      for (int i = 0; i < 2; ++i) caches.emplace_back(pool, kContext);
      std::vector<int> resumed(2, 0);  // where each went on last
      for (int round = 0; round < 24; ++round) {
        const auto i = static_cast<std::size_t>(round % 2);
        KvCache& kv = caches[i];
        const int end = std::min(kLength, kv.length() + 1 + below(700));
        QVERIFY(feed(forward, kv, texts[i], end, expected[i]));
        QVERIFY(kv.bytes() <= mostBytes(*pool, kv.length()));
        if (round % 3 != 2) continue;
        const int wanted =
            round % 2 == 0 ? below(kv.length()) : kv.length() - below(KvCache::kTail);
        const int cut = std::max(0, wanted), length = kv.length();
        const int resumable = kv.resumable(cut);
        QVERIFY(resumable <= cut && cut - resumable <= kv.resumeEvery());
        if (cut >= std::max(resumed[i], length - KvCache::kTail)) QCOMPARE(resumable, cut);
        if (round % 4 == 1 && cut <= 1500) {
          caches[1 - i].share(kv, cut);
          QCOMPARE(caches[1 - i].length(), resumable);
          resumed[1 - i] = resumable;
        }
        kv.truncate(cut);
        QCOMPARE(kv.length(), resumable);
        resumed[i] = resumable;
      }
      for (std::size_t i = 0; i < 2; ++i)
        QVERIFY(feed(forward, caches[i], texts[i], kLength, expected[i]));
      QCOMPARE(static_cast<std::size_t>(pool->used()) * pool->pageBytes(),
               caches[0].bytes() + caches[1].bytes() - sharedBytes(caches, *pool));
    }
    QCOMPARE(pool->used(), 0);
  }

  // The memory that windowed layers leave is enough, and not enough for a cache that keeps all.
  void aLongerContextFits() {
    const Subject s = subject();
    const Tokens tokens = randomTokens(kLength, s.config().vocabSize, 3);
    const auto expected = keepingAll(s, tokens);
    const auto plenty = poolOf(s.config(), s.format, kContext);
    const std::size_t enough = mostBytes(*plenty, kLength);
    const std::size_t whole =
        static_cast<std::size_t>(kLength) * KvPool::bytesPerToken(s.config(), s.format);
    QVERIFY(enough < whole);
    Forward forward(s.loaded->model, kBatch, 1);
    const auto pool = *KvPool::make(s.config(), s.format, enough);
    KvCache kv(pool, kContext);
    QVERIFY(feed(forward, kv, tokens, kLength, expected));
    QCOMPARE(static_cast<std::size_t>(pool->used()) * pool->pageBytes(), kv.bytes());
    KvCache all(*KvPool::make(withoutWindows(s.config()), s.format, enough), kContext);
    QVERIFY(!feed(forward, all, tokens, kLength, expected));
  }

  // A position that was given back is nowhere taken for one that is there.
  void everyCutIsAnswered() {
    const Subject s = subject();
    KvCache kv(poolOf(s.config(), s.format, kContext), kContext);
    while (kv.length() < kLength) {
      const int end = std::min(kLength, kv.length() + kBatch);
      QVERIFY(kv.reserve(end));
      kv.setLength(end);
    }
    int behind = 0;
    for (int cut = 0; cut <= kLength; ++cut) {
      const int resumable = kv.resumable(cut);
      const int first = std::max(0, resumable + 1 - s.config().window);
      QVERIFY(resumable <= cut && cut - resumable <= kv.resumeEvery());
      for (int chunk = first / kChunk; chunk * kChunk < resumable; ++chunk)
        QVERIFY(kv.whole(chunk));
      if (cut >= kLength - KvCache::kTail) QCOMPARE(resumable, cut);
      behind += resumable < cut;
    }
    QVERIFY(behind > 500);
  }

  // An edit far back costs what is before it once; there, the next costs nothing more.
  void whereATextIsEditedItGoesOn() {
    const Subject s = subject();
    const Tokens tokens = randomTokens(kLength, s.config().vocabSize, 4);
    const auto expected = keepingAll(s, tokens);
    Forward forward(s.loaded->model, kBatch, 1);
    KvCache kv(poolOf(s.config(), s.format, kContext), kContext);
    QVERIFY(feed(forward, kv, tokens, kLength, expected));
    const int edit = 1777;
    for (int round = 0; round < 3; ++round) {
      kv.keepResumable(edit, kLength);
      kv.truncate(edit);
      if (round > 0) QCOMPARE(kv.length(), edit);
      QVERIFY(feed(forward, kv, tokens, kLength, expected));
    }
    QVERIFY(kv.bytes() <= mostBytes(*poolOf(s.config(), s.format, kContext), kLength));
  }

  // A pool that has some pages of a chunk left, but not all, refuses it; what there is goes on.
  void halfAChunkIsNone() {
    const Subject s = subject();
    const Tokens tokens = randomTokens(2 * kChunk, s.config().vocabSize, 5);
    const auto expected = keepingAll(s, tokens);
    const KvPages pages = KvPages::of(s.config(), s.format);
    const auto count = static_cast<std::size_t>(2 * pages.ofChunk - 1);
    KvCache kv(*KvPool::make(s.config(), s.format, count * pages.bytes), kContext);
    Forward forward(s.loaded->model, kBatch, 1);
    QVERIFY(feed(forward, kv, tokens, kChunk - 5, expected));
    const std::size_t held = kv.bytes();
    QVERIFY(!kv.reserve(kChunk + 1));
    QCOMPARE(kv.bytes(), held);
    QVERIFY(feed(forward, kv, tokens, kChunk, expected));
  }

  // A pool for other windows would give back what this model sees.
  void aPoolOfOtherWindowsDoesNotFit() {
    const Subject s = subject();
    QVERIFY(KvCache(poolOf(s.config(), s.format, 64), 64).fits(s.config()));
    QVERIFY(KvCache(poolOf(withoutWindows(s.config()), s.format, 64), 64).fits(s.config()));
    Config wider = s.config();
    wider.window += 1;
    QVERIFY(!KvCache(poolOf(s.config(), s.format, 64), 64).fits(wider));
    QVERIFY(!KvCache(poolOf(s.config(), s.format, 64), 64).fits(withoutWindows(s.config())));
  }

 private:
  // Returns the bytes of the pages that both have.
  static std::size_t sharedBytes(const std::vector<KvCache>& caches, const KvPool& pool) {
    std::set<const std::byte*> first;
    std::size_t bytes = 0;
    for (int i = 0; i < 2; ++i) {
      const KvCache& kv = caches[static_cast<std::size_t>(i)];
      for (int chunk = 0; chunk * kChunk < kv.length(); ++chunk) {
        for (const auto page : kv.pages(chunk)) {
          if (i == 0) first.insert(page.data());
          if (i == 1 && first.contains(page.data())) bytes += pool.pageBytes();
        }
      }
    }
    return bytes;
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestKvWindows)
#include "test_kv_windows.moc"
