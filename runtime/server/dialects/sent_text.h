// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a message as they were sent: Json sorts the names in objects, but a schema's
// properties have an order.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace waferpair::server {

class SentText {
 public:
  explicit SentText(std::string_view message);

  // `pointer` is a JSON pointer. Empty where there is nothing.
  std::string at(const std::string& pointer) const;

 private:
  nlohmann::ordered_json whole_;
};

}  // namespace waferpair::server
