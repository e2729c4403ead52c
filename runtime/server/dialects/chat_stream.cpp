// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_stream.h"

#include <tuple>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

Json functionJson(const inference::ToolCall& call) {
  return {{"name", call.name}, {"arguments", call.arguments}};
}

Json callJson(const inference::ToolCall& call) {
  return {{"id", call.id}, {"type", "function"}, {"function", functionJson(call)}};
}

}  // namespace

Json ChatStream::choiceOf(Json delta, const Json& finishReason) const {
  return {{"index", index_.value_or(0)},
          {"delta", std::move(delta)},
          {"logprobs", nullptr},
          {"finish_reason", finishReason}};
}

ChatStream::ChatStream(const ChatRequest& request, const inference::ModelCard& card,
                       std::optional<int> index)
    : index_(index),
      id_(makeId("chatcmpl-")),
      createdAt_(unixSeconds()),
      names_(request.names),
      format_(request.format),
      tellsChances_(request.chances),
      mostAlternatives_(request.mostAlternatives),
      mayCall_(request.tools.mayCall()),
      olderCalls_(request.olderCalls),
      includeUsage_(request.includeUsage),
      returnsProgress_(request.returnsProgress),
      card_(card),
      reader_(answerReader(request, card)) {
  std::tie(head_, tail_) = aroundText([&](std::string_view text) {
    return dump(chunk(Json::array({choiceOf({{"content", text}})})));
  });
  std::tie(thoughtHead_, thoughtTail_) = aroundText([&](std::string_view text) {
    return dump(chunk(Json::array({choiceOf({{"reasoning_content", text}})})));
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
  lastText_ = lastThought_ = 0;
  send(chunk(Json::array({choiceOf(std::move(delta), finishReason)})));
}

void ChatStream::prompt(const inference::PromptProgress& progress) {
  progress_ = progress;
  if (!begun_ || !outbox_ || !returnsProgress_) return;
  Json told = chunk(Json::array({choiceOf({{"content", ""}})}));
  told["prompt_progress"] = progressJson(progress_);
  send(told);
}

void ChatStream::begun() {
  begun_ = true;
  sendDelta({{"role", "assistant"}, {"content", ""}});
  prompt(progress_);
}

// Ahead of their text, in a chunk of their own.
void ChatStream::chances(const std::vector<inference::TokenChance>& added) {
  Json told = chancesJson(added, mostAlternatives_);
  chances_.insert(chances_.end(), told.begin(), told.end());
  if (!outbox_ || told.empty()) return;
  lastText_ = lastThought_ = 0;
  Json choice = choiceOf({{"content", ""}});
  choice["logprobs"] = {{"content", std::move(told)}, {"refusal", nullptr}};
  send(chunk(Json::array({std::move(choice)})));
}

void ChatStream::text(std::string_view added) { take(reader_.push(added)); }

void ChatStream::take(const std::vector<inference::AnswerPart>& parts) {
  using Kind = inference::AnswerPart::Kind;
  for (const inference::AnswerPart& part : parts) {
    if (part.kind == Kind::kThought) addThought(part.text);
    if (part.kind == Kind::kText) addText(part.text);
    if (part.kind == Kind::kCall) addCall(part.text);
    if (part.kind == Kind::kArguments) addArguments(part.text);
  }
}

void ChatStream::addThought(std::string_view added) {
  thought_ += added;
  if (!outbox_ || outbox_->grow(lastThought_, added)) return;
  lastText_ = 0;
  lastThought_ = outbox_->pushText({}, thoughtHead_, added, thoughtTail_);
}

void ChatStream::addText(std::string_view added) {
  text_ += added;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastThought_ = 0;
  lastText_ = outbox_->pushText({}, head_, added, tail_);
}

void ChatStream::addCall(const std::string& name) {
  calls_.push_back({.id = makeId("call_"), .name = name, .arguments = {}});
  if (olderCalls_) return sendDelta({{"function_call", functionJson(calls_.back())}});
  Json call = callJson(calls_.back());
  call["index"] = calls_.size() - 1;
  sendDelta({{"tool_calls", Json::array({std::move(call)})}});
}

void ChatStream::addArguments(std::string_view added) {
  calls_.back().arguments += added;
  if (olderCalls_) return sendDelta({{"function_call", {{"arguments", added}}}});
  Json piece = {{"index", calls_.size() - 1}, {"function", {{"arguments", added}}}};
  sendDelta({{"tool_calls", Json::array({std::move(piece)})}});
}

void ChatStream::ended(const inference::JobReport& report) {
  report_ = report;
  take(reader_.finish());
  problem_ = endProblem(report, names_, mayCall_);
  if (isCutOff(report))
    finishReason_ = "length";
  else if (!calls_.empty())
    finishReason_ = olderCalls_ ? "function_call" : "tool_calls";
  if (!outbox_) return;
  if (problem_) {
    send({{"error", openAiError(*problem_)}});
  } else {
    lastText_ = lastThought_ = 0;
    Json end = chunk(Json::array({choiceOf(Json::object(), finishReason_)}));
    tellLeftOut(end, format_);
    send(end);
    if (includeUsage_) {
      Json last = chunk(Json::array());
      last["usage"] = openAiUsage(*report_);
      last["timings"] = timingsJson(*report_, card_);
      send(last);
    }
  }
  if (!index_) outbox_->push({}, kLastEvent);
}

Json ChatStream::object() const {
  Json message = {{"role", "assistant"}, {"content", text_}, {"refusal", nullptr}};
  if (!thought_.empty()) message["reasoning_content"] = thought_;
  if (!calls_.empty()) {
    if (text_.empty()) message["content"] = nullptr;
    for (const inference::ToolCall& call : calls_) {
      if (olderCalls_)
        message["function_call"] = functionJson(call);
      else
        message["tool_calls"].push_back(callJson(call));
    }
  }
  Json logprobs = nullptr;
  if (tellsChances_) logprobs = {{"content", chances_}, {"refusal", nullptr}};
  Json whole = {{"id", id_},
                {"object", "chat.completion"},
                {"created", createdAt_},
                {"model", card_.name},
                {"choices", Json::array({{{"index", index_.value_or(0)},
                                          {"message", std::move(message)},
                                          {"logprobs", std::move(logprobs)},
                                          {"finish_reason", finishReason_}}})},
                {"usage", openAiUsage(*report_)},
                {"timings", timingsJson(*report_, card_)}};
  tellLeftOut(whole, format_);
  return whole;
}

}  // namespace waferpair::server
