// SPDX-License-Identifier: GPL-3.0-or-later
// The schema of a tool's arguments as a type of TypeScript, as gpt-oss is told of it. Private to
// this room.
#pragma once

#include <string>
#include <string_view>

namespace waferpair::inference {

// Descriptions, titles, examples and defaults stand beside it as comments. `schema` is JSON text of
// an object.
std::string typescriptType(std::string_view schema);

}  // namespace waferpair::inference
