// SPDX-License-Identifier: GPL-3.0-or-later
// Has the text go on as a line did that was removed at the cursor, where the line that is being
// written has come back to it: who rewrites a line often changes its middle and keeps its end.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/sampling/logits_rule.h"

namespace waferpair::inference {

// Returns how the removed line goes on that agrees with the most bytes in front of the cursor; of
// equals the first, and its last such place. `line`: the cursor's, up to it. `removed`: lines, each
// with its break. Null where less agrees than kLeastAgreement bytes that are no blanks, where
// nothing goes on, or the line would be the one again that was removed.
inline constexpr std::size_t kLeastAgreement = 6;
std::optional<std::string> restOfRemoved(std::string_view line,
                                         std::span<const std::string> removed);

// Not thread-safe, but copies are independent of one another.
class ReplacedLine : public LogitsRule {
 public:
  // The trust in its first token, and in each further one as long as all before came: on lines of
  // real commits (those to fit on) better than less, 21 right ones won and 8 lost of 800.
  static constexpr double kFirstTrust = 0.5, kFurtherTrust = 0.7;

  // `rest`: the tokens of how the line went on.
  explicit ReplacedLine(std::vector<std::int32_t> rest) : rest_(std::move(rest)) {}

  bool applies() override { return at_ < rest_.size(); }
  // The token gets the trust, and of the rest the share that it had.
  void apply(std::span<float> logits) override;
  void chosen(std::int32_t token) override;

 private:
  std::vector<std::int32_t> rest_;
  std::size_t at_ = 0;
};

}  // namespace waferpair::inference
