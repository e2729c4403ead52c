// SPDX-License-Identifier: GPL-3.0-or-later
// Source: the template in the tokenizer files of Qwen3-Coder.
#include "runtime/inference/prompt/xml_tools.h"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/inference/prompt/prompt_json.h"

namespace waferpair::inference {
namespace {

std::string tagged(const std::string& tag, const std::string& text) {
  return "\n<" + tag + ">" + text + "</" + tag + ">";
}

// Texts as they are, the rest as JSON.
std::string plain(const OrderedJson& value) {
  return value.is_string() ? value.get<std::string>() : spacedJson(value);
}

// What a schema says beside the keys that have their own place.
template <std::size_t N>
std::string others(const OrderedJson& schema, const std::array<std::string_view, N>& told) {
  std::string out;
  for (const auto& [key, value] : schema.items())
    if (std::ranges::find(told, key) == told.end()) out += tagged(key, plain(value));
  return out;
}

std::string parameterText(const std::string& name, const OrderedJson& schema) {
  std::string out = "\n<parameter>" + tagged("name", name);
  if (schema.is_object()) {
    if (schema.contains("type")) out += tagged("type", plain(schema["type"]));
    if (schema.contains("description")) out += tagged("description", plain(schema["description"]));
    out += others(schema, std::array<std::string_view, 3>{"name", "type", "description"});
  }
  return out + "\n</parameter>";
}

}  // namespace

void writeXmlTools(PromptWriter& prompt, std::span<const Tool> tools) {
  prompt.text("# Tools\n\nYou have access to the following functions:\n\n<tools>");
  for (const Tool& tool : tools) {
    std::string text = "\n<function>" + tagged("name", tool.name);
    if (!tool.description.empty()) text += tagged("description", tool.description);
    text += "\n<parameters>";
    const OrderedJson schema = parsedJson(tool.parameters);
    if (schema.is_object()) {
      if (const auto found = schema.find("properties"); found != schema.end() && found->is_object())
        for (const auto& [name, property] : found->items()) text += parameterText(name, property);
      text += others(schema, std::array<std::string_view, 2>{"type", "properties"});
    }
    prompt.text(text + "\n</parameters>\n</function>");
  }
  prompt.write(
      "\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO "
      "suffix:\n\n{<tool_call>}\n<function=example_function_name>\n"
      "<parameter=example_parameter_1>\nvalue_1\n</parameter>\n<parameter=example_parameter_2>\n"
      "This is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n"
      "</function>\n{</tool_call>}\n\n<IMPORTANT>\nReminder:\n- Function calls MUST follow the "
      "specified format: an inner <function=...></function> block must be nested within "
      "{<tool_call>}{</tool_call>} XML tags\n- Required parameters MUST be specified\n- You may "
      "provide optional reasoning for your function call in natural language BEFORE the function "
      "call, but NOT after\n- If there is no function call available, answer the question like "
      "normal with your current knowledge and do not tell the user about function calls\n"
      "</IMPORTANT>");
}

void writeXmlCall(PromptWriter& prompt, const ToolCall& call) {
  prompt.write("{<tool_call>}\n<function={text}>\n", call.name);
  const OrderedJson arguments = parsedJson(call.arguments);
  if (arguments.is_object()) {
    for (const auto& [name, value] : arguments.items())
      prompt.text("<parameter=" + name + ">\n" + plain(value) + "\n</parameter>\n");
  } else {
    prompt.text(call.arguments + "\n");
  }
  prompt.write("</function>\n{</tool_call>}");
}

}  // namespace waferpair::inference
