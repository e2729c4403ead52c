// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {

std::string SentText::at(const std::string& pointer) const {
  using OrderedJson = nlohmann::ordered_json;
  if (!whole_) whole_ = OrderedJson::parse(message_, nullptr, /*allow_exceptions=*/false);
  const OrderedJson::json_pointer place(pointer);
  return whole_->contains(place) ? (*whole_)[place].dump() : std::string();
}

}  // namespace waferpair::server
