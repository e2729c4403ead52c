// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a JSON schema into a grammar: every text that matches it is JSON that the schema holds
// valid.
//
// These keywords are known: type (one or several), properties (in the order of the schema),
// required, additionalProperties, items, prefixItems, minItems, maxItems; minLength and maxLength,
// or a pattern (pattern.h), or one of the formats kFormats there; minimum and maximum, exclusive
// ones too, and multipleOf where it is whole; enum, const, nullable, anyOf, oneOf where no value
// can meet two of it, allOf where the parts can be put together, and $ref to any place in the
// schema, also beside others. Titles, descriptions and the like say nothing of the text. Anything
// else is refused by name, unless it may be left out: a text must not pass that the schema forbids.
//
// The grammar is stricter than the schema: it allows only the properties that a schema names, if it
// names any; only numbers that a double holds; and little white space, as models write it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/grammar.h"

namespace waferpair::grammar {

// `schema` is JSON text of at most kMaxSchema bytes. The error names the place in the schema.
inline constexpr std::size_t kMaxSchema = std::size_t{256} << 10;
// With `leftOut` what a grammar cannot keep to is no error, but named there: "#/properties/a: not".
base::Result<Grammar> jsonSchemaGrammar(std::string_view schema,
                                        std::vector<std::string>* leftOut = nullptr);

}  // namespace waferpair::grammar
