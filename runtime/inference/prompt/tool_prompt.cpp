// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: the templates in the tokenizer files of Qwen 2.5 and 3, Hermes 2 Pro, Llama 3.1 and
// Mistral 7B v0.3; mistral-common (the tokenizers' encode_tool_*); OpenAI's guide to harmony.
#include "runtime/inference/prompt/tool_prompt.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "runtime/inference/prompt/typescript_types.h"
#include "runtime/inference/prompt/xml_tools.h"

namespace waferpair::inference {
namespace {

constexpr std::size_t kMistralId = 9;  // letters and digits
constexpr int kLlamaIndent = 4;

// The text stays as it is where it is no such JSON.
std::string respacedJson(std::string_view text) {
  const OrderedJson value = parsedJson(text);
  return value.is_discarded() ? std::string(text) : spacedJson(value);
}

std::string callJson(const ToolCall& call, std::string_view arguments) {
  return "{\"name\": " + quotedJson(call.name) + ", \"" + std::string(arguments) +
         "\": " + respacedJson(call.arguments);
}

void writeHermesTools(PromptWriter& prompt, std::span<const Tool> tools) {
  prompt.write(
      "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
      "provided with function signatures within <tools></tools> XML tags:\n<tools>");
  for (const Tool& tool : tools) prompt.text("\n" + spacedJson(toolJson(tool)));
  prompt.write(
      "\n</tools>\n\nFor each function call, return a json object with function name and "
      "arguments within {<tool_call>}{</tool_call>} XML tags:\n{<tool_call>}\n");
  prompt.text("{\"name\": <function-name>, \"arguments\": <args-json-object>}");
  prompt.write("\n{</tool_call>}");
}

void writeLlamaTools(PromptWriter& prompt, std::span<const Tool> tools) {
  prompt.text(
      "Given the following functions, please respond with a JSON for a function call with its "
      "proper arguments that best answers the given prompt.\n\nRespond in the format {\"name\": "
      "function name, \"parameters\": dictionary of argument name and its value}.Do not use "
      "variables.\n\n");
  for (const Tool& tool : tools)
    prompt.text(
        toolJson(tool).dump(kLlamaIndent, ' ', false, OrderedJson::error_handler_t::replace) +
        "\n\n");
}

void writeMistralTools(PromptWriter& prompt, std::span<const Tool> tools) {
  OrderedJson all = OrderedJson::array();
  for (const Tool& tool : tools) all.push_back(toolJson(tool));
  prompt.write("{[AVAILABLE_TOOLS]}{spaced}{text}{[/AVAILABLE_TOOLS]}", spacedJson(all));
}

void writeHarmonyTools(PromptWriter& prompt, std::span<const Tool> tools) {
  prompt.text("# Tools\n\n## functions\n\nnamespace functions {\n\n");
  for (const Tool& tool : tools) {
    std::string_view note = tool.description;
    while (!note.empty()) {
      const std::size_t end = std::min(note.find('\n'), note.size());
      prompt.text("// " + std::string(note.substr(0, end)) + "\n");
      note.remove_prefix(std::min(end + 1, note.size()));
    }
    const bool takesNone = tool.parameters.empty();
    prompt.text("type " + tool.name + " = (" +
                (takesNone ? "" : "_: " + typescriptType(tool.parameters)) + ") => any;\n\n");
  }
  prompt.text("} // namespace functions");
}

std::string mistralResult(const ToolResult& result) {
  const OrderedJson read = parsedJson(result.text);
  OrderedJson told = {{"content", read.is_discarded() ? OrderedJson(result.text) : read},
                      {"call_id", mistralId(result.callId)}};
  return spacedJson(told);
}

}  // namespace

OrderedJson toolJson(const Tool& tool) {
  OrderedJson function = {{"name", tool.name}};
  if (!tool.description.empty()) function["description"] = tool.description;
  function["parameters"] =
      tool.parameters.empty()
          ? OrderedJson{{"type", "object"}, {"properties", OrderedJson::object()}}
          : parsedJson(tool.parameters);
  return {{"type", "function"}, {"function", std::move(function)}};
}

std::string mistralId(std::string_view id) {
  std::string kept;
  for (auto c = id.rbegin(); c != id.rend() && kept.size() < kMistralId; ++c)
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0) kept.insert(kept.begin(), *c);
  kept.insert(0, kMistralId - kept.size(), '0');
  return kept;
}

ToolsPlace toolsPlace(ToolStyle style) {
  if (style == ToolStyle::kHermes || style == ToolStyle::kXml || style == ToolStyle::kHarmony)
    return ToolsPlace::kBehindSystem;
  return style == ToolStyle::kLlama3 ? ToolsPlace::kInFirstUser : ToolsPlace::kAtLastTurn;
}

