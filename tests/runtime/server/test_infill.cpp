// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/server/dialects/infill_request.h"
#include "runtime/server/dialects/infill_stream.h"

namespace waferpair::server {

namespace {

inference::ModelCard infillCard(bool copies) {
  inference::ModelCard card;
  card.name = "tiny";
  card.context = 4096;
  card.clockHz = 1e9;
  if (copies) card.copying.emplace();
  return card;
}

inference::JobReport infillReport(inference::StopReason reason) {
  inference::JobReport report;
  report.reason = reason;
  report.inputTokens = 50;
  report.cachedTokens = 30;
  report.outputTokens = 9;
  report.contextUsed = 58;
  report.prefillMs = 10;
  report.decodeSteps = report.decodeTokens = 8;
  report.decodeMs = 4;
  return report;
}

}  // namespace

class TestInfill : public QObject {
  Q_OBJECT

  const inference::ModelCard card_ = infillCard(false);

  static InfillRequest parsed(const Json& change = Json::object()) {
    Json body = {{"input_prefix", "a("}, {"input_suffix", ")\n"}};
    body.update(change);
    const auto infill = parseInfillBody(body.dump());
    if (!infill) qFatal("%s", infill.error().what.c_str());
    return *infill;
  }

 private slots:
  void whatIsMissingIsNotLimited() {
    const InfillRequest infill = parsed();
    QCOMPARE(infill.maxTokens, inference::JobLimits::kUpToContext);
    QCOMPARE(infill.mostPredicting.count(), std::int64_t{0});
    QCOMPARE(fillInJob(infill, card_, {}).limits.sampling.temperature, 0.0F);
    QVERIFY(!infill.stream);
    QVERIFY(infill.stop.empty());
  }

  void aMinusOneStandsForNoLimit() {
    const InfillRequest infill =
        parsed({{"n_predict", -1}, {"t_max_predict_ms", -1}, {"top_k", -1}, {"seed", -1}});
    QCOMPARE(infill.maxTokens, inference::JobLimits::kUpToContext);
    QCOMPARE(infill.mostPredicting.count(), std::int64_t{0});
    QCOMPARE(infill.sampling.topK, 0);
    QVERIFY(infill.sampling.seed <= (std::uint64_t{1} << 53));  // a random one
  }

  void theSamplingIsTakenOver() {
    const InfillRequest infill = parsed({{"temperature", 0.5},
                                         {"top_k", 40},
                                         {"top_p", 0.25},
                                         {"min_p", 0.125},
                                         {"seed", 7},
                                         {"repeat_penalty", 1.5}});
    QCOMPARE(infill.sampling.temperature, 0.5F);
    QCOMPARE(infill.sampling.topK, 40);
    QCOMPARE(infill.sampling.topP, 0.25F);
    QCOMPARE(infill.sampling.minP, 0.125F);
    QCOMPARE(infill.sampling.seed, std::uint64_t{7});
    QCOMPARE(infill.sampling.repetitionPenalty, 1.5F);
  }

  void theJobIsBetweenTheTwoTexts() {
    const auto job =
        fillInJob(parsed({{"prompt", "b, "}, {"n_predict", 0}, {"stop", {"x"}}}), card_, {});
    QCOMPARE(job.prefix, std::string("a(b, "));
    QCOMPARE(job.suffix, std::string(")\n"));
    QCOMPARE(job.limits.maxTokens, 0);
    QCOMPARE(job.limits.stop, std::vector<std::string>{"x"});
  }

  void extraPassagesAreCopiedFromOrReadInFront() {
    const InfillRequest infill =
        parsed({{"input_extra", {{{"filename", "b.py"}, {"text", "one\n"}}, {{"text", "two"}}}}});
    const std::string passages =
        "\n\n--- snippet ---\n\nb.py\none\n\n\n--- snippet ---\n\ntwo\n\n--- snippet ---\n\n";
    const auto copying = fillInJob(infill, infillCard(true), {});
    QCOMPARE(copying.prefix, std::string("a("));
    QCOMPARE(copying.below, passages);
    const auto reading = fillInJob(infill, card_, {});
    QCOMPARE(reading.prefix, passages + "a(");
    QCOMPARE(reading.below, std::string());
    QVERIFY(copying.files.empty() && reading.files.empty());
    // A model that was trained on several files has them as such.
    inference::ModelCard several = card_;
    several.prompt.severalFiles = true;
    const auto job = fillInJob(infill, several, {});
    QCOMPARE(job.prefix, std::string("a("));
    QCOMPARE(job.files.size(), std::size_t{2});
    QCOMPARE(job.files[0].fileName, std::string("b.py"));
    QCOMPARE(job.files[1].text, std::string("two"));
  }

