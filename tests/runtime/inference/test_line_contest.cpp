// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that compete, with the default model: their scores are what they are alone, to the bit, the
// winner is never less likely than the line that is written token by token, and neither other jobs
// nor a cache that is short of memory gets in the way.
#include <QtTest>
#include <cmath>
#include <future>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/engine/line_contest.h"
#include "runtime/inference/engine/sequence.h"
#include "runtime/inference/output/calibration.h"
#include "tests/support/paths.h"

namespace waferpair::inference {
namespace {

constexpr const char* kAbove =
    "#include <vector>\n\n"
    "int countLongWords(const std::vector<std::string>& words, int limit);\n"
    "int countShortWords(const std::vector<std::string>& words, int limit);\n\n"
    "int main() {\n  std::vector<std::string> words = read();\n"
    "  for (const std::string& word : words) {\n"
    "    if (word.size() > 4) ++count;\n  }\n"
    "  std::cout << countLongWords(words, 1);\n  std::cout << countShortWords(words, 2);\n";
// The beginnings of the line behind that.
constexpr std::array kBegun = {"  ",      "  std::",  "  std::cout << cou",
                               "  for (", "  return", "  if (words."};

std::unique_ptr<CompiledModel> loadDefaultModel(CompileOptions options = {}) {
  auto model =
      CompiledModel::load(test::sourceDir() + "/resources/models/waferpair-mini.gguf", options);
  if (!model) qFatal("%s", model.error().message().c_str());
  return std::move(*model);
}

struct LineAnswer {
  std::string text;
  JobReport report;
};

std::future<LineAnswer> ask(Engine& engine, CompletionRequest request) {
  struct Outcome {
    std::string text;
    std::promise<LineAnswer> done;
  };
  const auto outcome = std::make_shared<Outcome>();
  engine.submit(std::move(request),
                {.onText = [outcome](std::string text) { outcome->text += text; },
                 .onDone =
                     [outcome](const JobReport& report) {
                       outcome->done.set_value({outcome->text, report});
                     },
                 .onBegin = {}});
  return outcome->done.get_future();
}

CompletionRequest lineRequest(const char* begun, int lines, int alternative = 0) {
  return {.client = 1,
          .document = "a",
          .fileName = "words.cpp",
          .prefix = std::string(kAbove) + begun,
          .suffix = "\n}\n",
          .limits = {.maxTokens = 32, .maxLines = 1},
          .alternative = alternative,
          .lines = lines};
}

LineAnswer answerOf(std::future<LineAnswer> answer) {
  if (answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
    qFatal("the job never ended");
  return answer.get();
}

double rawProbability(const LineAnswer& answer, const char* begun) {
  return uncalibrated(placeKind(begun), answer.report.probability.value());
}

}  // namespace

class TestLineContest : public QObject {
  Q_OBJECT

  std::unique_ptr<Engine> engine_ = std::move(*Engine::make(loadDefaultModel()));

