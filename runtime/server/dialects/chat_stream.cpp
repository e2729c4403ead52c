// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_stream.h"

#include <tuple>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

Json callJson(const inference::ToolCall& call) {
  return {{"id", call.id},
          {"type", "function"},
          {"function", {{"name", call.name}, {"arguments", call.arguments}}}};
}

Json choiceOf(Json delta, const Json& finishReason = nullptr) {
  return {{"index", 0},
          {"delta", std::move(delta)},
          {"logprobs", nullptr},
          {"finish_reason", finishReason}};
}

}  // namespace

ChatStream::ChatStream(const ChatRequest& request, const inference::ModelCard& card)
    : id_(makeId("chatcmpl-")),
      createdAt_(unixSeconds()),
      names_(request.names),
      mayCall_(request.tools.mayCall()),
      includeUsage_(request.includeUsage),
      card_(card),
      reader_(callReader(request, card)) {
  std::tie(head_, tail_) = aroundText([&](std::string_view text) {
    return dump(chunk(Json::array({choiceOf({{"content", text}})})));
  });
}

Json ChatStream::chunk(Json choices) const {
  Json chunk = {{"id", id_},
                {"object", "chat.completion.chunk"},
                {"created", createdAt_},
                {"model", card_.name},
                {"choices", std::move(choices)}};
  if (includeUsage_) chunk["usage"] = nullptr;
  return chunk;
}

void ChatStream::send(const Json& chunk) {
  if (outbox_) outbox_->push({}, dump(chunk));
}

void ChatStream::sendDelta(Json delta, const Json& finishReason) {
  lastText_ = 0;
  send(chunk(Json::array({choiceOf(std::move(delta), finishReason)})));
}

void ChatStream::begun() { sendDelta({{"role", "assistant"}, {"content", ""}}); }

void ChatStream::text(std::string_view added) {
  if (reader_)
    take(reader_->push(added));
  else
    addText(added);
}

void ChatStream::take(const std::vector<inference::AnswerPart>& parts) {
  using Kind = inference::AnswerPart::Kind;
  for (const inference::AnswerPart& part : parts) {
    if (part.kind == Kind::kText) addText(part.text);
    if (part.kind == Kind::kCall) addCall(part.text);
    if (part.kind == Kind::kArguments) addArguments(part.text);
  }
}

void ChatStream::addText(std::string_view added) {
  text_ += added;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText({}, head_, added, tail_);
}

void ChatStream::addCall(const std::string& name) {
  calls_.push_back({.id = makeId("call_"), .name = name, .arguments = {}});
  Json call = callJson(calls_.back());
  call["index"] = calls_.size() - 1;
  sendDelta({{"tool_calls", Json::array({std::move(call)})}});
}

void ChatStream::addArguments(std::string_view added) {
  calls_.back().arguments += added;
  Json piece = {{"index", calls_.size() - 1}, {"function", {{"arguments", added}}}};
  sendDelta({{"tool_calls", Json::array({std::move(piece)})}});
}

void ChatStream::ended(const inference::JobReport& report) {
  report_ = report;
  if (reader_) take(reader_->finish());
  problem_ = endProblem(report, names_, mayCall_);
  if (isCutOff(report))
    finishReason_ = "length";
  else if (!calls_.empty())
    finishReason_ = "tool_calls";
  if (!outbox_) return;
  if (problem_) {
    send({{"error", openAiError(*problem_)}});
  } else {
    sendDelta(Json::object(), finishReason_);
    if (includeUsage_) {
      Json last = chunk(Json::array());
      last["usage"] = openAiUsage(*report_);
      last["timings"] = timingsJson(*report_, card_);
      send(last);
    }
  }
  outbox_->push({}, "[DONE]");
}

Json ChatStream::object() const {
  Json message = {{"role", "assistant"}, {"content", text_}, {"refusal", nullptr}};
  if (!calls_.empty()) {
    if (text_.empty()) message["content"] = nullptr;
    for (const inference::ToolCall& call : calls_) message["tool_calls"].push_back(callJson(call));
  }
  return {{"id", id_},
          {"object", "chat.completion"},
          {"created", createdAt_},
          {"model", card_.name},
          {"choices", Json::array({{{"index", 0},
                                    {"message", std::move(message)},
                                    {"logprobs", nullptr},
                                    {"finish_reason", finishReason_}}})},
          {"usage", openAiUsage(*report_)},
          {"timings", timingsJson(*report_, card_)}};
}

}  // namespace waferpair::server
