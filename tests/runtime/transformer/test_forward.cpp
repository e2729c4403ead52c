// SPDX-License-Identifier: GPL-3.0-or-later
// The forward pass against the Eigen reference, and against itself: however a sequence is cut into
// steps and however many threads run them, the numbers are the same to the last bit.
#include <QtTest>

#include <memory>
#include <vector>

#include "runtime/tensor/thread_team.h"
#include "runtime/transformer/forward.h"
#include "tests/runtime/transformer/eigen_reference.h"
#include "tests/runtime/transformer/forward_run.h"
#include "tests/support/mutate.h"
#include "tests/support/tiny_model.h"

Q_DECLARE_METATYPE(waferpair::test::TinyModel)

namespace waferpair::transformer {

using gguf::TensorType;

class TestForward : public QObject {
  Q_OBJECT

 private slots:
  void logitsAgreeWithEigen_data();
  void logitsAgreeWithEigen();
  void stepsMayBeCutAnywhere_data() { everyTypeAndTable(); }
  void stepsMayBeCutAnywhere();
  void threadsDoNotChangeTheResult_data() { everyTypeAndTable(); }
  void threadsDoNotChangeTheResult();
  void sequencesInAStepDoNotMeet_data() { everyTypeAndTable(); }
  void sequencesInAStepDoNotMeet();
  void aTeamGivesTheSameResult();
  void longSequencesMayBeCutAnywhere();
  void aLongContextMayBeCutAnywhere();
  void keysAndValuesMayBeQuantized_data();
  void keysAndValuesMayBeQuantized();
  void aForkGoesOnAsItsOriginDid();
  void aFullPoolRefusesTheStep();
  void truncatedPositionsAreForgotten();
  void aStepThatDidNotEndIsForgotten();
  void onlyWantedRowsHaveLogits();
  void stagesNameEveryOperation();
  void impossibleStepsAreRefused();
  void brokenWeightsDoNoHarm();

 private:
  static std::vector<TensorType> everyType() {
    std::vector<TensorType> types;
    for (const tensor::Format format : tensor::allFormats()) {
      types.push_back(static_cast<TensorType>(tensor::infoOf(format).ggmlType));
    }
    return types;
  }
  static void everyTypeAndTable() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("table");
    QTest::addColumn<int>("bits");
    for (const TensorType type : everyType()) {
      for (std::size_t i = 0; i < tensor::availableKernels().size(); ++i) {
        for (const int bits : {8, 16}) {
          QTest::addRow("%s %s by %d bits", tensorTypeName(type),
                        tensor::availableKernels()[i]->name, bits)
              << static_cast<int>(type) << static_cast<int>(i) << bits;
        }
      }
    }
  }
};

// A small model whose rows are whole blocks of the type.
test::TinyModel shapeFor(TensorType type) {
  if (gguf::blockSize(type).elements <= 32) return {.type = type};
  return {.layers = 1, .width = 256, .feedForward = 256, .type = type};
}

Loaded load(const test::TinyModel& shape) { return Loaded(test::makeTinyModel(shape).bytes()); }

void TestForward::logitsAgreeWithEigen_data() {
  QTest::addColumn<test::TinyModel>("shape");
  QTest::addColumn<int>("table");
  const std::vector<test::TinyModel> shapes = {
      {},
      {.heads = 4, .kvHeads = 4},
      {.width = 96, .feedForward = 160, .heads = 6, .kvHeads = 1, .tiedEmbeddings = false},
      {.layers = 3, .width = 160, .feedForward = 288, .heads = 5, .kvHeads = 1, .vocabSize = 333},
      {.layers = 1, .width = 128, .heads = 1, .kvHeads = 1},
  };
  for (const TensorType type : everyType()) {
    const bool few = gguf::blockSize(type).elements > 32;  // rows of those shapes are too short
    for (std::size_t i = 0; i < tensor::availableKernels().size(); ++i) {
      for (test::TinyModel shape : few ? std::vector{shapeFor(type)} : shapes) {
        shape.type = type;
        QTest::addRow("%s d%d %d/%d %s", tensorTypeName(type), shape.width, shape.heads,
                      shape.kvHeads, tensor::availableKernels()[i]->name)
            << shape << static_cast<int>(i);
      }
    }
  }
}

