// SPDX-License-Identifier: GPL-3.0-or-later
// Reads calls that an answer begins with though they are not written as the model's template has
// them: small models give the JSON of a call alone, or in a fence.
//
//   ```json
//   {"name": "get_weather", "arguments": {"city": "Paris"}}
//   ```
//
// A call is an object whose first member, behind a "type" of "function", is the "name" of a tool
// that there is, with "arguments" or "parameters" that are an object; a tool that takes none may
// have none. Several may follow one another, in a list or not. Anything else is text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/output/answer_part.h"
#include "runtime/inference/output/json_nesting.h"
#include "runtime/inference/prompt/tools.h"

namespace waferpair::inference {

// Not thread-safe. What is told joins up to the same however the answer was cut into pieces.
class BareCallReader {
 public:
  // A call that is longer is text.
  static constexpr std::size_t kMostBytes = std::size_t{256} << 10;

  // `several`: calls may follow one another; else what follows the first is left out.
  explicit BareCallReader(std::span<const Tool> tools, bool several = true);

  struct Told {
    std::vector<AnswerPart> calls;  // whole ones
    std::string text;               // behind them, to be read on
  };
  // A text that may be such a call is held back until that is certain.
  Told push(std::string_view text);
  // The answer is over: returns what was held back. What closes a fence or a list is dropped.
  Told finish();

 private:
  enum class Reading { kMore, kNo, kCall };
  // The object of a call that is under way, in what is held.
  struct Object {
    std::size_t begin;
    std::size_t read;  // so far
    JsonNesting nesting;
  };

  Reading begin();
  Reading read(std::vector<AnswerPart>& calls);
  void dropJoint();
  std::string letGo();

  std::vector<Tool> tools_;
  bool several_;
  std::string held_;
  std::optional<Object> object_;
  bool isBehindCall_ = false;
  bool isOver_;  // no more calls come: all is text
};

}  // namespace waferpair::inference
