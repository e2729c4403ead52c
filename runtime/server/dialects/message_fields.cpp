// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/message_fields.h"

#include <algorithm>

namespace waferpair::server {
namespace {

constexpr base::Field kPartType{.name = "type", .required = true, .bytes = 64};
constexpr base::Field kPartText{.name = "text", .required = true, .bytes = kMaxMessageBytes};

}  // namespace

std::optional<inference::ChatRole> roleOf(std::string_view name) {
  if (name == "system" || name == "developer") return inference::ChatRole::kSystem;
  if (name == "user") return inference::ChatRole::kUser;
  if (name == "assistant") return inference::ChatRole::kAssistant;
  return std::nullopt;
}

std::string readContent(JsonFields& message, const base::Field& content,
                        std::initializer_list<std::string_view> kinds) {
  if (message.isText(content)) return message.text(content);
  std::string read;
  const std::size_t parts = message.list(content).size();
  for (std::size_t i = 0; i < parts && !message.problem(); ++i) {
    JsonFields part = message.entry(content, i);
    const std::string kind = part.text(kPartType);
    if (std::ranges::find(kinds, kind) == kinds.end() && !part.problem())
      part.fail(kPartType, "is \"" + kind.substr(0, 64) + "\".",
                "This model reads text only: give " + std::string(*kinds.begin()) + ".");
    if (i > 0) read += '\n';
    read += part.text(kPartText);
    message.adopt(part);
  }
  return read;
}

}  // namespace waferpair::server
