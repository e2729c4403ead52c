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

inference::ModelCard toolCard() {
  inference::ModelCard with = card();
  with.chat = inference::ChatStyle::kChatMl;
  with.tools = inference::ToolStyle::kHermes;
  with.toolForm = std::make_shared<const inference::ToolForm>(inference::ToolStyle::kHermes);
  return with;
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

  const inference::ModelCard card_ = card(), toolCard_ = toolCard();
  Outbox outbox_{Framing::kMessages, 1 << 20};

  ResponseStream stream(const std::string& id = "resp_1") {
    ResponseCreate request;
    request.id = id;
    ResponseStream stream(request, card_);
    stream.streamTo(outbox_);
    return stream;
  }

  // An answer in which tools may be called, and its events.
  std::pair<std::vector<Json>, ResponseStream> called(const std::vector<std::string>& pieces,
                                                      inference::StopReason reason) {
    ResponseCreate request;
    request.tools.tools = {{.name = "f", .description = {}, .parameters = {}}};
    request.tools.calls = grammar::Calls::kAllowed;
    ResponseStream response(request, toolCard_);
    response.streamTo(outbox_);
    response.begun();
    std::vector<Json> events = drain(outbox_);
    for (const std::string& piece : pieces) {
      response.text(piece);
      for (Json& event : drain(outbox_)) events.push_back(std::move(event));
    }
    response.ended(report(reason));
    for (Json& event : drain(outbox_)) events.push_back(std::move(event));
    return {std::move(events), std::move(response)};
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
    QCOMPARE(response.output().text, std::string("hello"));
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

  void callsAreItemsBehindTheText() {
    const auto [events, response] =
        called({"Let", " me.\n<tool", "_call>{\"name\": \"f\", \"arguments\": {\"a\"",
                ":1}}</tool_call>", "<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"},
               inference::StopReason::kEndOfText);
    QCOMPARE(types(events),
             (std::vector<std::string>{
                 "response.created", "response.in_progress", "response.output_item.added",
                 "response.content_part.added", "response.output_text.delta",
                 "response.output_text.delta", "response.output_text.done",
                 "response.content_part.done", "response.output_item.done",
                 "response.output_item.added", "response.function_call_arguments.delta",
                 "response.function_call_arguments.delta", "response.function_call_arguments.done",
                 "response.output_item.done", "response.output_item.added",
                 "response.function_call_arguments.delta", "response.function_call_arguments.done",
                 "response.output_item.done", "response.completed"}));
    std::vector<std::string> joined(3);
    Json done = Json::array();
    for (std::size_t i = 0; i < events.size(); ++i) {
      QCOMPARE(events[i].at("sequence_number"), Json(i));
      if (events[i].contains("delta"))
        joined.at(events[i].at("output_index")) += events[i].at("delta");
      if (events[i].at("type") == "response.output_item.done") done.push_back(events[i].at("item"));
    }
    const Json& output = events.back().at("response").at("output");
    QCOMPARE(output, done);
    QCOMPARE(joined, (std::vector<std::string>{"Let me.", "{\"a\":1}", "{}"}));
    QCOMPARE(output.at(0).at("content").at(0).at("text"), Json("Let me."));
    QCOMPARE(output.at(1).at("type"), Json("function_call"));
    QCOMPARE(output.at(1).at("name"), Json("f"));
    QCOMPARE(output.at(1).at("arguments"), Json(joined[1]));
    QCOMPARE(output.at(1).at("status"), Json("completed"));
    QVERIFY(output.at(1).at("call_id") != output.at(2).at("call_id"));
    const inference::ChatMessage said = response.output();
    QCOMPARE(said.text, std::string("Let me."));
    QCOMPARE(said.calls.size(), std::size_t{2});
    QCOMPARE(Json(said.calls[1].id), output.at(2).at("call_id"));
  }

  void aCallThatWasCutIsIncomplete() {
    const auto [events, response] = called({"<tool_call>{\"name\": \"f\", \"arguments\": {\"a"},
                                           inference::StopReason::kMaxTokens);
    const Json& last = events.back();
    QCOMPARE(last.at("type"), Json("response.incomplete"));
    const Json& item = last.at("response").at("output").at(0);
    QCOMPARE(item.at("status"), Json("incomplete"));
    QCOMPARE(item.at("arguments"), Json("{\"a"));
    for (const Json& event : events)
      QVERIFY(event.at("type") != "response.function_call_arguments.done");
  }

  void whereToolsMayBeCalledAnEmptyAnswerIsAMessage() {
    const auto [events, response] = called({}, inference::StopReason::kEndOfText);
    const Json& output = events.back().at("response").at("output");
    QCOMPARE(output.size(), std::size_t{1});
    QCOMPARE(output.at(0).at("content").at(0).at("text"), Json(""));
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
