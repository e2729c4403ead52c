// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <numeric>
#include <random>

#include "runtime/inference/engine/sequence.h"
#include "runtime/inference/model/compiled_model.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

using transformer::KvMove;
using Tokens = std::vector<std::int32_t>;

constexpr int kRun = 8;

bool inOrder(const KvMove& first, const KvMove& second) {
  return first.from + first.count <= second.from && first.to + first.count <= second.to;
}

int total(const std::vector<KvMove>& moves) {
  int count = 0;
  for (const KvMove& move : moves) count += move.count;
  return count;
}

}  // namespace

class TestChunkReuse : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<CompiledModel> model_;
  std::mt19937 random_{3};

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Tokens tokens(int count, int kinds = 250) {
    Tokens some;
    for (int i = 0; i < count; ++i) some.push_back(below(kinds));
    return some;
  }
  // One to three of its parts cut out, put in or replaced.
  Tokens edited(Tokens text, int most) {
    for (int edits = 1 + below(3); edits > 0; --edits) {
      const int at = below(static_cast<int>(text.size()) + 1);
      const int out = std::min(static_cast<int>(text.size()) - at, below(30));
      const int in = std::min(below(30), most - static_cast<int>(text.size()) + out);
      text.erase(text.begin() + at, text.begin() + at + out);
      const Tokens fresh = tokens(std::max(1, in));
      text.insert(text.begin() + at, fresh.begin(), fresh.end());
    }
    return text;
  }

  // With one layer, keys and values depend on token and position alone: there moving is as exact as
  // rounding is.
  void load(int layers) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    if (!test::writeTinyModel(
            path,
            {.layers = layers, .contextLength = 512, .type = gguf::TensorType::kF32, .seed = 4}))
      qFatal("cannot write %s", path.c_str());
    auto compiled = CompiledModel::load(path, {.threads = 1, .chunk = 16});
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    model_ = std::move(*compiled);
  }
  std::shared_ptr<const ChunkReuse> reuse() const {
    return std::make_shared<const ChunkReuse>(
        *ChunkReuse::make(model_->model(), tensor::KvFormat::kF16, kRun));
  }
  SequencePool poolOf(int pages, bool reusing = true) const {
    const auto bytes = tensor::kChunk *
                       transformer::KvPool::bytesPerToken(model_->config(), tensor::KvFormat::kF16);
    return *SequencePool::make(model_->config(), 512, tensor::KvFormat::kF16,
                               static_cast<std::size_t>(pages) * bytes,
                               reusing ? reuse() : nullptr);
  }
  // Feeds as the engine does, at most `steps` times. Returns the logits behind the last token, if
  // it came to that.
  std::vector<float> feed(Sequence& sequence, int steps = 1000) {
    std::vector<float> logits;
    for (; steps > 0; --steps) {
      auto pending = sequence.pending();
      const bool last = std::ssize(pending) <= model_->chunk() && !sequence.hasMoved();
      if (!last)
        pending = pending.first(
            std::min<std::size_t>(pending.size(), static_cast<std::size_t>(model_->chunk())));
      const auto done = model_->score(
          pending, sequence.kv(), last ? 1 : 0,
          [&](int, std::span<const float> row) { logits.assign(row.begin(), row.end()); });
      if (!done) qFatal("%s", done.error().message().c_str());
      if (last) break;
    }
    return logits;
  }
  std::vector<float> serve(SequencePool& pool, const Tokens& prompt) {
    Sequence* sequence = pool.take(prompt);
    sequence->setPrompt(prompt);
    const auto logits = feed(*sequence);
    pool.release(sequence);
    return logits;
  }
  std::vector<float> computed(const Tokens& prompt) {
    auto sequence = *Sequence::make(model_->config(), 512);
    sequence.setPrompt(prompt);
    return feed(sequence);
  }
  static double difference(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size() || a.empty()) return INFINITY;
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return most;
  }

 private slots:
  // Whatever the texts: no move is wrong.
  void runsAreInBothTextsAndInOrder() {
    int found = 0;
    for (int round = 0; round < 2000; ++round) {
      const int kinds = round % 2 == 0 ? 2 : 100, run = 1 + below(12);
      const Tokens old = tokens(below(120), kinds);
      const Tokens prompt = round % 3 == 0 ? tokens(below(120), kinds) : edited(old, 200);
      const int oldFrom = below(static_cast<int>(old.size()) + 1);
      const int promptFrom = below(static_cast<int>(prompt.size()) + 1);
      const auto moves = RunIndex(prompt, run).find(old, oldFrom, promptFrom);
      for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto [from, to, count] = moves[i];
        QVERIFY(count >= run && from >= oldFrom && to >= promptFrom);
        QVERIFY(from + count <= std::ssize(old) && to + count <= std::ssize(prompt));
        QVERIFY(std::equal(old.begin() + from, old.begin() + from + count, prompt.begin() + to));
        if (i > 0) QVERIFY(inOrder(moves[i - 1], moves[i]));
      }
      found += static_cast<int>(moves.size());
    }
    QVERIFY(found > 1000);
  }

  // Parts of a text in another order, against all choices of them.
  void asMuchAsCanBeIsFound() {
    for (int round = 0; round < 300; ++round) {
      std::vector<Tokens> parts;
      int next = 0;
      for (int i = 1 + below(8); i > 0; --i) {
        Tokens& part = parts.emplace_back(static_cast<std::size_t>(kRun + below(40)));
        for (auto& token : part) token = next++;
      }
      std::vector<std::size_t> order(parts.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random_);
      Tokens old, prompt;
      std::vector<KvMove> runs;
      for (const Tokens& part : parts) {
        runs.push_back({.from = static_cast<int>(old.size()),
                        .to = 0,
                        .count = static_cast<int>(part.size())});
        old.insert(old.end(), part.begin(), part.end());
      }
      for (const std::size_t i : order) {
        prompt.push_back(next++);  // so that no two parts are one run
        runs[i].to = static_cast<int>(prompt.size());
        prompt.insert(prompt.end(), parts[i].begin(), parts[i].end());
      }
      int most = 0;
      for (unsigned chosen = 0; chosen < 1u << runs.size(); ++chosen) {
        std::vector<KvMove> moves;
        bool fits = true;
        for (std::size_t i = 0; i < runs.size(); ++i) {
          if ((chosen >> i & 1) == 0) continue;
          fits = fits && (moves.empty() || inOrder(moves.back(), runs[i]));
          moves.push_back(runs[i]);
        }
        if (fits) most = std::max(most, total(moves));
      }
      QCOMPARE(total(RunIndex(prompt, kRun).find(old, 0, 0)), most);
    }
  }

  void whatStandsBehindAnEditIsNotComputedAgain() {
    load(1);
    auto pool = poolOf(16);
    Tokens prompt = tokens(300);
    Sequence* sequence = pool.take(prompt);
    QCOMPARE(sequence->setPrompt(prompt), 0);
    feed(*sequence);
    QCOMPARE(sequence->exact(), 300);
    pool.release(sequence);
    prompt.insert(prompt.begin() + 100, {251, 252, 253});
    prompt.erase(prompt.begin() + 200, prompt.begin() + 210);
    prompt.push_back(254);
    QCOMPARE(pool.take(prompt), sequence);
    QCOMPARE(sequence->setPrompt(prompt), 100 + 97 + 93);
    QVERIFY(std::ranges::equal(sequence->pending(), Tokens{251, 252, 253}));
    QVERIFY(sequence->hasMoved());
    const std::vector<float> logits = feed(*sequence);
    QCOMPARE(sequence->length(), 294);
    QCOMPARE(sequence->exact(), 103);
    QVERIFY(difference(logits, computed(prompt)) < 1e-2);
    pool.release(sequence);
  }

  void whatIsCutOutTakesNoMemory() {
    load(1);
    auto pool = poolOf(16);
    const std::size_t page = pool.bytes() / 16;
    Tokens prompt = tokens(400);
    serve(pool, prompt);
    QCOMPARE(pool.usedBytes(), 7 * page);
    prompt.erase(prompt.begin() + 20, prompt.begin() + 220);
    QVERIFY(difference(serve(pool, prompt), computed(prompt)) < 1e-2);
    QCOMPARE(pool.usedBytes(), 4 * page);
  }

  // The cache holds what it is said to hold, through edits, prompts that are not fed to their end,
  // and memory that runs short.
  void randomEditsGiveWhatComputingGives() {
    load(1);
    auto pool = poolOf(12);
    std::vector<Tokens> texts{tokens(200), tokens(300)};
    int reused = 0, finished = 0;
    for (int round = 0; round < 400; ++round) {
      Tokens& text = texts[static_cast<std::size_t>(below(2))];
      text = edited(text, 500);
      if (text.size() > 500) text.resize(500);
      Sequence* sequence = pool.take(text);
      QVERIFY(sequence);
      const int common = sequence->common(text);
      reused += sequence->setPrompt(text) - common;
      QVERIFY(std::ranges::equal(sequence->tokens(), text));
      const std::vector<float> logits = feed(*sequence, below(3) == 0 ? below(4) : 1000);
      if (!logits.empty()) {
        QCOMPARE(sequence->length(), static_cast<int>(text.size()));
        const double off = difference(logits, computed(text));
        QVERIFY2(off < 1e-2, qPrintable(QString::number(off)));
        ++finished;
      }
      QVERIFY(pool.usedBytes() <= pool.bytes());
      pool.release(sequence);
    }
    QVERIFY(reused > 10000);
    QVERIFY(finished > 200);
  }

  // With several layers the result is not exact, and exact() says from where on.
  void whatIsNotExactIsKnown() {
    load(2);
    auto pool = poolOf(24);
    Tokens prompt = tokens(200);
    Sequence* sequence = pool.take(prompt);
    sequence->setPrompt(prompt);
    feed(*sequence);
    prompt[50] = 251;
    sequence->setPrompt(prompt);
    const std::vector<float> logits = feed(*sequence);
    QCOMPARE(sequence->exact(), 51);
    QVERIFY(difference(logits, computed(prompt)) > 1e-4);  // or this test shows nothing
    pool.release(sequence);

    // Others that begin as it does know as much of what they have of it.
    for (const int common : {40, 60}) {
      Tokens other(prompt.begin(), prompt.begin() + common);
      Tokens fresh = tokens(200);
      fresh[0] = 300;  // no other has it
      other.insert(other.end(), fresh.begin(), fresh.end());
      Sequence* heir = pool.take(other);
      QVERIFY(heir != sequence);
      QCOMPARE(heir->setPrompt(other), common);
      feed(*heir);
      QCOMPARE(heir->exact(), common == 40 ? 240 : 51);
      pool.release(heir);
    }
  }

  // However often a text is edited, what it comes to does not drift away.
  void inTheEndAllIsComputedAnew() {
    load(2);
    auto pool = poolOf(24);
    Tokens prompt = tokens(200);
    Sequence* sequence = pool.take(prompt);
    sequence->setPrompt(prompt);
    feed(*sequence);
    for (int times = 0; times <= Sequence::kMostMoves; ++times) {
      prompt.insert(prompt.begin() + 50, 251 - times);
      const int cached = sequence->setPrompt(prompt);
      const std::vector<float> logits = feed(*sequence);
      if (times < Sequence::kMostMoves) {
        QVERIFY(cached > 190);
        QVERIFY(sequence->exact() < 100);
      } else {
        QCOMPARE(cached, 50);
        QCOMPARE(sequence->exact(), sequence->length());
        QCOMPARE(difference(logits, computed(prompt)), 0.0);
      }
    }
  }

  void withoutItAllBehindAnEditIsComputed() {
    load(2);
    auto pool = poolOf(24, false);
    Tokens prompt = tokens(200);
    Sequence* sequence = pool.take(prompt);
    sequence->setPrompt(prompt);
    feed(*sequence);
    prompt[50] = 251;
    QCOMPARE(sequence->setPrompt(prompt), 50);
    QCOMPARE(difference(feed(*sequence), computed(prompt)), 0.0);
    QCOMPARE(sequence->exact(), 200);
  }

  void roundedKeysAreRefused() {
    load(1);
    const auto refused = ChunkReuse::make(model_->model(), tensor::KvFormat::kQ8_0, kRun);
    QVERIFY(!refused);
    QVERIFY(refused.error().what.find("q8_0") != std::string::npos);
    QVERIFY(refused.error().remedy.find("--kv-reuse") != std::string::npos);
    QVERIFY(!ChunkReuse::make(model_->model(), tensor::KvFormat::kF16, 0));
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestChunkReuse)
#include "test_chunk_reuse.moc"
