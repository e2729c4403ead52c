// SPDX-License-Identifier: GPL-3.0-or-later
// Several jobs in a step: the text of each is what it is alone, nobody waits forever, and who is
// more urgent, or cancelled, is heard after the step under way.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <future>
#include <random>

#include "runtime/inference/engine/engine.h"
#include "tests/runtime/inference/random_jobs.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

// A job and what became of it. What the engine's worker writes may be read behind wait().
class Task {
 public:
  template <typename Request>
  void submit(Engine& engine, Request request) {
    id = engine.submit(std::move(request), {.onText =
                                                [this](std::string piece) {
                                                  text += piece;
                                                  ++pieces;
                                                  if (onText) onText();
                                                },
                                            .onDone =
                                                [this](const JobReport& r) {
                                                  report = r;
                                                  if (onDone) onDone();
                                                  done_.set_value();
                                                },
                                            .onBegin = nullptr});
  }
  void wait() {
    if (done_.get_future().wait_for(std::chrono::seconds(60)) != std::future_status::ready)
      qFatal("a job never ended");
  }

  JobId id = 0;
  std::string text;
  int pieces = 0;
  JobReport report;
  std::function<void()> onText, onDone;  // on the worker

 private:
  std::promise<void> done_;
};
using Tasks = std::vector<std::unique_ptr<Task>>;

Tasks tasks(std::size_t count) {
  Tasks made(count);
  for (auto& task : made) task = std::make_unique<Task>();
  return made;
}

// Keeps the engine waiting until what a test needs is in its queue.
class Gate {
 public:
  explicit Gate(Engine& engine) {
    job_.onDone = [this] { opened_.get_future().wait(); };
    job_.submit(engine, CompletionRequest{9, "gate", "", "x", "", {.maxTokens = 1}});
  }
  void open() {
    opened_.set_value();
    job_.wait();
  }
  // Once it is open: it is a job, too.
  const JobReport& report() const { return job_.report; }

 private:
  Task job_;
  std::promise<void> opened_;
};

// Goes on until maxTokens, token by token.
GenerationRequest endless(int maxTokens, std::uint64_t seed = 0) {
  return {1,
          "for the",
          {.maxTokens = maxTokens,
           .sampling = {.temperature = 1,
                        .seed = seed,
                        .bias = {{test::kTinyEos, -INFINITY}, {test::kTinyEot, -INFINITY}}},
           .speculation = false}};
}

}  // namespace

