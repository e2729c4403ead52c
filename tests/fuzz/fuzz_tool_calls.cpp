// SPDX-License-Identifier: GPL-3.0-or-later
// What a model writes, read as calls of tools, in each form: however it is cut into pieces, the
// same is told; a call that ends has arguments that are JSON. The first line, where there is one,
// is the schema of a tool's arguments.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/inference/output/tool_call_reader.h"
#include "runtime/inference/prompt/tools.h"

using namespace waferpair::inference;
using Kind = AnswerPart::Kind;

namespace {

// Joined, with a mark in front of each kind of part.
std::string told(ToolStyle style, const std::vector<Tool>& tools, std::string_view text,
                 std::size_t piece) {
  ToolCallReader reader(callSyntax(style), tools);
  std::string all;
  Kind last = Kind::kCallEnd;
  const auto add = [&](const std::vector<AnswerPart>& parts) {
    for (const AnswerPart& part : parts) {
      const bool joins =
          part.kind == last && (part.kind == Kind::kText || part.kind == Kind::kArguments);
      if (!joins) all += std::string(1, static_cast<char>(1 + static_cast<int>(part.kind)));
      all += part.text;
      last = part.kind;
    }
  };
  for (std::size_t at = 0; at < text.size(); at += piece) add(reader.push(text.substr(at, piece)));
  add(reader.finish());
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::vector<Tool> tools = {{"edit", "", std::string(text.substr(0, line))}};
  const std::string_view answer = text.substr(std::min(line + 1, text.size()));
  for (int style = 0; style <= static_cast<int>(ToolStyle::kHarmony); ++style) {
    const auto each = static_cast<ToolStyle>(style);
    const std::string whole = told(each, tools, answer, std::max<std::size_t>(answer.size(), 1));
    if (told(each, tools, answer, 1) != whole || told(each, tools, answer, 3) != whole)
      std::abort();
  }
  // In XML what is told is JSON whatever came, but for bytes that are no text.
  ToolCallReader reader(callSyntax(ToolStyle::kXml), tools);
  std::string arguments;
  for (const AnswerPart& part : reader.push(answer)) {
    if (part.kind == Kind::kCall) arguments.clear();
    if (part.kind == Kind::kArguments) arguments += part.text;
    if (part.kind == Kind::kCallEnd &&
        std::all_of(arguments.begin(), arguments.end(), [](char c) { return c > 0; }) &&
        !nlohmann::json::accept(arguments))
      std::abort();
  }
  return 0;
}
