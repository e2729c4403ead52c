// SPDX-License-Identifier: GPL-3.0-or-later
// A small model falls into loops: the text that it has written twice in a row is refused a third
// time.
#pragma once

#include <string>

#include "runtime/inference/sampling/text_check.h"

namespace waferpair::inference {

class RepetitionCheck : public TextCheck {
 public:
  // The bytes of the text that is repeated. Shorter ones are ordinary: zeros of a table, closing
  // brackets.
  static constexpr std::size_t kShortest = 8, kLongest = 256;

  std::unique_ptr<TextCheck> clone() const override {
    return std::make_unique<RepetitionCheck>(*this);
  }
  Verdict judge(std::string_view bytes) const override;
  void came(std::string_view bytes) override { text_ += bytes; }

 private:
  std::string text_;
};

}  // namespace waferpair::inference
