// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment: a question with named settings, and its answer as named figures. They are listed
// in docs/experiments.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::experiment {

struct Question {
  std::string kind;  // "wafer", "gpu", "mesh", "machine", "paper", "pace" or "contenders"
  std::map<std::string, std::string> settings;
};

// How its figures came about.
enum class Nature { kEmulated, kModelled, kSimulated, kPublished };
const char* natureName(Nature nature);  // "emulated", ...

struct Figure {
  std::string name;  // "tokens_per_second": as others refer to it
  std::string label;
  double value = 0;
  std::string unit;  // may be empty
};

// A share of one token's time.
struct Share {
  std::string name;
  double seconds = 0;
};

struct Answer {
  Nature nature = Nature::kEmulated;
  std::string title;  // what it is of: machine, profile and clock, or GPU and software
  std::string band;   // how far its figures are to be trusted; empty where nothing is modelled
  std::optional<double> worstErrorPercent = {};  // of its model; absent: unchecked
  std::vector<Figure> figures;
  std::vector<Share> shares = {};  // of one request that is alone, in the order in which they come
  std::vector<std::string> sources = {};
};

// Takes up to some seconds; any thread. The error names the setting that is to blame.
base::Result<Answer> answer(const Question& question);

// Parses "wafer model=llama-3.1-8b prompt=1024". A setting stands once; a value may be "quoted".
base::Result<Question> parseQuestion(const std::string& text);

inline constexpr std::size_t kMostSettings = 32;
inline constexpr std::size_t kMostSettingBytes = 4096;

}  // namespace waferpair::experiment
