// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of the prompts that were made last, by document: from one key to the next only a few
// of them change.
#pragma once

#include <cstdint>
#include <list>
#include <string>

#include "runtime/inference/ids.h"
#include "runtime/inference/prompt/surroundings.h"
#include "runtime/tokenizer/incremental_encoder.h"

namespace waferpair::inference {

// Remembers the encoded text around the cursor of one document. Not thread-safe.
struct PromptMemory {
  explicit PromptMemory(const tokenizer::Tokenizer& tokenizer)
      : prefix(tokenizer),
        middle(tokenizer, tokenizer::TextStart::kContinues),
        suffix(tokenizer, tokenizer::TextStart::kContinues),
        surroundings(tokenizer) {}
  tokenizer::IncrementalEncoder prefix, middle, suffix;
  Surroundings surroundings;
};

// The memories of the documents used last. Not thread-safe.
class PromptMemories {
 public:
  static constexpr std::size_t kMost = 32;

  // The tokenizer outlives this.
  explicit PromptMemories(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // Valid until it is asked for another one.
  PromptMemory& of(ClientId client, const std::string& document);

 private:
  struct Entry {
    ClientId client;
    std::string document;
    PromptMemory memory;
  };
  const tokenizer::Tokenizer& tokenizer_;
  std::list<Entry> entries_;  // the one used last is in front
};

}  // namespace waferpair::inference
