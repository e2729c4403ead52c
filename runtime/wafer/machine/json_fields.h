// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the fields of one JSON object, each with its limits, and remembers the first thing that is
// wrong: a caller reads everything and asks once. Values after an error are zero or empty.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace waferpair::wafer {

class JsonFields {
 public:
  // `where` begins every message: a file name or "profile waferllm-2025".
  JsonFields(const nlohmann::json& object, std::string where);

  // Parses text whose top must be an object.
  static base::Result<nlohmann::json> parse(std::string_view text, const std::string& where);

  // Reports any other field as an error.
  void only(std::initializer_list<std::string_view> keys);

  bool has(const char* key) const;  // present and not null
  int integer(const char* key, int low, int high);
  int integerOr(const char* key, int fallback, int low, int high);
  double number(const char* key, double low, double high);
  bool flagOr(const char* key, bool fallback);
  std::string text(const char* key);
  const nlohmann::json& array(const char* key);   // an empty array after an error
  const nlohmann::json& object(const char* key);  // an empty object after an error

  void setError(std::string what, std::string remedy);
  // The error of a part, unless there is one already.
  void include(const JsonFields& part);
  // The first error, else a value.
  base::Result<void> check() const;

 private:
  const nlohmann::json* find(const char* key);  // null (and an error) when missing

  const nlohmann::json& object_;
  std::string where_;
  base::Result<void> state_;
};

}  // namespace waferpair::wafer
