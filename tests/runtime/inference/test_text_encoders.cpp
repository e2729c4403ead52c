// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders: their states against a definition of their own, what is pooled of them and what heads
// make of it, their program on the wafer, and what is said of files that lack something.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <future>
#include <set>

#include "runtime/inference/engine/embedding.h"
#include "runtime/inference/engine/engine.h"
#include "runtime/strict/layout.h"
#include "tests/runtime/transformer/architecture_files.h"
#include "tests/runtime/transformer/encoder_reference.h"

namespace waferpair::inference {

using transformer::Loaded;
using transformer::Tokens;

namespace {

constexpr int kSeparator = 7;

// With the token that parts two texts, which tiny vocabularies do not name.
gguf::Writer makeEncoder(const test::TinyArchitecture& model, const std::string& without = {}) {
  gguf::Writer writer = test::makeTinyArchitecture(model, without);
  writer.addUint32("tokenizer.ggml.seperator_token_id", kSeparator);
  return writer;
}

Tokens someTokens(int count, std::uint32_t seed) {
  Tokens tokens = transformer::randomTokens(count, transformer::kVocabulary, seed);
  std::ranges::replace(tokens, kSeparator, kSeparator + 1);
  return tokens;
}

std::vector<std::vector<float>> statesOf(const Loaded& loaded, std::span<const Tokens> texts,
                                         int threads, const tensor::Kernels& kernels) {
  int count = 0;
  std::vector<transformer::KvCache> caches;
  for (const Tokens& text : texts) {
    count += static_cast<int>(text.size());
    caches.push_back(loaded.cache());
  }
  std::vector<transformer::Step> steps;
  for (std::size_t i = 0; i < texts.size(); ++i)
    steps.push_back({.tokens = texts[i], .kv = &caches[i], .logits = 0});
  transformer::Forward forward(loaded.model, count, threads, kernels);
  const auto begun = forward.begin(steps);
  if (!begun) qFatal("%s", begun.error().message().c_str());
  transformer::runStages(forward, threads);
  std::vector<std::vector<float>> states;
  for (int row = 0; row < count; ++row) {
    states.emplace_back(static_cast<std::size_t>(loaded.model->config().width));
    forward.state(row, states.back());
  }
  return states;
}

struct Embedded {
  std::promise<JobReport> done;
  std::future<JobReport> report = done.get_future();

  template <typename Request>
  void submit(Engine& engine, Request request) {
    engine.submit(std::move(request),
                  {.onText = [](const std::string&) {},
                   .onDone = [this](const JobReport& report) { done.set_value(report); }});
  }
  JobReport wait() {
    if (report.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
      qFatal("the job never ended");
    return report.get();
  }
};

double farthest(std::span<const float> got, const Eigen::VectorXd& expected) {
  double most = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    most = std::max(most, std::abs(got[i] - expected[static_cast<Eigen::Index>(i)]));
  return most;
}

}  // namespace

class TestTextEncoders : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  static void everyEncoder() {
    QTest::addColumn<QString>("label");
    for (const auto& model : test::tinyEncoders())
      QTest::addRow("%s", model.label.c_str()) << QString::fromStdString(model.label);
  }
  static test::TinyArchitecture encoder(const QString& label) {
    return test::tinyArchitecture(label.toStdString());
  }
  std::string write(const test::TinyArchitecture& model) {
    const std::string path = folder_.filePath("encoder.gguf").toStdString();
    if (!makeEncoder(model).write(path)) qFatal("cannot write %s", path.c_str());
    return path;
  }
  std::unique_ptr<Engine> engineOf(const test::TinyArchitecture& model, int batch = 8) {
    auto compiled = CompiledModel::load(write(model), {.threads = 2});
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    auto engine = Engine::make(std::move(*compiled), {.batch = batch});
    if (!engine) qFatal("%s", engine.error().message().c_str());
    return std::move(*engine);
  }
  static JobReport embed(Engine& engine, const Tokens& tokens) {
    Embedded job;
    job.submit(engine, EmbeddingRequest{.client = 1, .text = {}, .tokens = tokens});
    return job.wait();
  }

