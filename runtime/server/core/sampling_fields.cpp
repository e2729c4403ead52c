// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/sampling_fields.h"

#include <charconv>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace sampling = protocol::field::sampling;

constexpr double kMaxBias = 100;

// {"TOKEN ID": bias, ...}, as in the OpenAI API.
std::vector<inference::TokenBias> readBias(JsonFields& fields) {
  std::vector<inference::TokenBias> all;
  if (!fields.has(sampling::kLogitBias)) return all;
  const Json& object = fields.object(sampling::kLogitBias);
  if (object.size() > sampling::kLogitBias.most)
    fields.fail(sampling::kLogitBias, "has " + std::to_string(object.size()) + " entries.",
                "Give at most " + std::to_string(sampling::kLogitBias.most) + ".");
  JsonFields biases = fields.part(sampling::kLogitBias);
  for (const auto& entry : object.items()) {
    if (fields.problem() || biases.problem()) break;
    const std::string& key = entry.key();
    std::int32_t token = -1;
    const auto end = std::from_chars(key.data(), key.data() + key.size(), token);
    if (end.ec != std::errc() || end.ptr != key.data() + key.size() || token < 0)
      biases.fail(key, "is not a token id.", "Give ids of the model's vocabulary as keys.");
    const double bias = biases.number(key.c_str(), -kMaxBias, kMaxBias);
    all.push_back({token, static_cast<float>(bias)});
  }
  fields.adopt(biases);
  return all;
}

}  // namespace

std::vector<std::string> readTexts(JsonFields& fields, const base::Field& field) {
  std::vector<std::string> all;
  const Json& strings = fields.list(field);
  for (std::size_t i = 0; i < strings.size() && !fields.problem(); ++i) {
    const bool usable =
        strings[i].is_string() && strings[i].get_ref<const std::string&>().size() <= field.bytes;
    if (usable) {
      all.push_back(strings[i].get<std::string>());
    } else {
      fields.fail(std::string(field.name) + "[" + std::to_string(i) + "]",
                  "is not a string of at most " + std::to_string(field.bytes) + " bytes.",
                  "Give short strings.");
    }
  }
  return all;
}

std::vector<std::string> readStop(JsonFields& fields) {
  if (!fields.has(sampling::kStop)) return {};
  if (fields.isText(sampling::kStop)) return {fields.text(sampling::kStop)};
  return readTexts(fields, sampling::kStop);
}

inference::SamplingOptions readSampling(JsonFields& fields) {
  inference::SamplingOptions sampling;
  sampling.temperature = static_cast<float>(fields.number(sampling::kTemperature));
  sampling.topP = static_cast<float>(fields.number(sampling::kTopP));
  sampling.topK = static_cast<int>(fields.integer(sampling::kTopK));
  sampling.seed = static_cast<std::uint64_t>(fields.integer(sampling::kSeed));
  sampling.minP = static_cast<float>(fields.number(sampling::kMinP));
  sampling.repetitionPenalty = static_cast<float>(fields.number(sampling::kRepetitionPenalty));
  sampling.bias = readBias(fields);
  return sampling;
}

}  // namespace waferpair::server
