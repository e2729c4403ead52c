// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_request.h"

#include <optional>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

std::optional<inference::ChatRole> roleOf(std::string_view name) {
  if (name == "system" || name == "developer") return inference::ChatRole::kSystem;
  if (name == "user") return inference::ChatRole::kUser;
  if (name == "assistant") return inference::ChatRole::kAssistant;
  return std::nullopt;
}

// A message item. Its content is a string, or parts of which only text can be read.
inference::ChatMessage readMessage(const Json& item, const std::string& path, JsonFields& fields) {
  JsonFields message(item, path);
  const std::string type = message.textOr("type", 64, "message");
  if (type != "message")
    message.fail("type", "is \"" + type + "\".", "Only messages with text can be read.");
  const std::string role = message.textOr("role", 64, "user");
  if (!roleOf(role))
    message.fail("role", "is \"" + role + "\".", "Send system, developer, user or assistant.");
  inference::ChatMessage read{roleOf(role).value_or(inference::ChatRole::kUser), {}};
  if (message.isText("content")) {
    read.text = message.text("content", kMaxMessageBytes);
  } else {
    const Json& parts = message.array("content");
    for (std::size_t i = 0; i < parts.size() && !message.problem(); ++i) {
      JsonFields part(parts[i], path + "content[" + std::to_string(i) + "].");
      const std::string kind = part.text("type", 64);
      if (kind != "input_text" && kind != "output_text" && !part.problem())
        part.fail("type", "is \"" + kind + "\".", "This model reads text only: send input_text.");
      if (i > 0) read.text += '\n';
      read.text += part.text("text", kMaxMessageBytes);
      message.adopt(part);
    }
  }
  fields.adopt(message);
  return read;
}

}  // namespace

ResponseCreate readResponseCreate(JsonFields& fields) {
  namespace field = protocol::field::response_create;
  ResponseCreate create;
  create.id = fields.text(field::kId);
  create.previousResponseId = fields.text(field::kPreviousResponseId);
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
      fields.fail(field::kInput, "has no messages.", "Send at least one, or a string.");
    for (std::size_t i = 0; i < items.size() && !fields.problem(); ++i)
      create.messages.push_back(readMessage(items[i], "input[" + std::to_string(i) + "].", fields));
  } else {
    create.input = fields.text(field::kInput);
  }
  return create;
}

Checked<ResponseCreate> parseResponseBody(std::string_view body) {
  const Checked<Json> object = parseJson(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  ResponseCreate create = readResponseCreate(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return create;
}

}  // namespace waferpair::server