 private slots:
  void statesAgreeWithTheDefinition_data() { everyEncoder(); }
  void statesAgreeWithTheDefinition() {
    QFETCH(QString, label);
    const Loaded loaded(makeEncoder(encoder(label)).bytes());
    const double most = loaded.model->quantized() ? 0.03 : 5e-4;
    for (const int count : {1, 2, 33, 90}) {
      const Tokens tokens = someTokens(count, 3);
      const auto expected = transformer::encoderStates(loaded.model->file(), tokens, count);
      for (const tensor::Kernels* kernels : tensor::availableKernels()) {
        const double off = transformer::relativeError(
            statesOf(loaded, std::span(&tokens, 1), 2, *kernels), expected);
        QVERIFY2(off < most, qPrintable(QString("%1: %2").arg(kernels->name).arg(off)));
      }
    }
  }

  // In a pair for ranking what follows the first separator is of the second type.
  void theSecondTextOfAPairIsOfItsOwnType() {
    const Loaded loaded(makeEncoder(encoder("bert that ranks")).bytes());
    Tokens tokens = someTokens(40, 5);
    tokens[17] = tokens.back() = kSeparator;
    const auto& kernels = *tensor::availableKernels().front();
    const auto got = statesOf(loaded, std::span(&tokens, 1), 1, kernels);
    QVERIFY(transformer::relativeError(
                got, transformer::encoderStates(loaded.model->file(), tokens, 18)) < 5e-4);
    QVERIFY(transformer::relativeError(
                got, transformer::encoderStates(loaded.model->file(), tokens, 40)) > 1e-2);
  }

  void threadsAndOtherTextsDoNotChangeTheResult_data() { everyEncoder(); }
  void threadsAndOtherTextsDoNotChangeTheResult() {
    QFETCH(QString, label);
    const Loaded loaded(makeEncoder(encoder(label)).bytes());
    const std::vector<Tokens> texts = {someTokens(50, 1), someTokens(1, 2), someTokens(77, 3)};
    for (const tensor::Kernels* kernels : tensor::availableKernels()) {
      std::vector<std::vector<float>> alone;
      for (const Tokens& text : texts)
        std::ranges::move(statesOf(loaded, std::span(&text, 1), 1, *kernels),
                          std::back_inserter(alone));
      for (const int threads : {1, 3}) QVERIFY(statesOf(loaded, texts, threads, *kernels) == alone);
    }
  }

  void textsGoThroughWholeAndNoneIsWritten() {
    const Loaded loaded(makeEncoder(encoder("bert")).bytes());
    transformer::Forward forward(loaded.model, 8, 1);
    auto kv = loaded.cache();
    const Tokens tokens = someTokens(4, 1);
    const auto logits = forward.begin({.tokens = tokens, .kv = &kv, .logits = 1});
    QVERIFY(!logits && logits.error().what.find("bert") != std::string::npos);
    QVERIFY(forward.begin({.tokens = tokens, .kv = &kv, .logits = 0}).has_value());
    transformer::runStages(forward, 1);
    QVERIFY(!forward.begin({.tokens = tokens, .kv = &kv, .logits = 0}));
    QVERIFY(!strict::check(loaded.model->config()));

    const auto engine = engineOf(encoder("bert"));
    Embedded job;
    job.submit(*engine, GenerationRequest{1, "int main", {.maxTokens = 4}});
    const JobReport report = job.wait();
    QVERIFY(report.reason == StopReason::kFailed);
    QVERIFY2(report.error.what.find("does not write") != std::string::npos,
             report.error.what.c_str());
  }

