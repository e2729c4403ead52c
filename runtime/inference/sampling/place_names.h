// SPDX-License-Identifier: GPL-3.0-or-later
// Has the first name of a text be one that can stand there, as somebody knows who understands the
// code: a language server. How likely it is that a name comes at all stays as it was; what of it
// went to names that cannot stand there goes to those that can, as far as these are trusted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/sampling/logits_rule.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// Not thread-safe, but copies are independent of one another; the tokenizer outlives them.
class PlaceNames : public LogitsRule {
 public:
  // How far names are trusted that may not be all there are, and those that are known to be all.
  // Not fitted on anything yet (docs/model-quality.md says how to).
  static constexpr double kTrustInSome = 0.3;
  static constexpr double kTrustInAll = 0.9;

  // `begun`: the part of the name in front of the cursor, may be empty; `unseen`: bytes of the text
  // to come that stand in front of the cursor, too. `names`, in any order, count as far as they
  // begin with `begun`; of "operator+=" the name counts. `trust`: from 0, nothing changes, to 1,
  // no other name comes.
  PlaceNames(const tokenizer::Tokenizer& tokenizer, std::string begun, std::size_t unseen,
             const std::vector<std::string>& names, double trust);

  bool applies() override { return first_ < last_; }
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override;

 private:
  enum class Kind : std::uint8_t {
    kNeither,  // says nothing about the name: something else comes
    kKnown,    // one of the names may come of it
    kOther,
  };
  Kind kindOf(std::int32_t token) const;
  void narrow();

  const tokenizer::Tokenizer* tokenizer_;
  std::size_t unseen_;
  std::shared_ptr<const std::vector<std::string>> names_;  // sorted
  double trust_;
  std::string name_;  // as far as it was spelled
  // Those of the names that begin so; none once the name is over, or where there were none.
  std::size_t first_ = 0, last_ = 0;
  bool isWhole_ = false;               // the name may end here
  std::array<bool, 256> goesOn_ = {};  // with this byte
  std::vector<Kind> kinds_;            // kept to save allocations
};

}  // namespace waferpair::inference
