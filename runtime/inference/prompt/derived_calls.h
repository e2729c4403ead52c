// SPDX-License-Identifier: GPL-3.0-or-later
// How a chat template writes calls of tools, read off what it renders of calls whose every part can
// be found again. Private to this room.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/prompt/thinking.h"
#include "runtime/inference/prompt/tools.h"

namespace waferpair::inference {

// Renders a conversation with these tools, and the beginning of the next message if `begins`; empty
// where the template refuses it.
using TrialRendering = std::function<std::string(std::span<const ChatMessage> messages,
                                                 std::span<const Tool> tools, bool begins)>;

// None where the form is none of grammar::CallForm::kNamed and kTagged. `thinking`: of the
// template.
std::optional<DerivedCalls> deriveCalls(const TrialRendering& render,
                                        const std::optional<ThinkingTags>& thinking);

}  // namespace waferpair::inference
