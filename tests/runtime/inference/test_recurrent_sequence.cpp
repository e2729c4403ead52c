// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of models with recurrent layers: what is computed anew when a prompt changes, and how
// their states share memory with keys and values.
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <iterator>
#include <random>

#include "runtime/inference/engine/sequence.h"
#include "runtime/inference/engine/session_file.h"
#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "tests/support/tiny_architectures.h"

namespace waferpair::inference {

namespace {

using Tokens = std::vector<std::int32_t>;

constexpr int kLongest = 2048;

// Two layers, of which the second has attention.
transformer::Config recurrentConfig() {
  transformer::Config config;
  config.layers = 2;
  config.width = 32;
  config.feedForward = 32;
  config.heads = 2;
  config.kvHeads = 1;
  config.headDim = 16;
  config.ropeDim = 16;
  config.contextLength = kLongest;
  config.vocabSize = 300;
  config.outputGate = true;
  config.recurrent = {.kernel = 4,
                      .groups = 2,
                      .heads = 4,
                      .stateDim = 32,
                      .headDim = 32,
                      .attention = {false, true}};
  return config;
}

SequencePool statefulPool(int positions, int states) {
  const auto config = recurrentConfig();
  const auto format = tensor::KvFormat::kF16;
  return *SequencePool::make(
      config, kLongest, format,
      static_cast<std::size_t>(positions) * transformer::KvPool::bytesPerToken(config, format) +
          static_cast<std::size_t>(states) *
              transformer::KvPool::bytesPerState(config, format, 32));
}

// As Forward does, but for the numbers; drafts are refused.
bool feedTokens(Sequence& sequence, int count, int drafts = 0) {
  transformer::KvCache& kv = sequence.kv();
  const int end = kv.length() + count + drafts;
  if (!kv.reserve(end, drafts)) return false;
  kv.advance(end);
  kv.truncate(end - drafts);
  return kv.length() == end - drafts;
}
bool feedPrompt(Sequence& sequence) {
  while (!sequence.pending().empty())
    if (!feedTokens(sequence, std::min(32, static_cast<int>(sequence.pending().size()))))
      return false;
  return true;
}

}  // namespace

class TestRecurrentSequence : public QObject {
  Q_OBJECT

  std::mt19937 random_{3};
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Tokens some(int count) {
    Tokens tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(below(300));
    return tokens;
  }
  // Answers a prompt that was fed, some steps with drafts.
  bool answer(Sequence& sequence, int count) {
    for (int i = 0; i < count; ++i) {
      sequence.append(below(300));
      if (!feedTokens(sequence, 1, std::min(below(3) * 5, kLongest - sequence.length() - 1)))
        return false;
    }
    return true;
  }

 private slots:
  // Each key puts a token or two in place of the last of the prompt before, whose answer is
  // dropped.
  void aKeyCostsAFewTokens() {
    SequencePool pool = statefulPool(4 * kLongest, 20);
    Tokens prompt = some(500);
    for (int key = 0; key < 200; ++key) {
      Sequence* sequence = pool.take(prompt);
      QVERIFY(sequence != nullptr);
      const int kept = sequence->setPrompt(prompt);
      const int computed = static_cast<int>(prompt.size()) - kept;
      if (key > 0) QVERIFY2(computed <= 3, qPrintable(QString::number(computed)));
      QVERIFY(feedPrompt(*sequence));
      QVERIFY(answer(*sequence, below(30)));
      pool.release(sequence);
      prompt.resize(prompt.size() - static_cast<std::size_t>(below(2)));
      for (const int token : some(1 + below(2))) prompt.push_back(token);
    }
  }

  // A turn of a conversation goes on from the answer, or where that is written otherwise next time,
  // from the end of the question.
  void conversationsGoOn() {
    SequencePool pool = statefulPool(4 * kLongest, 20);
    Tokens prompt = some(300);
    for (int turn = 0; turn < 8; ++turn) {
      Sequence* sequence = pool.take(prompt);
      QVERIFY(sequence != nullptr);
      const int before = static_cast<int>(prompt.size());
      QVERIFY(sequence->setPrompt(prompt) >= 0 && feedPrompt(*sequence));
      QVERIFY(answer(*sequence, 50));
      prompt.assign(sequence->tokens().begin(), sequence->tokens().end());
      const bool otherwise = turn % 2 == 1;
      if (otherwise) {
        prompt.resize(static_cast<std::size_t>(before) - 2);
        prompt.push_back(299);
      }
      for (const int token : some(60)) prompt.push_back(token);
      pool.release(sequence);
      const int kept = sequence->common(prompt);
      const int same = otherwise ? before - 2 : before + 50;
      QVERIFY2(kept >= same - 2, qPrintable(QString("%1 of %2").arg(kept).arg(same)));
    }
  }

