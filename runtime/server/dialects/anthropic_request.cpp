// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/anthropic_request.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/message_fields.h"
#include "runtime/server/dialects/sent_text.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;
using OrderedJson = nlohmann::ordered_json;

constexpr auto kMostAnswered =
    static_cast<int>(protocol::field::response_create::kMaxOutputTokens.high);
constexpr base::Field kSystem{.name = "system"};
constexpr base::Field kTurns{.name = "messages", .required = true};
constexpr base::Field kTurnRole{.name = "role", .required = true, .bytes = 64};
constexpr base::Field kTurnContent{.name = "content", .required = true};
constexpr base::Field kResultContent{.name = "content"};
constexpr base::Field kBlockType{.name = "type", .required = true, .bytes = 64};
constexpr base::Field kBlockId{.name = "id", .required = true, .bytes = 256};
constexpr base::Field kResultOf{.name = "tool_use_id", .required = true, .bytes = 256};
constexpr base::Field kUsedName{.name = "name", .required = true, .bytes = 256};
constexpr base::Field kStopSequences{.name = "stop_sequences"};

void addText(std::string& text, std::string_view added) {
  if (!text.empty() && !added.empty()) text += '\n';
  text += added;
}

void failBlock(JsonFields& block, const std::string& type) {
  if (!block.problem())
    block.fail(kBlockType, "is \"" + type + "\".", "This model reads text only: give text.");
}

// A text, or a list of blocks of text.
std::string readTexts(JsonFields& fields, const base::Field& name) {
  if (!fields.has(name) || fields.isText(name)) return fields.text(name);
  std::string read;
  const std::size_t count = fields.list(name).size();
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields block = fields.entry(name, i);
    const std::string type = block.text(kBlockType);
    if (type == "text")
      addText(read, block.text("text"));
    else
      failBlock(block, type);
    fields.adopt(block);
  }
  return read;
}

// A turn becomes the results of calls that it has, and a message.
void readTurn(JsonFields& turn, std::vector<ChatMessage>& messages) {
  const std::string role = turn.text(kTurnRole);
  if (role != "user" && role != "assistant" && !turn.problem())
    turn.fail(kTurnRole, "is \"" + role + "\".", "Give user or assistant.");
  ChatMessage message;
  message.role = role == "assistant" ? ChatRole::kAssistant : ChatRole::kUser;
  if (turn.isText(kTurnContent)) {
    message.text = turn.text(kTurnContent);
    return messages.push_back(std::move(message));
  }
  bool hasResults = false;
  const std::size_t count = turn.list(kTurnContent).size();
  for (std::size_t i = 0; i < count && !turn.problem(); ++i) {
    JsonFields block = turn.entry(kTurnContent, i);
    const std::string type = block.text(kBlockType);
    if (type == "text") {
      addText(message.text, block.text("text"));
    } else if (type == "tool_use" && message.role == ChatRole::kAssistant) {
      inference::ToolCall call{
          .id = block.text(kBlockId), .name = block.text(kUsedName), .arguments = {}};
      if (const Json& input = block.object("input"); !block.problem())
        call.arguments = input.dump(-1, ' ', false, Json::error_handler_t::replace);
      message.calls.push_back(std::move(call));
    } else if (type == "tool_result" && message.role == ChatRole::kUser) {
      messages.push_back({.role = ChatRole::kTool,
                          .text = readTexts(block, kResultContent),
                          .calls = {},
                          .callId = block.text(kResultOf)});
      hasResults = true;
    } else if (type != "thinking" && type != "redacted_thinking") {
      failBlock(block, type);
    }
    turn.adopt(block);
  }
  if (!hasResults || !message.text.empty()) messages.push_back(std::move(message));
}

// The tools and the choice of one as the Responses API has them, in which they are read. Tools that
// Anthropic's own servers would run are left out there.
std::string flatTools(std::string_view body) {
  const OrderedJson sent = OrderedJson::parse(body, nullptr, /*allow_exceptions=*/false);
  OrderedJson flat = OrderedJson::object();
  const auto take = [](const OrderedJson& from, const char* name, OrderedJson& to, const char* as) {
    if (from.is_object() && from.contains(name)) to[as] = from[name];
  };
  if (sent.contains("tools") && sent["tools"].is_array()) {
    flat["tools"] = OrderedJson::array();
    for (const OrderedJson& tool : sent["tools"]) {
      OrderedJson function = {{"type", "function"}};
      take(tool, "type", function, "type");
      if (function["type"] == "custom") function["type"] = "function";
      take(tool, "name", function, "name");
      take(tool, "description", function, "description");
      take(tool, "input_schema", function, "parameters");
      flat["tools"].push_back(std::move(function));
    }
  }
  if (sent.contains("tool_choice") && sent["tool_choice"].is_object()) {
    const OrderedJson& choice = sent["tool_choice"];
    const OrderedJson type = choice.value("type", OrderedJson("auto"));
    if (type == "tool") {
      flat["tool_choice"] = {{"type", "function"}};
      take(choice, "name", flat["tool_choice"], "name");
    } else {
      flat["tool_choice"] = type == "any" ? OrderedJson("required") : type;
    }
    if (choice.value("disable_parallel_tool_use", OrderedJson(false)) == true)
      flat["parallel_tool_calls"] = false;
  }
  return flat.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::vector<std::string> readStopSequences(JsonFields& fields) {
  Json stop = Json::object();
  if (fields.has(kStopSequences)) stop["stop"] = fields.list(kStopSequences);
  JsonFields inner(stop);
  std::vector<std::string> read = readStop(inner);
  if (inner.problem())
    fields.fail(kStopSequences, "has too many entries, or one that is no short string.",
                "Give at most 16 strings of at most 256 bytes.");
  return read;
}

TextRequest readConversation(JsonFields& fields) {
  TextRequest request;
  request.names = {.input = "messages", .format = "tools"};
  request.model = fields.text(protocol::field::response_create::kModel);
  request.instructions = readTexts(fields, kSystem);
  const std::size_t count = fields.list(kTurns).size();
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields turn = fields.entry(kTurns, i);
    readTurn(turn, request.messages);
    fields.adopt(turn);
  }
  if (request.messages.empty()) fields.fail(kTurns, "is empty.", "Give at least one message.");
  if (fields.has("tools")) {
    const std::string flat = flatTools(fields.source());
    const Json object = Json::parse(flat, nullptr, /*allow_exceptions=*/false);
    JsonFields tools(object, {}, flat);
    request.tools = readTools(tools, ToolNesting::kFlat);
    fields.adopt(tools);
  }
  return request;
}

TextRequest readAnthropic(JsonFields& fields) {
  const int most = fields.integer("max_tokens", 1, kMostAnswered);
  TextRequest request = readConversation(fields);
  if (fields.has("max_tokens")) request.maxOutputTokens = readTokenLimit(fields, "max_tokens");
  request.stream = fields.booleanOr("stream", false);
  request.sampling = readSampling(fields, Outside::kClamped);
  request.stop = readStopSequences(fields);
  return request;
}

Checked<TextRequest> parseWith(TextRequest (*read)(JsonFields&), std::string_view body) {
  const Checked<Json> object = parseMessage(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object, {}, body);
  TextRequest request = read(fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return request;
}

}  // namespace

Checked<TextRequest> parseAnthropicBody(std::string_view body) {
  return parseWith(readAnthropic, body);
}

Checked<TextRequest> parseAnthropicCountBody(std::string_view body) {
  return parseWith(readConversation, body);
}

}  // namespace waferpair::server
