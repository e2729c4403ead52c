// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_request.h"

#include <algorithm>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/message_fields.h"
#include "runtime/server/dialects/thinking_fields.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;

constexpr base::Field kItemType{.name = "type", .bytes = 64};
constexpr base::Field kItemRole{.name = "role", .bytes = 64};
constexpr base::Field kItemContent{.name = "content", .required = true, .bytes = kMaxMessageBytes};
constexpr base::Field kNullContent{.name = "content"};
constexpr base::Field kItemCallId{.name = "call_id", .required = true, .bytes = 256};
constexpr base::Field kItemName{.name = "name", .required = true, .bytes = 256};
constexpr base::Field kItemArguments{
    .name = "arguments", .required = true, .bytes = kMaxMessageBytes};
constexpr base::Field kItemCompacted{
    .name = "encrypted_content", .required = true, .bytes = kMaxMessageBytes};
constexpr base::Field kReasoned{.name = "content"};
constexpr base::Field kItemOutput{.name = "output", .bytes = kMaxMessageBytes};

void readMessageItem(JsonFields& item, std::vector<ChatMessage>& messages) {
  const std::string role = item.text(kItemRole);
  const auto known = role.empty() ? ChatRole::kUser : roleOf(role);
  if (!known)
    item.fail(kItemRole, "is \"" + role + "\".", "Give system, developer, user or assistant.");
  const base::Field& content = item.isNull(kItemContent) ? kNullContent : kItemContent;
  ChatMessage message{.role = known.value_or(ChatRole::kUser),
                      .text = readContent(item, content, {"input_text", "output_text"})};
  const bool wasThought = !messages.empty() && messages.back().role == ChatRole::kAssistant &&
                          !messages.back().thinking.empty() && messages.back().text.empty() &&
                          messages.back().calls.empty();
  if (wasThought && message.role == ChatRole::kAssistant) {
    message.thinking = std::move(messages.back().thinking);
    messages.pop_back();
  }
  messages.push_back(std::move(message));
}

// Calls belong to the assistant's message in front of them, if there is one.
void readCallItem(JsonFields& item, std::vector<ChatMessage>& messages) {
  if (messages.empty() || messages.back().role != ChatRole::kAssistant)
    messages.push_back({.role = ChatRole::kAssistant});
  const bool hasNone = item.isNull(kItemArguments);
  messages.back().calls.push_back({.id = item.text(kItemCallId),
                                   .name = item.text(kItemName),
                                   .arguments = hasNone ? "{}" : item.text(kItemArguments)});
}

// What was said before, as this server has summed it up (response_compaction.h).
void readCompactionItem(JsonFields& item, std::vector<ChatMessage>& messages) {
  const std::string content = item.text(kItemCompacted);
  if (!content.starts_with(kCompactionMark) && !item.problem())
    item.fail(kItemCompacted, "is not of this server.", "Send the items that it stands for.");
  messages.push_back({.role = ChatRole::kAssistant,
                      .text = content.substr(std::min(content.size(), kCompactionMark.size()))});
}

// What the model thought belongs to the message, or the calls, behind it.
void readReasoningItem(JsonFields& item, std::vector<ChatMessage>& messages) {
  if (!item.isArray(kReasoned) || item.list(kReasoned).empty()) return;
  if (messages.empty() || messages.back().role != ChatRole::kAssistant ||
      !messages.back().text.empty() || !messages.back().calls.empty())
    messages.push_back({.role = ChatRole::kAssistant});
  addText(messages.back().thinking,
          readContent(item, kReasoned, {"reasoning_text", "text"}, Unreadable::kTold));
}

// An item of another kind is of no use here.
void readItem(JsonFields& item, std::vector<ChatMessage>& messages) {
  const std::string type = item.text(kItemType);
  if (type.empty() || type == "message")
    readMessageItem(item, messages);
  else if (type == "function_call")
    readCallItem(item, messages);
  else if (type == "function_call_output")
    messages.push_back(
        {.role = ChatRole::kTool,
         .text = readContent(item, kItemOutput, {"input_text", "output_text"}, Unreadable::kTold),
         .callId = item.text(kItemCallId)});
  else if (type == "compaction")
    readCompactionItem(item, messages);
  else if (type == "reasoning")
    readReasoningItem(item, messages);
}

ResponseCreate readResponse(JsonFields& fields, Outside outside) {
  namespace field = protocol::field::response_create;
  ResponseCreate create;
  create.id = fields.text(field::kId);
  create.model = fields.text(field::kModel);
  create.previousResponseId = fields.text(field::kPreviousResponseId);
  if (fields.has(field::kMaxOutputTokens))
    create.maxOutputTokens = outside == Outside::kRefused
                                 ? static_cast<int>(fields.integer(field::kMaxOutputTokens))
                                 : readTokenLimit(fields, field::kMaxOutputTokens.name);
  if (create.maxOutputTokens == 0)
    fields.fail(field::kMaxOutputTokens, "is 0.", "Give at least 1, or generate false.");
  create.stream = fields.boolean(field::kStream);
  create.generate = fields.boolean(field::kGenerate);
  if (!create.generate) create.maxOutputTokens = 0;
  create.store = fields.boolean(field::kStore);
  create.background = fields.boolean(field::kBackground);
  if (create.background && !create.store)
    fields.fail(field::kBackground, "needs a response that is stored.", "Leave store out.");
  if (outside == Outside::kRefused)
    create.sampling = {readSampling(fields)};
  else
    create.sampling = readForeignSampling(fields, kOpenAiSampling);
  create.stop = readStop(fields);
  create.speculation = fields.boolean(field::kSpeculation);
  create.returnsProgress = fields.boolean(field::kReturnProgress);
  create.format = readOutputFormat(fields);
  if (fields.has(field::kText)) create.sentText = fields.object(field::kText);
  create.tools = readTools(fields, ToolNesting::kFlat);
  readThinking(fields, create);
  create.instructions = fields.text(field::kInstructions);
  if (fields.isArray(field::kInput)) {
    const std::size_t items = fields.list(field::kInput).size();
    for (std::size_t i = 0; i < items && !fields.problem(); ++i) {
      JsonFields item = fields.entry(field::kInput, i);
      readItem(item, create.messages);
      fields.adopt(item);
    }
    // What was said before may be enough: all of it was sent to be read ahead.
    if (create.messages.empty() && create.previousResponseId.empty())
      fields.fail(field::kInput, "has no messages.", "Give at least one, or a string.");
  } else {
    create.input = fields.text(field::kInput);
  }
  return create;
}

}  // namespace

ResponseCreate readResponseCreate(JsonFields& fields) {
  return readResponse(fields, Outside::kRefused);
}

ResponseCreate readForeignResponse(JsonFields& fields) {
  return readResponse(fields, Outside::kClamped);
}

Checked<ResponseCreate> parseResponseBody(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  ResponseCreate create = readForeignResponse(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return create;
}

}  // namespace waferpair::server
