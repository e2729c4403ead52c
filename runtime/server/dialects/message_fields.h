// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that messages of several dialects share.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/server/core/message.h"
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {

// system and developer are one role; none for a name that is not known.
std::optional<inference::ChatRole> roleOf(std::string_view name);

// What is done with a part that holds no text that the model could read: an image, or one of a kind
// that is not known.
enum class Unreadable {
  kRefused,  // by name
  kTold,     // the model reads that it was left out
};

// The text of a field that is a string, or a list of parts of these kinds, which are joined with
// newlines. Empty where the field is missing and need not be there.
std::string readContent(JsonFields& message, const base::Field& content,
                        std::initializer_list<std::string_view> kinds,
                        Unreadable others = Unreadable::kRefused);

// The arguments of a call, as JSON text: some clients send an object where an API has its text, or
// a text where it has an object, or null. Those of an object are in the order in which they were
// sent, or the model would have to read the conversation anew. `place` is the call's function, as a
// JSON pointer in the text that `function` was parsed from.
std::string readArguments(JsonFields& function, const std::string& place, const SentText& sent);

// Adds a text on a line of its own.
void addText(std::string& text, std::string_view added);

// What the model reads in place of a part of that kind.
std::string leftOut(std::string_view kind);

// Gives calls without an id one of their own; results without one belong to the calls that have
// none yet, in their order.
void matchCalls(std::vector<inference::ChatMessage>& messages);

}  // namespace waferpair::server
