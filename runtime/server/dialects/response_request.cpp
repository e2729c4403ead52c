// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_request.h"

#include <optional>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

constexpr base::Field kType{.name = "type", .bytes = 64};
constexpr base::Field kPartType{.name = "type", .required = true, .bytes = 64};
constexpr base::Field kRole{.name = "role", .bytes = 64};
constexpr base::Field kContent{.name = "content", .required = true, .bytes = kMaxMessageBytes};

std::optional<inference::ChatRole> roleOf(std::string_view name) {
  if (name == "system" || name == "developer") return inference::ChatRole::kSystem;
  if (name == "user") return inference::ChatRole::kUser;
  if (name == "assistant") return inference::ChatRole::kAssistant;
  return std::nullopt;
}

// A message item. Its content is a string, or parts of which only text can be read.
inference::ChatMessage readMessage(JsonFields& message) {
  const std::string type = message.text(kType);
  if (!type.empty() && type != "message")
    message.fail(kType, "is \"" + type + "\".", "Only messages with text can be read.");
  const std::string role = message.text(kRole);
  const auto known = role.empty() ? inference::ChatRole::kUser : roleOf(role);
  if (!known)
    message.fail(kRole, "is \"" + role + "\".", "Give system, developer, user or assistant.");
  inference::ChatMessage read{known.value_or(inference::ChatRole::kUser), {}};
  if (message.isText(kContent)) {
    read.text = message.text(kContent);
    return read;
  }
  const std::size_t parts = message.list(kContent).size();
  for (std::size_t i = 0; i < parts && !message.problem(); ++i) {
    JsonFields part = message.entry(kContent, i);
    const std::string kind = part.text(kPartType);
    if (kind != "input_text" && kind != "output_text" && !part.problem())
      part.fail(kPartType, "is \"" + kind + "\".", "This model reads text only: give input_text.");
    if (i > 0) read.text += '\n';
    read.text +=
        part.text(base::Field{.name = "text", .required = true, .bytes = kMaxMessageBytes});
    message.adopt(part);
  }
  return read;
}

}  // namespace

ResponseCreate readResponseCreate(JsonFields& fields) {
  namespace field = protocol::field::response_create;
  ResponseCreate create;
  create.id = fields.text(field::kId);
  create.previousResponseId = fields.text(field::kPreviousResponseId);
  if (fields.has(field::kMaxOutputTokens))
    create.maxOutputTokens = static_cast<int>(fields.integer(field::kMaxOutputTokens));
  create.stream = fields.boolean(field::kStream);
  create.sampling = readSampling(fields);
  create.stop = readStop(fields);
  create.speculation = fields.boolean(field::kSpeculation);
  create.format = readOutputFormat(fields);
  create.instructions = fields.text(field::kInstructions);
  if (fields.isArray(field::kInput)) {
    const Json& items = fields.list(field::kInput);
    if (items.empty())
      fields.fail(field::kInput, "has no messages.", "Give at least one, or a string.");
    for (std::size_t i = 0; i < items.size() && !fields.problem(); ++i) {
      JsonFields item = fields.entry(field::kInput, i);
      create.messages.push_back(readMessage(item));
      fields.adopt(item);
    }
  } else {
    create.input = fields.text(field::kInput);
  }
  return create;
}

Checked<ResponseCreate> parseResponseBody(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  ResponseCreate create = readResponseCreate(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return create;
}

}  // namespace waferpair::server
