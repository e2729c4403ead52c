// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/prompt_memory.h"

#include <algorithm>

namespace waferpair::inference {

PromptMemory& PromptMemories::of(ClientId client, const std::string& document) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.client == client && entry.document == document;
  });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    if (entries_.size() >= kMost) entries_.pop_back();
    entries_.push_front({client, document, PromptMemory(tokenizer_)});
  }
  return entries_.front().memory;
}

}  // namespace waferpair::inference
