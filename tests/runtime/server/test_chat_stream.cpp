// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/server/dialects/chat_stream.h"

namespace waferpair::server {

namespace {

inference::ModelCard chatCard() {
  inference::ModelCard card;
  card.name = "tiny";
  card.chat = inference::ChatStyle::kChatMl;
  card.tools = inference::ToolStyle::kHermes;
  card.toolForm = std::make_shared<const inference::ToolForm>(inference::ToolStyle::kHermes);
  card.clockHz = 1e9;
  return card;
}

inference::JobReport chatReport(inference::StopReason reason) {
  inference::JobReport report;
  report.reason = reason;
  report.inputTokens = 5;
  report.cachedTokens = 3;
  report.outputTokens = 2;
  return report;
}

ChatRequest chatRequest(bool tools, bool usage = false) {
  ChatRequest request;
  request.names = {.input = "messages", .format = "response_format"};
  request.includeUsage = usage;
  if (tools) {
    request.tools.tools = {{.name = "f", .description = {}, .parameters = {}}};
    request.tools.calls = grammar::Calls::kAllowed;
  }
  return request;
}

}  // namespace

class TestChatStream : public QObject {
  Q_OBJECT

  const inference::ModelCard card_ = chatCard();

  // The data of the events; the last is [DONE].
  std::vector<std::string> run(const ChatRequest& request, const std::vector<std::string>& pieces,
                               const inference::JobReport& report) {
    Outbox outbox(Framing::kServerSentEvents, 1 << 20);
    ChatStream stream(request, card_);
    stream.streamTo(outbox);
    stream.begun();
    std::vector<std::string> events;
    const auto drain = [&] {
      Outbox::Frame frame;
      while (outbox.take(frame)) {
        const std::string& bytes = frame.bytes;
        if (!bytes.starts_with("data: ") || !bytes.ends_with("\n\n")) qFatal("%s", bytes.c_str());
        events.push_back(bytes.substr(6, bytes.size() - 8));
        outbox.written();
      }
    };
    for (const std::string& piece : pieces) {
      stream.text(piece);
      drain();
    }
    stream.ended(report);
    drain();
    return events;
  }

  // What a client makes of the chunks: the message of the whole answer.
  static Json joined(const std::vector<std::string>& events) {
    Json message = {{"content", ""}, {"tool_calls", Json::array()}};
    for (const std::string& event : events) {
      const Json chunk = Json::parse(event, nullptr, false);
      if (chunk.is_discarded() || chunk.at("choices").empty()) continue;
      const Json& choice = chunk.at("choices").at(0);
      const Json& delta = choice.at("delta");
      if (delta.contains("role")) message["role"] = delta["role"];
      if (delta.contains("content"))
        message["content"] =
            message["content"].get<std::string>() + delta["content"].get<std::string>();
      for (const Json& piece : delta.value("tool_calls", Json::array())) {
        Json& calls = message["tool_calls"];
        if (piece.at("index") == calls.size()) {
          calls.push_back(piece);
          calls.back().erase("index");
        } else {
          std::string& arguments =
              calls.at(piece.at("index").get<std::size_t>())["function"]["arguments"]
                  .get_ref<std::string&>();
          arguments += piece["function"]["arguments"].get<std::string>();
        }
      }
      message["finish_reason"] = choice.at("finish_reason");
    }
    return message;
  }

