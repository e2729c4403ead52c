// SPDX-License-Identifier: GPL-3.0-or-later
// How each token of a completion came about, as the default model's jobs report it.
#include <QtTest>
#include <cmath>
#include <future>

#include "runtime/inference/engine/engine.h"
#include "tests/support/paths.h"

namespace waferpair::inference {
namespace {

const char kBefore[] =
    "int countLongWords(const std::vector<std::string>& words, int limit);\n"
    "\n"
    "void print(const std::vector<std::string>& words) {\n"
    "  std::cout << countLongWords(words, 5);\n"
    "  std::cout << countLongWords(words, 6);\n"
    "  std::cout << ";

}  // namespace

class TestTokenRecords : public QObject {
  Q_OBJECT

  std::unique_ptr<Engine> engine_;

  struct Answer {
    std::string text;
    JobReport report;
  };
  Answer complete(CompletionRequest request) {
    struct Outcome {
      std::string text;
      std::promise<JobReport> done;
    };
    const auto outcome = std::make_shared<Outcome>();
    auto done = outcome->done.get_future();
    engine_->submit(std::move(request),
                    {.onText = [outcome](std::string text) { outcome->text += text; },
                     .onDone = [outcome](const JobReport& r) { outcome->done.set_value(r); },
                     .onBegin = {}});
    if (done.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
      qFatal("the job never ended");
    return {outcome->text, done.get()};
  }
  static CompletionRequest request(bool records, int lines, double least = 0) {
    return {.client = 1,
            .document = "a",
            .fileName = "words.cpp",
            .prefix = kBefore,
            .suffix = "\n}\n",
            .limits = {.maxTokens = 24, .maxLines = 2, .minProbability = least, .records = records},
            .lines = lines};
  }
  std::string bytesOf(const JobReport& report) const {
    std::string bytes;
    for (const TokenRecord& record : report.records)
      if (!engine_->model().tokenizer().isEnd(record.token))
        bytes += engine_->model().tokenizer().bytes(record.token);
    return bytes;
  }

 private slots:
  void initTestCase() {
    const std::string path = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
    auto model = CompiledModel::load(path);
    QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
    engine_ = std::move(*Engine::make(std::move(*model)));
  }

  void nobodyIsToldWhoDoesNotAsk() { QVERIFY(complete(request(false, 1)).report.records.empty()); }

  void eachTokenOfTheOutputHasARecord_data() {
    QTest::addColumn<int>("lines");
    QTest::newRow("token by token") << 1;
    QTest::newRow("lines that compete") << 6;
  }
  void eachTokenOfTheOutputHasARecord() {
    QFETCH(int, lines);
    const Answer plain = complete(request(false, lines));
    const auto [text, report] = complete(request(true, lines));
    QCOMPARE(text, plain.text);  // watching changes nothing
    QVERIFY(!text.empty());
    QCOMPARE(std::ssize(report.records), report.outputTokens);
    QVERIFY2(bytesOf(report).substr(report.typedBytes).starts_with(text), bytesOf(report).c_str());
    std::uint64_t cycles = 0;
    int drafted = 0;
    bool contested = false, lifted = false;
    for (const TokenRecord& record : report.records) {
      const Considered& known = record.considered;
      for (std::size_t i = 0; i + 1 < known.likeliest.size(); ++i)
        QVERIFY(known.likeliest[i].probability >= known.likeliest[i + 1].probability);
      const auto own = std::ranges::find(known.likeliest, record.token, &Alternative::token);
      // Endings of a line count together, so one alone is less likely.
      if (own != known.likeliest.end()) QVERIFY(own->probability <= known.probability + 1e-5F);
      QVERIFY(known.probability > 0 && known.probability <= 1.0001F);
      QVERIFY(record.row >= 0 && record.row < record.step.context.tokens);
      drafted += record.drafted;
      contested = contested || record.contested;
      lifted = lifted || known.probability > 2 * known.network;
      if (record.step.context.tokens - record.step.context.drafted == 1) {
        // The step can be charged again.
        const auto steps = engine_->model().program().replay(record.step.context);
        QVERIFY(!steps.empty() && steps.front().cycles > 0);
        cycles += steps.front().cycles;
      }
    }
    QCOMPARE(drafted, report.acceptedTokens);
    QCOMPARE(contested, lines > 1);
    QVERIFY(lifted);  // the name was copied from the lines above
    QVERIFY(cycles > 0);
  }

  // Without drafts and a contest a step gives a token, and the steps take what the job took.
  void stepsChargedAgainTakeWhatTheJobTook() {
    CompletionRequest one = request(true, 1);
    one.limits.speculation = false;
    const JobReport report = complete(std::move(one)).report;
    std::uint64_t cycles = 0;
    for (std::size_t i = 1; i < report.records.size(); ++i) {
      const wafer::StepContext& context = report.records[i].step.context;
      QCOMPARE(context.tokens, 1);
      QCOMPARE(context.context, report.records[1].step.context.context + static_cast<int>(i) - 1);
      cycles += engine_->model().program().cycles(context);
    }
    QCOMPARE(cycles, report.waferDecodeCycles);
  }

  // The typed part of a word is written anew: its bytes come before the text.
  void typedBytesAreCounted() {
    CompletionRequest begun = request(true, 1);
    begun.prefix += "countLo";
    const auto [text, report] = complete(std::move(begun));
    QVERIFY(report.typedBytes > 0);
    const std::string bytes = bytesOf(report);
    QVERIFY(std::string("countLo").ends_with(bytes.substr(0, report.typedBytes)));
    QVERIFY(bytes.substr(report.typedBytes).starts_with(text));
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestTokenRecords)
#include "test_token_records.moc"
