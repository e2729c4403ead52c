// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/generation_settings.h"

#include <cmath>

#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

// llama-server writes a bias that rules a token out as its lowest number: JSON has no infinity.
Json biasJson(float bias) { return std::isinf(bias) ? Json(-1e30) : Json(bias); }

}  // namespace

Json samplingSettings(const inference::SamplingOptions& sampling) {
  return {{"temperature", sampling.temperature},
          {"top_k", sampling.topK},
          {"top_p", sampling.topP},
          {"min_p", sampling.minP},
          {"typical_p", sampling.typicalP},
          {"top_n_sigma", sampling.topNSigma},
          {"repeat_penalty", sampling.repetitionPenalty},
          {"presence_penalty", sampling.presencePenalty},
          {"frequency_penalty", sampling.frequencyPenalty},
          {"dry_multiplier", sampling.dryMultiplier},
          {"dry_base", sampling.dryBase},
          {"dry_allowed_length", sampling.dryAllowedLength},
          {"xtc_probability", sampling.xtcProbability},
          {"xtc_threshold", sampling.xtcThreshold},
          {"mirostat", sampling.mirostat},
          {"mirostat_tau", sampling.mirostatTau},
          {"mirostat_eta", sampling.mirostatEta}};
}

Json generationSettings(const InfillRequest& request, const inference::ModelCard& card) {
  const auto sampling = settled(request.sampling, card, request.isFillIn);
  Json biases = Json::array();
  for (const auto& [token, bias] : sampling.bias)
    biases.push_back({{"token", token}, {"bias", biasJson(bias)}});
  const int most = request.maxTokens == inference::JobLimits::kUpToContext ? -1 : request.maxTokens;
  Json settings = samplingSettings(sampling);
  settings.update({{"seed", sampling.seed},
                   {"ignore_eos", sampling.ignoresEnd},
                   {"logit_bias", std::move(biases)},
                   {"n_predict", most},
                   {"max_tokens", most},
                   {"n_probs", request.mostAlternatives},
                   {"stop", request.stop},
                   {"stream", request.stream}});
  return settings;
}

}  // namespace waferpair::server
