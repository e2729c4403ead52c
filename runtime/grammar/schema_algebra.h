// SPDX-License-Identifier: GPL-3.0-or-later
// Combines schemas: several into one (allOf), and the question whether one value can meet two of
// them (oneOf). Private to this room.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::grammar {

using SchemaJson = nlohmann::ordered_json;  // properties come in the order of the schema

// The types that JSON Schema names.
const std::set<std::string>& jsonTypes();

// Keywords that say nothing of the text.
bool isNote(std::string_view key);

// The types that a value may have: all, where the schema does not tell. A number may be an integer.
std::set<std::string> typesOf(const SchemaJson& schema);

// The values that a schema lists as all that may come; null where it lists none.
SchemaJson valuesOf(const SchemaJson& schema);

// Adds what references within a part of the schema `root` may lead to.
void addDefinitions(SchemaJson& part, const SchemaJson& root);

// The $ref, a string, of a schema that says nothing else, notes aside: its own, or that of the one
// part of its allOf. Null where it says more.
const SchemaJson* onlyReference(const SchemaJson& schema);

class SchemaAlgebra {
 public:
  // `root` is what references refer to; it outlives this.
  explicit SchemaAlgebra(const SchemaJson& root) : root_(root) {}

  // Returns the schema that "#" or "#/..." refers to, a JSON pointer; null if there is none.
  const SchemaJson* find(const std::string& target) const;

  // One schema for a schema with allOf. The error's text goes on behind "The schema at ...". What
  // all calls may copy has a limit: a short schema can refer to a large one often.
  base::Result<SchemaJson> merged(const SchemaJson& schema);

  // The places of two in a list of schemas where a text that is made for one may be valid for the
  // other. Also where that cannot be told: of strings by their lengths or patterns, say.
  std::optional<std::pair<std::size_t, std::size_t>> overlap(const SchemaJson& schemas);

 private:
  base::Result<void> collect(const SchemaJson& schema, std::vector<SchemaJson>& all, int depth);
  base::Result<void> countCopy(const SchemaJson& schema);
  bool neverIs(const SchemaJson& a, const SchemaJson& b, int depth);
  const SchemaJson& resolved(const SchemaJson& schema) const;
  const SchemaJson& whole(const SchemaJson& schema);

  const SchemaJson& root_;
  std::size_t copied_ = 0;                          // values, by all calls of merged()
  int looks_ = 0;                                   // at one pair in overlap()
  std::map<const SchemaJson*, SchemaJson> merged_;  // in one overlap(), by what they were
};

}  // namespace waferpair::grammar
