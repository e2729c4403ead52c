// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/tools.h"

#include <cstddef>
#include <iterator>

namespace waferpair::inference {
namespace {

constexpr std::string_view kHermesOpenings[] = {"<tool_call>"};
constexpr std::string_view kLlamaOpenings[] = {"{\"name\": \"", "{\"name\":\""};
constexpr std::string_view kMistralOpenings[] = {"[TOOL_CALLS]"};

// In the order of ToolStyle.
constexpr grammar::CallSyntax kSyntaxes[] = {
    {.openings = kHermesOpenings, .closing = "</tool_call>"},
    {.openings = kLlamaOpenings,
     .arguments = "parameters",
     .onlyAtStart = true,
     .openingIsOfCall = true,
     .several = false},
    {.openings = kMistralOpenings, .list = true, .hasId = true},
    {.openings = kMistralOpenings, .list = true, .hasId = true},
};
static_assert(std::size(kSyntaxes) == static_cast<std::size_t>(ToolStyle::kMistral7) + 1);

}  // namespace

const grammar::CallSyntax& callSyntax(ToolStyle style) {
  return kSyntaxes[static_cast<std::size_t>(style)];
}

std::vector<tokenizer::SpelledToken> toolMarkers(const tokenizer::Tokenizer& tokenizer,
                                                 ToolStyle style) {
  const grammar::CallSyntax& syntax = callSyntax(style);
  std::vector<tokenizer::SpelledToken> markers;
  for (const std::string_view text : {syntax.openings[0], syntax.closing})
    if (const std::int32_t token = tokenizer.findSpecial(text); token >= 0)
      markers.push_back({token, std::string(text)});
  return markers;
}

}  // namespace waferpair::inference