void writeTools(PromptWriter& prompt, ToolStyle style, std::span<const Tool> tools,
                bool behindText) {
  if (behindText) prompt.text("\n\n");
  switch (style) {
    case ToolStyle::kHermes:
      return writeHermesTools(prompt, tools);
    case ToolStyle::kLlama3:
      return writeLlamaTools(prompt, tools);
    case ToolStyle::kMistral:
    case ToolStyle::kMistral7:
      return writeMistralTools(prompt, tools);
    case ToolStyle::kXml:
      return writeXmlTools(prompt, tools);
    case ToolStyle::kHarmony:
      return writeHarmonyTools(prompt, tools);
    case ToolStyle::kDerived:
    case ToolStyle::kGeneric:
      break;  // these are written by the template, or by messages
  }
}

std::string_view systemOpening(ToolStyle style) {
  return style == ToolStyle::kLlama3 ? "Environment: ipython\n\n" : "";
}

std::string_view openingNote(ToolStyle style) {
  return style == ToolStyle::kHarmony
             ? "\nCalls to these tools must go to the commentary channel: 'functions'."
             : "";
}

bool oneCallPerMessage(ToolStyle style) { return style == ToolStyle::kLlama3; }

std::string_view betweenTextAndCalls(ToolStyle style) {
  switch (style) {
    case ToolStyle::kHermes:
    case ToolStyle::kLlama3:
      return "\n";
    case ToolStyle::kXml:
      return "\n\n";
    case ToolStyle::kMistral:
    case ToolStyle::kMistral7:
    case ToolStyle::kHarmony:
    case ToolStyle::kDerived:
    case ToolStyle::kGeneric:
      break;
  }
  return "";
}

Pattern textInFrontOfCalls(ToolStyle style) {
  return style == ToolStyle::kHarmony
             ? "{<|start|>}assistant{<|channel|>}commentary{<|message|>}{text}{<|end|>}"
             : "";
}

void writeCalls(PromptWriter& prompt, ToolStyle style, std::span<const ToolCall> calls) {
  const std::string_view arguments = callSyntax(style).arguments;
  std::string list;
  for (const ToolCall& call : calls) {
    const std::string json = callJson(call, arguments);
    switch (style) {
      case ToolStyle::kHermes:
        if (&call != calls.data()) prompt.text("\n");
        prompt.write("{<tool_call>}\n{text}\n{</tool_call>}", json + "}");
        break;
      case ToolStyle::kLlama3:
        prompt.text(json + "}");
        break;
      case ToolStyle::kMistral:
      case ToolStyle::kMistral7:
        list +=
            (list.empty() ? "" : ", ") + json + ", \"id\": " + quotedJson(mistralId(call.id)) + "}";
        break;
      case ToolStyle::kXml:
        if (&call != calls.data()) prompt.text("\n");
        writeXmlCall(prompt, call);
        break;
      case ToolStyle::kHarmony:
        prompt.write("{<|start|>}assistant to=functions.{text}{<|channel|>}commentary ", call.name);
        prompt.write("{<|constrain|>}json{<|message|>}{text}{<|call|>}", call.arguments);
        break;
      case ToolStyle::kDerived:
      case ToolStyle::kGeneric:
        break;
    }
  }
  if (!list.empty()) prompt.write("{[TOOL_CALLS]}{spaced}{text}", "[" + list + "]");
}

void writeResults(PromptWriter& prompt, ToolStyle style, std::span<const ToolResult> results) {
  const bool isChatMl = style == ToolStyle::kHermes || style == ToolStyle::kXml;
  if (isChatMl) prompt.write("{<|im_start|>}user");
  if (style == ToolStyle::kXml) prompt.text("\n");
  for (const ToolResult& result : results) {
    switch (style) {
      case ToolStyle::kHermes:
        prompt.write("\n<tool_response>\n{text}\n</tool_response>", result.text);
        break;
      case ToolStyle::kXml:
        prompt.write("<tool_response>\n{text}\n</tool_response>\n", result.text);
        break;
      case ToolStyle::kLlama3:
        prompt.write("{<|start_header_id|>}ipython{<|end_header_id|>}\n\n{text}{<|eot_id|>}",
                     quotedJson(result.text));
        break;
      case ToolStyle::kMistral:
        prompt.write("{[TOOL_RESULTS]}{spaced}{text}{[/TOOL_RESULTS]}", mistralResult(result));
        break;
      case ToolStyle::kMistral7:
        prompt.write("{[TOOL_RESULTS]}{spaced}{text}", mistralId(result.callId));
        prompt.write("{[TOOL_CONTENT]}{spaced}{text}{[/TOOL_RESULTS]}", result.text);
        break;
      case ToolStyle::kHarmony:
        prompt.write("{<|start|>}functions.{text} to=assistant", result.tool);
        prompt.write("{<|channel|>}commentary{<|message|>}{text}{<|end|>}", result.text);
        break;
      case ToolStyle::kDerived:
      case ToolStyle::kGeneric:
        break;
    }
  }
  if (isChatMl) prompt.write("{<|im_end|>}\n");
}

}  // namespace waferpair::inference
