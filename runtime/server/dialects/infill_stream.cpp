// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill_stream.h"

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/server/dialects/answer_parts.h"
#include "runtime/server/dialects/generation_settings.h"

namespace waferpair::server {
namespace {

using inference::StopReason;

constexpr base::Field kContent{.name = "content"};

std::string_view errorType(const Problem& problem) {
  if (problem.code == protocol::error_code::kContextLengthExceeded)
    return "exceed_context_size_error";
  switch (httpStatus(problem)) {
    case 400:
      return "invalid_request_error";
    case 404:
      return "not_found_error";
    case 501:
      return "not_supported_error";
    case 429:
    case 503:
      return "unavailable_error";
    default:
      return "server_error";
  }
}

// 0 where nothing was measured: clients print these without a look.
double rate(double amount, double per) { return per > 0 ? amount / per : 0; }

}  // namespace

InfillStream::InfillStream(const InfillRequest& request, const inference::ModelCard& card,
                           int index)
    : index_(index),
      isPrefill_(request.maxTokens == 0),
      mostPredicting_(request.mostPredicting),
      responseFields_(request.responseFields),
      settings_(generationSettings(request, card)),
      format_(request.format),
      returnsProgress_(request.returnsProgress),
      returnsTokens_(request.returnsTokens),
      mostAlternatives_(request.mostAlternatives),
      card_(card),
      head_(openText({{"index", index}, {"stop", false}}, kContent)) {}

Json InfillStream::errorBody(const Problem& problem, int status) {
  return {{"error",
           {{"code", status},
            {"message", problem.what},
            {"type", errorType(problem)},
            {"remedy", problem.remedy}}}};
}

void InfillStream::prompt(const inference::PromptProgress& progress) {
  progress_ = progress;
  if (!outbox_ || !returnsProgress_) return;
  outbox_->push({}, dump({{"index", index_},
                          {"content", ""},
                          {"stop", false},
                          {"prompt_progress", progressJson(progress_)}}));
}

// Ahead of their text, in an event of their own.
void InfillStream::chances(const std::vector<inference::TokenChance>& added) {
  Json event = {{"index", index_}, {"content", ""}, {"stop", false}};
  Json tokens = Json::array();
  for (const inference::TokenChance& chance : added)
    if (returnsTokens_ && chance.token.token >= 0) tokens.push_back(chance.token.token);
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  if (!tokens.empty()) event["tokens"] = std::move(tokens);
  if (mostAlternatives_ > 0) {
    Json told = chancesJson(added, mostAlternatives_);
    chances_.insert(chances_.end(), told.begin(), told.end());
    if (!told.empty()) event["completion_probabilities"] = std::move(told);
  }
  if (!outbox_ || event.size() == 3) return;
  lastText_ = 0;
  outbox_->push({}, dump(event));
}

void InfillStream::text(std::string_view added, inference::Clock::time_point now) {
  if (isPrefill_) return;
  text_ += added;
  if (!firstText_) firstText_ = now;
  if (mostPredicting_.count() > 0 && now - *firstText_ > mostPredicting_)
    isLate_ = isLate_ || text_.find('\n') != text_.npos;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText({}, head_, added, "\"}");
}

void InfillStream::ended(const inference::JobReport& report) {
  report_ = report;
  switch (report.reason) {
    case StopReason::kEndOfText:
      stopType_ = "eos";
      break;
    case StopReason::kStopString:
      stopType_ = "word";
      break;
    case StopReason::kMaxLines:
    case StopReason::kUnsure:
    case StopReason::kLoop:
    case StopReason::kMaxTokens:
    case StopReason::kContextFull:
      break;
    case StopReason::kCancelled:
    case StopReason::kStale:
      if (!isLate_) problem_ = serverEnds();
      break;
    case StopReason::kInputTooLong:
    case StopReason::kGrammarStuck:
    case StopReason::kNotLoaded:
    case StopReason::kFailed:
      problem_ = problemOf(report);
      break;
  }
  if (!outbox_) return;
  outbox_->push({}, dump(problem_ ? errorBody(*problem_) : chosen(whole({}))));
}

Json InfillStream::timings() const {
  const int prompt = report_->inputTokens - report_->cachedTokens;
  Json timings = timingsJson(*report_, card_);
  timings.update({{"cache_n", report_->cachedTokens},
                  {"prompt_n", prompt},
                  {"prompt_ms", report_->prefillMs},
                  {"prompt_per_token_ms", rate(report_->prefillMs, prompt)},
                  {"prompt_per_second", rate(1000.0 * prompt, report_->prefillMs)},
                  {"predicted_n", report_->outputTokens},
                  {"predicted_ms", report_->decodeMs},
                  {"predicted_per_token_ms", rate(report_->decodeMs, report_->decodeTokens)},
                  {"predicted_per_second", report_->hostTokensPerSecond().value_or(0)}});
  return timings;
}

Json InfillStream::whole(std::string_view content) const {
  Json whole = {{"index", index_},
                {"content", content},
                {"tokens", outbox_ ? Json::array() : tokens_},
                {"stop", true},
                {"stop_type", stopType_},
                {"stopping_word", report_->stopString},
                {"generation_settings", settings_},
                {"model", card_.name},
                {"tokens_predicted", report_->outputTokens},
                {"tokens_evaluated", report_->inputTokens},
                {"tokens_cached", report_->contextUsed},
                {"truncated", report_->reason == StopReason::kContextFull},
                {"has_new_line", text_.find('\n') != text_.npos},
                {"timings", timings()}};
  if (mostAlternatives_ > 0) whole["completion_probabilities"] = chances_;
  tellLeftOut(whole, format_);
  return whole;
}

// As llama-server does, under each path as it was asked for; what there is not is left out.
Json InfillStream::chosen(const Json& answer) const {
  if (responseFields_.empty()) return answer;
  Json chosen = Json::object();
  for (const std::string& path : responseFields_) {
    const Json* value = &answer;
    std::string_view rest = path;
    for (bool more = true; more && value;) {
      const std::size_t end = rest.find('/');
      more = end != rest.npos;
      const std::string key(rest.substr(0, end));
      const bool known = value->is_object() && value->contains(key);
      value = known ? &(*value)[key] : nullptr;
      if (more) rest.remove_prefix(end + 1);
    }
    if (value) chosen[path] = *value;
  }
  return chosen;
}

}  // namespace waferpair::server
