// SPDX-License-Identifier: GPL-3.0-or-later
// A piece of an answer in which the model may think, and call tools.
#pragma once

#include <string>

namespace waferpair::inference {

struct AnswerPart {
  enum class Kind {
    kThought,  // a piece of what the model thinks, ahead of what it says
    kText,
    kCall,       // begins; `text` is the tool's name
    kArguments,  // a piece of them, which are JSON
    kCallEnd,
  };
  Kind kind = Kind::kText;
  std::string text = {};
  bool operator==(const AnswerPart&) const = default;
};

}  // namespace waferpair::inference
