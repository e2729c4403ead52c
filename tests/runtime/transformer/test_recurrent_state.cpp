// SPDX-License-Identifier: GPL-3.0-or-later
// The state of recurrent layers beside the KV cache: what is computed behind a cut, behind drafts
// that were refused and in forks is, bit for bit, what a cache that was never cut gives.
#include <QtTest>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::transformer {

namespace {

constexpr int kContext = 1024, kBatch = 32;

std::shared_ptr<KvPool> statePool(const Config& config, int positions, int states) {
  const auto format = tensor::KvFormat::kF16;
  const KvPages pages = KvPages::of(config, format);
  const int chunks = (positions + tensor::kChunk - 1) / tensor::kChunk;
  auto pool = KvPool::make(
      config, format,
      static_cast<std::size_t>(chunks * pages.ofChunk) * pages.bytes +
          static_cast<std::size_t>(states) * KvPool::bytesPerState(config, format, kBatch));
  if (!pool) qFatal("%s", pool.error().message().c_str());
  return *pool;
}

}  // namespace

class TestRecurrentState : public QObject {
  Q_OBJECT

  using Logits = std::vector<std::vector<float>>;

  std::mt19937 random_{11};
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  static Loaded load() {
    QFETCH_GLOBAL(QString, label);
    auto tiny = test::tinyArchitecture(label.toStdString());
    tiny.contextLength = kContext;
    return Loaded(test::makeTinyArchitecture(tiny).bytes());
  }
  static Logits expectedOf(const Loaded& loaded, const Tokens& tokens) {
    return logitsOf(loaded, tokens, kBatch, 1, tensor::kernels());
  }
  // Feeds some tokens, the last `guessed` as drafts; false if a row's logits are not the expected
  // ones, of those that are no drafts, or there is no memory.
  static bool feedStep(Forward& forward, KvCache& kv, std::span<const std::int32_t> tokens,
                       int guessed, const Logits& expected) {
    const int at = kv.length(), n = static_cast<int>(tokens.size());
    if (!forward.begin({.tokens = tokens, .kv = &kv, .logits = n, .guessed = guessed}))
      return false;
    runStages(forward, 2);
    for (int i = 0; i < n - guessed; ++i)
      if (!std::ranges::equal(forward.logits(i), expected[static_cast<std::size_t>(at + i)]))
        return false;
    return true;
  }
  // tokens[kv.length()..end), some at a time.
  bool feed(Forward& forward, KvCache& kv, const Tokens& tokens, int end, const Logits& expected) {
    while (kv.length() < end) {
      const int n = std::min(end - kv.length(), 1 + below(kBatch));
      const auto some = std::span(tokens).subspan(static_cast<std::size_t>(kv.length()),
                                                  static_cast<std::size_t>(n));
      if (!feedStep(forward, kv, some, 0, expected)) return false;
    }
    return true;
  }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<QString>("label");
    for (const auto& model : test::tinyArchitectures())
      if (model.recurrent.kernel > 0)
        QTest::addRow("%s", model.label.c_str()) << QString::fromStdString(model.label);
  }

  // Steps end with drafts, of which the first few are right: the cache goes back to these, at no
  // cost.
  void draftsThatAreRefusedLeaveNothing() {
    const Loaded loaded = load();
    const int vocabulary = loaded.model->config().vocabSize;
    const Tokens tokens = randomTokens(400, vocabulary);
    const Logits expected = expectedOf(loaded, tokens);
    Forward forward(loaded.model, kBatch, 2);
    KvCache kv = loaded.cache();
    int refused = 0, accepted = 0;
    while (kv.length() < 380) {
      const int sure = 1 + below(3), drafts = below(16), right = below(drafts + 1);
      Tokens step(tokens.begin() + kv.length(),
                  tokens.begin() + std::min(400, kv.length() + sure + right));
      const int wrong = drafts - right;
      for (int i = 0; i < wrong; ++i)
        step.push_back(static_cast<int>(random_() % static_cast<unsigned>(vocabulary)));
      const int kept = kv.length() + static_cast<int>(step.size()) - wrong;
      const int guessed = std::min(drafts, static_cast<int>(step.size()) - 1);
      QVERIFY(feedStep(forward, kv, step, guessed, expected));
      QCOMPARE(kv.resumable(kept), kept);
      kv.truncate(kept);
      QCOMPARE(kv.length(), kept);
      refused += wrong;
      accepted += right;
    }
    QVERIFY(refused > 100 && accepted > 100);
    QVERIFY(feed(forward, kv, tokens, 400, expected));
  }

  // Wherever a text is cut, what is computed behind is the same; and it goes on from the next place
  // before that was kept.
  void cutsGoBackToWhatWasKept() {
    const Loaded loaded = load();
    const Tokens tokens = randomTokens(700, loaded.model->config().vocabSize, 4);
    const Logits expected = expectedOf(loaded, tokens);
    Forward forward(loaded.model, kBatch, 2);
    KvCache kv = loaded.cache();
    const int every = kv.resumeEvery();
    QVERIFY(every > 0 && every < 700);
    for (int round = 0; round < 25; ++round) {
      const int end = 1 + below(700), cut = std::min(kv.length(), below(700));
      kv.keepResumable(cut, end);
      const int kept = kv.resumable(cut);
      // Regular places are never lost.
      QVERIFY2(kept >= cut / every * every, qPrintable(QString("%1 %2").arg(kept).arg(cut)));
      kv.truncate(cut);
      QCOMPARE(kv.length(), kept);
      if (end <= kv.length()) continue;
      QVERIFY(feed(forward, kv, tokens, end, expected));
      QCOMPARE(kv.length(), end);
      // The same edit again, and any within the last tokens of the prompt.
      if (cut < end) QCOMPARE(kv.resumable(cut), cut);
      const int tail = below(KvCache::kPromptTail + 1);
      if (end - tail >= kept) QCOMPARE(kv.resumable(end - tail), end - tail);
      // Also after an answer.
      QVERIFY(feed(forward, kv, tokens, std::min(700, end + below(40)), expected));
      if (cut < end) QCOMPARE(kv.resumable(cut), cut);
      if (end - tail >= kept) QCOMPARE(kv.resumable(end - tail), end - tail);
    }
  }

  void forksGoOnApart() {
    const Loaded loaded = load();
    const int vocabulary = loaded.model->config().vocabSize;
    const auto pool = statePool(loaded.model->config(), 4 * 500, 40);
    Forward forward(loaded.model, kBatch, 2);
    {
      std::vector<Tokens> texts;
      std::vector<Logits> expected;
      std::vector<KvCache> caches;
      texts.push_back(randomTokens(450, vocabulary, 5));
      expected.push_back(expectedOf(loaded, texts[0]));
      caches.emplace_back(pool, kContext);
      caches[0].keepResumable(0, 300);
      QVERIFY(feed(forward, caches[0], texts[0], 300, expected[0]));
      for (int fork = 1; fork < 4; ++fork) {
        const int at = 300 - below(KvCache::kPromptTail + 1);
        Tokens text = randomTokens(450, vocabulary, 6 + static_cast<std::uint32_t>(fork));
        caches.emplace_back(pool, kContext);
        caches.back().share(caches[0], at);
        QCOMPARE(caches.back().length(), at);
        std::copy_n(texts[0].begin(), at, text.begin());
        expected.push_back(expectedOf(loaded, text));
        texts.push_back(std::move(text));
      }
      for (int round = 0; round < 60; ++round) {
        const auto which = static_cast<std::size_t>(below(4));
        KvCache& kv = caches[which];
        if (below(4) == 0) kv.truncate(kv.length() - below(30));
        QVERIFY(feed(forward, kv, texts[which], std::min(450, kv.length() + below(40)),
                     expected[which]));
      }
    }
    QCOMPARE(pool->used(), 0);
  }

  // Of a step that began and was left, nothing remains.
  void stepsThatAreNotEndedChangeNothing() {
    const Loaded loaded = load();
    const Tokens tokens = randomTokens(120, loaded.model->config().vocabSize, 3);
    const Logits expected = expectedOf(loaded, tokens);
    Forward forward(loaded.model, kBatch, 2);
    KvCache kv = loaded.cache();
    while (kv.length() < 100) {
      Tokens others = randomTokens(1 + below(20), loaded.model->config().vocabSize, 8);
      QVERIFY(forward.begin({.tokens = others, .kv = &kv}).has_value());
      for (int stage = 0; stage < static_cast<int>(forward.stages().size()); ++stage)
        forward.run(stage, 0, 1);
      QVERIFY(feed(forward, kv, tokens, std::min(120, kv.length() + 1 + below(30)), expected));
    }
  }

  // Where memory is short, what was kept goes first, then the step fails; and all is given back.
  void whereMemoryIsShortWhatWasKeptGoesFirst() {
    const Loaded loaded = load();
    const Config& config = loaded.model->config();
    const Tokens tokens = randomTokens(600, config.vocabSize, 2);
    const Logits expected = expectedOf(loaded, tokens);
    Forward forward(loaded.model, kBatch, 2);
    for (const int states : {3, 5}) {
      const auto pool = statePool(config, 512, states);
      KvCache kv(pool, kContext);
      kv.keepResumable(100, 500);
      QVERIFY(feed(forward, kv, tokens, 505, expected));
      QVERIFY(kv.bytes() <= static_cast<std::size_t>(pool->used()) * pool->pageBytes());
      const int before = kv.length();
      while (feed(forward, kv, tokens, std::min(600, kv.length() + 1), expected) &&
             kv.length() < 600) {
      }
      QVERIFY(kv.length() >= before);
      const int cut = kv.length() / 2;
      kv.truncate(cut);
      QVERIFY(kv.length() <= cut);
      QVERIFY(feed(forward, kv, tokens, 300, expected));
      kv.truncate(0);
      QCOMPARE(kv.bytes(), std::size_t{0});
      QCOMPARE(pool->used(), 0);
    }
  }

  // A state is no more than its matrices and a few rows; the pages have what layers with attention
  // keep, and no more.
  void memoryIsThatOfTheLayersThatHaveIt() {
    const Loaded loaded = load();
    const Config& config = loaded.model->config();
    const RecurrentLayers& r = config.recurrent;
    const StateShape shape = StateShape::of(config);
    QCOMPARE(shape.layers + config.attentionLayers(), config.layers);
    const auto floats = [](int a, int b) { return static_cast<std::size_t>(a * b); };
    QCOMPARE(shape.bytes(2), static_cast<std::size_t>(shape.layers) * sizeof(float) *
                                 (floats(r.heads, r.stateDim * r.headDim) +
                                  floats(r.kernel + 1, r.channels() + r.extras())));
    QCOMPARE(KvPool::bytesPerToken(config, tensor::KvFormat::kF16),
             static_cast<std::size_t>(4 * config.attentionLayers() * config.kvWidth()));
    const KvPages pages = KvPages::of(config, tensor::KvFormat::kF16);
    for (int layer = 0; layer < config.layers; ++layer)
      QCOMPARE(pages.places[static_cast<std::size_t>(layer)].page < 0, config.isRecurrent(layer));
    const auto small = KvPool::make(config, tensor::KvFormat::kF16, pages.bytes);
    QVERIFY(!small && !small.error().remedy.empty());
  }
};

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestRecurrentState)
#include "test_recurrent_state.moc"
