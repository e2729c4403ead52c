// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/tools.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

namespace waferpair::inference {
namespace {

constexpr std::string_view kHermesOpenings[] = {"<tool_call>"};
constexpr std::string_view kLlamaOpenings[] = {"{\"name\": \"", "{\"name\":\"",
                                               "{\"type\": \"function\", \"name\": \"",
                                               "{\"type\":\"function\",\"name\":\""};
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
    {},  // each has its own
    {.openings = kHermesOpenings, .closing = "</tool_call>"},
};
static_assert(std::size(kSyntaxes) == static_cast<std::size_t>(ToolStyle::kGeneric) + 1);

}  // namespace

const grammar::CallSyntax& callSyntax(ToolStyle style) {
  return kSyntaxes[static_cast<std::size_t>(style)];
}

ToolForm::ToolForm(ToolStyle style) : style_(style), syntax_(callSyntax(style)) {}

ToolForm::ToolForm(DerivedCalls calls)
    : style_(ToolStyle::kDerived), calls_(std::move(calls)), opening_(calls_.opening) {
  syntax_ = {.form = calls_.tagged ? grammar::CallForm::kTagged : grammar::CallForm::kNamed,
             .openings = {&opening_, 1},
             .closing = calls_.closing,
             .onlyAtStart = calls_.opening.starts_with('{'),
             .several = !calls_.joint.empty(),
             .lead = calls_.lead,
             .between = calls_.between,
             .joint = calls_.joint,
             .tags = {.key = calls_.key,
                      .keyEnd = calls_.keyEnd,
                      .jsonKeyEnd = calls_.jsonKeyEnd,
                      .valueEnd = calls_.valueEnd,
                      .behindValue = calls_.behindValue}};
}

std::vector<tokenizer::SpelledToken> toolMarkers(const tokenizer::Tokenizer& tokenizer,
                                                 const ToolForm& form) {
  const grammar::CallSyntax& syntax = form.syntax();
  const ToolStyle style = form.style();
  std::vector<tokenizer::SpelledToken> markers;
  if (style == ToolStyle::kDerived) {
    for (std::string_view text :
         {syntax.openings[0], syntax.lead, syntax.between, syntax.joint, syntax.closing,
          syntax.tags.key, syntax.tags.keyEnd, syntax.tags.jsonKeyEnd, syntax.tags.valueEnd}) {
      while (const auto found = tokenizer.nextSpecial(text)) {
        const std::string name(text.substr(found->at, found->size));
        text.remove_prefix(found->at + found->size);
        const bool isKnown = std::ranges::any_of(
            markers, [&](const auto& marker) { return marker.token == found->token; });
        if (!isKnown) markers.push_back({found->token, name});
      }
    }
    return markers;
  }
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
