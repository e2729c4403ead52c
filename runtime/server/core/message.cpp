// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/message.h"

namespace waferpair::server {

Checked<Json> parseMessage(std::string_view text) {
  auto object = base::parseJsonObject(text, "The message");
  if (!object) return reject({protocol::error_code::kMalformedJson, object.error()});
  return std::move(*object);
}

}  // namespace waferpair::server
