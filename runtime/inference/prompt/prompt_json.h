// SPDX-License-Identifier: GPL-3.0-or-later
// JSON that stands in prompts: read from clients and models, written as templates write it. Private
// to this room.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace waferpair::inference {

using OrderedJson = nlohmann::ordered_json;

// Discarded where it is none, or nested too deeply to be told again.
OrderedJson parsedJson(std::string_view text);
// As short as can be; what is no UTF-8 is replaced.
std::string dumped(const OrderedJson& value);
// One line with a space behind each comma and colon.
std::string spacedJson(const OrderedJson& value);
std::string quotedJson(std::string_view text);

}  // namespace waferpair::inference
