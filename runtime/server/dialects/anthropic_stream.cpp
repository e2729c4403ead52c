// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/anthropic_stream.h"

#include <tuple>
#include <utility>

#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

std::string_view anthropicErrorType(int status) {
  switch (status) {
    case 400:
      return "invalid_request_error";
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 405:
    case 417:
      return "invalid_request_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 503:
      return "overloaded_error";
    default:
      return "api_error";
  }
}

}  // namespace

AnthropicStream::AnthropicStream(const TextRequest& request, const inference::ModelCard& card)
    : id_(makeId("msg_")),
      names_(request.names),
      stop_(request.stop),
      mayCall_(request.tools.mayCall()),
      card_(card),
      reader_(callReader(request, card)) {}

Json AnthropicStream::errorBody(const Problem& problem, int status) {
  return {
      {"type", "error"},
      {"error",
       {{"type", anthropicErrorType(status)}, {"message", problem.what + " " + problem.remedy}}}};
}

void AnthropicStream::send(const Json& event) {
  lastText_ = 0;
  if (outbox_) outbox_->push(event["type"].get_ref<const std::string&>(), dump(event));
}

Json AnthropicStream::message() const {
  return {{"id", id_},
          {"type", "message"},
          {"role", "assistant"},
          {"model", card_.name},
          {"content", Json::array()},
          {"stop_reason", nullptr},
          {"stop_sequence", nullptr},
          {"usage", usage()}};
}

// The prompt's tokens are not known before the end.
Json AnthropicStream::usage() const {
  const inference::JobReport report = report_.value_or(inference::JobReport());
  return {{"input_tokens", report.inputTokens - report.cachedTokens},
          {"cache_read_input_tokens", report.cachedTokens},
          {"output_tokens", report.outputTokens}};
}

void AnthropicStream::begun() { send({{"type", "message_start"}, {"message", message()}}); }

void AnthropicStream::open(Block block) {
  close();
  Json content = {{"type", "text"}, {"text", ""}};
  if (block.isCall)
    content = {
        {"type", "tool_use"}, {"id", block.id}, {"name", block.name}, {"input", Json::object()}};
  const std::size_t index = blocks_.size();
  const char* const kind = block.isCall ? "input_json_delta" : "text_delta";
  const char* const field = block.isCall ? "partial_json" : "text";
  std::tie(head_, tail_) = aroundText([&](std::string_view text) {
    return dump({{"type", "content_block_delta"},
                 {"index", index},
                 {"delta", {{"type", kind}, {field, text}}}});
  });
  blocks_.push_back(std::move(block));
  isOpen_ = true;
  send({{"type", "content_block_start"}, {"index", index}, {"content_block", std::move(content)}});
}

void AnthropicStream::add(std::string_view added) {
  blocks_.back().text += added;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText("content_block_delta", head_, added, tail_);
}

void AnthropicStream::close() {
  if (!std::exchange(isOpen_, false)) return;
  send({{"type", "content_block_stop"}, {"index", blocks_.size() - 1}});
}

void AnthropicStream::text(std::string_view added) {
  using Kind = inference::AnswerPart::Kind;
  if (reader_)
    take(reader_->push(added));
  else
    take(std::vector<inference::AnswerPart>{{.kind = Kind::kText, .text = std::string(added)}});
}

void AnthropicStream::take(const std::vector<inference::AnswerPart>& parts) {
  using Kind = inference::AnswerPart::Kind;
  for (const inference::AnswerPart& part : parts) {
    if (part.kind == Kind::kText && !part.text.empty()) {
      if (!isOpen_ || blocks_.back().isCall) open({});
      add(part.text);
    }
    if (part.kind == Kind::kCall) open({.isCall = true, .id = makeId("toolu_"), .name = part.text});
    if (part.kind == Kind::kArguments) add(part.text);
    if (part.kind == Kind::kCallEnd) close();
  }
}

void AnthropicStream::ended(const inference::JobReport& report) {
  report_ = report;
  if (reader_) take(reader_->finish());
  problem_ = endProblem(report, names_, mayCall_);
  if (isCutOff(report)) {
    stopReason_ = "max_tokens";
  } else if (!blocks_.empty() && blocks_.back().isCall) {
    stopReason_ = "tool_use";
  } else if (report.reason == inference::StopReason::kStopString && !stop_.empty()) {
    stopReason_ = "stop_sequence";
    if (stop_.size() == 1) stopSequence_ = stop_.front();
  }
  if (problem_) return send(errorBody(*problem_));
  close();
  send({{"type", "message_delta"},
        {"delta", {{"stop_reason", stopReason_}, {"stop_sequence", stopSequence_}}},
        {"usage", usage()}});
  send({{"type", "message_stop"}});
}

Json AnthropicStream::object() const {
  Json whole = message();
  for (const Block& block : blocks_) {
    if (!block.isCall) {
      whole["content"].push_back({{"type", "text"}, {"text", block.text}});
      continue;
    }
    // One that was cut off is told as far as it can be.
    Json input = Json::parse(block.text, nullptr, /*allow_exceptions=*/false);
    if (!input.is_object()) input = Json::object();
    whole["content"].push_back({{"type", "tool_use"},
                                {"id", block.id},
                                {"name", block.name},
                                {"input", std::move(input)}});
  }
  whole["stop_reason"] = stopReason_;
  whole["stop_sequence"] = stopSequence_;
  return whole;
}

}  // namespace waferpair::server
