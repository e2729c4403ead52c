// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/client_message.h"

#include <charconv>

#include "runtime/protocol/messages.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::server {
namespace {

namespace request = protocol::request;

constexpr std::size_t kMaxUri = 8192;
constexpr std::size_t kMaxPath = 4096;
constexpr std::size_t kMaxLanguage = 256;
constexpr std::size_t kMaxResponseId = 256;
constexpr std::size_t kMaxName = 256;
constexpr std::size_t kMaxEdits = 100'000;
constexpr int kMaxTokens = 4096;
constexpr int kMaxOutputTokens = 1 << 20;
constexpr int kMaxLines = 1000;
constexpr std::size_t kMaxStops = 16;
constexpr std::size_t kMaxStopBytes = 256;
constexpr std::size_t kMaxBiases = 1024;
constexpr double kMaxBias = 100;

// {"TOKEN ID": bias, ...}, as in the OpenAI API.
std::vector<inference::TokenBias> readBias(JsonFields& fields) {
  std::vector<inference::TokenBias> all;
  if (!fields.has("logit_bias")) return all;
  const Json& object = fields.object("logit_bias");
  if (object.size() > kMaxBiases)
    fields.fail("logit_bias", "has " + std::to_string(object.size()) + " entries.",
                "Send at most " + std::to_string(kMaxBiases) + ".");
  JsonFields biases(object, "logit_bias.");
  for (const auto& entry : object.items()) {
    if (fields.problem() || biases.problem()) break;
    const std::string& key = entry.key();
    std::int32_t token = -1;
    const auto end = std::from_chars(key.data(), key.data() + key.size(), token);
    if (end.ec != std::errc() || end.ptr != key.data() + key.size() || token < 0)
      biases.fail(key, "is no token id.", "Send ids of the model's vocabulary as keys.");
    const double bias = biases.number(key.c_str(), -kMaxBias, kMaxBias);
    all.push_back({token, static_cast<float>(bias)});
  }
  fields.adopt(biases);
  return all;
}

// A string or an array of them.
std::vector<std::string> readStop(JsonFields& fields) {
  if (!fields.has("stop")) return {};
  if (fields.isText("stop")) return {fields.text("stop", kMaxStopBytes)};
  std::vector<std::string> all;
  const Json& strings = fields.array("stop");
  if (strings.size() > kMaxStops)
    fields.fail("stop", "has " + std::to_string(strings.size()) + " entries.",
                "Send at most " + std::to_string(kMaxStops) + ".");
  for (std::size_t i = 0; i < strings.size() && !fields.problem(); ++i) {
    const bool usable =
        strings[i].is_string() && strings[i].get_ref<const std::string&>().size() <= kMaxStopBytes;
    if (usable) {
      all.push_back(strings[i].get<std::string>());
    } else {
      fields.fail("stop[" + std::to_string(i) + "]", "is no string of at most 256 bytes.",
                  "Send short strings.");
    }
  }
  return all;
}

inference::SamplingOptions readSampling(JsonFields& fields) {
  inference::SamplingOptions sampling;
  sampling.temperature = static_cast<float>(fields.numberOr("temperature", 0, 2, 0));
  sampling.topP = static_cast<float>(fields.numberOr("top_p", 0, 1, 1));
  sampling.topK = static_cast<int>(fields.integerOr("top_k", 0, 1 << 20, 0));
  sampling.seed = static_cast<std::uint64_t>(fields.integerOr("seed", 0, kMaxInteger, 0));
  sampling.minP = static_cast<float>(fields.numberOr("min_p", 0, 1, 0));
  sampling.repetitionPenalty = static_cast<float>(fields.numberOr("repetition_penalty", 0.5, 2, 1));
  sampling.bias = readBias(fields);
  return sampling;
}

DocumentOpen readDocumentOpen(JsonFields& fields) {
  DocumentOpen open;
  open.uri = fields.text("uri", kMaxUri);
  open.language = fields.textOr("language", kMaxLanguage, "");
  open.version = fields.integer("version", 0, kMaxInteger);
  open.text = fields.text("text", kMaxMessageBytes);
  return open;
}

DocumentChange readDocumentChange(JsonFields& fields) {
  DocumentChange change;
  change.uri = fields.text("uri", kMaxUri);
  change.version = fields.integer("version", 0, kMaxInteger);
  const Json& edits = fields.array("edits");
  if (edits.size() > kMaxEdits)
    fields.fail("edits", "has " + std::to_string(edits.size()) + " entries.",
                "Send at most " + std::to_string(kMaxEdits) + " in one change.");
  for (std::size_t i = 0; i < edits.size() && !fields.problem(); ++i) {
    JsonFields edit(edits[i], "edits[" + std::to_string(i) + "].");
    DocumentEdit& read = change.edits.emplace_back();
    read.start = static_cast<std::size_t>(edit.integer("start", 0, kMaxInteger));
    read.end = static_cast<std::size_t>(edit.integer("end", 0, kMaxInteger));
    read.text = edit.text("text", kMaxMessageBytes);
    if (read.end < read.start)
      edit.fail("end", "is before start.", "Send the bytes [start, end) to replace.");
    fields.adopt(edit);
  }
  return change;
}

CompletionCreate readCompletionCreate(JsonFields& fields) {
  CompletionCreate create;
  create.id = fields.id("id");
  create.uri = fields.text("uri", kMaxUri);
  create.version = fields.integer("version", 0, kMaxInteger);
  create.offset = static_cast<std::size_t>(fields.integer("offset", 0, kMaxInteger));
  create.maxTokens = static_cast<int>(fields.integerOr("max_tokens", 1, kMaxTokens, 64));
  create.maxLines = static_cast<int>(fields.integerOr("max_lines", 1, kMaxLines, 0));
  create.minProbability = fields.numberOr("min_probability", 0, 1, 0);
  create.sampling = readSampling(fields);
  create.stop = readStop(fields);
  create.speculation = fields.booleanOr("speculation", true);
  create.healing = fields.booleanOr("healing", true);
  create.checks = fields.booleanOr("checks", true);
  return create;
}

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

ResponseCreate readResponseCreate(const Json& object, std::string_view text, JsonFields& fields) {
  ResponseCreate create;
  create.id = fields.textOr("id", kMaxResponseId, "");
  create.previousResponseId = fields.textOr("previous_response_id", kMaxResponseId, "");
  create.maxOutputTokens =
      static_cast<int>(fields.integerOr("max_output_tokens", 1, kMaxOutputTokens, 256));
  create.stream = fields.booleanOr("stream", false);
  create.sampling = readSampling(fields);
  create.stop = readStop(fields);
  create.speculation = fields.booleanOr("speculation", true);
  create.format = readOutputFormat(fields, text);
  create.instructions = fields.textOr("instructions", kMaxMessageBytes, "");
  if (fields.has("input") && object["input"].is_array()) {
    const Json& items = object["input"];
    if (items.empty()) fields.fail("input", "has no messages.", "Send at least one, or a string.");
    for (std::size_t i = 0; i < items.size() && !fields.problem(); ++i)
      create.messages.push_back(readMessage(items[i], "input[" + std::to_string(i) + "].", fields));
  } else {
    create.input = fields.text("input", kMaxMessageBytes);
  }
  return create;
}

TraceStart readTraceStart(JsonFields& fields) {
  TraceStart start{fields.text("file", kMaxPath)};
  const bool whole = start.file.starts_with('/') && start.file.find('\0') == std::string::npos;
  if (!fields.problem() && (!whole || !start.file.ends_with(".wptrace")))
    fields.fail(
        "file", "is \"" + start.file + "\".",
        "Send an absolute path that ends in .wptrace, so that no other file is overwritten.");
  return start;
}

ShadowSet readShadowSet(JsonFields& fields) {
  ShadowSet set;
  set.shape = fields.text("shape", kMaxPath);
  set.weights = fields.textOr("weights", kMaxName, "");
  set.profile = fields.textOr("profile", kMaxName, "");
  set.clockGhz = fields.numberOr("clock_ghz", 0.01, 100, 0);
  set.objective = fields.textOr("objective", kMaxName, "");
  set.context = static_cast<int>(fields.integerOr("context", 1, wafer::kMostPositions, 0));
  const bool plain = set.shape.find('\0') == std::string::npos;
  const bool relative = set.shape.find('/') != std::string::npos && !set.shape.starts_with('/');
  if (!fields.problem() && (set.shape.empty() || relative || !plain))
    fields.fail("shape", "is \"" + set.shape + "\".",
                "Send a name that shadow.list tells, or the absolute path of a SHAPE.json.");
  return set;
}

}  // namespace

