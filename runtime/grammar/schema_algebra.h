// SPDX-License-Identifier: GPL-3.0-or-later
// What schemas say together: several as one (allOf), and whether two can be met by one value
// (oneOf). Private to this room.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::grammar {

using SchemaJson = nlohmann::ordered_json;  // properties come in the order of the schema

// Keywords that say nothing of the text.
bool isNote(std::string_view key);

class SchemaAlgebra {
 public:
  // `root` is what references refer to; it outlives this.
  explicit SchemaAlgebra(const SchemaJson& root) : root_(root) {}

  // What #, #/$defs/NAME or #/definitions/NAME refers to; null if there is no such place.
  const SchemaJson* find(const std::string& target) const;

  // One schema for a schema with allOf. The error's text goes on behind "The schema at ...".
  base::Result<SchemaJson> merged(const SchemaJson& schema) const;

  // True where no text that is made for either is valid for the other. False where it cannot be
  // told: of strings by their lengths or patterns, say.
  bool apart(const SchemaJson& a, const SchemaJson& b);

 private:
  base::Result<void> collect(const SchemaJson& schema, std::vector<SchemaJson>& all,
                             int depth) const;
  bool neverIs(const SchemaJson& a, const SchemaJson& b);
  const SchemaJson& resolved(const SchemaJson& schema) const;

  const SchemaJson& root_;
  int looks_ = 0;  // of one apart()
};

}  // namespace waferpair::grammar
