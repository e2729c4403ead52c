// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields of a JSON object that came from outside. The first field that is missing, of the
// wrong type or out of range is remembered as the problem; reading goes on with harmless values, so
// the reader's code has no branches. Fields nobody asks for are ignored.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/protocol/field.h"
#include "runtime/server/core/problem.h"

namespace waferpair::server {

using Json = nlohmann::json;

// Integers that JSON readers everywhere keep exactly.
inline constexpr std::int64_t kMaxInteger = std::int64_t{1} << 53;
// The longest message or body that is read.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{32} << 20;

// Parses text from outside. Never throws; refuses what is nested deeper than any message is.
Checked<Json> parseJson(std::string_view text);

class JsonFields {
 public:
  // `object` outlives this, and so does `source`, the text that a whole message was parsed from.
  // `path` goes before the names of the fields in problems: "edits[0].".
  explicit JsonFields(const Json& object, std::string path = {}, std::string_view source = {});

  std::string_view source() const { return source_; }

  // Fields of the protocol (messages.h), held to what it says of them; a missing one that is not
  // required is empty, or what the protocol says for it.
  std::string text(const protocol::Field& field);
  std::int64_t integer(const protocol::Field& field);
  double number(const protocol::Field& field);
  bool boolean(const protocol::Field& field);
  Json id(const protocol::Field& field);  // as below
  const Json& list(const protocol::Field& field);
  const Json& object(const protocol::Field& field) { return object(field.name); }
  bool has(const protocol::Field& field) const { return has(field.name); }
  bool isText(const protocol::Field& field) const { return isText(field.name); }
  bool isArray(const protocol::Field& field) const { return isArray(field.name); }

  // Any others. Empty after a problem.
  std::string text(const char* name, std::size_t maxBytes);
  std::string textOr(const char* name, std::size_t maxBytes, std::string fallback);
  std::int64_t integer(const char* name, std::int64_t low, std::int64_t high);
  std::int64_t integerOr(const char* name, std::int64_t low, std::int64_t high,
                         std::int64_t fallback);
  double number(const char* name, double low, double high);
  double numberOr(const char* name, double low, double high, double fallback);
  bool booleanOr(const char* name, bool fallback);
  // An integer or a string, as the client gave it.
  Json id(const char* name);
  const Json& array(const char* name);
  const Json& object(const char* name);

  // Null and absent fields are the same.
  bool has(const char* name) const;
  bool isText(const char* name) const { return has(name) && object_[name].is_string(); }
  bool isArray(const char* name) const { return has(name) && object_[name].is_array(); }
  void fail(std::string_view name, std::string message, std::string remedy);
  void fail(const protocol::Field& field, std::string message, std::string remedy) {
    fail(std::string_view(field.name), std::move(message), std::move(remedy));
  }
  void adopt(const JsonFields& nested);
  const std::optional<Problem>& problem() const { return problem_; }

 private:
  const Json* find(const char* name, const char* wanted);

  const Json& object_;
  std::string path_;
  std::string_view source_;
  std::optional<Problem> problem_;
};

}  // namespace waferpair::server
