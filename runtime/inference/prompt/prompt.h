// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the text around a cursor into the tokens a model completes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/prompt/prompt_memory.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// The order in which a model was trained to fill in the middle.
enum class FimOrder {
  kNone,         // it was not: only what is before the cursor can be continued
  kPrefixFirst,  // PSM: <pre> prefix <suf> suffix <mid>
  kSuffixFirst,  // SPM: <suf> suffix <pre> prefix: one more character is one more token
};
std::string_view fimOrderName(FimOrder order);  // "none", "psm", "spm"

struct PromptFormat {
  FimOrder order = FimOrder::kNone;
  std::int32_t file = -1;  // token in front of the file's name, -1 where the name is not told
  bool middle = false;     // kSuffixFirst only: <mid> behind the prefix
  // The vocabulary has a token in front of each of several files: the model was trained on them.
  bool severalFiles = false;
};

// Reads the file's "waferpair.fim.order" ("spm", "psm" or "none") and
// "waferpair.fim.file_token_id". Without the former the order is that of the model family, where
// the vocabulary shows it: kSuffixFirst for Codestral (mistral-common's encode_fim), the same with
// <mid> for Seed-Coder (arXiv 2506.03524) and Mellum (arXiv 2510.05788); else kPrefixFirst where
// the vocabulary has the three tokens, which is how such models are trained in general; else kNone.
// The error names a key with a value that cannot be followed.
base::Result<PromptFormat> readPromptFormat(const gguf::File& file,
                                            const tokenizer::Tokenizer& tokenizer);

// Tokens that a completion's prompt may have, by part. Depends on the model alone, not on the
// request: else a request for more output would move the prefix's start and void the KV cache.
struct PromptBudget {
  std::size_t prefix = 0;
  std::size_t suffix = 0;
};
PromptBudget promptBudget(int context);

// Bytes of text that are about so many tokens; on the low side for source code, where 3.2 is
// common.
inline constexpr std::size_t kBytesPerToken = 3;

struct OtherFile {
  std::string fileName;  // may be empty
  std::string text;      // a passage of it, or all
};

// The text around the cursor.
struct PromptParts {
  std::string_view fileName;  // without folders; may be empty
  std::string_view prefix;
  std::string_view suffix;
  // With severalFiles. Those that matter most are last.
  std::span<const OtherFile> files = {};
};

// Where the prefix comes first and a suffix follows, the last lines of a long prefix stand behind
// both, as the beginning of the middle, so that one more character is one more token there, too.
// Never empty: where there is no text to continue it is a token that begins a text. The parts are
// cut to the budget: the prefix at its front by tokensToDrop(), the suffix and the name at their
// ends. Of the other files the last come along that have room in what the prefix leaves free.
std::vector<std::int32_t> fimPrompt(const tokenizer::Tokenizer& tokenizer,
                                    const PromptFormat& format, const PromptParts& parts,
                                    const PromptBudget& budget);
// The same, with what `memory`, of this tokenizer, still knows of an earlier one.
std::vector<std::int32_t> fimPrompt(const tokenizer::Tokenizer& tokenizer,
                                    const PromptFormat& format, const PromptParts& parts,
                                    const PromptBudget& budget, PromptMemory& memory);

// Text that whoever asks wrote in the model's own form: tokens that it spells are these tokens, and
// nothing is put around it but the beginning of text. Never empty.
std::vector<std::int32_t> rawPrompt(const tokenizer::Tokenizer& tokenizer, std::string_view text);

// Text to be embedded, as it is, with the tokens that the model wants at its ends. Of one that has
// more than `most` tokens the front. Empty where the text is and the model wants none.
std::vector<std::int32_t> embeddedText(const tokenizer::Tokenizer& tokenizer, std::string_view text,
                                       std::size_t most);

// A query and a document that may answer it, as a model judges them: `form` with both in place of
// {query} and {document}; tokens that it spells are these tokens, and what they spell is text.
// Without a form they stand between the ends that the model wants. Never empty.
std::vector<std::int32_t> rankedText(const tokenizer::Tokenizer& tokenizer, std::string_view form,
                                     std::string_view query, std::string_view document);

// Text to be continued, all of it: as the prefix of a fill-in prompt with nothing behind it where
// the format has an order, which is all that such a model was trained on; else as it is. Never
// empty.
std::vector<std::int32_t> textPrompt(const tokenizer::Tokenizer& tokenizer,
                                     const PromptFormat& format, std::string_view text);

}  // namespace waferpair::inference
