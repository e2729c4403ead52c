// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/anthropic_stream.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

constexpr const char* kSignature = "waferd";

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
      reader_(answerReader(request, card)) {}

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

// What is computed is kept for later requests as a matter of course, and not counted as written.
Json AnthropicStream::usage() const {
  const int cached = report_ ? report_->cachedTokens : prompt_.cached;
  const int all = report_ ? report_->inputTokens : prompt_.tokens;
  return {{"input_tokens", all - cached},
          {"cache_creation_input_tokens", 0},
          {"cache_read_input_tokens", cached},
          {"output_tokens", report_ ? report_->outputTokens : 0}};
}

void AnthropicStream::begun() { send({{"type", "message_start"}, {"message", message()}}); }

void AnthropicStream::open(Block block) {
  close();
  const std::size_t index = blocks_.size();
  constexpr std::pair<const char*, const char*> kDeltas[] = {
      {"thinking_delta", "thinking"}, {"text_delta", "text"}, {"input_json_delta", "partial_json"}};
  const auto [kind, field] = kDeltas[static_cast<std::size_t>(block.kind)];
  std::tie(head_, tail_) = aroundText([&](std::string_view text) {
    return dump({{"type", "content_block_delta"},
                 {"index", index},
                 {"delta", {{"type", kind}, {field, text}}}});
  });
  blocks_.push_back(std::move(block));
  isOpen_ = true;
  send({{"type", "content_block_start"},
        {"index", index},
        {"content_block", blockJson(blocks_.back())}});
}

void AnthropicStream::add(std::string_view added) {
  blocks_.back().text += added;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText("content_block_delta", head_, added, tail_);
}

// Thoughts are signed there, so that nobody may change them: here nobody looks.
void AnthropicStream::close() {
  if (!std::exchange(isOpen_, false)) return;
  if (blocks_.back().kind == Block::Kind::kThought)
    send({{"type", "content_block_delta"},
          {"index", blocks_.size() - 1},
          {"delta", {{"type", "signature_delta"}, {"signature", kSignature}}}});
  send({{"type", "content_block_stop"}, {"index", blocks_.size() - 1}});
}

void AnthropicStream::text(std::string_view added) { take(reader_.push(added)); }

void AnthropicStream::addTo(Block::Kind kind, std::string_view added) {
  if (added.empty()) return;
  if (!isOpen_ || blocks_.back().kind != kind) open({.kind = kind});
  add(added);
}

void AnthropicStream::take(const std::vector<inference::AnswerPart>& parts) {
  using Kind = inference::AnswerPart::Kind;
  for (const inference::AnswerPart& part : parts) {
    if (part.kind == Kind::kThought) addTo(Block::Kind::kThought, part.text);
    if (part.kind == Kind::kText) addTo(Block::Kind::kText, part.text);
    if (part.kind == Kind::kCall)
      open({.kind = Block::Kind::kCall, .id = makeId("toolu_"), .name = part.text});
    if (part.kind == Kind::kArguments) add(part.text);
    if (part.kind == Kind::kCallEnd) close();
  }
}

void AnthropicStream::ended(const inference::JobReport& report) {
  report_ = report;
  take(reader_.finish());
  problem_ = endProblem(report, names_, mayCall_);
  if (isCutOff(report)) {
    stopReason_ = "max_tokens";
  } else if (!blocks_.empty() && blocks_.back().kind == Block::Kind::kCall) {
    stopReason_ = "tool_use";
  } else if (!report.stopString.empty() &&
             std::ranges::find(stop_, report.stopString) != stop_.end()) {
    stopReason_ = "stop_sequence";
    stopSequence_ = report.stopString;
  }
  if (problem_) return send(errorBody(*problem_));
  close();
  send({{"type", "message_delta"},
        {"delta", {{"stop_reason", stopReason_}, {"stop_sequence", stopSequence_}}},
        {"usage", usage()}});
  send({{"type", "message_stop"}});
}

Json AnthropicStream::blockJson(const Block& block) const {
  if (block.kind == Block::Kind::kText) return {{"type", "text"}, {"text", block.text}};
  if (block.kind == Block::Kind::kThought)
    return {{"type", "thinking"},
            {"thinking", block.text},
            {"signature", block.text.empty() ? "" : kSignature}};
  // One that was cut off is told as far as it can be.
  Json input = Json::parse(block.text, nullptr, /*allow_exceptions=*/false);
  if (!input.is_object()) input = Json::object();
  return {
      {"type", "tool_use"}, {"id", block.id}, {"name", block.name}, {"input", std::move(input)}};
}

Json AnthropicStream::object() const {
  Json whole = message();
  for (const Block& block : blocks_) whole["content"].push_back(blockJson(block));
  whole["stop_reason"] = stopReason_;
  whole["stop_sequence"] = stopSequence_;
  return whole;
}

}  // namespace waferpair::server
