// SPDX-License-Identifier: GPL-3.0-or-later
// The fields that every request for text may have, whatever the dialect: how tokens are sampled,
// and where the text stops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/inference/sampling/model_sampling.h"
#include "runtime/server/core/message.h"

namespace waferpair::inference {
struct ModelCard;
}

namespace waferpair::server {

// What is done with a number that is outside of the protocol's limits. Those of other APIs are
// wider, and their clients send -1 for what is not limited, or not chosen: 0 where there is such a
// number here.
enum class Outside { kRefused, kClamped };

// All of protocol::field::sampling but where the text stops.
inference::SamplingOptions readSampling(JsonFields& fields);

// What a request of another API says of sampling: what it leaves out is as its server has it,
// unless the model's file says how it is to be sampled.
struct AskedSampling : inference::SamplingOptions {
  inference::SettingSet given = inference::SettingSet().set();
};
struct UsualSampling {
  float temperature = 1;
  int topK = 40;
  float topP = 0.95F;
  float minP = 0.05F;
  bool limitsAlways = true;  // else the three are for requests without a temperature
};
// Anthropic's, too. Their APIs have no such limits, but models that run here need some.
inline constexpr UsualSampling kOpenAiSampling = {.limitsAlways = false};
inline constexpr UsualSampling kLlamaSampling = {.temperature = 0.8F};
inline constexpr UsualSampling kOllamaSampling = {.temperature = 0.8F, .topP = 0.9F, .minP = 0};

// The same, and what llama-server, Ollama and OpenAI have beside it. Numbers that are out of range
// are held to it, and a seed that is missing, or below 0, is a random one.
AskedSampling readForeignSampling(JsonFields& fields, const UsualSampling& usual);
// As it is sampled by this model. A model that copies, and what fills a gap, is to give the
// likeliest text where nothing is asked for.
inference::SamplingOptions settled(const AskedSampling& asked, const inference::ModelCard& card,
                                   bool isFillIn = false);
// The number of a field as `outside` says.
double readNumber(JsonFields& fields, const base::Field& field, Outside outside);
// The number of tokens that are wanted of a field that is there; none for as many as there is room
// for: one below 0, or beyond any limit.
std::optional<int> readTokenLimit(JsonFields& fields, const char* name);

// A list of texts, each held to the field's limit of bytes. Empty when missing.
std::vector<std::string> readTexts(JsonFields& fields, const base::Field& field);

// A string or an array of them. Empty when missing.
std::vector<std::string> readStop(JsonFields& fields);

}  // namespace waferpair::server