  // However little memory there is, prompts are served: others give theirs back.
  void sequencesGiveTheirStatesBack() {
    SequencePool pool = statefulPool(600, 4);
    int served = 0;
    for (int round = 0; round < 300; ++round) {
      const Tokens prompt = some(1 + below(500));
      Sequence* sequence = pool.take(prompt);
      QVERIFY(sequence != nullptr);
      sequence->setPrompt(prompt);
      QVERIFY(feedPrompt(*sequence));
      QVERIFY(answer(*sequence, 10));
      ++served;
      QVERIFY(pool.usedBytes() <= pool.bytes());
      pool.release(sequence);
    }
    QCOMPARE(served, 300);
  }

  // What is written and read again goes on as if the server had not ended: the state is there, and
  // its numbers.
  void statesComeBackFromASessionFile() {
    const auto tiny = test::tinyArchitecture("qwen35");
    QTemporaryDir folder;
    const std::string model = folder.filePath("model.gguf").toStdString();
    const std::string file = folder.filePath("session").toStdString();
    QVERIFY(test::makeTinyArchitecture(tiny).write(model).has_value());
    const auto loaded = *transformer::Model::load(model);
    transformer::Forward forward(loaded, 32, 1);
    tensor::ThreadTeam team(1);
    const auto poolOf = [&] {
      return *SequencePool::make(loaded->config(), 256, tensor::KvFormat::kF16, 1 << 22);
    };
    const auto serve = [&](SequencePool& pool, const Tokens& prompt, int* kept = nullptr) {
      Sequence* sequence = pool.take(prompt);
      const int reused = sequence->setPrompt(prompt);
      if (kept) *kept = reused;
      while (!sequence->pending().empty()) {
        const auto pending = sequence->pending();
        const auto part = pending.first(std::min<std::size_t>(32, pending.size()));
        if (!forward.step({.tokens = part, .kv = &sequence->kv()}, team)) qFatal("no step");
      }
      pool.release(sequence);
      return std::vector<float>(forward.logits().begin(), forward.logits().end());
    };
    const auto key =
        sessionKey(*loaded, tensor::KvFormat::kF16, transformer::usualActivations(*loaded));
    SequencePool pool = poolOf();
    Tokens first = some(150), second = some(61);
    serve(pool, first);
    serve(pool, second);
    QVERIFY(saveSession(file, key, pool.byUse(), 1 << 24).has_value());
    SequencePool restored = poolOf();
    const auto result = restoreSession(file, key, restored);
    QVERIFY2(result.has_value(), result ? "" : result.error().message().c_str());
    QCOMPARE(restored.byUse().size(), std::size_t{2});
    for (Tokens* prompt : {&first, &second}) {
      const int before = static_cast<int>(prompt->size());
      prompt->push_back(7);
      int kept = 0;
      const auto got = serve(restored, *prompt, &kept);
      QVERIFY2(kept >= before - transformer::KvCache::kPromptTail,
               qPrintable(QString::number(kept)));
      SequencePool fresh = poolOf();
      QCOMPARE(got, serve(fresh, *prompt));
    }
    // A file that ends early, and one with other numbers in its states.
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    for (const bool cut : {true, false}) {
      std::string broken = bytes;
      if (cut) broken.resize(broken.size() - 5);
      if (!cut) broken[broken.size() - 5] = static_cast<char>(broken[broken.size() - 5] ^ 1);
      std::ofstream(file, std::ios::binary) << broken;
      SequencePool another = poolOf();
      const auto refused = restoreSession(file, key, another);
      QVERIFY(!refused && refused.error().what.find("session") != std::string::npos);
    }
  }

  // The state of a prompt no longer than its tail has a log behind no token.
  void shortPromptsShrinkToNothing() {
    for (const int length : {1, 5, transformer::KvCache::kPromptTail, 9, 63, 64, 65}) {
      SequencePool pool = statefulPool(2000, 10);
      const Tokens prompt = some(length);
      Sequence* sequence = pool.take(prompt);
      QVERIFY(sequence != nullptr);
      sequence->setPrompt(prompt);
      QVERIFY(feedPrompt(*sequence));
      for (int i = 0; sequence->kv().bytes() > 0; ++i) {
        QVERIFY2(i < 3, qPrintable(QString::number(length)));
        sequence->shrink();
      }
      QCOMPARE(pool.usedBytes(), std::size_t{0});
    }
  }

  void formsOfShrinkingEndInNothing() {
    SequencePool pool = statefulPool(2000, 10);
    const Tokens prompt = some(700);
    Sequence* sequence = pool.take(prompt);
    QVERIFY(sequence != nullptr);
    sequence->setPrompt(prompt);
    QVERIFY(feedPrompt(*sequence));
    for (int i = 0; sequence->kv().bytes() > 0; ++i) {
      QVERIFY(i < 20);
      const int before = sequence->length();
      sequence->shrink();
      QVERIFY(sequence->length() < before);
    }
    QCOMPARE(pool.usedBytes(), std::size_t{0});
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestRecurrentSequence)
#include "test_recurrent_sequence.moc"
