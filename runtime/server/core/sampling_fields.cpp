// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/sampling_fields.h"

#include <charconv>

namespace waferpair::server {
namespace {

constexpr std::size_t kMaxStops = 16;
constexpr std::size_t kMaxStopBytes = 256;
constexpr std::size_t kMaxBiases = 1024;
constexpr double kMaxBias = 100;

// {"TOKEN ID": bias, ...}, as in the OpenAI API.
std::vector<inference::TokenBias> readBias(JsonFields& fields) {
  std::vector<inference::TokenBias> all;
  if (!fields.has("logit_bias")) return all;
  const Json& object = fields.object("logit_bias");
  if (object.size() > kMaxBiases)
    fields.fail("logit_bias", "has " + std::to_string(object.size()) + " entries.",
                "Send at most " + std::to_string(kMaxBiases) + ".");
  JsonFields biases(object, "logit_bias.");
  for (const auto& entry : object.items()) {
    if (fields.problem() || biases.problem()) break;
    const std::string& key = entry.key();
    std::int32_t token = -1;
    const auto end = std::from_chars(key.data(), key.data() + key.size(), token);
    if (end.ec != std::errc() || end.ptr != key.data() + key.size() || token < 0)
      biases.fail(key, "is no token id.", "Send ids of the model's vocabulary as keys.");
    const double bias = biases.number(key.c_str(), -kMaxBias, kMaxBias);
    all.push_back({token, static_cast<float>(bias)});
  }
  fields.adopt(biases);
  return all;
}

}  // namespace

std::vector<std::string> readStop(JsonFields& fields) {
  if (!fields.has("stop")) return {};
  if (fields.isText("stop")) return {fields.text("stop", kMaxStopBytes)};
  std::vector<std::string> all;
  const Json& strings = fields.array("stop");
  if (strings.size() > kMaxStops)
    fields.fail("stop", "has " + std::to_string(strings.size()) + " entries.",
                "Send at most " + std::to_string(kMaxStops) + ".");
  for (std::size_t i = 0; i < strings.size() && !fields.problem(); ++i) {
    const bool usable =
        strings[i].is_string() && strings[i].get_ref<const std::string&>().size() <= kMaxStopBytes;
    if (usable) {
      all.push_back(strings[i].get<std::string>());
    } else {
      fields.fail("stop[" + std::to_string(i) + "]", "is no string of at most 256 bytes.",
                  "Send short strings.");
    }
  }
  return all;
}

inference::SamplingOptions readSampling(JsonFields& fields) {
  inference::SamplingOptions sampling;
  sampling.temperature = static_cast<float>(fields.numberOr("temperature", 0, 2, 0));
  sampling.topP = static_cast<float>(fields.numberOr("top_p", 0, 1, 1));
  sampling.topK = static_cast<int>(fields.integerOr("top_k", 0, 1 << 20, 0));
  sampling.seed = static_cast<std::uint64_t>(fields.integerOr("seed", 0, kMaxInteger, 0));
  sampling.minP = static_cast<float>(fields.numberOr("min_p", 0, 1, 0));
  sampling.repetitionPenalty = static_cast<float>(fields.numberOr("repetition_penalty", 0.5, 2, 1));
  sampling.bias = readBias(fields);
  return sampling;
}

}  // namespace waferpair::server