void TestForward::logitsAgreeWithEigen() {
  QFETCH(test::TinyModel, shape);
  QFETCH(int, table);
  const Loaded loaded = load(shape);
  const Tokens tokens = randomTokens(70, shape.vocabSize);  // over the edge of a chunk
  const Eigen::MatrixXd expected = referenceLogits(*loaded.model, tokens);
  const auto errorIn = [&](int bits) {
    const auto& kernels = *tensor::availableKernels()[static_cast<std::size_t>(table)];
    return relativeError(logitsOf(loaded, tokens, 32, 2, kernels, tensor::KvFormat::kF16,
                                  tensor::findActivations(bits)),
                         expected);
  };
  // F32 sums differ in the last bits, which now and then tips the rounding of a key or value to F16
  // (2^-11); so do activations of 16 bits, rounded to 32,258 steps.
  const double fine = errorIn(16);
  QVERIFY2(fine < 4e-4, qPrintable(QString::number(fine)));
  if (!loaded.model->quantized()) return;
  // In 8 bits each block of them is rounded to 127 steps: with a peak of some 2.5 deviations that
  // is 0.6 % of noise in each of the few products on the way.
  const double coarse = errorIn(8);
  QVERIFY2(coarse < 0.03, qPrintable(QString::number(coarse)));
  QVERIFY(coarse > 10 * fine);  // the reference has no such noise
}

void TestForward::stepsMayBeCutAnywhere() {
  QFETCH(int, type);
  QFETCH(int, table);
  QFETCH(int, bits);
  const auto activations = tensor::findActivations(bits);
  const Loaded loaded = load(shapeFor(static_cast<TensorType>(type)));
  const auto& kernels = *tensor::availableKernels()[static_cast<std::size_t>(table)];
  const Tokens tokens = randomTokens(140, 320);  // three chunks
  const auto oneByOne =
      logitsOf(loaded, tokens, 1, 1, kernels, tensor::KvFormat::kF16, activations);
  // A draft and the token in front of it are a step of any such size.
  for (const int batch : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 64, 140}) {
    QVERIFY2(logitsOf(loaded, tokens, batch, 1, kernels, tensor::KvFormat::kF16, activations) ==
                 oneByOne,
             qPrintable(QString::number(batch)));
  }
}

void TestForward::threadsDoNotChangeTheResult() {
  QFETCH(int, type);
  QFETCH(int, table);
  QFETCH(int, bits);
  const auto activations = tensor::findActivations(bits);
  const Loaded loaded = load(shapeFor(static_cast<TensorType>(type)));
  const auto& kernels = *tensor::availableKernels()[static_cast<std::size_t>(table)];
  const Tokens tokens = randomTokens(70, 320);
  const auto alone = logitsOf(loaded, tokens, 5, 1, kernels, tensor::KvFormat::kF16, activations);
  for (const int threads : {2, 3, 16}) {
    QVERIFY2(
        logitsOf(loaded, tokens, 5, threads, kernels, tensor::KvFormat::kF16, activations) == alone,
        qPrintable(QString::number(threads)));
    QVERIFY2(
        logitsOf(loaded, tokens, 1, threads, kernels, tensor::KvFormat::kF16, activations) == alone,
        qPrintable(QString::number(threads)));
  }
}

void TestForward::sequencesInAStepDoNotMeet() {
  QFETCH(int, type);
  QFETCH(int, table);
  QFETCH(int, bits);
  const auto activations = tensor::findActivations(bits);
  const Loaded loaded = load(shapeFor(static_cast<TensorType>(type)));
  const auto& kernels = *tensor::availableKernels()[static_cast<std::size_t>(table)];
  QVERIFY(sequencesDoNotMeet(loaded, 5, 1, kernels, 1, tensor::KvFormat::kF16, activations));
  QVERIFY(sequencesDoNotMeet(loaded, 32, 3, kernels, 2, tensor::KvFormat::kF16, activations));
}

