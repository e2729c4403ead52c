// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/model_sampling.h"

#include <string>

#include "runtime/gguf/file.h"

namespace waferpair::inference {
namespace {

constexpr double kMost = 100;

constexpr std::array<SamplingSetting, kSamplingSettings> kSettings = {{
    {"temperature", "temp", 0, kMost, &SamplingOptions::temperature},
    {"top_k", "top_k", 0, 1 << 20, nullptr, &SamplingOptions::topK},
    {"top_p", "top_p", 0, 1, &SamplingOptions::topP},
    {"min_p", "min_p", 0, 1, &SamplingOptions::minP},
    {"repetition_penalty", "penalty_repeat", 0.5, 10, &SamplingOptions::repetitionPenalty},
    {"xtc_probability", "xtc_probability", 0, 1, &SamplingOptions::xtcProbability},
    {"xtc_threshold", "xtc_threshold", 0, 1, &SamplingOptions::xtcThreshold},
    {"mirostat", "mirostat", 0, 2, nullptr, &SamplingOptions::mirostat},
    {"mirostat_tau", "mirostat_tau", 0, kMost, &SamplingOptions::mirostatTau},
    {"mirostat_eta", "mirostat_eta", 0, 1, &SamplingOptions::mirostatEta},
}};

}  // namespace

double SamplingSetting::of(const SamplingOptions& options) const {
  return number ? static_cast<double>(options.*number) : options.*whole;
}

void SamplingSetting::set(SamplingOptions& options, double value) const {
  if (number)
    options.*number = static_cast<float>(value);
  else
    options.*whole = static_cast<int>(value);
}

std::span<const SamplingSetting, kSamplingSettings> samplingSettings() { return kSettings; }

ModelSampling readModelSampling(const gguf::File& file) {
  ModelSampling model;
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    const SamplingSetting& setting = kSettings[i];
    const auto value = file.number(std::string("general.sampling.") + setting.key);
    if (!value || !(*value >= setting.low && *value <= setting.high)) continue;
    setting.set(model.options, *value);
    model.given.set(i);
  }
  return model;
}

void fillIn(SamplingOptions& options, SettingSet given, const ModelSampling& model) {
  const SettingSet from = model.given & ~given;
  for (std::size_t i = 0; i < kSettings.size(); ++i)
    if (from.test(i)) kSettings[i].set(options, kSettings[i].of(model.options));
}

}  // namespace waferpair::inference