tl::expected<ClientMessage, Rejection> parseMessage(std::string_view text) {
  const Checked<Json> object = parseJson(text);
  if (!object) return tl::unexpected(Rejection{object.error(), nullptr, {}});

  JsonFields fields(*object);
  const std::string type = fields.text("type", 256);
  const auto read = [&]() -> ClientMessage {
    if (type == request::kDocumentChange) return readDocumentChange(fields);
    if (type == request::kDocumentOpen) return readDocumentOpen(fields);
    if (type == request::kDocumentClose) return DocumentClose{fields.text("uri", kMaxUri)};
    if (type == request::kCompletionCreate) return readCompletionCreate(fields);
    if (type == request::kCompletionCancel) return CompletionCancel{fields.id("id")};
    if (type == request::kResponseCreate) return readResponseCreate(*object, text, fields);
    if (type == request::kResponseCancel)
      return ResponseCancel{fields.text("response_id", kMaxResponseId)};
    if (type == request::kTelemetrySubscribe)
      return TelemetrySubscribe{fields.number("hz", 1, 240)};
    if (type == request::kTelemetryUnsubscribe) return TelemetryUnsubscribe{};
    if (type == request::kTraceStart) return readTraceStart(fields);
    if (type == request::kTraceStop) return TraceStop{};
    if (type == request::kShadowSet) return readShadowSet(fields);
    if (type == request::kShadowClear) return ShadowClear{};
    if (type == request::kShadowList) return ShadowList{};
    if (type != request::kStatusGet)
      fields.fail("type", "\"" + type + "\" is not known.",
                  "See docs/protocol.md for the types of messages.");
    return StatusGet{};
  };
  ClientMessage message = read();
  if (!fields.problem()) return message;

  Rejection rejection{*fields.problem(), nullptr, {}};
  if (rejection.problem.field == "type")
    rejection.problem.code = protocol::error_code::kUnknownType;
  // The id that a client gives a response is its response_id in all that is told of it.
  const bool response = type == request::kResponseCreate;
  const auto id = object->find("id");
  const auto responseId = object->find(response ? "id" : "response_id");
  const auto shortText = [](const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().size() <= kMaxResponseId;
  };
  if (!response && id != object->end() && (shortText(*id) || id->is_number_integer()))
    rejection.id = *id;
  if (responseId != object->end() && shortText(*responseId)) rejection.responseId = *responseId;
  return tl::unexpected(std::move(rejection));
}

Checked<ResponseCreate> parseResponseBody(std::string_view body) {
  const Checked<Json> object = parseJson(body);
  if (!object) return tl::unexpected(object.error());
  JsonFields fields(*object);
  ResponseCreate create = readResponseCreate(*object, body, fields);
  if (fields.problem()) return tl::unexpected(*fields.problem());
  return create;
}

}  // namespace waferpair::server
