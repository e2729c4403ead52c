// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/ollama_stream.h"

#include <cmath>
#include <ctime>
#include <tuple>

#include "runtime/server/core/events.h"

namespace waferpair::server {
namespace {

std::int64_t nanoseconds(double ms) { return std::llround(ms * 1e6); }

OllamaText textOfGap(const PlainRequest& request) {
  OllamaText text;
  text.stream = request.stream;
  text.names.input = "prompt";
  text.separatesThinking = false;
  return text;
}

}  // namespace

std::string ollamaTime(std::int64_t unixSeconds) {
  const std::time_t seconds = unixSeconds;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

OllamaStream::OllamaStream(const OllamaText& request, const inference::ModelCard& card)
    : isChat_(request.isChat),
      mayCall_(request.tools.mayCall()),
      names_(request.names),
      format_(request.format),
      tellsChances_(request.chances),
      mostAlternatives_(request.mostAlternatives),
      card_(card),
      createdAt_(ollamaTime(unixSeconds())),
      reader_(answerReader(request, card)) {
  std::tie(head_, tail_) = aroundText([&](std::string_view text) { return dump(line(text)); });
}

OllamaStream::OllamaStream(const PlainRequest& request, const inference::ModelCard& card)
    : OllamaStream(textOfGap(request), card) {}

Json OllamaStream::errorBody(const Problem& problem) {
  return {{"error", problem.what + " " + problem.remedy}};
}

Json OllamaStream::line(std::string_view text, std::string_view thought) const {
  Json line = {{"model", card_.name}, {"created_at", createdAt_}, {"done", false}};
  if (isChat_)
    line["message"] = {{"role", "assistant"}, {"content", text}};
  else
    line["response"] = text;
  if (!thought.empty()) (isChat_ ? line["message"] : line)["thinking"] = thought;
  return line;
}

// A line without text, so that its client does not take a long silence for a server that is gone.
void OllamaStream::prompt(const inference::PromptProgress& progress) {
  if (outbox_ && progress.read < progress.tokens) outbox_->push({}, dump(line({})));
}

// Ahead of their text, in a line of their own.
void OllamaStream::chances(const std::vector<inference::TokenChance>& added) {
  Json told = chancesJson(added, mostAlternatives_);
  chances_.insert(chances_.end(), told.begin(), told.end());
  if (!outbox_ || told.empty()) return;
  lastText_ = 0;
  Json chance = line({});
  chance["logprobs"] = std::move(told);
  outbox_->push({}, dump(chance));
}

void OllamaStream::text(std::string_view added) { take(reader_.push(added)); }

void OllamaStream::addThought(std::string_view added) {
  thought_ += added;
  lastText_ = 0;
  if (outbox_) outbox_->push({}, dump(line({}, added)));
}

void OllamaStream::take(const std::vector<inference::AnswerPart>& parts) {
  using Kind = inference::AnswerPart::Kind;
  for (const inference::AnswerPart& part : parts) {
    if (part.kind == Kind::kThought) addThought(part.text);
    if (part.kind == Kind::kText) addText(part.text);
    if (part.kind == Kind::kCall) calls_.push_back({.id = {}, .name = part.text, .arguments = {}});
    if (part.kind == Kind::kArguments) calls_.back().arguments += part.text;
  }
}

void OllamaStream::addText(std::string_view added) {
  text_ += added;
  if (!outbox_ || outbox_->grow(lastText_, added)) return;
  lastText_ = outbox_->pushText({}, head_, added, tail_);
}

void OllamaStream::ended(const inference::JobReport& report) {
  report_ = report;
  take(reader_.finish());
  problem_ = endProblem(report, names_, mayCall_);
  if (outbox_) outbox_->push({}, dump(problem_ ? errorBody(*problem_) : last({}, {})));
}

Json OllamaStream::last(std::string_view text, std::string_view thought) const {
  Json last = line(text, thought);
  // A call whose arguments were cut off is none.
  for (const inference::ToolCall& call : calls_) {
    Json arguments = Json::parse(call.arguments, nullptr, /*allow_exceptions=*/false);
    if (!arguments.is_object()) continue;
    last["message"]["tool_calls"].push_back(
        {{"function", {{"name", call.name}, {"arguments", std::move(arguments)}}}});
  }
  last.update({{"done", true},
               {"done_reason", isCutOff(*report_) ? "length" : "stop"},
               {"total_duration", nanoseconds(report_->totalMs)},
               {"load_duration", nanoseconds(report_->queuedMs)},
               {"prompt_eval_count", report_->inputTokens},
               {"prompt_eval_duration", nanoseconds(report_->prefillMs)},
               {"eval_count", report_->outputTokens},
               {"eval_duration", nanoseconds(report_->decodeMs)}});
  if (tellsChances_ && !outbox_) last["logprobs"] = chances_;
  tellLeftOut(last, format_);
  return last;
}

}  // namespace waferpair::server
