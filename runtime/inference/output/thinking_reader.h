// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what a model thinks from what it says, while it streams in.
#pragma once

#include <string>
#include <string_view>

#include "runtime/inference/prompt/thinking.h"

namespace waferpair::inference {

// Not thread-safe. What is told joins up to the same however the text was cut into pieces. Blanks
// around thoughts, and in front of what is said behind them, are left out.
class ThinkingReader {
 public:
  // `isOpen`: the prompt has opened the thinking already.
  ThinkingReader(ThinkingTags tags, bool isOpen)
      : tags_(std::move(tags)),
        place_(isOpen ? Place::kThought : Place::kBegin),
        atStart_(isOpen) {}

  struct Told {
    std::string thought, said;  // in this order, but with channels
  };
  // Text that may be the beginning of a tag is held back.
  Told push(std::string_view text);
  // The text is over: returns what was held back.
  Told finish();

 private:
  enum class Place {
    kBegin,  // nothing but blanks was said
    kThought,
    kBehind,  // thoughts have just ended
    kSaid,
  };
  bool step(Told& told);

  const ThinkingTags tags_;
  Place place_;
  bool atStart_;  // of thoughts, of which nothing but blanks came
  std::string held_;
};

}  // namespace waferpair::inference
