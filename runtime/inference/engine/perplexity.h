// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how well a model predicts a text, computed through its program like any token.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/inference/model/compiled_model.h"

namespace waferpair::inference {

// The score of the tokens that were predicted from those before them.
struct TextScore {
  std::int64_t tokens = 0;
  std::int64_t bytes = 0;  // that they stand for
  double nats = 0;         // the sum of -ln of the probabilities the model gave them

  double natsPerToken() const { return tokens > 0 ? nats / static_cast<double>(tokens) : 0; }
  double bitsPerByte() const;
  TextScore& operator+=(const TextScore& other);
};

// Scores the text in windows of the model's whole context, each half a window further on: every
// predicted token has half a window before it, but for the beginning of the text. A model that
// wants a token in front of a text gets it in front of each window, and predicts the first token
// too.
//
// `progress` is called with the score so far and the number of tokens there are; false ends with an
// error.
base::Result<TextScore> scoreText(
    CompiledModel& model, std::string_view text,
    const std::function<bool(const TextScore&, std::int64_t tokens)>& progress = nullptr);

}  // namespace waferpair::inference
