// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/surroundings.h"

namespace waferpair::inference {

SharedTokens Surroundings::tokens(std::string_view above, std::string_view below) {
  if (above.empty() && below.empty()) return nullptr;
  if (tokens_ && above == above_ && below == below_) return tokens_;

  auto tokens = std::make_shared<std::vector<std::int32_t>>();
  for (const std::string_view part : {below, above}) {
    tokenizer_->encode(part, tokenizer::SpecialText::kPlain, *tokens,
                       tokenizer::TextStart::kContinues);
    tokens->push_back(-1);
  }
  above_ = above;
  below_ = below;
  tokens_ = std::move(tokens);
  return tokens_;
}

}  // namespace waferpair::inference
