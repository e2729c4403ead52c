// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <cmath>
#include <future>
#include <thread>

#include "runtime/grammar/gbnf.h"
#include "runtime/inference/engine/engine.h"
#include "runtime/inference/engine/reading_pace.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

namespace {

constexpr auto kPatience = std::chrono::seconds(60);

// The outcome of one job. Shared with its callbacks, which may come late.
struct Outcome {
  std::atomic<bool> begun{false};
  std::atomic<int> pieces{0};
  std::string text;  // to be read after `done`, as is the next
  int place = 0;     // among all that ended
  std::promise<JobReport> done;
};

struct Submitted {
  JobId id = 0;
  std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>();
  std::future<JobReport> report = outcome->done.get_future();

  JobCallbacks callbacks() const {
    return {.onText =
                [o = outcome](std::string text) {
                  o->text += text;
                  o->pieces += 1;
                },
            .onDone =
                [o = outcome](const JobReport& report) {
                  static std::atomic<int> ended{0};
                  o->place = ++ended;
                  o->done.set_value(report);
                },
            .onBegin = [o = outcome] { o->begun = true; }};
  }
  JobReport wait() {
    if (report.wait_for(kPatience) != std::future_status::ready) qFatal("the job never ended");
    return report.get();
  }
};

bool isUtf8(const std::string& text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toUtf8() ==
         QByteArray::fromStdString(text);
}

}  // namespace

