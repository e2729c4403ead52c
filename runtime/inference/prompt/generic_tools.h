// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations with tools for models whose chat template knows none, or does not list them:
// messages tell of the tools, and of calls and their results where it does not write those either.
// Private to this room.
#pragma once

#include <span>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"

namespace waferpair::inference {

// Only system, user and assistant are left, without calls.
std::vector<ChatMessage> withGenericTools(std::span<const ChatMessage> messages,
                                          std::span<const Tool> tools);

// The first message, which is made if need be, tells of the tools, and of calls in this form.
std::vector<ChatMessage> withListedTools(std::span<const ChatMessage> messages,
                                         std::span<const Tool> tools, const DerivedCalls& calls);

}  // namespace waferpair::inference
