// SPDX-License-Identifier: GPL-3.0-or-later
// Makes random requests for a random model.
#pragma once

#include <array>
#include <random>
#include <string>

#include "runtime/inference/engine/request.h"
#include "tests/support/tiny_model.h"

namespace waferpair::inference {

// A sampler of a random model goes round in circles when it is greedy; the warmer it is, the more
// drafted tokens are wrong.
inline JobLimits randomLimits(std::mt19937& random) {
  const auto one = [&](auto... choices) {
    const std::array all = {choices...};
    return all[random() % all.size()];
  };
  JobLimits limits;
  limits.maxTokens = one(1, 2, 7, 40, 1000);
  limits.maxLines = one(0, 0, 1, 3);
  limits.sampling.temperature = one(0.0f, 0.0f, 0.05f, 0.3f, 1.0f);
  limits.sampling.seed = random();
  limits.sampling.topK = one(0, 3);
  limits.sampling.repetitionPenalty = one(1.0f, 1.0f, 1.2f);
  if (random() % 3 == 0) limits.sampling.bias = {{'\n', 3.0f}, {test::kTinyEos, 2.0f}};
  if (random() % 3 == 0)
    limits.stop = {std::string(1, static_cast<char>('a' + random() % 26)), "the", "\n\n"};
  return limits;
}
inline std::string randomPrompt(std::mt19937& random) {
  std::string text;
  const auto words = {"for ", "int x = 1;\n", "return", "the the ", "(a, b)", "\n  "};
  for (int i = static_cast<int>(random() % 12); i > 0; --i) {
    text += *(words.begin() + random() % words.size());
    if (random() % 4 == 0) text += text;  // again
  }
  return text.substr(0, 90);
}

}  // namespace waferpair::inference
