// SPDX-License-Identifier: GPL-3.0-or-later
// Decides how much of the text around a cursor is read where somebody waits for the first word: all
// of the window, or a short prompt of the lines around the cursor.
//
// A short prompt is known by its size, a power of two: the pace says which one would be read soon,
// but the pace changes with all else that this computer does. One that was read ahead at another
// pace answers at once, so it is taken as long as the caches have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/inference/engine/reading_pace.h"

namespace waferpair::inference {

struct ChosenPrompt {
  std::vector<std::int32_t> tokens;
  bool isShort = false;  // it is not the whole
};

struct PromptChoice {
  // Makes the short prompt of about so many tokens; empty where the text is hardly longer.
  std::function<std::vector<std::int32_t>(std::size_t tokens)> brief;
  // Counts the tokens of a prompt that no cache has.
  std::function<int(std::span<const std::int32_t> prompt)> unread;
  // What reads ahead: the short prompt comes first, the whole when it is asked for again.
  bool ahead = false;
};

ChosenPrompt choosePrompt(std::vector<std::int32_t> whole, const PromptChoice& choice,
                          const ReadingPace& pace);

}  // namespace waferpair::inference
