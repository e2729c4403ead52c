// SPDX-License-Identifier: GPL-3.0-or-later
// A rule adds to what the model says about the next token. A sampler asks its rules in order before
// it chooses, and tells them what it chose: a rule follows one stream of tokens.
#pragma once

#include <cstdint>
#include <span>

namespace waferpair::inference {

class LogitsRule {
 public:
  virtual ~LogitsRule() = default;
  // Returns true if apply() would change the logits; apply() is not called otherwise.
  virtual bool applies() = 0;
  // Changes the logits of the next token. -infinity forbids one; one at least must stay allowed.
  virtual void apply(std::span<float> logits) = 0;
  virtual void chosen(std::int32_t token) = 0;
};

}  // namespace waferpair::inference