void TestForward::aTeamGivesTheSameResult() {
  const Loaded loaded = load({});
  const Tokens tokens = randomTokens(100, 320);
  const auto alone = logitsOf(loaded, tokens, 1, 1, tensor::kernels());
  tensor::ThreadTeam team(3, {.pin = false, .patient = true});
  Forward forward(loaded.model, 16, 3);
  KvCache kv = loaded.cache();
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    QVERIFY(forward.step({.tokens = std::span(tokens).subspan(t, 1), .kv = &kv}, team).has_value());
    QVERIFY(std::equal(alone[t].begin(), alone[t].end(), forward.logits().begin()));
  }
  QCOMPARE(kv.length(), 100);
  kv.truncate(0);
  for (std::size_t t = 0; t < tokens.size(); t += 16) {
    const std::size_t n = std::min<std::size_t>(16, tokens.size() - t);
    QVERIFY(forward.step({.tokens = std::span(tokens).subspan(t, n), .kv = &kv}, team).has_value());
  }
  QVERIFY(std::equal(alone.back().begin(), alone.back().end(), forward.logits().begin()));
}

// Beyond 1,024 positions runs of chunks become longer.
void TestForward::longSequencesMayBeCutAnywhere() {
  const Loaded loaded = load({.layers = 1, .width = 32, .heads = 2, .contextLength = 2300});
  const Tokens tokens = randomTokens(2300, 320);
  for (const tensor::Kernels* kernels : tensor::availableKernels()) {
    const auto many = logitsOf(loaded, tokens, 200, 1, *kernels);
    QVERIFY(logitsOf(loaded, tokens, 61, 3, *kernels) == many);
    QVERIFY(logitsOf(loaded, tokens, 1, 4, *kernels) == many);
  }
}

// Feeds tokens at the end of 131,072 positions, all but the last of which hold random keys and
// values. Memory is taken for those that are used.
void TestForward::aLongContextMayBeCutAnywhere() {
  constexpr int kContext = 131072, kFed = 70, kBefore = kContext - kFed;
  const Loaded loaded =
      load({.layers = 1, .width = 32, .heads = 2, .kvHeads = 1, .contextLength = kContext});
  const Config& config = loaded.model->config();
  const auto pool =
      *KvPool::make(config, tensor::KvFormat::kF16,
                    (kContext + 1024) * KvPool::bytesPerToken(config, tensor::KvFormat::kF16));
  KvCache filled(pool, kContext);
  QVERIFY(filled.reserve(1000).has_value());
  QCOMPARE(pool->used(), 16);
  QVERIFY(filled.reserve(kBefore).has_value());
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> pairs(static_cast<std::size_t>(4096 + 2 * config.headDim));
  for (float& value : pairs) value = normal(random);
  for (int p = 0; p < kBefore; ++p) {
    const auto at = [&] { return std::span(pairs).subspan(random() % 4096, config.headDim); };
    filled.write(tensor::kernels(), 0, 0, p, 0, at(), at());
  }
  filled.setLength(kBefore);

  const Tokens tokens = randomTokens(kFed, 320);
  std::vector<std::vector<float>> expected;
  for (const int batch : {70, 1, 9}) {
    KvCache kv(pool, kContext);
    kv.share(filled, kBefore);
    tensor::ThreadTeam team(batch == 1 ? 3 : 1, {.pin = false, .patient = true});
    Forward forward(loaded.model, batch, 3);
    std::vector<std::vector<float>> got;
    for (int t = 0; t < kFed; t += batch) {
      const auto n = static_cast<std::size_t>(std::min(batch, kFed - t));
      const auto some = std::span(tokens).subspan(static_cast<std::size_t>(t), n);
      QVERIFY(forward.step({.tokens = some, .kv = &kv, .logits = batch}, team).has_value());
      for (int i = 0; i < forward.logitRows(); ++i)
        got.emplace_back(forward.logits(i).begin(), forward.logits(i).end());
    }
    QCOMPARE(kv.length(), kContext);
    if (expected.empty()) expected = got;
    QVERIFY(got == expected);
  }
  QVERIFY(expected.front() != expected.back());
}

