// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/text_completion_request.h"

#include <algorithm>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

constexpr base::Field kSuffix{.name = "suffix"};
constexpr base::Field kRandomSeed{.name = "random_seed", .high = 9007199254740992};
constexpr int kUsualTokens = 16;  // OpenAI's, where max_tokens is missing

// How many texts of each prompt there are. Which of them are the likeliest is known at their end.
void readChoices(JsonFields& fields, TextCompletionRequest& request) {
  request.choices = fields.integerOr("n", 1, 1, 128);
  request.written = fields.integerOr("best_of", request.choices, 1, 128);
  if (request.written < request.choices)
    fields.fail("best_of", "is less than n.", "Give at least n, or leave it out.");
  if (request.written > request.choices && request.stream)
    fields.fail("best_of", "is more than n, and stream is true.", "Leave out one of them.");
  checkCount(fields, std::max<std::size_t>(1, request.prompts.size()) *
                         static_cast<std::size_t>(request.written));
}

// OpenAI's field is the number of other tokens that are told with each; 0 asks for the chosen ones.
void readChances(JsonFields& fields, TextCompletionRequest& request) {
  request.chances = fields.has("logprobs");
  request.mostAlternatives = readAlternatives(fields, "logprobs");
}

// What both paths have.
void readSharedFields(JsonFields& fields, TextCompletionRequest& request) {
  request.model = fields.text(protocol::field::response_create::kModel);
  request.raw = fields.booleanOr("raw", false);
  if (request.raw && fields.has(kSuffix))
    fields.fail("suffix", "stands beside \"raw\".", "Write it into the prompt, or leave out raw.");
  if (!request.raw && fields.has(kSuffix)) {
    request.prefix = readPrompt(fields);
    request.suffix = fields.text(kSuffix);
    request.isFillIn = true;
  } else {
    readPrompts(fields, request);
  }
  request.maxTokens = readMostTokens(fields, "max_tokens");
  request.sampling = readForeignSampling(fields, kOpenAiSampling);
  request.stop = readStop(fields);
  request.stream = fields.booleanOr("stream", false);
  request.speculation = fields.booleanOr("speculation", true);
  request.minProbability = fields.number(protocol::field::completion_create::kMinProbability);
}

TextCompletionRequest readTextCompletion(JsonFields& fields) {
  TextCompletionRequest request;
  readSharedFields(fields, request);
  if (!fields.has("max_tokens")) request.maxTokens = kUsualTokens;
  if (fields.has("stream_options")) {
    JsonFields options = fields.part("stream_options");
    request.includeUsage = options.booleanOr("include_usage", false);
    fields.adopt(options);
  }
  readChances(fields, request);
  request.echoes = fields.booleanOr("echo", false);
  if (request.echoes && request.isFillIn)
    fields.fail("echo", "stands beside text that fills a gap.", "Leave one of them out.");
  readChoices(fields, request);
  return request;
}

TextCompletionRequest readFimCompletion(JsonFields& fields) {
  TextCompletionRequest request;
  request.isFim = true;
  readSharedFields(fields, request);
  if (!request.pieces.empty() || !request.prompts.empty())
    fields.fail("prompt", "is a list of tokens or of several texts.", "Give one text.");
  request.isFillIn = true;
  if (request.raw) fields.fail("raw", "is not supported here.", "Ask /v1/completions.");
  request.includeUsage = true;
  if (fields.has(kRandomSeed))
    request.sampling.seed = static_cast<std::uint64_t>(fields.integer(kRandomSeed));
  if (fields.integerOr("min_tokens", 0, 0, 1 << 20) != 0)
    fields.fail("min_tokens", "is more than 0.", "Leave it out: an answer ends where it is whole.");
  return request;
}

Checked<TextCompletionRequest> parseCompletion(std::string_view body,
                                               TextCompletionRequest (*read)(JsonFields&)) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  TextCompletionRequest request = read(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return request;
}

}  // namespace

Checked<TextCompletionRequest> parseTextCompletionBody(std::string_view body) {
  return parseCompletion(body, readTextCompletion);
}

Checked<TextCompletionRequest> parseFimCompletionBody(std::string_view body) {
  return parseCompletion(body, readFimCompletion);
}

}  // namespace waferpair::server
