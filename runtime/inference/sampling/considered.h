// SPDX-License-Identifier: GPL-3.0-or-later
// What a sampler knew when it chose a token: for whoever asks later why it is that one.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace waferpair::inference {

struct Alternative {
  std::int32_t token = -1;  // -1: there are no more
  float probability = 0;    // among all that the rules, penalties and biases left possible
  bool operator==(const Alternative&) const = default;
};

struct Considered {
  static constexpr int kMost = 20;             // as many as OpenAI's clients may ask for
  std::array<Alternative, kMost> likeliest{};  // the likeliest first, the chosen one too if it is
  float probability = 1;                       // of the chosen one, as those
  // What the network alone gave it: without copying, penalties and biases, and among all tokens.
  float network = 1;
  bool operator==(const Considered&) const = default;
};

// The likeliest tokens; `all` is logOfSum(logits).
std::array<Alternative, Considered::kMost> likeliestOf(std::span<const float> logits, double all);

// `network` are the logits as the network gave them, `logits` those that the token was chosen by;
// `all` is logOfSum() of these.
Considered considered(std::int32_t token, std::span<const float> logits, double all,
                      std::span<const float> network);

}  // namespace waferpair::inference
