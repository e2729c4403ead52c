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

std::optional<inference::ToolCallReader> callReader(const TextRequest& request,
                                                    const inference::ModelCard& card) {
  if (!card.tools || !request.tools.mayCall()) return std::nullopt;
  return inference::ToolCallReader(callSyntax(*card.tools), request.tools.tools);
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
         report.reason == inference::StopReason::kContextFull;
}

Json openAiUsage(const inference::JobReport& report) {
  return {{"prompt_tokens", report.inputTokens},
          {"completion_tokens", report.outputTokens},
          {"total_tokens", report.inputTokens + report.outputTokens},
          {"prompt_tokens_details", {{"cached_tokens", report.cachedTokens}}},
          {"completion_tokens_details", {{"reasoning_tokens", 0}}}};
}

}  // namespace waferpair::server
