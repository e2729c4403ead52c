// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_request.h"

#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/message_fields.h"
#include "runtime/server/dialects/plain_request.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;

constexpr base::Field kChatMessages{.name = "messages", .required = true};
constexpr base::Field kChatRole{.name = "role", .required = true, .bytes = 64};
constexpr base::Field kChatContent{.name = "content", .required = true, .bytes = kMaxMessageBytes};
constexpr base::Field kChatCalls{.name = "tool_calls", .most = 128};
constexpr base::Field kChatCallId{.name = "tool_call_id", .required = true, .bytes = 256};
constexpr base::Field kCallId{.name = "id", .required = true, .bytes = 256};
constexpr base::Field kCallType{.name = "type", .bytes = 64};
constexpr base::Field kCallName{.name = "name", .required = true, .bytes = 256};
constexpr base::Field kCallArguments{
    .name = "arguments", .required = true, .bytes = kMaxMessageBytes};

void readChatCalls(JsonFields& message, ChatMessage& read) {
  const std::size_t count = message.list(kChatCalls).size();
  for (std::size_t i = 0; i < count && !message.problem(); ++i) {
    JsonFields call = message.entry(kChatCalls, i);
    const std::string type = call.text(kCallType);
    if (type.empty() || type == "function") {
      JsonFields function = call.part("function");
      read.calls.push_back({.id = call.text(kCallId),
                            .name = function.text(kCallName),
                            .arguments = function.text(kCallArguments)});
      call.adopt(function);
    }
    message.adopt(call);
  }
}

ChatMessage readChatMessage(JsonFields& message) {
  ChatMessage read;
  const std::string role = message.text(kChatRole);
  if (role == "tool") {
    read.role = ChatRole::kTool;
    read.callId = message.text(kChatCallId);
  } else if (const auto known = roleOf(role)) {
    read.role = *known;
  } else {
    message.fail(kChatRole, "is \"" + role + "\".",
                 "Give system, developer, user, assistant or tool.");
  }
  if (read.role == ChatRole::kAssistant) readChatCalls(message, read);
  if (message.has(kChatContent) || read.calls.empty())
    read.text = readContent(message, kChatContent, {"text", "refusal"});
  return read;
}

// Says what of the API is not offered, so that nobody takes the answer for what it is not.
void refuseOthers(JsonFields& fields) {
  if (fields.integerOr("n", 1, 1, 128) != 1)
    fields.fail("n", "is more than 1.", "Ask several times.");
  if (fields.booleanOr("logprobs", false))
    fields.fail("logprobs", "is not supported.", "Leave it out.");
  for (const char* older : {"functions", "function_call"})
    if (fields.has(older))
      fields.fail(older, "is of an older form of the API.", "Send tools and tool_choice.");
}

std::optional<int> readChatLimit(JsonFields& fields) {
  for (const char* name : {"max_completion_tokens", "max_tokens"})
    if (fields.has(name)) return readTokenLimit(fields, name);
  return std::nullopt;
}

ChatRequest readChat(JsonFields& fields) {
  ChatRequest chat;
  chat.names = {.input = "messages", .format = "response_format"};
  chat.maxOutputTokens = readChatLimit(fields);
  chat.model = fields.text(protocol::field::response_create::kModel);
  chat.stream = fields.booleanOr("stream", false);
  if (fields.has("stream_options")) {
    JsonFields options = fields.part("stream_options");
    chat.includeUsage = options.booleanOr("include_usage", false);
    fields.adopt(options);
  }
  chat.sampling = readSampling(fields);
  chat.stop = readStop(fields);
  chat.speculation = fields.booleanOr("speculation", true);
  chat.format = readResponseFormat(fields);
  chat.tools = readTools(fields, ToolNesting::kFunction);
  refuseOthers(fields);
  const std::size_t count = fields.list(kChatMessages).size();
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields message = fields.entry(kChatMessages, i);
    chat.messages.push_back(readChatMessage(message));
    fields.adopt(message);
  }
  if (chat.messages.empty()) fields.fail(kChatMessages, "is empty.", "Give at least one message.");
  return chat;
}

}  // namespace

Checked<ChatRequest> parseChatBody(std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  ChatRequest chat = readChat(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return chat;
}

}  // namespace waferpair::server
