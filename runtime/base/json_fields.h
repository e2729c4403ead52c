// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields of a JSON object that came from outside: a message, a file. The first field that
// is missing, of the wrong type or out of range is remembered as the problem; reading goes on with
// harmless values, so that a reader has no branches and asks once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/field.h"
#include "runtime/base/result.h"

namespace waferpair::base {

using Json = nlohmann::json;

// A field stands for its name where JSON is written: {{field::kVersion, 3}}.
inline void to_json(Json& json, const Field& field) { json = field.name; }

// Parses an object; `subject` names it in the error: "model.json". Never throws, and makes nothing
// of text that is nested deeper than anything that is read here.
Result<Json> parseJsonObject(std::string_view text, const std::string& subject);

// An error in a field; `what` and `field` name it with the path to it: "edits[0].end".
struct FieldError : Error {
  std::string field;
};

class JsonFields {
 public:
  // `object` outlives this, and so does `source`, the text that it was parsed from. `subject`
  // begins every error, where it is not empty: "profile waferllm: decode.lanes is missing."
  explicit JsonFields(const Json& object, std::string subject = {}, std::string_view source = {});

  std::string_view source() const { return source_; }

  // Each value is held to the field's limits. A field that is missing, and need not be there, is
  // empty or has its fallback.
  std::string text(const Field& field);
  std::int64_t integer(const Field& field);  // 3.0 counts: some writers know no integers
  double number(const Field& field);
  bool boolean(const Field& field);
  Json id(const Field& field);  // an integer or a text; null when missing
  const Json& list(const Field& field);
  const Json& object(const Field& field);

  // These do the same where the limits stand at the place that reads.
  std::string text(const char* name) { return text(Field{.name = name, .required = true}); }
  int integer(const char* name, int low, int high);
  int integerOr(const char* name, int fallback, int low, int high);
  double number(const char* name, double low, double high);
  bool booleanOr(const char* name, bool fallback);
  const Json& list(const char* name) { return list(Field{.name = name, .required = true}); }
  const Json& object(const char* name) { return object(Field{.name = name, .required = true}); }

  // Return a reader of an object in this one, or in a list of this one. Its problems are its own
  // until they are adopted.
  JsonFields part(const Field& field);
  JsonFields part(const char* name) { return part(Field{.name = name, .required = true}); }
  JsonFields entry(const Field& field, std::size_t index);
  JsonFields entry(const char* name, std::size_t index) { return entry(Field{name}, index); }

  // Null and absent fields are the same.
  bool has(const Field& field) const { return has(field.name); }
  bool has(const char* name) const { return valueOf(name) != nullptr; }
  bool isNull(const Field& field) const;  // it is there, as null
  bool isText(const Field& field) const;
  bool isArray(const Field& field) const;

  // Reports any other field as a problem. Unless this is called, fields that nobody asks for are
  // ignored.
  void only(std::initializer_list<std::string_view> names);
  // Remembers a problem, if it is the first. `what` goes on after the field's name: "is before
  // start."
  void fail(std::string_view name, const std::string& what, std::string remedy);
  void fail(const Field& field, const std::string& what, std::string remedy) {
    fail(std::string_view(field.name), what, std::move(remedy));
  }
  void adopt(const JsonFields& part) {
    if (!problem_) problem_ = part.problem_;
  }
  const std::optional<FieldError>& problem() const { return problem_; }
  // Returns the problem as a result.
  Result<void> check() const;

 private:
  JsonFields(const Json& object, const JsonFields& whole, std::string path);

  const Json* valueOf(const char* name) const;  // null where it is null or absent
  // Returns null where there is no value, which is a problem where there has to be one.
  const Json* find(const Field& field);
  void failType(const Field& field, const Json& value, const char* wanted);

  const Json& object_;
  std::string subject_;
  std::string path_;  // before the names of fields: "edits[0]."
  std::string_view source_;
  std::optional<FieldError> problem_;
};

}  // namespace waferpair::base