  void ofTooManyExtraPassagesTheLastAreTaken() {
    const std::string half(20000, 'x');
    const InfillRequest infill =
        parsed({{"input_extra", {{{"text", "first " + half}}, {{"text", "last " + half}}}}});
    const std::string below = fillInJob(infill, infillCard(true), {}).below;
    QVERIFY(below.find("last x") != below.npos);
    QVERIFY(below.find("first") == below.npos);
  }

  void figuresAreThoseOfTheReport() {
    InfillStream stream(parsed(), card_);
    stream.text("b)\n");
    stream.ended(infillReport(inference::StopReason::kEndOfText));
    const Json whole = stream.object();
    QCOMPARE(whole.at("content"), Json("b)\n"));
    QCOMPARE(whole.at("stop_type"), Json("eos"));
    QCOMPARE(whole.at("has_new_line"), Json(true));
    QCOMPARE(whole.at("truncated"), Json(false));
    QCOMPARE(whole.at("tokens_cached"), Json(58));
    const Json& timings = whole.at("timings");
    QCOMPARE(timings.at("cache_n"), Json(30));
    QCOMPARE(timings.at("prompt_n"), Json(20));
    QCOMPARE(timings.at("prompt_ms"), Json(10.0));
    QCOMPARE(timings.at("prompt_per_token_ms"), Json(0.5));
    QCOMPARE(timings.at("prompt_per_second"), Json(2000.0));
    QCOMPARE(timings.at("predicted_n"), Json(9));
    QCOMPARE(timings.at("predicted_ms"), Json(4.0));
    QCOMPARE(timings.at("predicted_per_token_ms"), Json(0.5));
    QCOMPARE(timings.at("predicted_per_second"), Json(2000.0));
  }

  void fieldsAreToldUnderThePathsThatWereAskedFor() {
    InfillStream stream(
        parsed({{"response_fields",
                 {"content", "timings/prompt_n", "timings/none", "content/x", "", "timings/"}}}),
        card_);
    stream.text("b");
    stream.ended(infillReport(inference::StopReason::kMaxTokens));
    QCOMPARE(stream.object(), Json({{"content", "b"}, {"timings/prompt_n", 20}}));
  }

  // The limit counts from the first text on, and a line is waited for.
  void timeEndsTheTextBehindALine() {
    using std::chrono::milliseconds;
    InfillStream stream(parsed({{"t_max_predict_ms", 100}}), card_);
    const inference::Clock::time_point start;
    stream.text("a", start);
    stream.text("b", start + milliseconds(150));
    QVERIFY(!stream.hasEnough());
    stream.text("\n", start + milliseconds(160));
    QVERIFY(stream.hasEnough());
    stream.ended(infillReport(inference::StopReason::kCancelled));
    QVERIFY(!stream.problem());
    QCOMPARE(stream.object().at("content"), Json("ab\n"));
    QCOMPARE(stream.object().at("stop_type"), Json("limit"));
  }

  void aLineInTimeGoesOn() {
    using std::chrono::milliseconds;
    InfillStream stream(parsed({{"t_max_predict_ms", 100}}), card_);
    const inference::Clock::time_point start;
    stream.text("a\n", start);
    stream.text("b", start + milliseconds(100));
    QVERIFY(!stream.hasEnough());
    stream.ended(infillReport(inference::StopReason::kCancelled));
    QVERIFY(stream.problem().has_value());
    QCOMPARE(InfillStream::errorBody(*stream.problem()).at("error").at("type"),
             Json("unavailable_error"));
  }

  void aFailureIsToldInTheStream() {
    Outbox outbox(Framing::kServerSentEvents, 1 << 20);
    InfillStream stream(parsed({{"stream", true}}), card_);
    stream.streamTo(outbox);
    stream.begun();
    auto failed = infillReport(inference::StopReason::kFailed);
    failed.error = {"It broke.", "Mend it."};
    stream.ended(failed);
    Outbox::Frame frame;
    QVERIFY(outbox.take(frame));
    QVERIFY(frame.bytes.starts_with("data: "));
    QCOMPARE(Json::parse(frame.bytes.substr(6)).at("error"), Json({{"code", 500},
                                                                   {"message", "It broke."},
                                                                   {"type", "server_error"},
                                                                   {"remedy", "Mend it."}}));
    outbox.written();
    QVERIFY(outbox.idle());
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestInfill)
#include "test_infill.moc"