 private slots:
  // Lanes share the prompt and a step; a line alone is fed token by token behind a prompt of its
  // own.
  void aScoreIsWhatItIsAlone() {
    const auto model = loadDefaultModel();
    const tokenizer::Tokenizer& tokenizer = model->tokenizer();
    const auto endings = lineEndings(tokenizer);
    auto pool = SequencePool::make(model->config(), 512, tensor::KvFormat::kF16, 16 << 20);
    QVERIFY(pool.has_value());
    const auto prompt = tokenizer.encode(std::string(kAbove) + "  std::cout <<");
    const auto feedPrompt = [&](Sequence& sequence, Sampler* sampler) {
      sequence.setPrompt(prompt);
      while (!sequence.pending().empty()) {
        const auto rows = std::min<std::size_t>(sequence.pending().size(), 32);
        const bool last = rows == sequence.pending().size();
        QVERIFY(model->step(sequence.pending().first(rows), sequence.kv(), last ? sampler : nullptr)
                    .has_value());
      }
    };
    std::vector<ContestedLine> lines;
    for (int rank = 0; rank < 4; ++rank) {
      Sequence* sequence = pool->take(prompt);
      LineContest contest(tokenizer, endings, {}, {.lanes = 6, .rank = rank, .mostTokens = 24},
                          [&] { return pool->newCache(); });
      feedPrompt(*sequence, &contest.root());
      contest.begin(sequence->kv());
      std::vector<CompiledModel::SequenceStep> steps;
      while (!contest.decided()) {
        steps.clear();
        contest.next(rank % 2 == 0 ? 32 : 4, steps);  // a round in one step or in several
        QVERIFY(contest.makeRoom().has_value());
        QVERIFY(model->step(steps).has_value());
        contest.take();
      }
      lines.push_back(contest.line());
      pool->release(sequence);
    }
    for (std::size_t rank = 0; rank < lines.size(); ++rank) {
      const ContestedLine& line = lines[rank];
      QVERIFY(line.ended);
      if (rank > 1) QVERIFY(line.logProbability <= lines[rank - 1].logProbability);
      auto alone = *SequencePool::make(model->config(), 512, tensor::KvFormat::kF16, 16 << 20);
      Sequence* sequence = alone.take(prompt);
      auto sampler = std::make_unique<LineSampler>(TokenRules(), endings, 8192);
      feedPrompt(*sequence, sampler.get());
      std::string text;
      double logProbability = 0;
      for (std::size_t i = 0; i < line.tokens.size(); ++i) {
        const std::int32_t token = line.tokens[i];
        Continuation found = sampler->ending();
        if (i + 1 < line.tokens.size()) {
          found = *std::ranges::find(sampler->continuations(), token, &Continuation::token);
          text += tokenizer.bytes(token);
        }
        QCOMPARE(token, found.token);
        QCOMPARE(line.probabilities[i], std::exp(found.logProbability));
        logProbability += found.logProbability;
        sequence->append(token);
        sampler = std::make_unique<LineSampler>(TokenRules(), endings, 8192);
        QVERIFY(model->step(sequence->pending(), sequence->kv(), sampler.get()).has_value());
      }
      QCOMPARE(line.text, text);
      QCOMPARE(line.logProbability, logProbability);
    }
  }

  void theWinnerIsAtLeastAsLikelyAsTokenByToken_data() {
    QTest::addColumn<QString>("begun");
    for (const char* begun : kBegun) QTest::newRow(begun) << QString(begun);
  }
  void theWinnerIsAtLeastAsLikelyAsTokenByToken() {
    QFETCH(QString, begun);
    const std::string bytes = begun.toStdString();
    const LineAnswer alone = answerOf(ask(*engine_, lineRequest(bytes.c_str(), 0)));
    QVERIFY(!alone.text.empty());
    double before = 0;
    for (const int lines : {2, 4, 8}) {
      const LineAnswer best = answerOf(ask(*engine_, lineRequest(bytes.c_str(), lines)));
      QVERIFY(!best.text.empty());
      QCOMPARE(best.text.find('\n'), std::string::npos);
      const double probability = rawProbability(best, bytes.c_str());
      // The line's end may be spelled in several ways, of which one is counted there.
      QVERIFY(probability >= *alone.report.probability);
      if (best.text != alone.text)
        QVERIFY(probability >= LineContest::kClearly * *alone.report.probability);
      before = std::max(before, probability);
    }
    QVERIFY(before <= 1);
  }

  // So the alternatives go on from what is shown.
  void runnersUpAreOtherLinesInTheirOrder() {
    for (const char* begun : kBegun) {
      std::vector<std::string> texts;
      double before = 1;
      for (int alternative = 0; alternative < 4; ++alternative) {
        const LineAnswer line = answerOf(ask(*engine_, lineRequest(begun, 8, alternative)));
        QVERIFY(std::ranges::find(texts, line.text) == texts.end());
        texts.push_back(line.text);
        const double probability = rawProbability(line, begun);
        // The first may be the one that is written token by token, if no other is clearly likelier.
        const double most = alternative == 1 ? LineContest::kClearly * before : before;
        QVERIFY(probability <= most * (1 + 1e-9));
        before = probability;
      }
    }
  }

  // There may be more ranks than lines.
  void aRankThatNoLineHasGivesNothing() {
    CompletionRequest request = lineRequest("  return", 2, 15);
    request.limits.maxTokens = 1;
    const LineAnswer none = answerOf(ask(*engine_, std::move(request)));
    QCOMPARE(none.text, std::string());
    QCOMPARE(none.report.reason, StopReason::kEndOfText);
    QVERIFY(!none.report.probability.has_value());
  }

