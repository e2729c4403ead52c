// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_stream.h"

#include <chrono>
#include <random>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {

namespace event = protocol::event;
namespace field = protocol::field;
using inference::StopReason;

std::string makeId(std::string_view prefix) {
  static thread_local std::random_device device;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id(prefix);
  for (int word = 0; word < 4; ++word) {
    std::uint32_t bits = device();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) id += kHex[bits & 15];
  }
  return id;
}

ResponseStream::ResponseStream(const ResponseCreate& request, const inference::ModelCard& card)
    : id_(request.id.empty() ? makeId("resp_") : request.id),
      itemId_(makeId("msg_")),
      instructions_(request.instructions),
      createdAt_(std::chrono::duration_cast<std::chrono::seconds>(
                     std::chrono::system_clock::now().time_since_epoch())
                     .count()),
      maxOutputTokens_(request.maxOutputTokens),
      previousResponseId_(request.previousResponseId),
      sampling_(request.sampling),
      card_(card) {
  Json head = place();
  head[field::message::kType.name] = event::kResponseOutputTextDelta;
  head[field::response_event::kResponseId.name] = id_;
  head[field::response_output_text_delta::kLogprobs.name] = Json::array();
  deltaHead_ = openText(head, field::response_output_text_delta::kDelta);
  deltaTail_ = std::string("\",\"") + field::response_event::kSequenceNumber.name + "\":";
}

bool ResponseStream::completed() const { return report_ && !problem_ && status_ != "cancelled"; }

std::string_view ResponseStream::itemStatus() const {
  return status_ == "completed" ? "completed" : "incomplete";
}

Json ResponseStream::part() const {
  return {{"type", "output_text"},
          {"text", text_},
          {"annotations", Json::array()},
          {"logprobs", Json::array()}};
}

Json ResponseStream::item(std::string_view status) const {
  Json content = Json::array();
  if (status != "in_progress") content.push_back(part());
  return {{"id", itemId_},
          {"type", "message"},
          {"role", "assistant"},
          {"status", status},
          {"content", std::move(content)}};
}

Json ResponseStream::object() const {
  Json object = {{"id", id_},
                 {"object", "response"},
                 {"created_at", createdAt_},
                 {"status", status_},
                 {"model", card_.name},
                 {"error", nullptr},
                 {"incomplete_details", nullptr},
                 {"instructions", nullptr},
                 {"metadata", Json::object()},
                 {"max_output_tokens", maxOutputTokens_ ? Json(*maxOutputTokens_) : Json(nullptr)},
                 {"output", Json::array()},
                 {"parallel_tool_calls", false},
                 {"previous_response_id", nullptr},
                 {"temperature", sampling_.temperature},
                 {"tool_choice", "none"},
                 {"tools", Json::array()},
                 {"top_p", sampling_.topP},
                 {"usage", nullptr}};
  if (!instructions_.empty()) object["instructions"] = instructions_;
  if (!previousResponseId_.empty()) object["previous_response_id"] = previousResponseId_;
  if (!report_) return object;
  if (begun_) object["output"].push_back(item(itemStatus()));
  if (status_ == "incomplete")
    object["incomplete_details"] = {{"reason", report_->reason == StopReason::kMaxTokens
                                                   ? "max_output_tokens"
                                                   : "context_full"}};
  if (problem_)
    object["error"] = {
        {"code", problem_->code}, {"message", problem_->what}, {"remedy", problem_->remedy}};
  object["usage"] = usageJson(*report_);
  object["timings"] = timingsJson(*report_, card_);
  return object;
}

Json ResponseStream::place() const {
  return {{field::part_event::kItemId, itemId_},
          {field::part_event::kOutputIndex, 0},
          {field::part_event::kContentIndex, 0}};
}

void ResponseStream::send(std::string_view type, Json fields) {
  if (!outbox_) return;
  fields[field::message::kType.name] = type;
  fields[field::response_event::kResponseId.name] = id_;
  fields[field::response_event::kSequenceNumber.name] = sequenceNumber_++;
  outbox_->push(type, dump(fields));
}

void ResponseStream::created() {
  send(event::kResponseCreated, {{field::response_created::kResponse, object()}});
}

void ResponseStream::begun() {
  begun_ = true;
  status_ = "in_progress";
  send(event::kResponseInProgress, {{field::response_in_progress::kResponse, object()}});
  send(event::kResponseOutputItemAdded,
       {{field::response_output_item_added::kOutputIndex, 0},
        {field::response_output_item_added::kItem, item("in_progress")}});
  Json added = place();
  added[field::response_content_part_added::kPart.name] = part();
  send(event::kResponseContentPartAdded, std::move(added));
}

void ResponseStream::text(std::string_view added) {
  text_ += added;
  if (!outbox_ || outbox_->grow(lastDelta_, added)) return;
  lastDelta_ = outbox_->pushText(event::kResponseOutputTextDelta, deltaHead_, added,
                                 deltaTail_ + std::to_string(sequenceNumber_++) + "}");
}

void ResponseStream::ended(const inference::JobReport& report) {
  report_ = report;
  std::string_view type = event::kResponseCompleted;
  switch (report.reason) {
    case StopReason::kEndOfText:
    case StopReason::kMaxLines:
    case StopReason::kStopString:
    case StopReason::kUnsure:
      status_ = "completed";
      break;
    case StopReason::kMaxTokens:
    case StopReason::kContextFull:
      status_ = "incomplete";
      type = event::kResponseIncomplete;
      break;
    case StopReason::kCancelled:
    case StopReason::kStale:
      status_ = "cancelled";
      type = event::kResponseCancelled;
      break;
    case StopReason::kInputTooLong:
    case StopReason::kGrammarStuck:
    case StopReason::kFailed:
      status_ = "failed";
      type = event::kResponseFailed;
      problem_ = problemOf(report);
      break;
  }
  if (begun_) {
    Json done = place();
    done[field::response_output_text_done::kText.name] = text_;
    done[field::response_output_text_done::kLogprobs.name] = Json::array();
    send(event::kResponseOutputTextDone, std::move(done));
    Json partDone = place();
    partDone[field::response_content_part_done::kPart.name] = part();
    send(event::kResponseContentPartDone, std::move(partDone));
    send(event::kResponseOutputItemDone,
         {{field::response_output_item_done::kOutputIndex, 0},
          {field::response_output_item_done::kItem, item(itemStatus())}});
  }
  // The field is the same in all four that end a response.
  send(type, {{field::response_completed::kResponse, object()}});
}

}  // namespace waferpair::server
