// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/sampling_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace sampling = protocol::field::sampling;

constexpr double kMaxBias = 100;
constexpr auto kMostTokens =
    static_cast<double>(protocol::field::response_create::kMaxOutputTokens.high);

std::uint64_t randomSeed() {
  static thread_local std::random_device device;
  return std::uint64_t{device()} << 21 ^ device();  // 53 bits, which JSON keeps
}

std::uint64_t readForeignSeed(JsonFields& fields) {
  base::Field any = {.name = sampling::kSeed.name, .fallback = -1};
  const double seed = fields.number(any);
  return seed < 0 ? randomSeed() : static_cast<std::uint64_t>(std::min(seed, sampling::kSeed.high));
}

// {"TOKEN ID": bias, ...}, as in the OpenAI API.
void readBiases(JsonFields& fields, inference::SamplingOptions& sampling) {
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
    sampling.bias.push_back({token, static_cast<float>(bias)});
  }
  fields.adopt(biases);
}

// The same, and as llama-server has it: texts in place of ids, a list of pairs, and false for what
// may not come at all.
void readForeignBiases(JsonFields& fields, inference::SamplingOptions& sampling) {
  const auto add = [&](const Json& what, const Json& bias) {
    float by = 0;
    if (bias == Json(false))
      by = -INFINITY;
    else if (bias.is_number())
      by = static_cast<float>(std::clamp(bias.get<double>(), -kMaxBias, kMaxBias));
    else
      return fields.fail(sampling::kLogitBias, "has a bias that is no number.", "Give numbers.");
    if (what.is_number_unsigned() && what.get<std::uint64_t>() <= INT32_MAX)
      sampling.bias.push_back({what.get<std::int32_t>(), by});
    else if (what.is_string())
      sampling.textBias.push_back({what.get<std::string>(), by});
    else
      fields.fail(sampling::kLogitBias, "has an entry that is neither a token nor a text.",
                  "Give ids of the model's vocabulary, or texts.");
  };
  if (fields.isArray(sampling::kLogitBias)) {
    for (const Json& pair : fields.list(sampling::kLogitBias)) {
      if (pair.is_array() && pair.size() == 2)
        add(pair[0], pair[1]);
      else
        fields.fail(sampling::kLogitBias, "has an entry that is no pair.", "Give [TOKEN, BIAS].");
    }
    return;
  }
  for (const auto& [key, bias] : fields.object(sampling::kLogitBias).items()) {
    std::int32_t token = -1;
    const auto end = std::from_chars(key.data(), key.data() + key.size(), token);
    const bool isId = end.ec == std::errc() && end.ptr == key.data() + key.size() && token >= 0;
    add(isId ? Json(static_cast<std::uint32_t>(token)) : Json(key), bias);
  }
}

// What llama-server, Ollama and OpenAI have beside that.
void readForeignSamplers(JsonFields& fields, inference::SamplingOptions& sampling) {
  const auto number = [&](const char* name, double low, double high, float& value) {
    const base::Field field = {.name = name, .low = low, .high = high, .fallback = value};
    value = static_cast<float>(readNumber(fields, field, Outside::kClamped));
  };
  const auto whole = [&](const char* name, double low, double high, int& value) {
    const base::Field field = {
        .name = name, .low = low, .high = high, .fallback = static_cast<double>(value)};
    value = static_cast<int>(readNumber(fields, field, Outside::kClamped));
  };
  constexpr double kMost = 100;
  number("presence_penalty", -kMost, kMost, sampling.presencePenalty);
  number("frequency_penalty", -kMost, kMost, sampling.frequencyPenalty);
  number("typical_p", 0, 1, sampling.typicalP);
  number("top_n_sigma", 0, kMost, sampling.topNSigma);
  number("xtc_probability", 0, 1, sampling.xtcProbability);
  number("xtc_threshold", 0, 1, sampling.xtcThreshold);
  number("mirostat_tau", 0, kMost, sampling.mirostatTau);
  number("mirostat_eta", 0, 1, sampling.mirostatEta);
  number("dry_multiplier", 0, kMost, sampling.dryMultiplier);
  number("dry_base", 1, kMost, sampling.dryBase);
  whole("dry_allowed_length", 0, 1 << 16, sampling.dryAllowedLength);
  whole("mirostat", 0, 2, sampling.mirostat);
  sampling.ignoresEnd = fields.booleanOr("ignore_eos", false);
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

double readNumber(JsonFields& fields, const base::Field& field, Outside outside) {
  if (outside == Outside::kRefused) return fields.number(field);
  const base::Field any = {
      .name = field.name, .required = field.required, .fallback = field.fallback};
  return std::clamp(fields.number(any), field.low, field.high);
}

std::optional<int> readTokenLimit(JsonFields& fields, const char* name) {
  const double most = fields.number(base::Field{.name = name});
  if (most < 0 || most > kMostTokens) return std::nullopt;
  return static_cast<int>(most);
}

inference::SamplingOptions readSampling(JsonFields& fields) {
  const auto number = [&](const base::Field& field) {
    return static_cast<float>(fields.number(field));
  };
  inference::SamplingOptions sampling;
  sampling.temperature = number(sampling::kTemperature);
  sampling.topP = number(sampling::kTopP);
  sampling.topK = static_cast<int>(fields.integer(sampling::kTopK));
  sampling.seed = static_cast<std::uint64_t>(fields.integer(sampling::kSeed));
  sampling.minP = number(sampling::kMinP);
  sampling.repetitionPenalty = number(sampling::kRepetitionPenalty);
  if (fields.has(sampling::kLogitBias)) readBiases(fields, sampling);
  return sampling;
}

AskedSampling readForeignSampling(JsonFields& fields, const UsualSampling& usual) {
  const auto number = [&](base::Field field, double fallback) {
    field.fallback = fallback;
    return readNumber(fields, field, Outside::kClamped);
  };
  AskedSampling sampling;
  sampling.temperature = static_cast<float>(number(sampling::kTemperature, usual.temperature));
  const bool isLimited = usual.limitsAlways || !fields.has(sampling::kTemperature);
  sampling.topP = static_cast<float>(number(sampling::kTopP, isLimited ? usual.topP : 1));
  sampling.topK = static_cast<int>(number(sampling::kTopK, isLimited ? usual.topK : 0));
  sampling.minP = static_cast<float>(number(sampling::kMinP, isLimited ? usual.minP : 0));
  sampling.repetitionPenalty = static_cast<float>(number(sampling::kRepetitionPenalty, 1));
  sampling.seed = readForeignSeed(fields);
  if (fields.has(sampling::kLogitBias)) readForeignBiases(fields, sampling);
  readForeignSamplers(fields, sampling);
  const auto settings = inference::samplingSettings();
  for (std::size_t i = 0; i < settings.size(); ++i)
    sampling.given.set(i, fields.has(settings[i].name));
  return sampling;
}

inference::SamplingOptions settled(const AskedSampling& asked, const inference::ModelCard& card,
                                   bool isFillIn) {
  inference::SamplingOptions options = asked;
  const bool isLikeliest = isFillIn || card.copying;
  if (isLikeliest && !asked.given.test(inference::kTemperatureSetting)) options.temperature = 0;
  if (!isFillIn) fillIn(options, asked.given, card.sampling);
  return options;
}

}  // namespace waferpair::server
