// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/infill_request.h"

#include <algorithm>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/message.h"
#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

constexpr int kMostMs = 24 * 60 * 60 * 1000;
constexpr base::Field kInputPrefix{.name = "input_prefix", .required = true};
constexpr base::Field kInputSuffix{.name = "input_suffix", .required = true};
constexpr base::Field kTypedPrompt{.name = "prompt"};
constexpr base::Field kInputExtra{.name = "input_extra", .most = 1024};
constexpr base::Field kExtraName{.name = "filename", .bytes = 8192};
constexpr base::Field kExtraText{.name = "text", .required = true};
constexpr base::Field kResponseFields{.name = "response_fields", .most = 256};

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

// What both paths have.
void readShared(JsonFields& fields, InfillRequest& infill) {
  infill.model = fields.text(protocol::field::response_create::kModel);
  // Some clients give OpenAI's name, which llama-server takes, too.
  infill.maxTokens = readMostTokens(fields, fields.has("n_predict") ? "n_predict" : "max_tokens");
  infill.mostPredicting =
      std::chrono::milliseconds(std::max(0, fields.integerOr("t_max_predict_ms", -1, -1, kMostMs)));
  infill.sampling = readLlamaSampling(fields, kLlamaSampling);
  infill.stop = readStop(fields);
  infill.stream = fields.booleanOr("stream", false);
  infill.responseFields = readResponseFields(fields);
  infill.mostAlternatives = readAlternatives(fields, "n_probs");
  infill.returnsTokens = fields.booleanOr("return_tokens", false);
  infill.chances = infill.mostAlternatives > 0 || infill.returnsTokens;
  infill.returnsProgress = fields.booleanOr("return_progress", false);
  infill.format = readLlamaFormat(fields);
  infill.choices = std::max(fields.integerOr("n", 1, 1, InfillRequest::kMostChoices),
                            fields.integerOr("n_cmpl", 1, 1, InfillRequest::kMostChoices));
}

InfillRequest readInfill(JsonFields& fields) {
  InfillRequest infill;
  infill.isFillIn = true;
  infill.prefix = fields.text(kInputPrefix);
  infill.prefix += fields.text(kTypedPrompt);
  infill.suffix = fields.text(kInputSuffix);
  infill.extra = readExtra(fields);
  infill.minProbability = fields.number(protocol::field::completion_create::kMinProbability);
  readShared(fields, infill);
  infill.isUnasked =
      !fields.has(protocol::field::completion_create::kMinProbability) && infill.choices == 1;
  return infill;
}

InfillRequest readCompletion(JsonFields& fields) {
  InfillRequest completion;
  readPrompts(fields, completion);
  readShared(fields, completion);
  checkCount(fields, std::max<std::size_t>(1, completion.prompts.size()) *
                         static_cast<std::size_t>(completion.choices));
  return completion;
}

Checked<InfillRequest> parseBody(std::string_view body, InfillRequest (*read)(JsonFields&)) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  InfillRequest infill = read(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return infill;
}

}  // namespace

Checked<InfillRequest> parseInfillBody(std::string_view body) {
  return parseBody(body, readInfill);
}

Checked<InfillRequest> parseCompletionBody(std::string_view body) {
  return parseBody(body, readCompletion);
}

}  // namespace waferpair::server
