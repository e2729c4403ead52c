// SPDX-License-Identifier: GPL-3.0-or-later
// How a model thinks aloud before it answers, as its chat template tells: between two tags.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace waferpair::inference {

struct ThinkingTags {
  std::string open, close;
  // Thoughts may come again behind text and calls, and the tags are the server's own: the model
  // has channels (ChatOutput).
  bool channels = false;
};

// Nothing where the template knows no such tags.
std::optional<ThinkingTags> readThinkingTags(std::string_view chatTemplate);

// Whether a model that has read this goes on thinking: a tag was opened at its end.
bool endsInThinking(std::string_view prompt, const ThinkingTags& tags);

}  // namespace waferpair::inference