  // What follows the first line is written as ever.
  void furtherLinesFollow() {
    CompletionRequest request = lineRequest("  while (", 8);
    const LineAnswer first = answerOf(ask(*engine_, request));
    request.limits.maxLines = 3;
    const LineAnswer three = answerOf(ask(*engine_, request));
    QVERIFY(three.text.starts_with(first.text + "\n"));
    QVERIFY(std::ranges::count(three.text, '\n') >= 2);
    QCOMPARE(three.report.reason, StopReason::kMaxLines);
  }

  // Where something else than the likeliest is asked for, lines do not compete.
  void samplingIsLeftAlone() {
    for (const int which : {0, 1, 2}) {
      CompletionRequest request = lineRequest("  ", 0);
      if (which == 0) request.limits.sampling = {.temperature = 1, .seed = 5};
      if (which == 1) request.limits.sampling.repetitionPenalty = 1.2F;
      if (which == 2) request.limits.sampling.bias = {{'r', 3.0F}};
      const LineAnswer plain = answerOf(ask(*engine_, request));
      request.lines = 8;
      const LineAnswer same = answerOf(ask(*engine_, request));
      QCOMPARE(same.text, plain.text);
      QCOMPARE(same.report.probability.value(), plain.report.probability.value());
    }
  }

  void otherJobsInTheStepChangeNothing() {
    std::vector<LineAnswer> alone;
    for (const char* begun : kBegun)
      alone.push_back(answerOf(ask(*engine_, lineRequest(begun, 8))));
    std::vector<std::future<LineAnswer>> together;
    for (std::size_t i = 0; i < kBegun.size(); ++i) {
      CompletionRequest request = lineRequest(kBegun[i], 8);
      request.document = std::string(1, static_cast<char>('a' + i));
      together.push_back(ask(*engine_, std::move(request)));
    }
    for (std::size_t i = 0; i < kBegun.size(); ++i) {
      const LineAnswer answer = answerOf(std::move(together[i]));
      QCOMPARE(answer.text, alone[i].text);
      QCOMPARE(answer.report.probability.value(), alone[i].report.probability.value());
    }
  }

  // Two sequences' worth of memory, one of which another job holds: that is set aside, or lines
  // are given up, but no job fails.
  void aCacheThatIsShortOfMemoryFailsNobody() {
    auto engine = std::move(*Engine::make(loadDefaultModel({.context = 256, .sequences = 2})));
    auto text = std::make_shared<std::promise<JobReport>>();
    auto ended = text->get_future();
    engine->submit(GenerationRequest{2, kAbove, {.maxTokens = 64}},
                   {.onText = [](const std::string&) {},
                    .onDone = [text](const JobReport& report) { text->set_value(report); },
                    .onBegin = nullptr});
    std::vector<std::future<LineAnswer>> asked;
    for (std::size_t i = 0; i < 4; ++i) {
      CompletionRequest request = lineRequest(kBegun[i], 16);
      request.document = std::string(1, static_cast<char>('a' + i));
      asked.push_back(ask(*engine, std::move(request)));
    }
    for (auto& answer : asked)
      QCOMPARE(answerOf(std::move(answer)).report.reason, StopReason::kMaxLines);
    QCOMPARE(ended.wait_for(std::chrono::seconds(60)), std::future_status::ready);
    QVERIFY(endsText(ended.get().reason));
  }

  // The likelier, the more certain; and what is asked for in certainties is found again.
  void certaintyRisesWithProbability() {
    for (const char* begun : {"\n  ", "a.", "a->", "a::", "word", "f("}) {
      const PlaceKind place = placeKind(begun);
      double before = 0;
      for (int i = 0; i <= 100; ++i) {
        const double certainty = calibrated(place, i / 100.0);
        QVERIFY(i == 0 ? certainty == 0 : certainty > before);
        QVERIFY(std::abs(uncalibrated(place, certainty) - i / 100.0) < 1e-9);
        before = certainty;
      }
      QCOMPARE(before, 1.0);
    }
    QCOMPARE(placeKind("x\n\t "), PlaceKind::kLineStart);
    QCOMPARE(placeKind("a->"), PlaceKind::kMember);
    QCOMPARE(placeKind("a_1"), PlaceKind::kWord);
    QCOMPARE(placeKind("a >"), PlaceKind::kElsewhere);
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestLineContest)
#include "test_line_contest.moc"
