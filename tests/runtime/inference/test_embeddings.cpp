// SPDX-License-Identifier: GPL-3.0-or-later
// Embeddings against Eigen's states, pooled here, and against themselves: however many are computed
// at once, and whatever else is, each is the same to the bit.
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <future>
#include <numeric>

#include "runtime/inference/engine/embedding.h"
#include "runtime/inference/engine/engine.h"
#include "tests/runtime/transformer/eigen_reference.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

constexpr int kMean = 1, kCls = 2, kLast = 3;
using Tokens = std::vector<std::int32_t>;

struct Embedded {
  std::atomic<bool> begun{false};
  std::promise<JobReport> done;
  std::future<JobReport> report = done.get_future();
  JobId id = 0;

  template <typename Request>
  void submit(Engine& engine, Request request) {
    id = engine.submit(std::move(request),
                       {.onText = [](const std::string&) {},
                        .onDone = [this](const JobReport& report) { done.set_value(report); },
                        .onBegin = [this] { begun = true; }});
  }
  JobReport wait() {
    if (report.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
      qFatal("the job never ended");
    return report.get();
  }
};

Tokens someTokens(int count, int seed) {
  Tokens tokens;
  for (int i = 0; i < count; ++i) tokens.push_back((i * i * 7 + seed * 31 + i) % 256);
  return tokens;
}

}  // namespace

