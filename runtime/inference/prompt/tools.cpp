// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/tools.h"

#include <cstddef>
#include <iterator>
#include <span>

namespace waferpair::inference {
namespace {

constexpr std::string_view kHermesOpenings[] = {"<tool_call>"};
constexpr std::string_view kLlamaOpenings[] = {"{\"name\": \"", "{\"name\":\""};
constexpr std::string_view kHarmonyOpenings[] = {"<|channel|>commentary to=functions."};
// Those of its control tokens that do not end an answer.
constexpr std::string_view kHarmonyMarkers[] = {"<|start|>", "<|channel|>", "<|constrain|>",
                                                "<|message|>", "<|end|>"};
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
    {.form = grammar::CallForm::kXml, .openings = kHermesOpenings, .closing = "</tool_call>"},
    {.form = grammar::CallForm::kHarmony, .openings = kHarmonyOpenings, .several = false},
};
static_assert(std::size(kSyntaxes) == static_cast<std::size_t>(ToolStyle::kHarmony) + 1);

}  // namespace

const grammar::CallSyntax& callSyntax(ToolStyle style) {
  return kSyntaxes[static_cast<std::size_t>(style)];
}

std::vector<tokenizer::SpelledToken> toolMarkers(const tokenizer::Tokenizer& tokenizer,
                                                 ToolStyle style) {
  const grammar::CallSyntax& syntax = callSyntax(style);
  std::vector<tokenizer::SpelledToken> markers;
  const std::string_view tags[] = {syntax.openings[0], syntax.closing};
  std::span<const std::string_view> texts = tags;
  const bool isHarmony = style == ToolStyle::kHarmony;
  if (isHarmony) texts = kHarmonyMarkers;
  for (const std::string_view text : texts)
    if (const std::int32_t token = tokenizer.findSpecial(text); token >= 0)
      markers.push_back({token, (isHarmony ? std::string(1, grammar::kTokenMark) : std::string()) +
                                    std::string(text)});
  return markers;
}

}  // namespace waferpair::inference
