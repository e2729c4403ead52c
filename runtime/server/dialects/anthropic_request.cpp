// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/anthropic_request.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/message_fields.h"
#include "runtime/server/dialects/sent_text.h"
#include "runtime/server/dialects/thinking_fields.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;
using OrderedJson = nlohmann::ordered_json;

constexpr base::Field kSystem{.name = "system"};
constexpr base::Field kTurns{.name = "messages", .required = true};
constexpr base::Field kTurnRole{.name = "role", .required = true, .bytes = 64};
constexpr base::Field kTurnContent{.name = "content"};
constexpr base::Field kResultContent{.name = "content"};
constexpr base::Field kBlockType{.name = "type", .required = true, .bytes = 64};
constexpr base::Field kBlockText{.name = "text"};
constexpr base::Field kThought{.name = "thinking"};
constexpr base::Field kSourceType{.name = "type", .bytes = 64};
constexpr base::Field kSourceData{.name = "data"};
constexpr base::Field kBlockId{.name = "id", .bytes = 256};
constexpr base::Field kResultOf{.name = "tool_use_id", .bytes = 256};
constexpr base::Field kUsedName{.name = "name", .required = true, .bytes = 256};
constexpr base::Field kStopSequences{.name = "stop_sequences"};

void failBlock(JsonFields& block, const std::string& type) {
  if (!block.problem())
    block.fail(kBlockType, "is \"" + type + "\".", "This model reads text only: give text.");
}

std::string readTexts(JsonFields& fields, const base::Field& name);

// The text of a block that holds some, whatever its kind; else the note that it was left out.
std::string readBlock(JsonFields& block, const std::string& type) {
  if (type == "text") return block.text(kBlockText);
  if (type == "document" && block.has("source")) {
    JsonFields source = block.part("source");
    std::string text;
    if (source.text(kSourceType) == "text") text = source.text(kSourceData);
    block.adopt(source);
    if (!text.empty()) return text;
  }
  if (type == "search_result") return readTexts(block, kResultContent);
  return leftOut(type);
}

// A text, or a list of blocks.
std::string readTexts(JsonFields& fields, const base::Field& name) {
  if (!fields.has(name) || fields.isText(name)) return fields.text(name);
  std::string read;
  const std::size_t count = fields.list(name).size();
  for (std::size_t i = 0; i < count && !fields.problem(); ++i) {
    JsonFields block = fields.entry(name, i);
    addText(read, readBlock(block, block.text(kBlockType)));
    fields.adopt(block);
  }
  return read;
}

// Reads the turns of a conversation as the messages that they are.
class TurnReader {
 public:
  explicit TurnReader(JsonFields& fields) : fields_(fields), sent_(fields.source()) {}

  std::vector<ChatMessage> read() {
    const std::size_t count = fields_.list(kTurns).size();
    for (std::size_t i = 0; i < count && !fields_.problem(); ++i) {
      JsonFields turn = fields_.entry(kTurns, i);
      readTurn(turn, "/messages/" + std::to_string(i) + "/content/");
      fields_.adopt(turn);
    }
    matchCalls(messages_);
    return std::move(messages_);
  }

 private:
  // `place` is where its blocks are, as a JSON pointer. A turn becomes the results of calls that it
  // has, and a message.
  void readTurn(JsonFields& turn, const std::string& place) {
    const std::string role = turn.text(kTurnRole);
    const auto known = roleOf(role);
    if (!known && !turn.problem())
      turn.fail(kTurnRole, "is \"" + role + "\".", "Give user, assistant or system.");
    ChatMessage message;
    message.role = known.value_or(ChatRole::kUser);
    if (!turn.has(kTurnContent) || turn.isText(kTurnContent)) {
      message.text = turn.text(kTurnContent);
      return messages_.push_back(std::move(message));
    }
    bool hasResults = false;
    const std::size_t count = turn.list(kTurnContent).size();
    for (std::size_t i = 0; i < count && !turn.problem(); ++i) {
      JsonFields block = turn.entry(kTurnContent, i);
      const std::string type = block.text(kBlockType);
      if (type == "tool_use" && message.role == ChatRole::kAssistant) {
        message.calls.push_back({.id = block.text(kBlockId),
                                 .name = block.text(kUsedName),
                                 .arguments = inputOf(place + std::to_string(i))});
      } else if (type == "tool_result" && message.role == ChatRole::kUser) {
        messages_.push_back({.role = ChatRole::kTool,
                             .text = readTexts(block, kResultContent),
                             .calls = {},
                             .callId = block.text(kResultOf)});
        hasResults = true;
      } else if (type == "image" && message.role == ChatRole::kUser) {
        failBlock(block, type);
      } else if (type == "thinking") {
        addText(message.thinking, block.text(kThought));
      } else if (type != "redacted_thinking") {
        addText(message.text, readBlock(block, type));
      }
      turn.adopt(block);
    }
    if (!hasResults || !message.text.empty()) messages_.push_back(std::move(message));
  }

  // In the order in which the model wrote it, or it would have to be read anew.
  std::string inputOf(const std::string& block) const {
    const std::string input = sent_.at(block + "/input");
    return input.starts_with('{') ? input : "{}";
  }

  JsonFields& fields_;
  const SentText sent_;
  std::vector<ChatMessage> messages_;
};

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
                "Give at most " + std::to_string(protocol::field::sampling::kStop.most) +
                    " strings of at most " +
                    std::to_string(protocol::field::sampling::kStop.bytes) + " bytes.");
  return read;
}

TextRequest readConversation(JsonFields& fields) {
  TextRequest request;
  request.names = {.input = "messages", .format = "tools"};
  request.model = fields.text(protocol::field::response_create::kModel);
  request.instructions = readTexts(fields, kSystem);
  readThinking(fields, request);
  request.messages = TurnReader(fields).read();
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
  TextRequest request = readConversation(fields);
  if (fields.has("max_tokens")) request.maxOutputTokens = readTokenLimit(fields, "max_tokens");
  request.stream = fields.booleanOr("stream", false);
  request.sampling = readForeignSampling(fields, kOpenAiSampling);
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
