// SPDX-License-Identifier: GPL-3.0-or-later
// A control token that counts as text, as where a model writes the calls of tools with it.
#pragma once

#include <cstdint>
#include <string>

namespace waferpair::tokenizer {

struct SpelledToken {
  std::int32_t token = 0;
  std::string text;
};

}  // namespace waferpair::tokenizer
