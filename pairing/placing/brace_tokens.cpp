// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/brace_tokens.h"

namespace waferpair::pairing {

BraceTokens::BraceTokens(const CodeText& text) : text_(text) {
  for (const Token& token : text.tokens())
    if (token.region != Region::kComment) tokens_.push_back(&token);
  lines_.reserve(tokens_.size());
  for (const Token* token : tokens_) lines_.push_back(text.lineOf(*token));
  pair();
}

void BraceTokens::pair() {
  pairs_.assign(tokens_.size(), -1);
  std::vector<int> open;
  for (int i = 0; i < count(); ++i) {
    const char c = mark(i);
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      const char opener = mark(open.back());
      const bool fits =
          (c == ')' && opener == '(') || (c == ']' && opener == '[') || (c == '}' && opener == '{');
      if (!fits) continue;
      pairs_[static_cast<std::size_t>(open.back())] = i;
      pairs_[static_cast<std::size_t>(i)] = open.back();
      open.pop_back();
    }
  }
}

}  // namespace waferpair::pairing
