// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that a request offers to the model: tools, tool_choice and parallel_tool_calls, which
// the Responses API and Chat Completions nest differently, and of the older Chat Completions
// functions and function_call.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/grammar/tool_calls.h"
#include "runtime/inference/prompt/tools.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

struct ToolFields {
  // The functions; tools of other kinds are for other servers to offer, and left out.
  std::vector<inference::Tool> tools;
  std::vector<std::string> schemaFields;  // of each, for what is wrong with its schema
  grammar::Calls calls = grammar::Calls::kNone;
  std::vector<std::size_t> callable;  // of `tools`: those that tool_choice leaves
  bool parallel = true;
  // Both as they were sent, to be told again.
  Json sentTools = Json::array();
  Json sentChoice = "auto";

  bool any() const { return !tools.empty(); }
  bool mayCall() const { return any() && calls != grammar::Calls::kNone; }
};

enum class ToolNesting {
  kFlat,      // {"type":"function","name":...}: the Responses API
  kFunction,  // {"type":"function","function":{"name":...}}: Chat Completions
  kBare,      // {"name":...}: functions of the older Chat Completions, one call at a time
};

// The order of the schemas' properties is taken from the text that `fields` was parsed from.
ToolFields readTools(JsonFields& fields, ToolNesting nesting);

}  // namespace waferpair::server
