// SPDX-License-Identifier: GPL-3.0-or-later
// The pre-tokenizer of the default model: training/PRETOKENIZER.md, over bytes. Private to this
// room.
#pragma once

#include <cstddef>
#include <string_view>

namespace waferpair::tokenizer {

// Returns the end of the word that begins at `at` < text.size().
std::size_t waferpairWordEnd(std::string_view text, std::size_t at);

}  // namespace waferpair::tokenizer