void TestForward::keysAndValuesMayBeQuantized_data() {
  QTest::addColumn<int>("table");
  for (std::size_t i = 0; i < tensor::availableKernels().size(); ++i) {
    QTest::addRow("%s", tensor::availableKernels()[i]->name) << static_cast<int>(i);
  }
}

void TestForward::keysAndValuesMayBeQuantized() {
  QFETCH(int, table);
  const auto& kernels = *tensor::availableKernels()[static_cast<std::size_t>(table)];
  const Loaded loaded = load({.width = 128, .heads = 2, .kvHeads = 1, .type = TensorType::kF32});
  const Tokens tokens = randomTokens(140, 320);
  const Eigen::MatrixXd expected = referenceLogits(*loaded.model, tokens);
  const auto quantized = tensor::KvFormat::kQ8_0;
  const auto got = logitsOf(loaded, tokens, 32, 2, kernels, quantized);
  const double relative = relativeError(got, expected);
  QVERIFY2(relative < 0.02, qPrintable(QString::number(relative)));
  QVERIFY(relative > 1e-4);  // it is not F16
  for (const int threads : {1, 3, 16}) {
    QVERIFY(logitsOf(loaded, tokens, 1, threads, kernels, quantized) == got);
    QVERIFY(logitsOf(loaded, tokens, 9, threads, kernels, quantized) == got);
    QVERIFY(sequencesDoNotMeet(loaded, 8, threads, kernels, 3, quantized));
  }
}

// Two sequences of one pool with a common beginning, fed in turns.
void TestForward::aForkGoesOnAsItsOriginDid() {
  const Loaded loaded = load({});
  const Config& config = loaded.model->config();
  const auto pool = *KvPool::make(config, tensor::KvFormat::kF16,
                                  6 * 64 * KvPool::bytesPerToken(config, tensor::KvFormat::kF16));
  tensor::ThreadTeam team(1);
  Forward forward(loaded.model, 100, 1);
  const Tokens first = randomTokens(140, 320, 1), second = randomTokens(140, 320, 2);
  Tokens joined(first.begin(), first.begin() + 100);
  joined.insert(joined.end(), second.begin() + 100, second.end());
  const auto expected = logitsOf(loaded, first, 1, 1, tensor::kernels());
  const auto expectedFork = logitsOf(loaded, joined, 1, 1, tensor::kernels());

  KvCache origin(pool, 200), fork(pool, 200);
  QVERIFY(forward.step({.tokens = std::span(first).first(100), .kv = &origin}, team).has_value());
  fork.share(origin, 100);
  for (std::size_t t = 100; t < 140; ++t) {
    const auto one = [t](const Tokens& tokens) { return std::span(tokens).subspan(t, 1); };
    QVERIFY(forward.step({.tokens = one(first), .kv = &origin}, team).has_value());
    QVERIFY(std::ranges::equal(forward.logits(), expected[t]));
    QVERIFY(forward.step({.tokens = one(joined), .kv = &fork}, team).has_value());
    QVERIFY(std::ranges::equal(forward.logits(), expectedFork[t]));
  }
  QCOMPARE(pool->used(), 5);
}

void TestForward::aFullPoolRefusesTheStep() {
  const Loaded loaded = load({});
  const Config& config = loaded.model->config();
  const auto pool = *KvPool::make(config, tensor::KvFormat::kF16,
                                  64 * KvPool::bytesPerToken(config, tensor::KvFormat::kF16));
  tensor::ThreadTeam team(1);
  Forward forward(loaded.model, 64, 1);
  KvCache kv(pool, 200);
  QVERIFY(forward.step({.tokens = randomTokens(60, 320), .kv = &kv}, team).has_value());
  const auto full = forward.step({.tokens = randomTokens(5, 320), .kv = &kv}, team);
  QVERIFY(!full && full.error().remedy.find("--kv-memory") != std::string::npos);
  QVERIFY(forward.step({.tokens = randomTokens(4, 320), .kv = &kv}, team).has_value());
}

