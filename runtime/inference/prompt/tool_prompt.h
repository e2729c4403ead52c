// SPDX-License-Identifier: GPL-3.0-or-later
// Tools, calls of them and what became of these, as each style of chat template writes them.
// Private to this room.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/inference/prompt/prompt_json.h"
#include "runtime/inference/prompt/prompt_writer.h"
#include "runtime/inference/prompt/tools.h"

namespace waferpair::inference {

// As OpenAI's API has a tool, which templates take.
OrderedJson toolJson(const Tool& tool);
// Ids are the server's own, or another's; what Mistral's models were trained with is of one form.
std::string mistralId(std::string_view id);

// The place where a conversation lists its tools.
enum class ToolsPlace {
  kBehindSystem,  // behind the text of the first system message, which is made for it if need be
  kInFirstUser,   // in front of the text of the user's first message
  kAtLastTurn,    // in front of the user's last turn
};
ToolsPlace toolsPlace(ToolStyle style);

// The list of tools. `behindText`: text stands in front of it, in the same message.
void writeTools(PromptWriter& prompt, ToolStyle style, std::span<const Tool> tools,
                bool behindText);
// The end of what opens the conversation where there are tools.
std::string_view openingNote(ToolStyle style);
// The text in front of the system message's own where there are tools.
std::string_view systemOpening(ToolStyle style);

// Calls as the assistant wrote them, inside its message.
void writeCalls(PromptWriter& prompt, ToolStyle style, std::span<const ToolCall> calls);
// A message of the assistant holds one call, and no text beside it.
bool oneCallPerMessage(ToolStyle style);
// What stands between the text of a message and its calls.
std::string_view betweenTextAndCalls(ToolStyle style);
// Where calls are messages of their own: how text in front of them is written. Else empty.
Pattern textInFrontOfCalls(ToolStyle style);

struct ToolResult {
  std::string_view callId;
  std::string_view tool;  // the name of what was called; empty: no such call is known
  std::string_view text;
};
// Results that follow one another.
void writeResults(PromptWriter& prompt, ToolStyle style, std::span<const ToolResult> results);

}  // namespace waferpair::inference