  // Each tensor is part of an op that one stage computes, and every op is charged.
  void everyEncoderIsOneProgram_data() { everyEncoder(); }
  void everyEncoderIsOneProgram() {
    QFETCH(QString, label);
    const std::string path = write(encoder(label));
    const auto loaded = CompiledModel::load(path, {.threads = 2});
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().message().c_str());
    CompiledModel& model = **loaded;
    const wafer::Plan& plan = model.program().plan();
    int next = 0;
    for (const wafer::Stage& stage : model.program().stages()) {
      QCOMPARE(stage.firstOp, next);
      next += stage.opCount;
    }
    QCOMPARE(next, static_cast<int>(plan.ops.size()));
    QCOMPARE(plan.ops.back().name, std::string("pool"));
    const transformer::Config& c = model.config();
    std::set<std::string> weights;
    for (const auto& info : model.model().file().tensors()) {
      std::string name(info.name);
      // Parts of the embedding, of a norm, of the head that the host applies.
      if (name.starts_with("token_types") || name.starts_with("position_embd") ||
          name.starts_with("token_embd_norm") || name.starts_with("cls.") ||
          name.ends_with("_norm.bias"))
        continue;
      if (name.ends_with(".weight")) name.resize(name.size() - 7);
      const auto splitInto = [&](std::string_view joined,
                                 std::initializer_list<const char*> parts) {
        const auto at = name.find(joined);
        if (at == std::string::npos) return false;
        for (const char* part : parts)
          weights.insert(std::string(name).replace(at, joined.size(), part));
        return true;
      };
      if (c.joinedQkv && splitInto("attn_qkv", {"attn_q", "attn_k", "attn_v"})) continue;
      if (c.joinedGate && splitInto("ffn_up", {"ffn_gate", "ffn_up"})) continue;
      weights.insert(name);
    }
    for (const wafer::Op& op : plan.ops) {
      const bool holds = op.sram[wafer::SramKind::kWeights] > 0;
      QVERIFY2(holds == (weights.erase(op.name) == 1), op.name.c_str());
    }
    QVERIFY2(weights.empty(), weights.empty() ? "" : weights.begin()->c_str());

    auto kv = *transformer::KvCache::make(c, 64);
    const Tokens tokens = someTokens(20, 4);
    QVERIFY(model.step(tokens, kv, nullptr).has_value());
    // Row by row or as one product, a row is charged for all regions, that of the pooling too.
    const auto charged = [&](int count) {
      return model.program().cycles({.tokens = count, .logits = 0});
    };
    QVERIFY(charged(1) > 0 && charged(2) > charged(1) && charged(64) > charged(2));
    wafer::CounterSnapshot counters;
    model.program().counters().read(counters);
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
      QVERIFY2(counters.ops[i].invocations == 1, plan.ops[i].name.c_str());
  }

  void poolingIsThatOfTheFile_data() {
    QTest::addColumn<QString>("label");
    for (const char* label : {"bert", "nomic-bert", "modern-bert"})
      QTest::addRow("%s", label) << QString(label);
  }
  void poolingIsThatOfTheFile() {
    QFETCH(QString, label);
    const auto engine = engineOf(encoder(label));
    QVERIFY(engine->model().card().embeds() && engine->model().card().encodes);
    for (const int count : {1, 30, 128}) {
      const Tokens tokens = someTokens(count, 9);
      const JobReport report = embed(*engine, tokens);
      QVERIFY2(report.reason == StopReason::kEndOfText, report.error.message().c_str());
      const auto states = transformer::encoderStates(engine->model().model().file(), tokens, count);
      Eigen::VectorXd pooled = states.row(0);
      if (label == "nomic-bert") pooled = states.colwise().mean();
      pooled.normalize();
      const double off = farthest(report.embedding, pooled);
      QVERIFY2(off < 1e-3, qPrintable(QString::number(off)));
    }
  }