void TestForward::truncatedPositionsAreForgotten() {
  const Loaded loaded = load({});
  tensor::ThreadTeam team(1);
  Forward forward(loaded.model, 64, 1);
  const Tokens first = randomTokens(60, 320, 1), second = randomTokens(60, 320, 2);
  Tokens joined(first.begin(), first.begin() + 21);
  joined.insert(joined.end(), second.begin(), second.end());
  const auto expected = logitsOf(loaded, joined, 1, 1, tensor::kernels());

  KvCache kv = loaded.cache();
  QVERIFY(forward.step({.tokens = first, .kv = &kv}, team).has_value());
  kv.truncate(21);
  QCOMPARE(kv.length(), 21);
  QVERIFY(forward.step({.tokens = second, .kv = &kv}, team).has_value());
  QVERIFY(std::equal(expected.back().begin(), expected.back().end(), forward.logits().begin()));
}

void TestForward::aStepThatDidNotEndIsForgotten() {
  const Loaded loaded = load({});
  Forward forward(loaded.model, 64, 1);
  const Tokens tokens = randomTokens(10, 320), others = randomTokens(30, 320, 3);
  const auto expected = logitsOf(loaded, tokens, 10, 1, tensor::kernels());
  KvCache kv = loaded.cache();
  QVERIFY(forward.begin({.tokens = others, .kv = &kv}).has_value());
  for (int stage = 0; stage < 5; ++stage) forward.run(stage, 0, 1);
  QCOMPARE(kv.length(), 0);
  tensor::ThreadTeam team(1);
  QVERIFY(forward.step({.tokens = tokens, .kv = &kv}, team).has_value());
  QVERIFY(std::equal(expected.back().begin(), expected.back().end(), forward.logits().begin()));
}

void TestForward::onlyWantedRowsHaveLogits() {
  const Loaded loaded = load({});
  tensor::ThreadTeam team(1);
  Forward forward(loaded.model, 8, 1);
  const Tokens tokens = randomTokens(8, 320);
  const auto all = logitsOf(loaded, tokens, 8, 1, tensor::kernels());
  for (const int wanted : {0, 1, 3, 8, 99}) {
    KvCache kv = loaded.cache();
    QVERIFY(forward.step({.tokens = tokens, .kv = &kv, .logits = wanted}, team).has_value());
    QCOMPARE(forward.logitRows(), std::min(wanted, 8));
    for (int i = 0; i < forward.logitRows(); ++i) {
      const auto& expected = all[static_cast<std::size_t>(8 - forward.logitRows() + i)];
      QVERIFY(std::equal(expected.begin(), expected.end(), forward.logits(i).begin()));
    }
  }
}

void TestForward::stagesNameEveryOperation() {
  const Loaded loaded = load({.layers = 2});
  const Forward forward(loaded.model, 1, 1);
  std::vector<std::string> ops, names;
  for (const StageInfo& stage : forward.stages()) {
    names.push_back(stage.name);
    ops.insert(ops.end(), stage.ops.begin(), stage.ops.end());
    QCOMPARE(stage.tail, stage.kind == StageKind::kHead);
  }
  QVERIFY(names == (std::vector<std::string>{"embed", "blk.0.qkv", "blk.0.attention",
                                             "blk.0.output", "blk.0.ffn_up", "blk.0.ffn_down",
                                             "blk.1.qkv", "blk.1.attention", "blk.1.output",
                                             "blk.1.ffn_up", "blk.1.ffn_down", "head"}));
  std::vector<std::string> expected{"token_embd"};
  for (const char* layer : {"blk.0.", "blk.1."}) {
    for (const char* op :
         {"attn_norm", "attn_q", "attn_k", "attn_v", "attn_score", "attn_softmax", "attn_mix",
          "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"}) {
      expected.push_back(std::string(layer) + op);
    }
  }
  expected.insert(expected.end(), {"output_norm", "output"});
  QVERIFY(ops == expected);
}