 private slots:
  void chunksJoinUpToTheAnswer() {
    const std::vector<std::string> pieces = {
        "See \"", "\n<tool_call>{\"name\": \"f\", \"arguments\": {\"a", "\": [1]}}</tool_call>"};
    const auto report = chatReport(inference::StopReason::kEndOfText);
    const auto events = run(chatRequest(true), pieces, report);
    QCOMPARE(events.back(), std::string("[DONE]"));
    const Json streamed = joined(events);
    QCOMPARE(streamed.at("role"), Json("assistant"));
    QCOMPARE(streamed.at("content"), Json("See \""));
    QCOMPARE(streamed.at("finish_reason"), Json("tool_calls"));
    QCOMPARE(streamed.at("tool_calls").size(), std::size_t{1});
    QCOMPARE(streamed.at("tool_calls").at(0).at("function").at("arguments"), Json("{\"a\": [1]}"));

    ChatStream whole(chatRequest(true), card_);
    whole.begun();
    for (const std::string& piece : pieces) whole.text(piece);
    whole.ended(report);
    const Json answer = whole.object();
    QCOMPARE(answer.at("object"), Json("chat.completion"));
    const Json& choice = answer.at("choices").at(0);
    QCOMPARE(choice.at("finish_reason"), Json("tool_calls"));
    const Json& message = choice.at("message");
    QCOMPARE(message.at("content"), streamed.at("content"));
    const Json& call = message.at("tool_calls").at(0);
    QCOMPARE(call.at("function"), streamed.at("tool_calls").at(0).at("function"));
    QCOMPARE(call.at("type"), Json("function"));
    QCOMPARE(answer.at("usage").at("prompt_tokens"), Json(5));
    QCOMPARE(answer.at("usage").at("prompt_tokens_details").at("cached_tokens"), Json(3));
    QCOMPARE(answer.at("usage").at("total_tokens"), Json(7));
  }

  void anAnswerWithCallsAloneHasNoContent() {
    ChatStream stream(chatRequest(true), card_);
    stream.begun();
    stream.text("<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>");
    stream.ended(chatReport(inference::StopReason::kEndOfText));
    QVERIFY(stream.object().at("choices").at(0).at("message").at("content").is_null());
  }

  // Without tools nothing is taken for a call.
  void textIsText() {
    const std::string text = "<tool_call>{\"name\"";
    const auto events =
        run(chatRequest(false), {text}, chatReport(inference::StopReason::kMaxTokens));
    QCOMPARE(joined(events).at("content"), Json(text));
    QCOMPARE(joined(events).at("finish_reason"), Json("length"));
  }

  void usageComesLastIfItIsAskedFor() {
    const auto report = chatReport(inference::StopReason::kStopString);
    const auto without = run(chatRequest(false), {"a"}, report);
    for (const std::string& event : without)
      QVERIFY(event == "[DONE]" || !Json::parse(event).contains("usage"));
    const auto with = run(chatRequest(false, true), {"a"}, report);
    QCOMPARE(with.size(), without.size() + 1);
    for (std::size_t i = 0; i + 2 < with.size(); ++i)
      QVERIFY(Json::parse(with[i]).at("usage").is_null());
    const Json last = Json::parse(with[with.size() - 2]);
    QCOMPARE(last.at("choices"), Json::array());
    QCOMPARE(last.at("usage").at("completion_tokens"), Json(2));
    QCOMPARE(joined(with).at("finish_reason"), Json("stop"));
  }

  void aFailureIsToldInTheStream() {
    auto failed = chatReport(inference::StopReason::kFailed);
    failed.error = {"It broke.", "Mend it."};
    const auto events = run(chatRequest(false), {"a"}, failed);
    const Json error = Json::parse(events[events.size() - 2]).at("error");
    QCOMPARE(error.at("message"), Json("It broke."));
    QCOMPARE(error.at("type"), Json("server_error"));
    QCOMPARE(events.back(), std::string("[DONE]"));
  }

  void anInputThatIsTooLongIsToldBeforeAnyChunk() {
    ChatStream stream(chatRequest(false), card_);
    auto failed = chatReport(inference::StopReason::kInputTooLong);
    failed.error = {"The input has 200 tokens.", "Send less text."};
    stream.ended(failed);
    QVERIFY(stream.problem().has_value());
    QCOMPARE(stream.problem()->code, std::string("context_length_exceeded"));
    QCOMPARE(stream.problem()->field, std::string("messages"));
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestChatStream)
#include "test_chat_stream.moc"
