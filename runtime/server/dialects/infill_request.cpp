// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill_request.h"

#include <algorithm>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/prompt/surroundings.h"
#include "runtime/server/core/message.h"
#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

constexpr auto kMostInfillTokens =
    static_cast<int>(protocol::field::response_create::kMaxOutputTokens.high);
constexpr int kMostMs = 24 * 60 * 60 * 1000;
constexpr base::Field kInputPrefix{.name = "input_prefix", .required = true};
constexpr base::Field kInputSuffix{.name = "input_suffix", .required = true};
constexpr base::Field kPrompt{.name = "prompt"};
constexpr base::Field kInputExtra{.name = "input_extra", .most = 1024};
constexpr base::Field kExtraName{.name = "filename", .bytes = 8192};
constexpr base::Field kExtraText{.name = "text", .required = true};
constexpr base::Field kResponseFields{.name = "response_fields", .most = 256};
// As in protocol::field::sampling, but that -1 stands for what is not limited, or not chosen.
constexpr base::Field kTopK{.name = "top_k", .low = -1, .high = 1048576};
constexpr base::Field kSeed{.name = "seed", .low = -1, .high = 9007199254740992};
constexpr base::Field kRepeatPenalty{
    .name = "repeat_penalty", .low = 0.5, .high = 2, .fallback = 1};
// llama-server's mark between passages, for models without a token for it.
constexpr std::string_view kPassage = "\n\n--- snippet ---\n\n";

inference::SamplingOptions readInfillSampling(JsonFields& fields) {
  namespace sampling = protocol::field::sampling;
  inference::SamplingOptions read;
  read.temperature = static_cast<float>(fields.number(sampling::kTemperature));
  read.topP = static_cast<float>(fields.number(sampling::kTopP));
  read.minP = static_cast<float>(fields.number(sampling::kMinP));
  read.topK = static_cast<int>(std::max<std::int64_t>(0, fields.integer(kTopK)));
  read.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields.integer(kSeed)));
  read.repetitionPenalty = static_cast<float>(fields.number(kRepeatPenalty));
  return read;
}

std::vector<InfillRequest::Extra> readExtra(JsonFields& fields) {
  std::vector<InfillRequest::Extra> all;
  const std::size_t count = fields.list(kInputExtra).size();
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields passage = fields.entry(kInputExtra, i);
    all.push_back({passage.text(kExtraName), passage.text(kExtraText)});
    fields.adopt(passage);
  }
  return all;
}

std::vector<std::string> readResponseFields(JsonFields& fields) {
  std::vector<std::string> paths;
  for (const Json& path : fields.list(kResponseFields)) {
    if (path.is_string())
      paths.push_back(path.get<std::string>());
    else
      fields.fail(kResponseFields, "has an entry that is no string.",
                  "Give paths of the answer's fields, as \"timings/prompt_n\".");
  }
  return paths;
}

// Says what of the API is not offered, so that nobody takes the answer for what it is not.
void refuseOtherForms(JsonFields& fields) {
  for (const char* count : {"n", "n_cmpl"})
    if (fields.integerOr(count, 1, 1, 128) != 1)
      fields.fail(count, "is more than 1.", "Ask several times.");
  for (const char* form : {"grammar", "json_schema"})
    if (fields.has(form))
      fields.fail(form, "is not kept to at this path.",
                  "Leave it out, or ask at /v1/responses with text.format.");
}

InfillRequest readInfill(JsonFields& fields) {
  InfillRequest infill;
  infill.model = fields.text(protocol::field::response_create::kModel);
  infill.prefix = fields.text(kInputPrefix);
  infill.prefix += fields.text(kPrompt);
  infill.suffix = fields.text(kInputSuffix);
  infill.extra = readExtra(fields);
  const int most = fields.integerOr("n_predict", -1, -1, kMostInfillTokens);
  infill.maxTokens = most < 0 ? inference::JobLimits::kUpToContext : most;
  infill.mostPredicting =
      std::chrono::milliseconds(std::max(0, fields.integerOr("t_max_predict_ms", -1, -1, kMostMs)));
  infill.sampling = readInfillSampling(fields);
  infill.stop = readStop(fields);
  infill.stream = fields.booleanOr("stream", false);
  infill.responseFields = readResponseFields(fields);
  refuseOtherForms(fields);
  return infill;
}

// The last passages that fit in the limit of what is copied from, in their order.
std::string joinedPassages(const std::vector<InfillRequest::Extra>& extra) {
  std::size_t first = extra.size(), bytes = 0;
  const auto size = [](const InfillRequest::Extra& passage) {
    return kPassage.size() + passage.fileName.size() + 1 + passage.text.size();
  };
  while (first > 0 && bytes + size(extra[first - 1]) <= inference::Surroundings::kMostBytes)
    bytes += size(extra[--first]);
  std::string joined;
  for (; first < extra.size(); ++first) {
    joined += kPassage;
    if (!extra[first].fileName.empty()) joined += extra[first].fileName + '\n';
    joined += extra[first].text;
  }
  return joined;
}

}  // namespace

Checked<InfillRequest> parseInfillBody(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  InfillRequest infill = readInfill(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return infill;
}

inference::CompletionRequest infillJob(const InfillRequest& request,
                                       const inference::ModelCard& card,
                                       inference::Clock::time_point received) {
  std::string passages = joinedPassages(request.extra);
  if (!passages.empty()) passages += kPassage;
  std::string text = card.copying ? request.prefix : passages + request.prefix;
  const std::size_t cursor = text.size();
  text += request.suffix;
  const inference::PromptWindow window = inference::Engine::window(card, text, cursor);
  inference::CompletionRequest job;
  job.prefix = window.prefix;
  job.suffix = window.suffix;
  job.above = window.above;
  // Only what is above decides which brackets are open.
  job.below = card.copying ? passages + std::string(window.below) : std::string(window.below);
  // A job has a token at least, which is not told where none is wanted.
  job.limits = {.maxTokens = std::max(1, request.maxTokens),
                .sampling = request.sampling,
                .stop = request.stop,
                .received = received};
  return job;
}

}  // namespace waferpair::server
