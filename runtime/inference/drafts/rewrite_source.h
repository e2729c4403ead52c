// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts for an output that rewrites text of its prompt: follows the old text from where the two
// were last together, through text that is left out, put in or replaced.
//
// DraftIndex alone would do for text that never repeats itself. Code does: behind the "}\n" in
// which a change ends, the old text goes on at the next such place, not at the latest.
#pragma once

#include "runtime/inference/drafts/draft_index.h"

namespace waferpair::inference {

// Not thread-safe.
class RewriteSource {
 public:
  explicit RewriteSource(std::span<const std::int32_t> prompt);

  // `context` is the prompt and the output so far, longer at each call.
  Draft propose(std::span<const std::int32_t> context, int most);

 private:
  void follow(std::span<const std::int32_t> context);
  void findAgain(std::span<const std::int32_t> context);

  DraftIndex old_;
  std::size_t seen_;    // of the context
  std::size_t at_ = 0;  // in the old text: what is expected next; 0: never together yet
  int run_ = 0;         // tokens that agree in front of at_; 0: they parted there
};

}  // namespace waferpair::inference
