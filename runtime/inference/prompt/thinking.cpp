// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/thinking.h"

namespace waferpair::inference {
namespace {

constexpr std::pair<std::string_view, std::string_view> kTags[] = {
    {"<think>", "</think>"},  // DeepSeek, Qwen, GLM, SmolLM and most others
    {"<seed:think>", "</seed:think>"},
    {"<mm:think>", "</mm:think>"},
    {"[THINK]", "[/THINK]"},                                              // Mistral
    {"<|START_THINKING|>", "<|END_THINKING|>"},                           // Cohere
    {"<|inner_prefix|>", "<|inner_suffix|>"},                             // Apertus
    {"\xe2\x97\x81think\xe2\x96\xb7", "\xe2\x97\x81/think\xe2\x96\xb7"},  // Kimi
};

}  // namespace

std::optional<ThinkingTags> readThinkingTags(std::string_view chatTemplate) {
  const auto has = [&](std::string_view part) { return chatTemplate.find(part) != part.npos; };
  if (has("<|channel|>") && has("<|message|>") && has("analysis"))
    return ThinkingTags{"<think>", "</think>", /*channels=*/true};
  for (const auto& [open, close] : kTags)
    if (has(close)) return ThinkingTags{std::string(open), std::string(close)};
  return std::nullopt;
}

bool endsInThinking(std::string_view prompt, const ThinkingTags& tags) {
  if (tags.channels) return false;
  const std::size_t opened = prompt.rfind(tags.open);
  return opened != prompt.npos &&
         prompt.find_first_not_of(" \t\r\n", opened + tags.open.size()) == prompt.npos;
}

}  // namespace waferpair::inference
