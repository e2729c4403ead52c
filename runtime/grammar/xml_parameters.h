// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments as Qwen3-Coder and others write them: not as JSON, but each in a tag of its own, texts
// as they are and everything else as JSON. The tool's schema tells which of the two a value is.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/json_rules.h"
#include "runtime/grammar/tool_calls.h"

namespace waferpair::grammar {

struct XmlParameter {
  enum class Value {
    kText,    // a string, as it is
    kChoice,  // one of some strings, as it is
    kJson,    // no string
    kEither,  // JSON where it is of one of `types`; else a string
  };
  std::string name;
  bool required = false;
  Value value = Value::kEither;
  std::vector<std::string> choices = {};  // of kChoice
  // Of kEither: the JSON types beside strings ("null", "number", ...).
  std::set<std::string> types = {};
  std::string schema = {};  // with the definitions of the whole
};

// In the order of the schema. None: it does not list the parameters, so that there may be any. No
// choice holds what ends a value.
std::optional<std::vector<XmlParameter>> xmlParameters(std::string_view schema,
                                                       std::string_view valueEnd);

// The parameters in the order of the schema, each in its tags. Fails where a value is not
// understood, or is `strict` and says more of a text than that it is one.
base::Result<Sequence> xmlArguments(Builder& builder, JsonRules& json, const ArgumentTags& tags,
                                    std::string_view schema, bool strict);

}  // namespace waferpair::grammar
