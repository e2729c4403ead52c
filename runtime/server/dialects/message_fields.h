// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that messages of both of OpenAI's dialects share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/server/core/message.h"

namespace waferpair::server {

// system and developer are one role; none for a name that is not known.
std::optional<inference::ChatRole> roleOf(std::string_view name);

// The text of a field that is a string, or a list of parts of these kinds, which are joined with
// newlines. Images and the like are refused by name.
std::string readContent(JsonFields& message, const base::Field& content,
                        std::initializer_list<std::string_view> kinds);

}  // namespace waferpair::server
