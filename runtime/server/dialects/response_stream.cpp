// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_stream.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {

namespace event = protocol::event;
namespace field = protocol::field;
using inference::StopReason;

namespace {

// OpenAI's word, and others of the same kind.
std::string_view incompleteReason(StopReason reason) {
  if (reason == StopReason::kLoop) return protocol::reason::kLoop;
  return reason == StopReason::kMaxTokens ? "max_output_tokens" : protocol::reason::kContextFull;
}

}  // namespace

ResponseStream::ResponseStream(const ResponseCreate& request, const inference::ModelCard& card)
    : id_(request.id.empty() ? makeId("resp_") : request.id),
      instructions_(request.instructions),
      reader_(answerReader(request, card)),
      createdAt_(unixSeconds()),
      maxOutputTokens_(request.generate ? request.maxOutputTokens : std::nullopt),
      generates_(request.generate),
      store_(request.store),
      background_(request.background),
      returnsProgress_(request.returnsProgress),
      previousResponseId_(request.previousResponseId),
      sampling_(settled(request.sampling, card)),
      tools_(request.tools),
      names_(request.names),
      format_(request.format),
      sentText_(request.sentText),
      card_(card) {
  deltaTail_ = std::string("\",\"") + field::response_event::kSequenceNumber.name + "\":";
}

bool ResponseStream::completed() const { return report_ && !problem_ && status_ != "cancelled"; }

inference::ChatMessage ResponseStream::output() const {
  inference::ChatMessage said{.role = inference::ChatRole::kAssistant};
  for (const Item& item : items_) {
    if (item.isCall())
      said.calls.push_back({.id = item.callId, .name = item.name, .arguments = item.text});
    else
      (item.isThought ? said.thinking : said.text) += item.text;
  }
  return said;
}

Json ResponseStream::partJson(const Item& item) {
  if (item.isThought) return {{"type", "reasoning_text"}, {"text", item.text}};
  return {{"type", "output_text"},
          {"text", item.text},
          {"annotations", Json::array()},
          {"logprobs", Json::array()}};
}

Json ResponseStream::itemJson(const Item& item) {
  if (item.isCall())
    return {{"id", item.id},     {"type", "function_call"}, {"call_id", item.callId},
            {"name", item.name}, {"arguments", item.text},  {"status", item.status}};
  Json content = Json::array();
  if (item.status != "in_progress") content.push_back(partJson(item));
  if (item.isThought)
    return {{"id", item.id},
            {"type", "reasoning"},
            {"status", item.status},
            {"summary", Json::array()},
            {"content", std::move(content)}};
  return {{"id", item.id},
          {"type", "message"},
          {"role", "assistant"},
          {"status", item.status},
          {"content", std::move(content)}};
}

Json ResponseStream::object() const {
  Json object = {{"id", id_},
                 {"object", "response"},
                 {"created_at", createdAt_},
                 {"status", status_},
                 {"background", background_},
                 {"store", store_},
                 {"model", card_.name},
                 {"error", nullptr},
                 {"incomplete_details", nullptr},
                 {"instructions", nullptr},
                 {"metadata", Json::object()},
                 {"max_tool_calls", nullptr},
                 {"prompt_cache_key", nullptr},
                 {"safety_identifier", nullptr},
                 {"max_output_tokens", maxOutputTokens_ ? Json(*maxOutputTokens_) : Json(nullptr)},
                 {"output", Json::array()},
                 {"parallel_tool_calls", tools_.parallel},
                 {"previous_response_id", nullptr},
                 {"reasoning", {{"effort", nullptr}, {"summary", nullptr}}},
                 {"service_tier", "default"},
                 {"temperature", sampling_.temperature},
                 {"text", sentText_},
                 {"tool_choice", tools_.sentChoice},
                 {"tools", tools_.sentTools},
                 {"top_logprobs", 0},
                 {"top_p", sampling_.topP},
                 {"truncation", "disabled"},
                 {"usage", nullptr},
                 {"user", nullptr}};
  if (!instructions_.empty()) object["instructions"] = instructions_;
  if (!previousResponseId_.empty()) object["previous_response_id"] = previousResponseId_;
  tellLeftOut(object, format_);
  if (!report_) return object;
  for (const Item& item : items_) object["output"].push_back(itemJson(item));
  if (status_ == "incomplete")
    object["incomplete_details"] = {{"reason", incompleteReason(report_->reason)}};
  if (problem_)
    object["error"] = {
        {"code", problem_->code}, {"message", problem_->what}, {"remedy", problem_->remedy}};
  object["usage"] = usageJson(*report_);
  object["timings"] = timingsJson(*report_, card_);
  return object;
}

Json ResponseStream::place() const {
  Json place = {{field::part_event::kItemId, items_.back().id},
                {field::part_event::kOutputIndex, items_.size() - 1}};
  if (!items_.back().isCall()) place[field::part_event::kContentIndex.name] = 0;
  return place;
}

void ResponseStream::send(std::string_view type, Json fields) {
  if (!outbox_) return;
  fields[field::message::kType.name] = type;
  fields[field::response_event::kResponseId.name] = id_;
  fields[field::response_event::kSequenceNumber.name] = sequenceNumber_++;
  outbox_->push(type, dump(fields));
}

void ResponseStream::created() {
  created_ = true;
  send(event::kResponseCreated, {{field::response_created::kResponse, object()}});
}

void ResponseStream::waiting(const JobWait& wait) {
  if (!created_) created();
  Json told = {{field::waiting_for::kFor.name, wait.isForModel ? "model" : "queue"}};
  if (wait.isForModel) told[field::waiting_for::kLoaded.name] = wait.loaded;
  send(event::kResponseQueued, {{field::response_queued::kResponse, object()},
                                {field::response_queued::kWaiting, std::move(told)}});
}

