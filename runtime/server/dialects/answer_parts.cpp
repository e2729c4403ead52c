// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/answer_parts.h"

#include <chrono>
#include <random>

#include "runtime/inference/prompt/chat_program.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"

namespace waferpair::server {

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

std::int64_t unixSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

inference::AnswerReader answerReader(const TextRequest& request, const inference::ModelCard& card) {
  std::optional<inference::ThinkingReader> thinking;
  if (card.thinking && request.separatesThinking)
    thinking.emplace(*card.thinking, opensThinking(card, request));
  std::optional<inference::ToolCallReader> calls;
  std::optional<inference::BareCallReader> bare;
  if (card.toolForm && request.tools.mayCall()) {
    calls.emplace(card.toolForm->syntax(), request.tools.tools);
    // Where calls must come, they come in the model's form.
    if (request.tools.calls == grammar::Calls::kAllowed) {
      std::vector<inference::Tool> callable;
      for (const std::size_t tool : request.tools.callable)
        callable.push_back(request.tools.tools[tool]);
      bare.emplace(callable, request.tools.parallel);
    }
  }
  return {std::move(thinking), std::move(calls), std::move(bare)};
}

bool opensThinking(const inference::ModelCard& card, const TextRequest& request) {
  return card.thinking && card.chatProgram && request.isConversation() &&
         !request.goesOnAnswering() &&
         card.chatProgram->opensThinking(*card.thinking, request.variables);
}

Problem serverEnds() {
  return {protocol::error_code::kNotReady, {"The server ends.", "Ask again once it is running."}};
}

Problem answerProblem(const inference::JobReport& report, const TextRequestFields& names,
                      bool tools) {
  Problem problem = problemOf(report);
  if (report.reason == inference::StopReason::kInputTooLong) problem.field = names.input;
  if (report.reason == inference::StopReason::kGrammarStuck)
    problem.field = tools ? std::string_view("tools") : names.format;
  return problem;
}

std::optional<Problem> endProblem(const inference::JobReport& report,
                                  const TextRequestFields& names, bool tools) {
  using inference::StopReason;
  switch (report.reason) {
    case StopReason::kEndOfText:
    case StopReason::kMaxLines:
    case StopReason::kStopString:
    case StopReason::kUnsure:
    case StopReason::kLoop:
    case StopReason::kMaxTokens:
    case StopReason::kContextFull:
      return std::nullopt;
    case StopReason::kCancelled:
    case StopReason::kStale:
      return serverEnds();
    case StopReason::kInputTooLong:
    case StopReason::kGrammarStuck:
    case StopReason::kNotLoaded:
    case StopReason::kFailed:
      break;
  }
  return answerProblem(report, names, tools);
}

bool isCutOff(const inference::JobReport& report) {
  return report.reason == inference::StopReason::kMaxTokens ||
         report.reason == inference::StopReason::kContextFull ||
         report.reason == inference::StopReason::kLoop;
}

Json chanceJson(const inference::TokenChance& chance, int most) {
  const auto write = [](const inference::ChanceOf& one) {
    Json bytes = Json::array();
    for (const char byte : one.bytes) bytes.push_back(static_cast<unsigned char>(byte));
    return Json{{"id", one.token},
                {"token", one.bytes},
                {"logprob", one.logProbability},
                {"bytes", std::move(bytes)}};
  };
  Json told = write(chance.token);
  told["top_logprobs"] = Json::array();
  for (const inference::ChanceOf& other : chance.likeliest)
    if (static_cast<int>(told["top_logprobs"].size()) < most)
      told["top_logprobs"].push_back(write(other));
  return told;
}

Json chancesJson(const std::vector<inference::TokenChance>& chances, int most) {
  Json told = Json::array();
  for (const inference::TokenChance& chance : chances)
    if (chance.token.token >= 0) told.push_back(chanceJson(chance, most));
  return told;
}

Json joinedChoices(std::vector<Json> all) {
  Json whole = std::move(all.front());
  for (std::size_t i = 1; i < all.size(); ++i) {
    whole["choices"].insert(whole["choices"].end(), all[i]["choices"].begin(),
                            all[i]["choices"].end());
    for (const char* count : {"prompt_tokens", "completion_tokens", "total_tokens"})
      whole["usage"][count] =
          whole["usage"][count].get<std::int64_t>() + all[i]["usage"][count].get<std::int64_t>();
  }
  return whole;
}

Json progressJson(const inference::PromptProgress& progress) {
  return {{"total", progress.tokens},
          {"cache", progress.cached},
          {"processed", progress.read},
          {"time_ms", progress.ms}};
}

Json openAiUsage(const inference::JobReport& report) {
  return {{"prompt_tokens", report.inputTokens},
          {"completion_tokens", report.outputTokens},
          {"total_tokens", report.inputTokens + report.outputTokens},
          {"prompt_tokens_details", {{"cached_tokens", report.cachedTokens}}},
          {"completion_tokens_details", {{"reasoning_tokens", 0}}}};
}

}  // namespace waferpair::server
