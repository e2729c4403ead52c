// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the text of an answer from the calls in it, while it streams in. The answer keeps to
// grammar::toolCallGrammar(); it may be cut anywhere.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/tool_calls.h"
#include "runtime/inference/output/answer_part.h"
#include "runtime/inference/output/json_nesting.h"
#include "runtime/inference/output/xml_call_reader.h"

namespace waferpair::inference {

// Not thread-safe; the syntax outlives it. What is told joins up to the same however the answer was
// cut into pieces.
class ToolCallReader {
 public:
  // `tools` are those that may be called, where the form of their arguments depends on them.
  explicit ToolCallReader(const grammar::CallSyntax& syntax, std::span<const Tool> tools = {});

  // Text that may be the beginning of an opening is held back, and so are blanks in front of it:
  // they belong to the call.
  std::vector<AnswerPart> push(std::string_view text);
  // The answer is over: returns what was held back. A call that has not ended stays without end.
  std::vector<AnswerPart> finish();

 private:
  enum class Place {
    kText,
    kXml,      // behind the opening of the first call, where they are XML
    kBetween,  // behind an opening or a call, in front of the next call
    kLead,     // of kNamed: behind an opening, in front of the name
    kHead,     // in a call, in front of its arguments
    kArguments,
    kTail,  // behind them
  };
  void readText(std::vector<AnswerPart>& parts);
  void beginArguments(std::vector<AnswerPart>& parts);
  bool endsWith(std::string_view text) const;

  const grammar::CallSyntax* syntax_;
  std::optional<XmlCallReader> xml_;  // where calls are XML
  Place place_ = Place::kText;
  std::string held_;      // in kText and kHead
  bool noCalls_ = false;  // the answer began with something else, and that rules them out
  JsonNesting nesting_;   // of the arguments
};

}  // namespace waferpair::inference
