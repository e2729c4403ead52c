// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/server/core/events.h"
#include "runtime/server/dialects/response_stream.h"

namespace waferpair::server {

namespace {

inference::ModelCard card() {
  inference::ModelCard card;
  card.name = "tiny";
  card.context = 100;
  card.machine = "wse3";
  card.profile = "p";
  card.clockHz = 1e9;
  return card;
}

inference::JobReport report(inference::StopReason reason) {
  inference::JobReport report;
  report.reason = reason;
  report.inputTokens = 5;
  report.cachedTokens = 3;
  report.outputTokens = 2;
  report.firstTokenMs = 4;
  report.decodeSteps = 1;
  report.decodeTokens = 1;
  report.draftedTokens = 4;
  report.acceptedTokens = 3;
  report.decodeMs = 2;
  report.waferCycles = 3000;
  report.waferFirstTokenCycles = 2000;
  report.waferDecodeCycles = 1000;
  return report;
}

std::vector<Json> drain(Outbox& outbox) {
  std::vector<Json> events;
  Outbox::Frame frame;
  while (outbox.take(frame)) {
    events.push_back(Json::parse(frame.bytes));
    outbox.written();
  }
  return events;
}

std::vector<std::string> types(const std::vector<Json>& events) {
  std::vector<std::string> names;
  for (const Json& event : events) names.push_back(event.at("type"));
  return names;
}

}  // namespace

class TestResponseStream : public QObject {
  Q_OBJECT

  const inference::ModelCard card_ = card();
  Outbox outbox_{Framing::kMessages, 1 << 20};

  ResponseStream stream(const std::string& id = "resp_1") {
    ResponseCreate request;
    request.id = id;
    ResponseStream stream(request, card_);
    stream.streamTo(outbox_);
    return stream;
  }

 private slots:
  void init() { outbox_ = Outbox(Framing::kMessages, 1 << 20); }

  void eventsComeInTheOrderOfTheResponsesApi() {
    ResponseStream response = stream();
    response.created();
    response.begun();
    response.text("he");
    const auto first = drain(outbox_);
    response.text("llo");
    response.ended(report(inference::StopReason::kEndOfText));
    auto events = first;
    for (Json& event : drain(outbox_)) events.push_back(std::move(event));

    QCOMPARE(types(events),
             (std::vector<std::string>{"response.created", "response.in_progress",
                                       "response.output_item.added", "response.content_part.added",
                                       "response.output_text.delta", "response.output_text.delta",
                                       "response.output_text.done", "response.content_part.done",
                                       "response.output_item.done", "response.completed"}));
    for (size_t i = 0; i < events.size(); ++i) {
      QCOMPARE(events[i].at("sequence_number"), Json(i));
      QCOMPARE(events[i].at("response_id"), Json("resp_1"));
    }
    QCOMPARE(events[5].at("delta"), Json("llo"));
    const Json& done = events.back().at("response");
    QCOMPARE(done.at("status"), Json("completed"));
    QCOMPARE(done.at("output").at(0).at("content").at(0).at("text"), Json("hello"));
    QCOMPARE(done.at("usage").at("input_tokens_details").at("cached_tokens"), Json(3));
    QCOMPARE(done.at("usage").at("total_tokens"), Json(7));
    const Json& details = done.at("usage").at("output_tokens_details");
    QCOMPARE(details.at("drafted_tokens"), Json(4));
    QCOMPARE(details.at("accepted_tokens"), Json(3));
    QVERIFY(response.completed());
    QCOMPARE(response.text(), std::string("hello"));
  }

  void deltasThatWaitBecomeOneAndTakeOneNumber() {
    ResponseStream response = stream();
    response.created();
    response.begun();
    drain(outbox_);
    response.text("a");
    response.text("b");
    response.text("c");
    response.ended(report(inference::StopReason::kMaxTokens));
    const auto events = drain(outbox_);
    QCOMPARE(events.front().at("delta"), Json("abc"));
    for (size_t i = 1; i < events.size(); ++i)
      QCOMPARE(events[i].at("sequence_number").get<int>(),
               events[i - 1].at("sequence_number").get<int>() + 1);
  }

  void aLimitEndsItIncomplete() {
    ResponseStream response = stream();
    response.begun();
    response.ended(report(inference::StopReason::kMaxTokens));
    const auto events = drain(outbox_);
    const Json& item = events.at(events.size() - 2).at("item");
    QCOMPARE(item.at("status"), Json("incomplete"));
    const Json& last = events.back();
    QCOMPARE(last.at("response").at("output").at(0), item);
    QCOMPARE(last.at("type"), Json("response.incomplete"));
    QCOMPARE(last.at("response").at("status"), Json("incomplete"));
    QCOMPARE(last.at("response").at("incomplete_details").at("reason"), Json("max_output_tokens"));
  }

  void cancelledBeforeItBeganItHasNoOutput() {
    ResponseStream response = stream();
    response.created();
    response.ended(report(inference::StopReason::kCancelled));
    const auto events = drain(outbox_);
    QCOMPARE(types(events), (std::vector<std::string>{"response.created", "response.cancelled"}));
    QVERIFY(events.back().at("response").at("output").empty());
    QVERIFY(!response.completed() && !response.problem());
  }

  void aFailureSaysWhatAndWhatToDo() {
    ResponseStream response = stream();
    response.begun();
    auto failed = report(inference::StopReason::kInputTooLong);
    failed.error = {"The input has 200 tokens.", "Send less text."};
    response.ended(failed);
    const Json last = drain(outbox_).back();
    QCOMPARE(last.at("type"), Json("response.failed"));
    const Json& error = last.at("response").at("error");
    QCOMPARE(error.at("code"), Json("context_length_exceeded"));
    QCOMPARE(error.at("remedy"), Json("Send less text."));
    QVERIFY(response.problem() && !response.completed());
  }

  void madeUpIdsDiffer() {
    QVERIFY(stream("").id() != stream("").id());
    QVERIFY(stream("").id().starts_with("resp_"));
  }

  // Host and wafer figures stand apart, and what was not measured is null, not zero.
  void timingsAreMeasuredOrNull() {
    const Json timings = timingsJson(report(inference::StopReason::kEndOfText), card_);
    QCOMPARE(timings.at("host").at("tokens_per_second"), Json(500.0));
    QCOMPARE(timings.at("wafer").at("tokens_per_second"), Json(1e6));
    QCOMPARE(timings.at("wafer").at("first_token_ms"), Json(0.002));
    QCOMPARE(timings.at("wafer").at("profile"), Json("p"));
    const Json nothing = timingsJson({}, card_);
    for (const char* clock : {"host", "wafer"})
      for (const char* name : {"tokens_per_second", "first_token_ms"})
        QVERIFY(nothing.at(clock).at(name).is_null());
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestResponseStream)
#include "test_response_stream.moc"
