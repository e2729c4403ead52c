// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/message_fields.h"

#include <algorithm>
#include <cstddef>
#include <deque>

namespace waferpair::server {
namespace {

constexpr base::Field kPartType{.name = "type", .required = true, .bytes = 64};
constexpr base::Field kPartText{.name = "text", .bytes = kMaxMessageBytes};
constexpr base::Field kArguments{.name = "arguments", .bytes = kMaxMessageBytes};
constexpr base::Field kPartRefusal{.name = "refusal", .bytes = kMaxMessageBytes};

}  // namespace

std::optional<inference::ChatRole> roleOf(std::string_view name) {
  if (name == "system" || name == "developer") return inference::ChatRole::kSystem;
  if (name == "user") return inference::ChatRole::kUser;
  if (name == "assistant") return inference::ChatRole::kAssistant;
  return std::nullopt;
}

std::string readContent(JsonFields& message, const base::Field& content,
                        std::initializer_list<std::string_view> kinds, Unreadable others) {
  if (!message.has(content) || message.isText(content)) return message.text(content);
  std::string read;
  const std::size_t parts = message.list(content).size();
  for (std::size_t i = 0; i < parts && !message.problem(); ++i) {
    JsonFields part = message.entry(content, i);
    const std::string kind = part.text(kPartType);
    if (i > 0) read += '\n';
    if (std::ranges::find(kinds, kind) != kinds.end())
      read += part.has("text") ? part.text(kPartText) : part.text(kPartRefusal);
    else if (others == Unreadable::kTold)
      read += leftOut(kind);
    else if (!part.problem())
      part.fail(kPartType, "is \"" + kind.substr(0, 64) + "\".",
                "This model reads text only: give " + std::string(*kinds.begin()) + ".");
    message.adopt(part);
  }
  return read;
}

std::string readArguments(JsonFields& function, const std::string& place, const SentText& sent) {
  if (!function.has(kArguments)) return "{}";
  if (function.isText(kArguments)) return function.text(kArguments);
  function.object(kArguments);
  return function.problem() ? "{}" : sent.at(place + "/" + kArguments.name);
}

void addText(std::string& text, std::string_view added) {
  if (!text.empty() && !added.empty()) text += '\n';
  text += added;
}

std::string leftOut(std::string_view kind) {
  const bool isImage = kind == "image" || kind == "image_url" || kind == "input_image";
  return "[" + (isImage ? "An image" : "Content of the type " + std::string(kind.substr(0, 64))) +
         " was left out here: this model reads text only.]";
}

void matchCalls(std::vector<inference::ChatMessage>& messages) {
  std::size_t made = 0;
  std::deque<std::string> open;  // calls whose results have not come yet
  for (inference::ChatMessage& message : messages) {
    for (inference::ToolCall& call : message.calls) {
      if (call.id.empty()) call.id = "call_" + std::to_string(made++);
      open.push_back(call.id);
    }
    if (message.role != inference::ChatRole::kTool) continue;
    if (message.callId.empty() && !open.empty()) message.callId = open.front();
    std::erase(open, message.callId);
  }
}

}  // namespace waferpair::server
