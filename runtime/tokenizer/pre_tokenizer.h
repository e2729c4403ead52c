// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts text into the words within which byte pairs are merged. Hand-written for each scheme, as the
// usual regular expressions take more than linear time on some texts. Private to this room.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::tokenizer {

enum class PreTokenizer {
  kGpt2,
  kStarcoder,
  kDeepseekCoder,
  kWaferpair,  // training/PRETOKENIZER.md
};

// By the value of tokenizer.ggml.pre.
std::optional<PreTokenizer> findPreTokenizer(std::string_view name);
std::string knownPreTokenizers();  // comma-separated, for messages

// Appends the end of each word, as an offset into the text. The words follow one another without
// gap and the last one ends with the text. Takes linear time; invalid UTF-8 is cut like a symbol.
void cutWords(PreTokenizer scheme, std::string_view text, std::vector<std::size_t>& ends);

}  // namespace waferpair::tokenizer
