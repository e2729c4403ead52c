// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that the answers of all dialects share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/output/answer_reader.h"
#include "runtime/server/core/message.h"
#include "runtime/server/core/problem.h"
#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

// "resp_", say, and random digits.
std::string makeId(std::string_view prefix);

std::int64_t unixSeconds();

// Returns what tells the answer's text from its thoughts and calls, where it may have some.
inference::AnswerReader answerReader(const TextRequest& request, const inference::ModelCard& card);

// The model's prompt ends where it goes on thinking.
bool opensThinking(const inference::ModelCard& card, const TextRequest& request);

// Why a job was cancelled whose client has not hung up.
Problem serverEnds();

// Returns the problem that tells a client that its job failed, with the field to blame.
Problem answerProblem(const inference::JobReport& report, const TextRequestFields& names,
                      bool tools);

// The same where the job has ended: none if its text is an answer.
std::optional<Problem> endProblem(const inference::JobReport& report,
                                  const TextRequestFields& names, bool tools);
// The text could have gone on, but for the limit of tokens or of the context.
bool isCutOff(const inference::JobReport& report);

// The probability of a token and of its alternatives, at most `most`, as OpenAI's Chat Completions,
// llama-server and Ollama write it.
Json chanceJson(const inference::TokenChance& chance, int most);
Json chancesJson(const std::vector<inference::TokenChance>& chances, int most);

// One body of several answers as OpenAI writes them: all choices, and what they took together.
Json joinedChoices(std::vector<Json> all);

// prompt_progress, as llama-server writes it where return_progress asks for it.
Json progressJson(const inference::PromptProgress& progress);

// usage, as OpenAI's Chat Completions and what is like them write it.
Json openAiUsage(const inference::JobReport& report);

// Returns what stands around the text in what `write` makes of one.
template <typename Write>
std::pair<std::string, std::string> aroundText(Write write) {
  const std::string mark = makeId("text");  // nothing else has it
  const std::string whole = write(mark);
  const std::size_t at = whole.find(mark);
  return {whole.substr(0, at), whole.substr(at + mark.size())};
}

}  // namespace waferpair::server
