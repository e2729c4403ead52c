// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/text_completion_stream.h"

#include <tuple>
#include <utility>

#include "runtime/server/core/events.h"

namespace waferpair::server {

TextCompletionStream::TextCompletionStream(const TextCompletionRequest& request,
                                           const inference::ModelCard& card)
    : id_(makeId(request.isFim ? "fim-" : "cmpl-")),
      createdAt_(unixSeconds()),
      isFim_(request.isFim),
      includeUsage_(request.includeUsage),
      card_(card) {
  std::tie(head_, tail_) = aroundText(
      [&](std::string_view text) { return dump(answer(choice(text, nullptr, false), false)); });
}

Json TextCompletionStream::answer(Json choice, bool isWhole) const {
  std::string_view object = "text_completion";
  if (isFim_) object = isWhole ? "chat.completion" : "chat.completion.chunk";
  Json choices = Json::array();
  if (!choice.is_null()) choices.push_back(std::move(choice));
  return {{"id", id_},
          {"object", object},
          {"created", createdAt_},
          {"model", card_.name},
          {"choices", std::move(choices)}};
}

Json TextCompletionStream::choice(std::string_view text, const Json& finishReason,
                                  bool isWhole) const {
  Json choice = {{"index", 0}, {"finish_reason", finishReason}};
  if (isFim_) {
    choice[isWhole ? "message" : "delta"] = {{"role", "assistant"}, {"content", text}};
  } else {
    choice["text"] = text;
    choice["logprobs"] = nullptr;
  }
  return choice;
}

void TextCompletionStream::text(std::string_view added) {
  text_ += added;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText({}, head_, added, tail_);
}

void TextCompletionStream::ended(const inference::JobReport& report) {
  report_ = report;
  problem_ = endProblem(report, {.input = "prompt"}, /*tools=*/false);
  if (isCutOff(report)) finishReason_ = "length";
  if (!outbox_) return;
  if (problem_) {
    outbox_->push({}, dump({{"error", openAiError(*problem_)}}));
  } else {
    // Mistral's last chunk has the usage itself.
    Json last = answer(choice({}, finishReason_, false), false);
    if (isFim_) last["usage"] = openAiUsage(*report_);
    outbox_->push({}, dump(last));
    if (includeUsage_ && !isFim_) {
      last = answer(nullptr, false);
      last["usage"] = openAiUsage(*report_);
      outbox_->push({}, dump(last));
    }
  }
  outbox_->push({}, "[DONE]");
}

Json TextCompletionStream::object() const {
  Json whole = answer(choice(text_, finishReason_, true), true);
  whole["usage"] = openAiUsage(*report_);
  whole["timings"] = timingsJson(*report_, card_);
  return whole;
}

}  // namespace waferpair::server
