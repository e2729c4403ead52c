// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a text that is a little different each time, as that in front of a cursor is: what
// stands well in front of the first difference is not encoded again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::tokenizer {

// Not thread-safe; the tokenizer must outlive it.
class IncrementalEncoder {
 public:
  explicit IncrementalEncoder(const Tokenizer& tokenizer, TextStart start = TextStart::kFresh)
      : tokenizer_(&tokenizer), start_(start) {}

  // Exactly what tokenizer.encode(text, SpecialText::kPlain, start) gives. Valid until the next
  // call.
  const std::vector<std::int32_t>& encode(std::string_view text);

 private:
  struct Piece {  // of the text, encoded by itself
    std::size_t end;
    std::size_t ids;  // tokens up to there
  };

  const Tokenizer* tokenizer_;
  TextStart start_;
  std::string text_;  // of the last call
  std::vector<std::int32_t> ids_;
  std::vector<Piece> pieces_;  // all but the last one
};

}  // namespace waferpair::tokenizer