class TestEngine : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<Engine> engine_;

  std::unique_ptr<Engine> make(const test::TinyModel& model, int threads = 1, int batch = 8) {
    const std::string path = folder_.filePath("model.gguf").toStdString();
    if (!test::writeTinyModel(path, model)) qFatal("cannot write %s", path.c_str());
    auto compiled = CompiledModel::load(path, {.threads = threads, .chunk = 16});
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    return std::move(*Engine::make(std::move(*compiled), {.batch = batch}));
  }
  Submitted generate(const std::string& prompt, int maxTokens, ClientId client = 1,
                     SamplingOptions sampling = {}) {
    Submitted job;
    job.id = engine_->submit(
        GenerationRequest{client, prompt, {.maxTokens = maxTokens, .sampling = sampling}},
        job.callbacks());
    return job;
  }
  Submitted complete(const std::string& document, const std::string& prefix, int maxTokens,
                     ClientId client = 1) {
    Submitted job;
    job.id = engine_->submit(
        CompletionRequest{client, document, "a.cpp", prefix, "}\n", {.maxTokens = maxTokens}},
        job.callbacks());
    return job;
  }
  // Long enough to be interrupted: nothing is drafted.
  Submitted longGeneration(ClientId client = 1) {
    Submitted job;
    job.id =
        engine_->submit(GenerationRequest{client, "for", {.maxTokens = 3000, .speculation = false}},
                        job.callbacks());
    return job;
  }
  static void await(const std::function<bool()>& condition) {
    const auto end = Clock::now() + kPatience;
    while (!condition()) {
      QVERIFY(Clock::now() < end);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private slots:
  void init() { engine_ = make({.contextLength = 4096, .seed = 7}); }
  void cleanup() { engine_.reset(); }

  void aGenerationEndsWithItsReport() {
    Submitted job = generate("int main", 20);
    const JobReport report = job.wait();
    QVERIFY(report.reason == StopReason::kMaxTokens || report.reason == StopReason::kEndOfText);
    QCOMPARE(report.inputTokens > 0, true);
    QVERIFY(report.outputTokens >= 1 && report.outputTokens <= 20);
    QCOMPARE(report.decodeTokens, report.outputTokens - 1);
    QCOMPARE(report.decodeSteps, report.decodeTokens - report.acceptedTokens);
    QVERIFY(report.firstTokenMs > 0 && report.totalMs >= report.firstTokenMs);
    QVERIFY(report.waferCycles >= report.waferFirstTokenCycles);
    QCOMPARE(report.waferCycles - report.waferFirstTokenCycles, report.waferDecodeCycles);
    QVERIFY(isUtf8(job.outcome->text));
  }

  // Whatever runs beside it, and however the prompt is cut into chunks or found in the cache.
  void aTextDoesNotDependOnItsNeighbors() {
    const std::string prompt(100, 'f');
    Submitted alone = generate(prompt, 40);
    alone.wait();
    std::vector<Submitted> crowd;
    for (int i = 0; i < 6; ++i) crowd.push_back(complete("d" + std::to_string(i), "if (", 10, 2));
    Submitted again = generate(prompt, 40);
    for (Submitted& job : crowd) job.wait();
    again.wait();
    QCOMPARE(again.outcome->text, alone.outcome->text);

    engine_ = make({.contextLength = 4096, .seed = 7}, 2);
    Submitted threaded = generate(prompt, 40);
    threaded.wait();
    QCOMPARE(threaded.outcome->text, alone.outcome->text);
  }

  void aSeedMakesSamplingRepeatable() {
    const SamplingOptions sampling{.temperature = 1, .seed = 42};
    Submitted a = generate("x", 50, 1, sampling), b = generate("x", 50, 1, sampling);
    a.wait();
    b.wait();
    QCOMPARE(a.outcome->text, b.outcome->text);
    QVERIFY(isUtf8(a.outcome->text));  // random bytes come out as characters all the same
  }

  void oneMoreKeyCostsFewTokens() {
    const std::string text(300, 'k');
    complete("a", text, 1).wait();
    const JobReport report = complete("a", text + "z", 1).wait();
    QVERIFY(report.inputTokens - report.cachedTokens <= 3 + 2);  // PSM: the suffix moves
    QVERIFY(report.cachedTokens > 250);
  }

  void whatWasReadAheadIsKnown() {
    const std::string text(300, 'k');
    Submitted ahead;
    CompletionRequest request{1, "a", "a.cpp", text, "}\n", {.maxTokens = 20}};
    request.ahead = true;
    ahead.id = engine_->submit(std::move(request), ahead.callbacks());
    const JobReport read = ahead.wait();
    QVERIFY(read.reason == StopReason::kMaxTokens);
    QCOMPARE(read.outputTokens, 0);
    QVERIFY(ahead.outcome->text.empty());
    const JobReport report = complete("a", text + "z", 1).wait();
    QVERIFY(report.cachedTokens > 250);
    // It ends no completion that is under way; the next one ends it.
    Submitted asked = complete("b", "while", 50);
    CompletionRequest beside{1, "b", "a.cpp", text, "}\n", {}};
    beside.ahead = true;
    Submitted again;
    again.id = engine_->submit(std::move(beside), again.callbacks());
    QVERIFY(asked.wait().reason != StopReason::kCancelled);
    again.wait();
  }

  // Tokens that are read within a moment.
  void aPaceIsMeasured() {
    ReadingPace pace(500'000'000);
    QVERIFY(pace.isSlow(2000) && !pace.isSlow(100));
    QCOMPARE(pace.soon(), std::size_t{64});
    pace.add(4, 1000);  // says nothing
    QCOMPARE(pace.soon(), std::size_t{64});
    pace.add(256, 128);  // 2000 a second
    QVERIFY(!pace.isSlow(450) && pace.isSlow(550));
    QCOMPARE(pace.soon(), std::size_t{512});
    pace.add(256, 160);
    QCOMPARE(pace.soon(), std::size_t{512});
    QVERIFY(!ReadingPace(0).isSlow(100'000));
  }

  void aCompletionInterruptsAGeneration() {
    Submitted background = longGeneration();
    await([&] { return background.outcome->pieces.load() > 2; });
    Submitted interactive = complete("a", "int ", 5);
    interactive.wait();
    engine_->cancel(background.id);
    background.wait();
    QVERIFY(interactive.outcome->place < background.outcome->place);
  }

  void cancellingEndsARunningJobAtOnce() {
    Submitted job = longGeneration();
    await([&] { return job.outcome->pieces.load() > 2; });
    engine_->cancel(job.id);
    const JobReport report = job.wait();
    QVERIFY(report.reason == StopReason::kCancelled);
    QVERIFY(report.outputTokens < 3000);
    QCOMPARE(engine_->queue(), QueueDepth{});
  }

  void cancellingEndsAJobThatWaits() {
    engine_ = make({.contextLength = 4096, .seed = 7}, 1, 1);
    Submitted running = longGeneration();
    await([&] { return running.outcome->begun.load(); });
    Submitted waiting = longGeneration();
    engine_->cancel(waiting.id);
    QVERIFY(waiting.wait().reason == StopReason::kCancelled);
    QVERIFY(!waiting.outcome->begun);
    engine_->cancel(running.id);
    running.wait();
  }

  void aNewerCompletionReplacesTheOlderOfItsDocument() {
    Submitted old = complete("a", "while", 3000);
    await([&] { return old.outcome->pieces.load() > 0; });
    Submitted other = complete("b", "while", 5);
    Submitted fresh = complete("a", "whilex", 5);
    QVERIFY(old.wait().reason == StopReason::kCancelled);
    QVERIFY(fresh.wait().reason != StopReason::kCancelled);
    QVERIFY(other.wait().reason != StopReason::kCancelled);
  }

  void aDocumentThatMovesOnMakesAWaitingCompletionStale() {
    engine_ = make({.contextLength = 4096, .seed = 7}, 1, 1);
    Submitted running = complete("a", "while", 3000);
    await([&] { return running.outcome->begun.load(); });
    Submitted waiting = complete("b", "x", 5);
    engine_->documentChanged(1, "b", "x");
    QVERIFY(waiting.wait().reason == StopReason::kStale);
    engine_->documentChanged(1, "a", "while x");  // it has begun: the client decides
    engine_->cancel(running.id);
    QVERIFY(running.wait().reason == StopReason::kCancelled);
  }

  void aLineLimitEndsTheTextBeforeTheLineEnd() {
    SamplingOptions sampling{.temperature = 2, .seed = 5};
    for (int lines = 1; lines <= 3; ++lines) {
      Submitted job;
      job.id = engine_->submit(
          GenerationRequest{1, "x", {.maxTokens = 3000, .maxLines = lines, .sampling = sampling}},
          job.callbacks());
      const JobReport report = job.wait();
      if (report.reason != StopReason::kMaxLines) continue;  // the random model ended its text
      int written = 0;
      for (const QString& line : QString::fromStdString(job.outcome->text).split('\n'))
        written += !line.trimmed().isEmpty();
      QCOMPARE(written, lines);
      QVERIFY(!job.outcome->text.ends_with('\n'));
    }
  }

  void aPromptThatLeavesNoRoomIsRefused() {
    engine_ = make({.contextLength = 64});
    Submitted job = generate(std::string(64, '%'), 5);
    const JobReport report = job.wait();
    QVERIFY(report.reason == StopReason::kInputTooLong);
    QVERIFY(report.error.what.find("64") != std::string::npos);
    QCOMPARE(report.outputTokens, 0);
  }

  void aFullContextEndsAText() {
    engine_ = make({.contextLength = 64, .seed = 7});
    const JobReport report = generate("for", 3000).wait();
    if (report.reason != StopReason::kEndOfText) {
      QVERIFY(report.reason == StopReason::kContextFull);
      QCOMPARE(report.inputTokens + report.outputTokens, 65);  // the last one is not fed
    }
  }

  void anEmptyPromptIsContinuedToo() {
    QVERIFY(generate("", 5).wait().outputTokens > 0);
    QVERIFY(complete("a", "", 5).wait().outputTokens > 0);
  }

  void stoppingEndsEveryJobOnce() {
    std::vector<Submitted> jobs;
    for (int i = 0; i < 8; ++i) jobs.push_back(longGeneration(i));
    engine_->stop();
    for (Submitted& job : jobs) QVERIFY(job.wait().reason == StopReason::kCancelled);
    Submitted late = generate("x", 5);
    QVERIFY(late.wait().reason == StopReason::kCancelled);
  }

  void statisticsAddUp() {
    const JobReport report = generate("int main", 10).wait();
    const EngineStats stats = engine_->stats();
    QCOMPARE(stats.generations, std::uint64_t{1});
    QCOMPARE(stats.outputTokens, static_cast<std::uint64_t>(report.outputTokens));
    QCOMPARE(stats.prefillTokens, static_cast<std::uint64_t>(report.inputTokens));
    QCOMPARE(stats.decodeSteps, static_cast<std::uint64_t>(report.decodeSteps));
    QCOMPARE(stats.decodeTokens, static_cast<std::uint64_t>(report.decodeTokens));
    QCOMPARE(stats.draftedTokens, static_cast<std::uint64_t>(report.draftedTokens));
    QCOMPARE(stats.acceptedTokens, static_cast<std::uint64_t>(report.acceptedTokens));
    QCOMPARE(stats.waferDecodeCycles, report.waferDecodeCycles);
    QVERIFY(stats.shownJob != 0);
    QCOMPARE(stats.shown.waferFirstTokenCycles, report.waferFirstTokenCycles);
    QCOMPARE(stats.shown.waferDecodeCycles, report.waferDecodeCycles);
    QCOMPARE(stats.shown.decodeTokens, report.decodeTokens);
    QCOMPARE(stats.shown.contextUsed, report.contextUsed);
  }

  void aConversationIsWrittenAsTheTemplateSays() {
    // The tiny vocabulary has no markers: they are text.
    gguf::Writer writer = test::makeTinyModel({.layers = 1, .contextLength = 512});
    writer.addString("tokenizer.chat_template", "<|im_start|>");
    const std::string path = folder_.filePath("chat.gguf").toStdString();
    QVERIFY(writer.write(path).has_value());
    auto engine = *Engine::make(*CompiledModel::load(path, {.threads = 1}));
    QVERIFY(engine->model().card().chat == ChatStyle::kChatMl);
    const auto run = [&](GenerationRequest request) {
      Submitted job;
      job.id = engine->submit(std::move(request), job.callbacks());
      const JobReport report = job.wait();
      return std::pair(report, job.outcome->text);
    };
    const auto chat = run({1, "", {.maxTokens = 20}, {{ChatRole::kUser, "Hi"}}});
    const auto text =
        run({1, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", {.maxTokens = 20}});
    QCOMPARE(chat.first.inputTokens, text.first.inputTokens);
    QCOMPARE(chat.second, text.second);
  }

  void aGrammarThatTheModelCannotGoOnWithIsAFailureWithARemedy() {
    auto grammar = grammar::parseGbnf("root ::= \"a\"");
    const auto trie = std::make_shared<const TokenTrie>(engine_->model().tokenizer());
    SamplingOptions sampling;
    sampling.grammar =
        std::make_shared<const TokenGrammar>(TokenGrammar{std::move(*grammar), trie});
    sampling.bias = {{'a', -INFINITY}};
    Submitted job = generate("x", 5, 1, sampling);
    const JobReport report = job.wait();
    QVERIFY(report.reason == StopReason::kGrammarStuck);
    QVERIFY(!report.error.what.empty() && !report.error.remedy.empty());
    QVERIFY(job.outcome->text.empty());
    sampling.bias.clear();
    Submitted good = generate("x", 5, 1, sampling);
    QVERIFY(good.wait().reason == StopReason::kEndOfText);
    QCOMPARE(good.outcome->text, std::string("a"));
  }

  // Many threads, many jobs, every one ended once: for the thread sanitizer above all.
  void jobsFromManyThreadsAllEnd() {
    std::atomic<int> ended{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 25; ++i) {
          const JobId id =
              engine_->submit(CompletionRequest{static_cast<ClientId>(t),
                                                "d" + std::to_string(i % 3),
                                                "",
                                                std::string(static_cast<size_t>(i), 'a'),
                                                "",
                                                {.maxTokens = 4}},
                              {.onText = [](std::string) {},
                               .onDone = [&](const JobReport&) { ++ended; },
                               .onBegin = nullptr});
          if (i % 5 == 0) engine_->cancel(id);
          if (i % 7 == 0) engine_->documentChanged(static_cast<ClientId>(t), "d1", "for the int");
          engine_->stats();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    await([&] { return ended.load() == 100; });
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestEngine)
#include "test_engine.moc"
