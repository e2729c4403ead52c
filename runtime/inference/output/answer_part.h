// SPDX-License-Identifier: GPL-3.0-or-later
// A piece of an answer in which tools may be called.
#pragma once

#include <string>

namespace waferpair::inference {

struct AnswerPart {
  enum class Kind {
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
