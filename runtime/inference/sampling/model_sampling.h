// SPDX-License-Identifier: GPL-3.0-or-later
// How the maker of a model would have it sampled, as its file says: "general.sampling.*", which
// llama.cpp's converter takes from generation_config.json.
#pragma once

#include <array>
#include <bitset>
#include <span>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::inference {

// A setting that a file may have: a number or a whole number of SamplingOptions.
struct SamplingSetting {
  const char* name;  // as the protocol has it
  const char* key;   // of the file, behind "general.sampling."
  double low, high;
  float SamplingOptions::*number = nullptr;
  int SamplingOptions::*whole = nullptr;

  double of(const SamplingOptions& options) const;
  void set(SamplingOptions& options, double value) const;
};
inline constexpr std::size_t kSamplingSettings = 10;
inline constexpr std::size_t kTemperatureSetting = 0, kRepetitionSetting = 4;  // their indices
std::span<const SamplingSetting, kSamplingSettings> samplingSettings();
// Some of them, by their index.
using SettingSet = std::bitset<kSamplingSettings>;

struct ModelSampling {
  SamplingOptions options = {};
  SettingSet given = {};
};

// What is no number, or out of any range, is none: a file is not refused for it.
ModelSampling readModelSampling(const gguf::File& file);

// Sets what was not `given` as the model has it, where that is known.
void fillIn(SamplingOptions& options, SettingSet given, const ModelSampling& model);

}  // namespace waferpair::inference
