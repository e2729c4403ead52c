// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/surroundings.h"

#include <algorithm>

namespace waferpair::inference {

SharedTokens Surroundings::tokens(std::string_view above, std::string_view below) {
  if (above.empty() && below.empty()) return nullptr;
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.above == above && entry.below == below;
  });
  if (known != entries_.end()) return known->tokens;

  auto tokens = std::make_shared<std::vector<std::int32_t>>();
  for (const std::string_view part : {below, above}) {
    tokenizer_.encode(part, tokenizer::SpecialText::kPlain, *tokens,
                      tokenizer::TextStart::kContinues);
    tokens->push_back(-1);
  }
  if (entries_.size() == kKept) entries_.pop_back();
  entries_.push_front({std::string(above), std::string(below), std::move(tokens)});
  return entries_.front().tokens;
}

}  // namespace waferpair::inference
