// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/ollama_request.h"

#include <algorithm>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/message_fields.h"
#include "runtime/server/dialects/sent_text.h"
#include "runtime/server/dialects/thinking_fields.h"

namespace waferpair::server {
namespace {

constexpr base::Field kOptions{.name = "options"};
constexpr base::Field kOllamaFormat{.name = "format"};
constexpr base::Field kOllamaPrompt{.name = "prompt"};
constexpr base::Field kOllamaSuffix{.name = "suffix"};
constexpr base::Field kOllamaSystem{.name = "system"};
constexpr base::Field kKeepAlive{.name = "keep_alive"};
constexpr base::Field kTemplate{.name = "template"};
constexpr base::Field kImages{.name = "images"};
constexpr base::Field kOllamaMessages{.name = "messages"};
constexpr base::Field kOllamaRole{.name = "role", .required = true, .bytes = 64};
constexpr base::Field kOllamaContent{.name = "content"};
constexpr base::Field kOllamaThinking{.name = "thinking"};
constexpr base::Field kOllamaCalls{.name = "tool_calls", .most = 1024};
constexpr base::Field kOllamaCallName{.name = "name", .required = true, .bytes = 256};

struct OllamaOptions {
  AskedSampling sampling;
  std::vector<std::string> stop;
  int maxTokens = inference::JobLimits::kUpToContext;
};

OllamaOptions readOptions(JsonFields& fields) {
  static const Json kNone = Json::object();
  JsonFields options = fields.has(kOptions) ? fields.part(kOptions) : JsonFields(kNone);
  OllamaOptions read{readLlamaSampling(options, kOllamaSampling), readStop(options),
                     readMostTokens(options, "num_predict")};
  fields.adopt(options);
  return read;
}

OutputFormat readOllamaFormat(JsonFields& fields) {
  if (!fields.has(kOllamaFormat)) return {};
  if (!fields.isText(kOllamaFormat)) {
    fields.object(kOllamaFormat);
    if (fields.problem()) return {};
    return schemaFormat(SentText(fields.source()).at("/format"), "format");
  }
  const std::string name = fields.text(kOllamaFormat);
  if (name.empty()) return {};
  if (name != "json")
    fields.fail(kOllamaFormat, "is \"" + name.substr(0, 64) + "\".", "Give json, or a schema.");
  return schemaFormat("{\"type\":\"object\"}", "format");
}

void refuseImages(JsonFields& fields) {
  if (fields.has(kImages) && !fields.list(kImages).empty())
    fields.fail(kImages, "cannot be seen.", "This model reads text only.");
}

// Whether it is 0, in seconds or with a unit. How long a model stays else is for the server's
// options to say.
bool readsNoStay(JsonFields& fields) {
  if (!fields.has(kKeepAlive)) return false;
  if (!fields.isText(kKeepAlive)) return fields.number(kKeepAlive) == 0;
  const std::string stay = fields.text(kKeepAlive);
  return stay.starts_with('0') && stay.find_first_of("123456789") == stay.npos;
}

// What both paths have.
void readOllamaShared(JsonFields& fields, OllamaText& text) {
  OllamaOptions options = readOptions(fields);
  text.model = ollamaName(fields.text(protocol::field::response_create::kModel));
  if (options.maxTokens != inference::JobLimits::kUpToContext)
    text.maxOutputTokens = options.maxTokens;
  text.sampling = options.sampling;
  text.stop = std::move(options.stop);
  text.stream = fields.booleanOr("stream", true);
  text.format = readOllamaFormat(fields);
  text.names.format = "format";
  text.unloads = readsNoStay(fields);
  readThinking(fields, text);
  text.chances = fields.booleanOr("logprobs", false);
  text.mostAlternatives = readAlternatives(fields, "top_logprobs");
  if (!fields.text(kTemplate).empty())
    fields.fail(kTemplate, "is not Jinja's, and cannot be followed.",
                "Leave it out: the model's own is run; or send raw.");
  refuseImages(fields);
}

OllamaGenerate readGenerate(JsonFields& fields) {
  OllamaGenerate read;
  OllamaText& text = read.text;
  readOllamaShared(fields, text);
  text.names.input = "prompt";
  std::string prompt = fields.text(kOllamaPrompt);
  std::string suffix = fields.text(kOllamaSuffix);
  read.isEmpty = prompt.empty() && suffix.empty();
  if (suffix.empty()) {
    setPrompt(read.gap, prompt);
  } else {
    read.gap.prefix = prompt;
    read.gap.suffix = std::move(suffix);
    read.gap.isFillIn = true;
  }
  read.gap.model = text.model;
  read.gap.maxTokens = text.maxOutputTokens.value_or(inference::JobLimits::kUpToContext);
  read.gap.sampling = text.sampling;
  read.gap.stop = text.stop;
  read.gap.stream = text.stream;
  text.instructions = fields.text(kOllamaSystem);
  // Unless it is raw, it is what a user says.
  if (fields.booleanOr("raw", false)) {
    text.input = std::move(prompt);
    text.separatesThinking = false;
  } else {
    text.messages = {{inference::ChatRole::kUser, std::move(prompt)}};
  }
  return read;
}

// `place` is the message, as a JSON pointer in what was sent.
inference::ChatMessage readOllamaMessage(JsonFields& message, const std::string& place,
                                         const SentText& sent) {
  inference::ChatMessage read;
  const std::string role = message.text(kOllamaRole);
  if (role == "tool") {
    read.role = inference::ChatRole::kTool;
  } else if (const auto known = roleOf(role)) {
    read.role = *known;
  } else {
    message.fail(kOllamaRole, "is \"" + role + "\".", "Give system, user, assistant or tool.");
  }
  read.text = message.text(kOllamaContent);
  read.thinking = message.text(kOllamaThinking);
  refuseImages(message);
  const std::size_t count = message.list(kOllamaCalls).size();
  for (std::size_t i = 0; i < count && !message.problem(); ++i) {
    JsonFields call = message.entry(kOllamaCalls, i);
    JsonFields function = call.part("function");
    read.calls.push_back(
        {.id = {},
         .name = function.text(kOllamaCallName),
         .arguments = readArguments(
             function, place + "/tool_calls/" + std::to_string(i) + "/function", sent)});
    call.adopt(function);
    message.adopt(call);
  }
  return read;
}

OllamaText readOllamaChat(JsonFields& fields) {
  OllamaText chat;
  chat.isChat = true;
  readOllamaShared(fields, chat);
  chat.names.input = "messages";
  chat.tools = readTools(fields, ToolNesting::kFunction);
  const std::size_t count = fields.list(kOllamaMessages).size();
  const SentText sent(fields.source());
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields message = fields.entry(kOllamaMessages, i);
    chat.messages.push_back(readOllamaMessage(message, "/messages/" + std::to_string(i), sent));
    fields.adopt(message);
  }
  matchCalls(chat.messages);
  return chat;
}

template <typename Request>
Checked<Request> parseOllama(std::string_view body, Request (*read)(JsonFields&)) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  Request request = read(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return request;
}

}  // namespace

Checked<OllamaGenerate> parseOllamaGenerate(std::string_view body) {
  return parseOllama(body, readGenerate);
}

Checked<OllamaText> parseOllamaChat(std::string_view body) {
  return parseOllama(body, readOllamaChat);
}

std::string ollamaName(std::string name) {
  constexpr std::string_view kTag = ":latest";
  if (name.ends_with(kTag)) name.resize(name.size() - kTag.size());
  return name;
}

}  // namespace waferpair::server