  void manyAtOnceAreEachTheSame() {
    const auto alone = engineOf(encoder("modern-bert"), 1),
               together = engineOf(encoder("modern-bert"));
    std::vector<Embedded> jobs(9);
    const auto tokens = [](std::size_t i) {
      return someTokens(10 + 14 * int(i), std::uint32_t(i));
    };
    for (std::size_t i = 0; i < jobs.size(); ++i)
      jobs[i].submit(*together, EmbeddingRequest{.client = 1, .text = {}, .tokens = tokens(i)});
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const JobReport report = jobs[i].wait();
      QVERIFY(!report.embedding.empty());
      QCOMPARE(report.embedding, embed(*alone, tokens(i)).embedding);
    }
    const JobReport tooLong = embed(*together, someTokens(129, 1));
    QVERIFY(tooLong.reason == StopReason::kInputTooLong);
  }

  // BERT's head: tanh(W cls + b), then a row; ModernBERT's: norm(gelu(W mean)), then rows.
  void headsRank_data() {
    QTest::addColumn<QString>("label");
    for (const char* label : {"bert that ranks", "modern-bert that ranks"})
      QTest::addRow("%s", label) << QString(label);
  }
  void headsRank() {
    QFETCH(QString, label);
    const auto engine = engineOf(encoder(label));
    QVERIFY(engine->model().card().ranks());
    const Tokens tokens = someTokens(40, 6);
    const JobReport report = embed(*engine, tokens);
    const auto& head = engine->model().model().ranking();
    const auto states = transformer::encoderStates(engine->model().model().file(), tokens, 40);
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto matrix = [&](const std::vector<float>& values) -> Eigen::MatrixXd {
      return Eigen::Map<const RowMajor>(values.data(),
                                        static_cast<Eigen::Index>(values.size()) / states.cols(),
                                        states.cols())
          .cast<double>();
    };
    const auto column = [](const std::vector<float>& values) -> Eigen::VectorXd {
      return Eigen::Map<const Eigen::VectorXf>(values.data(),
                                               static_cast<Eigen::Index>(values.size()))
          .cast<double>();
    };
    Eigen::VectorXd hidden;
    if (label == "bert that ranks") {
      hidden = matrix(head.dense) * states.row(0).transpose() + column(head.denseBias);
      hidden = hidden.array().tanh().eval();
    } else {
      hidden = matrix(head.dense) * states.colwise().mean().transpose();
      hidden = hidden.unaryExpr([](double z) { return 0.5 * z * (1 + std::erf(z / std::sqrt(2))); })
                   .eval();
      hidden.array() -= hidden.mean();
      hidden = (hidden / std::sqrt(hidden.array().square().mean() + 1e-5)).eval();
      hidden = hidden.cwiseProduct(column(head.norm)).eval();
    }
    Eigen::VectorXd classes = matrix(head.classes) * hidden + column(head.classBias);
    if (classes.size() > 1) {
      classes = (classes.array() - classes.maxCoeff()).exp().eval();
      classes /= classes.sum();
    }
    QCOMPARE(std::ssize(report.embedding), classes.size());
    const double off = farthest(report.embedding, classes);
    QVERIFY2(off < 2e-3, qPrintable(QString::number(off)));
  }

  void everyTensorIsNeeded_data() { everyEncoder(); }
  void everyTensorIsNeeded() {
    QFETCH(QString, label);
    test::TinyArchitecture model = encoder(label);
    model.layers = 2;
    const auto bytes = makeEncoder(model).bytes();
    const auto file = gguf::File::parse(bytes, "tiny.gguf");
    for (const auto& info : file->tensors()) {
      const std::string name(info.name);
      // May be absent, or show that there are more of their kind.
      if (name == "token_types.weight" || name == "cls.output.bias" || name == "cls.bias" ||
          name == "cls.norm.weight" || name.ends_with("_norm.bias"))
        continue;
      const base::Error error = transformer::errorOf(makeEncoder(model, name));
      const std::string named = name.ends_with(".bias")          ? ".bias"
                                : name == "cls.weight"           ? "cls."
                                : name == "cls.output.weight"    ? "cls.output"
                                : name == "position_embd.weight" ? "position_embd"
                                                                 : name;
      QVERIFY2(error.what.find(named) != std::string::npos, (name + ": " + error.what).c_str());
      QVERIFY(!error.remedy.empty());
    }
  }

  void metadataThatCannotBeHonoredAreNamed() {
    const auto said = [](const char* label, std::size_t change, const char* key, auto value) {
      test::TinyArchitecture model = test::tinyArchitecture(label);
      model.keys[change] = {key, value};
      return transformer::errorOf(makeEncoder(model)).what;
    };
    QVERIFY(said("bert", 0, "attention.causal", true).find("causal") != std::string::npos);
    QVERIFY(said("bert", 1, "pooling_type", 4).find("pooling_type") != std::string::npos);
    QVERIFY(said("modern-bert", 1, "hidden_activation", std::string("relu")).find("relu") !=
            std::string::npos);
    QVERIFY(said("nomic-bert", 1, "moe_every_n_layers", 2).find("moe_every_n_layers") !=
            std::string::npos);
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestTextEncoders)
#include "test_text_encoders.moc"
