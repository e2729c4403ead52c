// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON schema as a part of a grammar that is being built. Private to this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/json_rules.h"

namespace waferpair::grammar {

// The values that `schema` holds valid, as jsonSchemaGrammar() reads it; `json` is of that builder.
// After an error the builder is of no use.
base::Result<Sequence> jsonSchemaValue(Builder& builder, JsonRules& json, std::string_view schema,
                                       std::vector<std::string>* leftOut = nullptr);

}  // namespace waferpair::grammar