void ResponseStream::prompt(const inference::PromptProgress& progress) {
  progress_ = progress;
  if (begun_ && returnsProgress_)
    send(event::kResponsePromptProgress,
         {{field::response_prompt_progress::kPromptProgress, progressJson(progress_)}});
}

// What the output begins with is known only from its first text where tools may be called.
void ResponseStream::begun() {
  if (!created_) created();
  begun_ = true;
  status_ = "in_progress";
  send(event::kResponseInProgress, {{field::response_in_progress::kResponse, object()}});
  prompt(progress_);
  if (generates_ && !reader_.tellsParts()) openItem({.id = makeId("msg_")});
}

void ResponseStream::text(std::string_view added) { take(reader_.push(added)); }

void ResponseStream::say(std::string_view added, bool isThought) {
  const bool goesOn = itemOpen() && items_.back().isThought == isThought && !items_.back().isCall();
  if (!goesOn) {
    if (itemOpen()) closeItem("completed");
    openItem({.id = makeId(isThought ? "rs_" : "msg_"), .isThought = isThought});
  }
  addToItem(added);
}

void ResponseStream::take(const std::vector<inference::AnswerPart>& parts) {
  using Kind = inference::AnswerPart::Kind;
  for (const inference::AnswerPart& part : parts) {
    switch (part.kind) {
      case Kind::kThought:
        say(part.text, /*isThought=*/true);
        break;
      case Kind::kText:
        say(part.text, /*isThought=*/false);
        break;
      case Kind::kCall:
        if (itemOpen()) closeItem("completed");
        openItem({.id = makeId("fc_"), .name = part.text, .callId = makeId("call_")});
        break;
      case Kind::kArguments:
        addToItem(part.text);
        break;
      case Kind::kCallEnd:
        closeItem("completed");
        break;
    }
  }
}

void ResponseStream::openItem(Item item) {
  items_.push_back(std::move(item));
  const Item& opened = items_.back();
  send(event::kResponseOutputItemAdded,
       {{field::response_output_item_added::kOutputIndex, items_.size() - 1},
        {field::response_output_item_added::kItem, itemJson(opened)}});
  Json head = place();
  head[field::response_event::kResponseId.name] = id_;
  if (opened.isCall()) {
    deltaType_ = event::kResponseFunctionCallArgumentsDelta;
  } else if (opened.isThought) {
    deltaType_ = event::kResponseReasoningTextDelta;
  } else {
    Json added = place();
    added[field::response_content_part_added::kPart.name] = partJson(opened);
    send(event::kResponseContentPartAdded, std::move(added));
    deltaType_ = event::kResponseOutputTextDelta;
    head[field::response_output_text_delta::kLogprobs.name] = Json::array();
  }
  head[field::message::kType.name] = deltaType_;
  deltaHead_ = openText(head, field::response_output_text_delta::kDelta);
  lastDelta_ = 0;
}

void ResponseStream::addToItem(std::string_view added) {
  items_.back().text += added;
  if (!outbox_ || outbox_->grow(lastDelta_, added)) return;
  lastDelta_ = outbox_->pushText(deltaType_, deltaHead_, added,
                                 deltaTail_ + std::to_string(sequenceNumber_++) + "}");
}

void ResponseStream::closeItem(std::string_view status) {
  Item& item = items_.back();
  item.status = status;
  if (item.isCall()) {
    if (status == "completed") {
      namespace done = field::response_function_call_arguments_done;
      Json whole = place();
      whole[done::kName.name] = item.name;
      whole[done::kArguments.name] = item.text;
      send(event::kResponseFunctionCallArgumentsDone, std::move(whole));
    }
  } else if (item.isThought) {
    Json whole = place();
    whole[field::response_reasoning_text_done::kText.name] = item.text;
    send(event::kResponseReasoningTextDone, std::move(whole));
  } else {
    Json done = place();
    done[field::response_output_text_done::kText.name] = item.text;
    done[field::response_output_text_done::kLogprobs.name] = Json::array();
    send(event::kResponseOutputTextDone, std::move(done));
    Json partDone = place();
    partDone[field::response_content_part_done::kPart.name] = partJson(item);
    send(event::kResponseContentPartDone, std::move(partDone));
  }
  send(event::kResponseOutputItemDone,
       {{field::response_output_item_done::kOutputIndex, items_.size() - 1},
        {field::response_output_item_done::kItem, itemJson(item)}});
}

void ResponseStream::ended(const inference::JobReport& report) {
  if (!created_) created();
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
    case StopReason::kLoop:
      if (!generates_) {
        status_ = "completed";
        break;
      }
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
    case StopReason::kNotLoaded:
    case StopReason::kFailed:
      status_ = "failed";
      type = event::kResponseFailed;
      problem_ = answerProblem(report, names_, tools_.mayCall());
      break;
  }
  if (begun_ && generates_) {
    take(reader_.finish());
    if (items_.empty()) openItem({.id = makeId("msg_")});
    if (itemOpen()) closeItem(status_ == "completed" ? "completed" : "incomplete");
  }
  // The field is the same in all four that end a response.
  send(type, {{field::response_completed::kResponse, object()}});
}

ResponsePrompt promptBehind(const ResponseStream& stream, ResponsePrompt prompt) {
  prompt.instructions.clear();
  if (!stream.generates()) return prompt;  // a warm-up has said nothing
  inference::ChatMessage output = stream.output();
  if (prompt.messages.empty())
    prompt.text += output.text;
  else
    prompt.messages.push_back(std::move(output));
  return prompt;
}

}  // namespace waferpair::server
