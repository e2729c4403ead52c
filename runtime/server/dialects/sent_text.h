// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a message as they were sent: Json sorts the names in objects, but a schema's
// properties have an order.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace waferpair::server {

// Not thread-safe.
class SentText {
 public:
  // The message outlives it, and is parsed where somebody asks.
  explicit SentText(std::string_view message) : message_(message) {}

  // `pointer` is a JSON pointer. Empty where there is nothing.
  std::string at(const std::string& pointer) const;

 private:
  std::string_view message_;
  mutable std::optional<nlohmann::ordered_json> whole_;
};

}  // namespace waferpair::server
