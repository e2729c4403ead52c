// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {

SentText::SentText(std::string_view message)
    : whole_(nlohmann::ordered_json::parse(message, nullptr, /*allow_exceptions=*/false)) {}

std::string SentText::at(const std::string& pointer) const {
  const nlohmann::ordered_json::json_pointer place(pointer);
  return whole_.contains(place) ? whole_[place].dump() : std::string();
}

}  // namespace waferpair::server
