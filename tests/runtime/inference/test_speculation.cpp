// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts change how long a text takes, and nothing else: the same jobs with and without them, on
// random models, prompts, ways of sampling and limits.
#include <QTemporaryDir>
#include <QtTest>
#include <future>
#include <random>

#include "runtime/inference/engine/engine.h"
#include "tests/runtime/inference/random_jobs.h"
#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

struct Result {
  std::string text;
  JobReport report;
};

template <typename Request>
Result run(Engine& engine, Request request) {
  Result result;
  std::promise<void> done;
  engine.submit(std::move(request), {.onText = [&](std::string text) { result.text += text; },
                                     .onDone =
                                         [&](const JobReport& report) {
                                           result.report = report;
                                           done.set_value();
                                         },
                                     .onBegin = nullptr});
  done.get_future().get();
  return result;
}

}  // namespace

class TestSpeculation : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::unique_ptr<Engine> make(const test::TinyModel& model, Speculation speculation,
                               int chunk = 16) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    if (!test::writeTinyModel(path, model)) qFatal("cannot write %s", path.c_str());
    auto compiled = CompiledModel::load(path, {.threads = 1, .chunk = chunk});
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    return std::move(*Engine::make(std::move(*compiled), {.speculation = speculation}));
  }

  static void compare(const Result& plain, const Result& drafted) {
    QCOMPARE(drafted.text, plain.text);
    QCOMPARE(drafted.report.reason, plain.report.reason);
    QCOMPARE(drafted.report.outputTokens, plain.report.outputTokens);
    QCOMPARE(drafted.report.inputTokens, plain.report.inputTokens);
    QCOMPARE(drafted.report.cachedTokens, plain.report.cachedTokens);
    QCOMPARE(drafted.report.contextUsed, plain.report.contextUsed);
    QCOMPARE(drafted.report.waferFirstTokenCycles, plain.report.waferFirstTokenCycles);
  }
  static void addsUp(const JobReport& report) {
    QCOMPARE(report.decodeTokens, std::max(report.outputTokens - 1, 0));
    QVERIFY(report.acceptedTokens <= report.draftedTokens);
    QVERIFY(report.decodeSteps >= report.decodeTokens - report.acceptedTokens);
    QCOMPARE(report.waferCycles - report.waferFirstTokenCycles, report.waferDecodeCycles);
  }

 private slots:
  void textsAreTheSame_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 6; ++seed) QTest::addRow("%d", seed) << seed;
  }
  void textsAreTheSame() {
    QFETCH(int, seed);
    constexpr gguf::TensorType kTypes[] = {gguf::TensorType::kQ8_0, gguf::TensorType::kQ4_0,
                                           gguf::TensorType::kF16};
    const test::TinyModel model{.layers = 1 + seed % 2,
                                .contextLength = 160,
                                .type = kTypes[seed % 3],
                                .seed = static_cast<std::uint32_t>(seed)};
    const int chunk = seed % 2 == 0 ? 16 : 5;
    const auto plain = make(model, Speculation::kOff, chunk);
    const auto always = make(model, Speculation::kAlways, chunk);
    const auto adaptive = make(model, Speculation::kAdaptive, chunk);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uint64_t reasons = 0;
    for (int job = 0; job < 60; ++job) {
      const JobLimits limits = randomLimits(random);
      const std::string prompt = randomPrompt(random);
      std::vector<Result> results;
      for (Engine* engine : {plain.get(), always.get(), adaptive.get()}) {
        if (job % 2 == 0) {
          results.push_back(run(*engine, GenerationRequest{1, prompt, limits}));
        } else {
          results.push_back(
              run(*engine, CompletionRequest{1, "a", "a.cpp", prompt, "the end\n", limits}));
        }
        addsUp(results.back().report);
      }
      compare(results[0], results[1]);
      compare(results[0], results[2]);
      reasons |= std::uint64_t{1} << static_cast<int>(results[0].report.reason);
    }
    QVERIFY(std::popcount(reasons) >= 4);  // the texts ended in several ways
    const EngineStats none = plain->stats(), some = always->stats();
    QCOMPARE(none.draftedTokens, std::uint64_t{0});
    QCOMPARE(none.decodeSteps, none.decodeTokens);
    QCOMPARE(some.decodeTokens, none.decodeTokens);
    QVERIFY(some.decodeSteps < none.decodeSteps);
    QVERIFY(some.acceptedTokens > 0 && some.acceptedTokens < some.draftedTokens);
  }

  // A state cannot be cut off where a draft was refused: it is gone through again from where it was
  // kept. Texts are the same all the same, also where a prompt that was kept is gone on with.
  void textsOfRecurrentLayersAreTheSame_data() {
    QTest::addColumn<QString>("label");
    for (const char* label : {"qwen35", "qwen35moe", "qwen3next", "granitehybrid"})
      QTest::newRow(label) << QString(label);
  }
  void textsOfRecurrentLayersAreTheSame() {
    QFETCH(QString, label);
    const std::string path = folder_.filePath("recurrent.gguf").toStdString();
    const auto tiny = test::tinyArchitecture(label.toStdString());
    QVERIFY(test::makeTinyArchitecture(tiny).write(path).has_value());
    const auto engineOf = [&](Speculation speculation, int chunk) {
      auto compiled = CompiledModel::load(path, {.threads = 1, .chunk = chunk});
      if (!compiled) qFatal("%s", compiled.error().message().c_str());
      return std::move(*Engine::make(std::move(*compiled), {.speculation = speculation}));
    };
    const auto plain = engineOf(Speculation::kOff, 16), always = engineOf(Speculation::kAlways, 16),
               other = engineOf(Speculation::kAlways, 5);
    std::mt19937 random(5);
    std::string prompt;
    for (int job = 0; job < 40; ++job) {
      JobLimits limits = randomLimits(random);
      prompt = job % 4 == 0 ? randomPrompt(random) : prompt + " int";
      std::vector<Result> results;
      for (Engine* engine : {plain.get(), always.get(), other.get()}) {
        results.push_back(run(*engine, GenerationRequest{1, prompt, limits}));
        addsUp(results.back().report);
      }
      QCOMPARE(results[1].text, results[0].text);
      QCOMPARE(results[2].text, results[0].text);
      QCOMPARE(results[1].report.reason, results[0].report.reason);
      QCOMPARE(results[1].report.outputTokens, results[0].report.outputTokens);
    }
    const EngineStats some = always->stats();
    QVERIFY(some.acceptedTokens < some.draftedTokens);
    if (label == "qwen3next") return;  // this one never repeats itself
    QVERIFY(some.acceptedTokens > 0 && some.decodeSteps < plain->stats().decodeSteps);
  }

  // Drafts of one client's documents reach its jobs.
  void documentsAreDraftedFrom() {
    const test::TinyModel model{.contextLength = 512, .seed = 4};
    const auto plain = make(model, Speculation::kOff);
    // Warm enough not to repeat itself.
    const JobLimits limits{.maxTokens = 120, .sampling = {.temperature = 1, .seed = 3}};
    const Result written = run(*plain, GenerationRequest{1, "for", limits});
    const auto always = make(model, Speculation::kAlways);
    run(*always, GenerationRequest{1, "for", limits});  // the prompt is cached from here on
    const Result before = run(*always, GenerationRequest{1, "for", limits});
    always->documentChanged(1, "a", written.text);
    // The worker reads it once it is idle; how soon is its own affair.
    Result after;
    const auto hasRead = [&] {
      after = run(*always, GenerationRequest{1, "for", limits});
      compare(before, after);
      return after.report.acceptedTokens > before.report.acceptedTokens;
    };
    QVERIFY(QTest::qWaitFor(hasRead, 30'000));
    const Result stranger = run(*always, GenerationRequest{2, "for", limits});
    QCOMPARE(stranger.report.acceptedTokens, before.report.acceptedTokens);
    always->documentClosed(1, "a");
    always->clientLeft(1);
  }

  void aRequestMayDoWithout() {
    const auto always = make({.contextLength = 256, .seed = 7}, Speculation::kAlways);
    JobLimits limits{.maxTokens = 100};
    const Result drafted = run(*always, GenerationRequest{1, "for for for", limits});
    QVERIFY(drafted.report.draftedTokens > 0);
    limits.speculation = false;
    const Result plain = run(*always, GenerationRequest{1, "for for for", limits});
    QCOMPARE(plain.report.draftedTokens, 0);
    QCOMPARE(plain.report.decodeSteps, plain.report.decodeTokens);
    QCOMPARE(plain.text, drafted.text);
  }

  // Both accepted and rejected tokens must be gone from the cache, or the next job that finds it
  // would differ.
  void theCacheHoldsWhatWasSaid() {
    const test::TinyModel model{.contextLength = 256, .seed = 12};
    const auto always = make(model, Speculation::kAlways);
    const auto plain = make(model, Speculation::kOff);
    std::string prompt = "int x";
    for (int i = 0; i < 8; ++i) {
      const JobLimits limits{
          .maxTokens = 5 + i,
          .sampling = {.temperature = 0.3f, .seed = static_cast<std::uint64_t>(i)}};
      const Result a = run(*plain, GenerationRequest{1, prompt, limits});
      const Result b = run(*always, GenerationRequest{1, prompt, limits});
      compare(a, b);
      if (i > 0) QVERIFY(b.report.cachedTokens > 0);
      prompt += a.text;
    }
  }

  void ratesCountTokensByTheTimeOfTheirSteps() {
    JobReport report;
    QVERIFY(!report.hostTokensPerSecond() && !report.waferTokensPerSecond(1e9));
    report.decodeSteps = 2;
    report.decodeTokens = 6;
    report.decodeMs = 3;
    report.waferDecodeCycles = 1000;
    QCOMPARE(*report.hostTokensPerSecond(), 2000.0);
    QCOMPARE(*report.waferTokensPerSecond(1e9), 6e6);
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestSpeculation)
#include "test_speculation.moc"