class TestBatching : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::unique_ptr<Engine> make(const test::TinyModel& model, const CompileOptions& compile,
                               const EngineOptions& options, bool copies = false) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    gguf::Writer writer = test::makeTinyModel(model);
    if (copies)
      writer.addFloat32s("waferpair.copying.weights",
                         std::vector<float>{-1, 0.8f, 0.1f, -0.5f, 0.7f, 0.4f});
    if (!writer.write(path)) qFatal("cannot write %s", path.c_str());
    auto compiled = CompiledModel::load(path, compile);
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    return std::move(*Engine::make(std::move(*compiled), options));
  }
  std::unique_ptr<Engine> make(int batch) {
    return make({.contextLength = 4096, .seed = 7}, {.threads = 1, .chunk = 16}, {.batch = batch});
  }

 private slots:
  void textsAreAsAlone_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 8; ++seed) QTest::addRow("%d", seed) << seed;
  }
  void textsAreAsAlone() {
    QFETCH(int, seed);
    constexpr gguf::TensorType kTypes[] = {gguf::TensorType::kQ8_0, gguf::TensorType::kQ4_0,
                                           gguf::TensorType::kF16};
    const test::TinyModel model{.layers = 1 + seed % 2,
                                .contextLength = 160,
                                .type = kTypes[seed % 3],
                                .seed = static_cast<std::uint32_t>(seed)};
    const auto alone = make(model, {.threads = 1, .chunk = 16},
                            {.speculation = Speculation::kOff, .batch = 1}, seed % 2 == 0);
    const auto together =
        make(model, {.threads = 1 + seed % 3, .chunk = seed % 4 == 1 ? 5 : 16},
             {.speculation = seed % 2 == 0 ? Speculation::kAlways : Speculation::kAdaptive,
              .batch = 2 + seed},
             seed % 2 == 0);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uint64_t ofGates = 0;
    for (int round = 0; round < 4; ++round) {
      Tasks one = tasks(15), all = tasks(15);
      Gate gate(*together);
      for (std::size_t i = 0; i < one.size(); ++i) {
        const JobLimits limits = randomLimits(random);
        const std::string prompt = randomPrompt(random);
        const auto submit = [&](Engine& engine, Task& task) {
          if (i % 3 == 0)
            task.submit(engine, CompletionRequest{1, std::to_string(i), "a.cpp", prompt,
                                                  "the end\n", limits});
          else
            task.submit(engine, GenerationRequest{i % 4, prompt, limits});
        };
        submit(*alone, *one[i]);
        submit(*together, *all[i]);
      }
      gate.open();
      ofGates += static_cast<std::uint64_t>(gate.report().outputTokens);
      for (std::size_t i = 0; i < one.size(); ++i) {
        one[i]->wait();
        all[i]->wait();
        QCOMPARE(all[i]->text, one[i]->text);
        QCOMPARE(all[i]->report.reason, one[i]->report.reason);
        QCOMPARE(all[i]->report.outputTokens, one[i]->report.outputTokens);
        QCOMPARE(all[i]->report.contextUsed, one[i]->report.contextUsed);
      }
    }
    const EngineStats single = alone->stats(), many = together->stats();
    QCOMPARE(single.decodedSequences, single.decodeSteps);
    QCOMPARE(single.sequencesInStep, 1);
    QVERIFY(many.decodedSequences > many.decodeSteps);
    QCOMPARE(many.outputTokens, single.outputTokens + ofGates);
  }

  void statisticsAddUp() {
    const auto engine = make(4);
    Tasks all = tasks(6);
    // They meet in a step: those that there is room for begin at once.
    Gate gate(*engine);
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->submit(*engine, endless(40, i));
    gate.open();
    EngineStats sum;
    sum.outputTokens = static_cast<std::uint64_t>(gate.report().outputTokens);
    std::uint64_t allCycles = gate.report().waferCycles;
    for (auto& task : all) {
      task->wait();
      sum.outputTokens += static_cast<std::uint64_t>(task->report.outputTokens);
      sum.decodedSequences += static_cast<std::uint64_t>(task->report.decodeSteps);
      sum.decodeTokens += static_cast<std::uint64_t>(task->report.decodeTokens);
      sum.waferDecodeCycles += task->report.waferDecodeCycles;
      allCycles += task->report.waferCycles;
      QCOMPARE(task->report.decodeTokens, 39);
      QCOMPARE(task->report.waferCycles - task->report.waferFirstTokenCycles,
               task->report.waferDecodeCycles);
    }
    const EngineStats stats = engine->stats();
    QCOMPARE(stats.outputTokens, sum.outputTokens);
    QCOMPARE(stats.decodedSequences, sum.decodedSequences);
    QCOMPARE(stats.decodeTokens, sum.decodeTokens);
    QCOMPARE(stats.waferDecodeCycles, sum.waferDecodeCycles);
    QVERIFY(stats.decodeSteps < sum.decodedSequences);
    wafer::CounterSnapshot counters;
    engine->model().program().counters().read(counters);
    QCOMPARE(counters.totals.cycles(), allCycles);
  }

  // A completion comes from the callback of one generation: after that step it has all others.
  void aCompletionGoesBeforeAllGenerations() {
    const auto engine = make(4);
    Tasks generations = tasks(4);
    Task completion;
    const auto said = [&] {
      int pieces = 0;
      for (const auto& task : generations) pieces += task->pieces;
      return pieces;
    };
    int ofFirst = 0, before = 0, after = 0;
    generations[0]->onText = [&] {
      if (generations[0]->pieces == 10)
        completion.submit(*engine, CompletionRequest{2, "a", "", "int ", "", {.maxTokens = 20}});
    };
    completion.onText = [&] {
      if (completion.pieces == 1) before = said();
      ofFirst = generations[0]->pieces;
      after = said();
    };
    Gate gate(*engine);
    for (std::size_t i = 0; i < generations.size(); ++i)
      generations[i]->submit(*engine, endless(200, i));
    gate.open();
    for (auto& task : generations) task->wait();
    completion.wait();
    QVERIFY(completion.pieces > 1);
    QCOMPARE(ofFirst, 10);
    QCOMPARE(after, before);
  }

  // Another job is cancelled from the callback of one: at most the step under way tells its text.
  void aCancelledJobLeavesWithinAStep() {
    const auto engine = make(4);
    Tasks all = tasks(3);
    int atCancel = -1;
    all[0]->onText = [&] {
      if (all[0]->pieces != 20) return;
      engine->cancel(all[1]->id);
      atCancel = all[1]->pieces;
    };
    Gate gate(*engine);
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->submit(*engine, endless(400, i));
    gate.open();
    for (auto& task : all) task->wait();
    QVERIFY(all[1]->report.reason == StopReason::kCancelled);
    QVERIFY(atCancel > 0 && all[1]->pieces <= atCancel + 1);
    QCOMPARE(all[0]->report.outputTokens, 400);
    QCOMPARE(all[2]->report.outputTokens, 400);
  }

  // Completions that never cease leave a generation its part.
  void aGenerationGoesOnBesideAStreamOfCompletions() {
    const auto engine = make(4);
    Task generation;
    std::atomic<bool> enough{false};
    generation.onDone = [&] { enough = true; };
    std::vector<std::unique_ptr<Task>> stream;
    std::promise<void> over;
    const std::function<void()> next = [&] {
      if (enough) return over.set_value();
      stream.push_back(std::make_unique<Task>());
      stream.back()->onDone = next;
      stream.back()->submit(*engine, CompletionRequest{2, "", "", "int ", "", {.maxTokens = 5}});
    };
    next();
    generation.submit(*engine, endless(30));
    generation.wait();
    QCOMPARE(generation.report.outputTokens, 30);
    QVERIFY(over.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready);
    for (auto& task : stream) task->wait();  // the last is still being told that it is over
    QVERIFY(stream.size() > 30);
  }

  void moreGenerationsThanFitIntoAStepAllEnd() {
    const auto engine = make(3);
    Tasks all = tasks(20);
    for (std::size_t i = 0; i < all.size(); ++i) all[i]->submit(*engine, endless(30, i));
    for (auto& task : all) {
      task->wait();
      QCOMPARE(task->report.outputTokens, 30);
    }
    QCOMPARE(engine->queue(), QueueDepth{});
  }

  // Six texts of four pages each, and six pages: some are set aside, and none is the worse for it.
  void jobsThatTheCacheCannotHoldAreSetAside() {
    const test::TinyModel model{.contextLength = 256, .seed = 3};
    const auto pages = [&](int count) {
      const std::size_t page = tensor::kChunk * 2 * 2 * 2 * 16 * 2;  // layers, k and v, heads of 16
      return CompileOptions{
          .threads = 1, .kvBytes = static_cast<std::size_t>(count) * page, .chunk = 16};
    };
    const auto alone = make(model, pages(4), {.batch = 1});
    const auto together = make(model, pages(6), {.batch = 6});
    Tasks one = tasks(6), all = tasks(6);
    Task completion;
    int input = 0;
    all[0]->onText = [&] {
      if (all[0]->pieces == 150)
        completion.submit(*together, CompletionRequest{2, "a", "", "int ", "", {.maxTokens = 100}});
    };
    Gate gate(*together);
    for (std::size_t i = 0; i < one.size(); ++i) {
      one[i]->submit(*alone, endless(230, i));
      all[i]->submit(*together, endless(230, i));
    }
    gate.open();
    for (std::size_t i = 0; i < one.size(); ++i) {
      one[i]->wait();
      all[i]->wait();
      QVERIFY(all[i]->report.reason == StopReason::kMaxTokens);
      QCOMPARE(all[i]->text, one[i]->text);
      QCOMPARE(all[i]->report.contextUsed, one[i]->report.contextUsed);
      input += all[i]->report.inputTokens;
    }
    completion.wait();
    QVERIFY(completion.report.reason != StopReason::kFailed);
    QVERIFY(completion.report.outputTokens > 0);
    const EngineStats stats = together->stats();
    QVERIFY(stats.prefillTokens > static_cast<std::uint64_t>(input + 100));  // computed anew
    QVERIFY(stats.decodedSequences > stats.decodeSteps);

    // A job that does not fit by itself fails, and only that.
    const auto small = make(model, pages(1), {.batch = 2});
    Tasks two = tasks(2);
    two[0]->submit(*small, endless(200));
    two[1]->submit(*small, endless(20));
    for (auto& task : two) task->wait();
    QVERIFY(two[0]->report.reason == StopReason::kFailed);
    QVERIFY(two[0]->report.error.remedy.find("--kv-memory") != std::string::npos);
    QCOMPARE(two[1]->report.outputTokens, 20);
  }

  // Memory that others use on the caches' account is had back by who cannot do without it.
  void aJobThatIsAloneGetsWhatIsKeptBeside() {
    const test::TinyModel model{.contextLength = 256, .seed = 3};
    const std::size_t page = tensor::kChunk * 2 * 2 * 2 * 16 * 2;  // layers, k and v, heads of 16
    const auto engine = make(model, {.threads = 1, .kvBytes = 4 * page, .chunk = 16}, {.batch = 2});
    std::vector<std::size_t> left;  // by the worker, while a job is waited for
    engine->whenShort([&](std::size_t bytes) { left.push_back(bytes); });
    engine->keepBeside(2 * page);
    Tasks fit = tasks(1), long_ = tasks(2);
    fit[0]->submit(*engine, endless(60));
    fit[0]->wait();
    QVERIFY(left.empty());
    QVERIFY(engine->stats().kvUsedBytes <= 2 * page);
    for (auto& task : long_) task->submit(*engine, endless(190));
    for (auto& task : long_) {
      task->wait();
      QVERIFY(task->report.reason == StopReason::kMaxTokens);
    }
    QCOMPARE(long_[0]->text, long_[1]->text);
    QCOMPARE(left, (std::vector<std::size_t>{page, 0}));
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestBatching)
#include "test_batching.moc"
