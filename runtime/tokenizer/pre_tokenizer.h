// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts text into the words within which byte pairs are merged. Put together from hand-written
// rules, as the usual regular expressions take more than linear time on some texts. Private to this
// room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::tokenizer {

enum class PreTokenizer {
  kGpt2,
  kStarcoder,
  kDeepseekCoder,
  kDeepseekLlm,
  kDeepseek3,
  kLlama3,
  kQwen2,
  kQwen35,
  kSeedCoder,
  kMinicpm5,
  kGpt4o,
  kTekken,
  kKimi,
  kWaferpair,  // training/PRETOKENIZER.md
};

// The pre-tokenizer that a value of tokenizer.ggml.pre stands for.
struct KnownPreTokenizer {
  const char* name;
  PreTokenizer scheme;
  bool wholeWords = false;  // a word that is a token is that token, whatever the merges give
  bool addsBos = false;     // unless tokenizer.ggml.add_bos_token says otherwise
};
// Null for a name that is not known.
const KnownPreTokenizer* findPreTokenizer(std::string_view name);
std::string knownPreTokenizers();  // comma-separated, for messages

// True of bytes that no word of any scheme has side by side, so that a word ends between them and
// those on either side do not depend on what lies beyond.
bool surelyParted(char before, char after);

// Appends the end of each word, as an offset into the text. The words follow one another without
// gap and the last one ends with the text. Takes linear time; invalid UTF-8 is cut like a symbol.
void cutWords(PreTokenizer scheme, std::string_view text, std::vector<std::size_t>& ends);

}  // namespace waferpair::tokenizer