void TestForward::impossibleStepsAreRefused() {
  const Loaded loaded = load({.contextLength = 100});
  const Loaded other = load({.layers = 3});
  Forward forward(loaded.model, 64, 1);
  KvCache kv = loaded.cache(), foreign = other.cache();
  const Tokens some = randomTokens(64, 320), many = randomTokens(65, 320);
  const auto refused = [&](const Tokens& tokens, KvCache* cache) {
    const auto begun = forward.begin({.tokens = tokens, .kv = cache});
    return !begun.has_value() && !begun.error().what.empty();
  };
  QVERIFY(refused({}, &kv));
  QVERIFY(refused(many, &kv));
  QVERIFY(refused({320}, &kv));
  QVERIFY(refused({-1}, &kv));
  QVERIFY(refused(some, nullptr));
  KvCache second = loaded.cache();
  const Step one{.tokens = some, .kv = &kv}, none{.tokens = {}, .kv = &second};
  QVERIFY(!forward.begin(std::span<const Step>()));
  QVERIFY(!forward.begin(std::vector<Step>{one, none}));
  QVERIFY(!forward.begin(
      std::vector<Step>{one, {.tokens = std::span(some).first(1), .kv = &second}}));  // 65
  const auto first = std::span(some).first(2);
  const auto twice = forward.begin(std::vector<Step>(2, {.tokens = first, .kv = &kv}));
  QVERIFY(!twice && twice.error().what.find("same") != std::string::npos);
  QVERIFY(refused(some, &foreign));
  tensor::ThreadTeam team(1);
  QVERIFY(forward.step({.tokens = some, .kv = &kv}, team).has_value());
  QVERIFY(refused(some, &kv));  // 128 positions, and the model knows 100
  QVERIFY(!refused(Tokens(36, 1), &kv));
  auto small = KvCache::make(loaded.model->config(), 1);  // one chunk
  QVERIFY(forward.step({.tokens = some, .kv = &*small}, team).has_value());
  QVERIFY(refused({1}, &*small));
}

// Infinite, huge and meaningless weights are refused, or the numbers are worthless; nothing breaks.
void TestForward::brokenWeightsDoNoHarm() {
  for (const TensorType type :
       {TensorType::kF32, TensorType::kF16, TensorType::kBF16, TensorType::kQ8_0, TensorType::kQ4_1,
        TensorType::kMXFP4, TensorType::kNVFP4}) {
    auto shape = shapeFor(type);
    shape.layers = 1;
    const auto sound = test::makeTinyModel(shape).bytes();
    int ran = 0, refused = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      auto bytes = test::mutate(sound, seed, seed % 2 == 0 ? 0 : 12000);
      for (std::size_t i = seed; i > 0 && bytes.size() > 40000 && i < bytes.size();
           i += 1 + 7 * i) {
        bytes[bytes.size() - i] = std::byte{0xff};
      }
      auto file = gguf::File::parse(bytes, "broken.gguf");
      if (!file) continue;
      const auto model = Model::load(std::make_shared<const gguf::File>(std::move(*file)));
      if (!model) {
        ++refused;
        continue;
      }
      for (const tensor::Kernels* kernels : tensor::availableKernels()) {
        Forward forward(*model, 4, 1, *kernels);
        auto kv = KvCache::make((*model)->config(), 64);
        tensor::ThreadTeam team(1);
        const Tokens tokens{0, 1, 2};
        for (int i = 0; i < 3; ++i) {
          if (forward.step({.tokens = tokens, .kv = &*kv}, team)) ++ran;
        }
      }
    }
    QVERIFY2(ran / 3 + refused > 10, qPrintable(QString("%1, %2").arg(ran).arg(refused)));
  }
}

}  // namespace waferpair::transformer

QTEST_APPLESS_MAIN(waferpair::transformer::TestForward)
#include "test_forward.moc"
