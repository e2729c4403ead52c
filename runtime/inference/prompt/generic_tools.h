// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations with tools for models whose chat template knows none: messages tell of the tools,
// of calls and of their results. Private to this room.
#pragma once

#include <span>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"

namespace waferpair::inference {

// Only system, user and assistant are left, without calls.
std::vector<ChatMessage> withGenericTools(std::span<const ChatMessage> messages,
                                          std::span<const Tool> tools);

}  // namespace waferpair::inference