class TestEmbeddings : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::unique_ptr<Engine> make(const test::TinyModel& model, CompileOptions compile = {},
                               int batch = 8) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    if (!test::writeTinyModel(path, model)) qFatal("cannot write %s", path.c_str());
    compile.threads = 1;
    auto compiled = CompiledModel::load(path, compile);
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    auto engine = Engine::make(std::move(*compiled), {.batch = batch});
    if (!engine) qFatal("%s", engine.error().message().c_str());
    return std::move(*engine);
  }
  static JobReport embed(Engine& engine, EmbeddingRequest request) {
    Embedded job;
    job.submit(engine, std::move(request));
    return job.wait();
  }
  static JobReport embedTokens(Engine& engine, const Tokens& tokens, bool truncate = false) {
    return embed(engine, {.client = 1, .text = {}, .tokens = tokens, .truncate = truncate});
  }

 private slots:
  void poolingAgreesWithEigen_data() {
    QTest::addColumn<int>("pooling");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("chunk");
    for (const int pooling : {kMean, kCls, kLast})
      for (const auto& [count, chunk] : {std::pair(1, 8), {7, 32}, {150, 32}, {150, 7}, {256, 1}})
        QTest::addRow("%d of %d by %d", pooling, count, chunk) << pooling << count << chunk;
  }
  void poolingAgreesWithEigen() {
    QFETCH(int, pooling);
    QFETCH(int, count);
    QFETCH(int, chunk);
    const auto engine =
        make({.type = gguf::TensorType::kF32, .seed = 9, .pooling = pooling}, {.chunk = chunk});
    QCOMPARE(static_cast<int>(engine->model().card().pooling), pooling);
    const Tokens tokens = someTokens(count, pooling);
    const JobReport report = embedTokens(*engine, tokens);
    QVERIFY2(report.reason == StopReason::kEndOfText, report.error.message().c_str());
    QCOMPARE(report.inputTokens, count);
    QCOMPARE(report.contextUsed, count);
    QCOMPARE(report.outputTokens, 0);

    const Eigen::MatrixXd states =
        transformer::referenceStates(engine->model().model(), tokens);  // [tokens][d]
    Eigen::VectorXd pooled = states.colwise().mean();
    if (pooling == kCls) pooled = states.row(0);
    if (pooling == kLast) pooled = states.row(count - 1);
    pooled.normalize();
    QCOMPARE(std::ssize(report.embedding), pooled.size());
    double worst = 0, squares = 0;
    for (Eigen::Index i = 0; i < pooled.size(); ++i) {
      const double value = report.embedding[static_cast<std::size_t>(i)];
      worst = std::max(worst, std::abs(value - pooled[i]));
      squares += value * value;
    }
    QVERIFY2(worst < 1e-5, qPrintable(QString("off by %1").arg(worst)));
    QVERIFY(std::abs(squares - 1) < 1e-6);
  }

  void manyAtOnceAreEachTheSame() {
    const test::TinyModel model{.seed = 4, .pooling = kMean};
    const auto alone = make(model, {.chunk = 16}, 1), together = make(model, {.chunk = 16});
    std::vector<Embedded> jobs(6);
    Embedded text;
    text.submit(*together, GenerationRequest{2, "int main", {.maxTokens = 40}});
    for (std::size_t i = 0; i < jobs.size(); ++i)
      jobs[i].submit(*together,
                     EmbeddingRequest{
                         .client = 1, .text = {}, .tokens = someTokens(20 + 30 * int(i), int(i))});
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const JobReport report = jobs[i].wait();
      QVERIFY(!report.embedding.empty());
      QCOMPARE(report.embedding,
               embedTokens(*alone, someTokens(20 + 30 * int(i), int(i))).embedding);
    }
    QVERIFY(text.wait().outputTokens > 0);
    QCOMPARE(together->stats().embeddings, 6u);
    QCOMPARE(together->stats().generations, 1u);
  }

  // What a session's sequences hold stays, and nothing of them is used: each state is wanted.
  void aSessionKeepsItsCache() {
    const std::string prompt = "for (int i = 0; i < n; ++i) return the int;";
    const auto engine = make({.seed = 4, .pooling = kMean});
    const auto generate = [&] {
      Embedded job;
      job.submit(*engine, GenerationRequest{1, prompt, {.maxTokens = 5}});
      return job.wait();
    };
    const JobReport first = generate();
    const std::size_t used = engine->stats().kvUsedBytes;
    QVERIFY(used > 0);
    const JobReport embedded = embed(*engine, {.client = 1, .text = prompt});
    QCOMPARE(embedded.cachedTokens, 0);
    QCOMPARE(engine->stats().kvUsedBytes, used);
    QCOMPARE(embed(*engine, {.client = 1, .text = prompt}).embedding, embedded.embedding);
    QCOMPARE(generate().cachedTokens, first.inputTokens - 1);
  }

  void theTextGetsTheTokensThatTheModelWants() {
    const auto engine = make({.addBos = true, .addEos = true, .pooling = kLast});
    const tokenizer::Tokenizer& tokenizer = engine->model().tokenizer();
    const std::string text = "return <eos> the int";  // a text, and no token
    Tokens tokens = tokenizer.encode(text);
    tokens.insert(tokens.begin(), test::kTinyBos);
    tokens.push_back(test::kTinyEos);
    const JobReport report = embed(*engine, {.client = 1, .text = text});
    QCOMPARE(report.inputTokens, int(tokens.size()));
    QCOMPARE(report.embedding, embedTokens(*engine, tokens).embedding);
    tokens.pop_back();
    QVERIFY(report.embedding != embedTokens(*engine, tokens).embedding);
    QCOMPARE(embed(*engine, {.client = 1, .text = {}}).inputTokens, 2);
    // What is cut off comes in front of the last one.
    const std::string longText(400, 'x');
    const Tokens whole = tokenizer.encode(longText);
    Tokens cut{test::kTinyBos};
    cut.insert(cut.end(), whole.begin(), whole.begin() + 254);
    cut.push_back(test::kTinyEos);
    const JobReport truncated = embed(*engine, {.client = 1, .text = longText, .truncate = true});
    QCOMPARE(truncated.inputTokens, 256);
    QCOMPARE(truncated.embedding, embedTokens(*engine, cut).embedding);
  }

  void theContextMayBeFullAndNoMore() {
    const auto engine = make({.contextLength = 256, .pooling = kMean});
    const JobReport full = embedTokens(*engine, someTokens(256, 1));
    QVERIFY(full.reason == StopReason::kEndOfText);
    const JobReport over = embedTokens(*engine, someTokens(257, 1));
    QVERIFY(over.reason == StopReason::kInputTooLong);
    QVERIFY(over.embedding.empty());
    QVERIFY2(over.error.what.find("257") != std::string::npos, over.error.what.c_str());
    const JobReport cut = embedTokens(*engine, someTokens(257, 1), /*truncate=*/true);
    QCOMPARE(cut.embedding, full.embedding);
    QVERIFY(embed(*engine, {.client = 1, .text = {}}).reason == StopReason::kFailed);
  }

  // Four texts of four pages each, and six pages.
  void whatTheCacheCannotHoldIsComputedAnew() {
    const test::TinyModel model{.seed = 3, .pooling = kMean};
    const std::size_t page = tensor::kChunk * 2 * 2 * 2 * 16 * 2;  // layers, k and v, heads of 16
    const auto engine = make(model, {.kvBytes = 6 * page, .chunk = 16});
    const auto roomy = make(model, {.chunk = 16});
    std::vector<Embedded> jobs(4);
    // The engine waits until all are in its queue: otherwise the first may end before the last
    // comes.
    std::promise<void> opened;
    std::promise<JobReport> gate;
    engine->submit(EmbeddingRequest{.client = 2, .text = "x"}, {.onText = [](const std::string&) {},
                                                                .onDone =
                                                                    [&](const JobReport& report) {
                                                                      opened.get_future().wait();
                                                                      gate.set_value(report);
                                                                    },
                                                                .onBegin = nullptr});
    for (std::size_t i = 0; i < jobs.size(); ++i)
      jobs[i].submit(*engine,
                     EmbeddingRequest{.client = 1, .text = {}, .tokens = someTokens(250, int(i))});
    opened.set_value();
    gate.get_future().wait();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const JobReport report = jobs[i].wait();
      QVERIFY2(report.reason == StopReason::kEndOfText, report.error.message().c_str());
      QCOMPARE(report.embedding, embedTokens(*roomy, someTokens(250, int(i))).embedding);
    }
    QVERIFY(engine->stats().prefillTokens > 1 + 4 * 250);  // with the token that held the engine
  }

  void oneCanBeCancelled() {
    const auto engine = make(
        {.layers = 4, .width = 256, .feedForward = 1024, .contextLength = 16384, .pooling = kMean},
        {.chunk = 4});
    Embedded job;
    job.submit(*engine, EmbeddingRequest{.client = 1, .text = {}, .tokens = someTokens(16000, 1)});
    QTRY_VERIFY(job.begun);
    engine->cancel(job.id);
    const JobReport report = job.wait();
    QVERIFY(report.reason == StopReason::kCancelled);
    QVERIFY(report.embedding.empty());
    QVERIFY(report.contextUsed < 16000);
    QCOMPARE(engine->stats().cancelled, 1u);
    QCOMPARE(engine->stats().kvUsedBytes, 0u);
  }

  void aVectorOfZerosStays() {
    const std::vector<float> zeros(3);
    QCOMPARE(normalizedEmbedding(zeros), zeros);
    QCOMPARE(normalizedEmbedding(std::vector<float>{3, 0, -4}),
             (std::vector<float>{0.6f, 0, -0.8f}));
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestEmbeddings)
#include "test_embeddings.moc"
