// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a completion, in their order: the begun word is written anew, copies get likelier,
// names that can stand there, too, and text that cannot be right is held back. A copy of them goes
// on from where they are, by itself.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/inference/sampling/copying.h"
#include "runtime/inference/sampling/place_names.h"
#include "runtime/inference/sampling/replaced_line.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/inference/sampling/text_check.h"
#include "runtime/inference/sampling/token_healing.h"

namespace waferpair::inference {

// Not thread-safe, but copies are independent of one another.
class TokenRules {
 public:
  // Arguments are as those of the rules' constructors; each is set at most once.
  void heal(const tokenizer::Tokenizer& tokenizer, std::string typed) {
    healing_.emplace(tokenizer, std::move(typed));
  }
  void copyFrom(const CopyWeights& weights, std::vector<std::int32_t> text,
                const CopySources& sources) {
    copying_.emplace(weights, std::move(text), sources);
  }
  void goOnAs(ReplacedLine line) { replaced_.emplace(std::move(line)); }
  void preferNames(PlaceNames names) { names_.emplace(std::move(names)); }
  void check(TextChecks checks) { checks_.emplace(std::move(checks)); }

  // These, which must neither move nor end before the sampler, are asked by it from now on.
  void addTo(Sampler& sampler);
  // For tokens that no such sampler chose.
  void chosen(std::int32_t token);

 private:
  std::optional<TokenHealing> healing_;
  std::optional<Copying> copying_;
  std::optional<ReplacedLine> replaced_;
  std::optional<PlaceNames> names_;
  std::optional<TextChecks> checks_;
};

}  // namespace waferpair::inference
