// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/sampling_fields.h"

#include <charconv>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace field = protocol::field::sampling;

constexpr double kMaxBias = 100;

// {"TOKEN ID": bias, ...}, as in the OpenAI API.
std::vector<inference::TokenBias> readBias(JsonFields& fields) {
  std::vector<inference::TokenBias> all;
  if (!fields.has(field::kLogitBias)) return all;
  const Json& object = fields.object(field::kLogitBias);
  if (object.size() > field::kLogitBias.most)
    fields.fail(field::kLogitBias, "has " + std::to_string(object.size()) + " entries.",
                "Give at most " + std::to_string(field::kLogitBias.most) + ".");
  JsonFields biases = fields.part(field::kLogitBias);
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

std::vector<std::string> readStop(JsonFields& fields) {
  if (!fields.has(field::kStop)) return {};
  if (fields.isText(field::kStop)) return {fields.text(field::kStop)};
  std::vector<std::string> all;
  const Json& strings = fields.list(field::kStop);
  for (std::size_t i = 0; i < strings.size() && !fields.problem(); ++i) {
    const bool usable = strings[i].is_string() &&
                        strings[i].get_ref<const std::string&>().size() <= field::kStop.bytes;
    if (usable) {
      all.push_back(strings[i].get<std::string>());
    } else {
      fields.fail(std::string(field::kStop.name) + "[" + std::to_string(i) + "]",
                  "is not a string of at most " + std::to_string(field::kStop.bytes) + " bytes.",
                  "Give short strings.");
    }
  }
  return all;
}

inference::SamplingOptions readSampling(JsonFields& fields) {
  inference::SamplingOptions sampling;
  sampling.temperature = static_cast<float>(fields.number(field::kTemperature));
  sampling.topP = static_cast<float>(fields.number(field::kTopP));
  sampling.topK = static_cast<int>(fields.integer(field::kTopK));
  sampling.seed = static_cast<std::uint64_t>(fields.integer(field::kSeed));
  sampling.minP = static_cast<float>(fields.number(field::kMinP));
  sampling.repetitionPenalty = static_cast<float>(fields.number(field::kRepetitionPenalty));
  sampling.bias = readBias(fields);
  return sampling;
}

}  // namespace waferpair::server
