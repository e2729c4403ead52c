// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of the text around a prompt in its document: they are copied from, not fed. They stay
// the same from key to key, so the latest are kept.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

using SharedTokens = std::shared_ptr<const std::vector<std::int32_t>>;

// Not thread-safe.
class Surroundings {
 public:
  // The limit of text on either side, which most files fit in whole. With no other file open, of
  // 420 lines in files of the training split 20.0 % were right with 6 KB, 20.5 % with 16, 21.0 %
  // with 32.
  static constexpr std::size_t kMostBytes = 32768;

  explicit Surroundings(const tokenizer::Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  // Returns the tokens of the text below, then of the text above, with -1 between and behind; null
  // if there is no text.
  SharedTokens tokens(std::string_view above, std::string_view below);

 private:
  const tokenizer::Tokenizer* tokenizer_;
  std::string above_, below_;  // that tokens_ are of
  SharedTokens tokens_;
};

}  // namespace waferpair::inference
