// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/generic_tools.h"

#include <string>
#include <utility>

#include "runtime/inference/prompt/tool_prompt.h"

namespace waferpair::inference {
namespace {

std::string signatures(std::span<const Tool> tools) {
  std::string text =
      "You may call functions to help with what the user asks. These are their signatures:\n"
      "<tools>";
  for (const Tool& tool : tools) text += "\n" + spacedJson(toolJson(tool));
  return text + "\n</tools>\n";
}

std::string listed(std::span<const Tool> tools) {
  return signatures(tools) +
         "To call one, write a JSON object with its name and arguments within "
         "<tool_call> tags, and nothing behind it:\n<tool_call>\n{\"name\": \"NAME\", "
         "\"arguments\": {...}}\n</tool_call>\nThe result follows within <tool_response> tags.";
}

// A call as the template writes them.
std::string exampleOf(const DerivedCalls& calls) {
  const std::string arguments = calls.tagged ? calls.key + "ARGUMENT" + calls.keyEnd + "VALUE" +
                                                   calls.valueEnd + calls.behindValue
                                             : "{...}";
  std::string call =
      calls.opening + calls.lead + "NAME" + calls.between + arguments + calls.closing;
  for (std::size_t at; (at = call.find(grammar::kIdMark)) != call.npos;) call.replace(at, 1, "ID");
  return call;
}

void addBlock(std::string& text, const std::string& block) {
  if (!text.empty()) text += '\n';
  text += block;
}

}  // namespace

std::vector<ChatMessage> withListedTools(std::span<const ChatMessage> messages,
                                         std::span<const Tool> tools, const DerivedCalls& calls) {
  std::vector<ChatMessage> told(messages.begin(), messages.end());
  if (told.empty() || told.front().role != ChatRole::kSystem)
    told.insert(told.begin(), {.role = ChatRole::kSystem});
  std::string& text = told.front().text;
  text += (text.empty() ? "" : "\n\n") + signatures(tools) +
          "To call one, write its name and its arguments so, and nothing behind it:\n" +
          exampleOf(calls);
  return told;
}

std::vector<ChatMessage> withGenericTools(std::span<const ChatMessage> messages,
                                          std::span<const Tool> tools) {
  std::vector<ChatMessage> plain;
  bool answers = false;  // the last message has results
  if (!tools.empty() && (messages.empty() || messages[0].role != ChatRole::kSystem))
    plain.push_back({.role = ChatRole::kSystem, .text = listed(tools)});
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::kTool) {
      if (!answers) plain.push_back({.role = ChatRole::kUser});
      addBlock(plain.back().text, "<tool_response>\n" + message.text + "\n</tool_response>");
      answers = true;
      continue;
    }
    answers = false;
    ChatMessage told = message;
    if (&message == messages.data() && message.role == ChatRole::kSystem && !tools.empty())
      told.text += (told.text.empty() ? "" : "\n\n") + listed(tools);
    for (const ToolCall& call : std::exchange(told.calls, {})) {
      const OrderedJson arguments = parsedJson(call.arguments);
      const OrderedJson whole = {
          {"name", call.name},
          {"arguments", arguments.is_discarded() ? OrderedJson(call.arguments) : arguments}};
      addBlock(told.text, "<tool_call>\n" + spacedJson(whole) + "\n</tool_call>");
    }
    plain.push_back(std::move(told));
  }
  return plain;
}

}  // namespace waferpair::inference
