// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/chat_request.h"

#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/message_fields.h"
#include "runtime/server/dialects/plain_request.h"
#include "runtime/server/dialects/thinking_fields.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;

constexpr base::Field kChatMessages{.name = "messages", .required = true};
constexpr base::Field kChatRole{.name = "role", .required = true, .bytes = 64};
constexpr base::Field kChatContent{.name = "content", .required = true, .bytes = kMaxMessageBytes};
// Of what the assistant said, which may be nothing, and of what a tool gave.
constexpr base::Field kMaybeContent{.name = "content", .bytes = kMaxMessageBytes};
constexpr base::Field kChatCalls{.name = "tool_calls", .most = 1024};
constexpr base::Field kOlderCall{.name = "function_call"};
constexpr base::Field kChatCallId{.name = "tool_call_id", .bytes = 256};
constexpr base::Field kCallId{.name = "id", .bytes = 256};
constexpr base::Field kCallType{.name = "type", .bytes = 64};
constexpr base::Field kCallName{.name = "name", .required = true, .bytes = 256};
constexpr base::Field kCustomInput{.name = "input", .bytes = kMaxMessageBytes};

// llama-server's name for what the model thought, and others'.
constexpr base::Field kReasoningContent{.name = "reasoning_content", .bytes = kMaxMessageBytes};
constexpr base::Field kReasoning{.name = "reasoning", .bytes = kMaxMessageBytes};

// `place` is the message, as a JSON pointer in what was sent.
void readChatCalls(JsonFields& message, const std::string& place, const SentText& sent,
                   ChatMessage& read) {
  const std::size_t count = message.list(kChatCalls).size();
  for (std::size_t i = 0; i < count && !message.problem(); ++i) {
    JsonFields call = message.entry(kChatCalls, i);
    const std::string type = call.text(kCallType);
    if (type == "custom") {
      JsonFields custom = call.part("custom");
      read.calls.push_back({.id = call.text(kCallId),
                            .name = custom.text(kCallName),
                            .arguments = Json{{"input", custom.text(kCustomInput)}}.dump(
                                -1, ' ', false, Json::error_handler_t::replace)});
      call.adopt(custom);
    } else {
      JsonFields function = call.part("function");
      read.calls.push_back(
          {.id = call.text(kCallId),
           .name = function.text(kCallName),
           .arguments = readArguments(
               function, place + "/tool_calls/" + std::to_string(i) + "/function", sent)});
      call.adopt(function);
    }
    message.adopt(call);
  }
  if (!message.has(kOlderCall)) return;
  JsonFields function = message.part(kOlderCall);
  read.calls.push_back({.id = {},
                        .name = function.text(kCallName),
                        .arguments = readArguments(function, place + "/" + kOlderCall.name, sent)});
  message.adopt(function);
}

ChatMessage readChatMessage(JsonFields& message, const std::string& place, const SentText& sent) {
  ChatMessage read;
  const std::string role = message.text(kChatRole);
  // A function was a tool in older forms of the API, and its results had no ids.
  if (role == "tool" || role == "function") {
    read.role = ChatRole::kTool;
    read.callId = message.text(kChatCallId);
  } else if (const auto known = roleOf(role)) {
    read.role = *known;
  } else {
    message.fail(kChatRole, "is \"" + role + "\".",
                 "Give system, developer, user, assistant or tool.");
  }
  if (read.role == ChatRole::kAssistant) {
    readChatCalls(message, place, sent, read);
    read.thinking = message.text(message.has(kReasoningContent) ? kReasoningContent : kReasoning);
  }
  const bool isTool = read.role == ChatRole::kTool;
  const bool mayBeEmpty =
      isTool || read.role == ChatRole::kAssistant || message.isNull(kChatContent);
  read.text = readContent(message, mayBeEmpty ? kMaybeContent : kChatContent, {"text", "refusal"},
                          isTool ? Unreadable::kTold : Unreadable::kRefused);
  return read;
}

// Tools, or what they were in older forms of the API.
void readChatTools(JsonFields& fields, ChatRequest& chat) {
  chat.olderCalls = fields.has("functions");
  if (chat.olderCalls && fields.has("tools"))
    fields.fail("functions", "stands beside tools.", "Send one of them.");
  chat.tools = readTools(fields, chat.olderCalls ? ToolNesting::kBare : ToolNesting::kFunction);
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
  chat.returnsProgress = fields.booleanOr("return_progress", false);
  chat.sampling = readForeignSampling(fields, kOpenAiSampling);
  chat.stop = readStop(fields);
  chat.speculation = fields.booleanOr("speculation", true);
  chat.format = readResponseFormat(fields);
  readChatTools(fields, chat);
  readThinking(fields, chat);
  chat.chances = fields.booleanOr("logprobs", false);
  chat.mostAlternatives = readAlternatives(fields, "top_logprobs");
  chat.choices = fields.integerOr("n", 1, 1, 64);
  const std::size_t count = fields.list(kChatMessages).size();
  const SentText sent(fields.source());
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields message = fields.entry(kChatMessages, i);
    chat.messages.push_back(readChatMessage(message, "/messages/" + std::to_string(i), sent));
    fields.adopt(message);
  }
  matchCalls(chat.messages);
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
