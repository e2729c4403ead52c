// SPDX-License-Identifier: GPL-3.0-or-later
// What a client may say, as values: the parsed form of docs/protocol.md's requests. Everything that
// can be judged without the session's state has been judged when one of these exists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/server/core/json_fields.h"
#include "runtime/server/dialects/output_format.h"

namespace waferpair::server {

inline constexpr std::size_t kMaxMessageBytes = std::size_t{32} << 20;

struct DocumentOpen {
  std::string uri;
  std::string language;
  std::int64_t version = 0;
  std::string text;  // well-formed UTF-8
};

// Replaces the bytes [start, end) of the text that the edits before it left.
struct DocumentEdit {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string text;
};

struct DocumentChange {
  std::string uri;
  std::int64_t version = 0;
  std::vector<DocumentEdit> edits;
};

struct DocumentClose {
  std::string uri;
};

struct CompletionCreate {
  Json id;  // integer or string
  std::string uri;
  std::int64_t version = 0;
  std::size_t offset = 0;
  int maxTokens = 64;
  int maxLines = 0;  // 0: no limit
  double minProbability = 0;
  inference::SamplingOptions sampling;
  std::vector<std::string> stop;
  bool speculation = true;
  bool healing = true, checks = true;
};

struct CompletionCancel {
  Json id;
};

struct ResponseCreate {
  std::string id;  // empty: the server makes one up
  std::string instructions;
  // One of these: text to be continued, or a conversation to be answered.
  std::string input;
  std::vector<inference::ChatMessage> messages;
  std::string previousResponseId;  // empty: none
  int maxOutputTokens = 256;
  bool stream = false;  // HTTP only
  inference::SamplingOptions sampling;
  std::vector<std::string> stop;
  bool speculation = true;
  OutputFormat format;
};

struct ResponseCancel {
  std::string responseId;
};

struct TelemetrySubscribe {
  double hz = 0;
};
struct TelemetryUnsubscribe {};
// Records what the wafer does into a file, an absolute path that ends in .wptrace.
struct TraceStart {
  std::string file;
};
struct TraceStop {};
// Another model, of which only the shape is known, that the loaded one's tokens are to step.
struct ShadowSet {
  std::string shape;           // a name of the catalogue, or the path of a file
  std::string weights = {};    // format of all matrices; empty: the shape's
  std::string profile = {};    // empty: the loaded model's, with its clock
  double clockGhz = 0;         // 0: the profile's
  std::string objective = {};  // what the planner looks for; empty: the lowest latency
  int context = 0;             // positions that must fit; 0: as usual (docs/protocol.md)
};
struct ShadowClear {};
struct ShadowList {};
struct StatusGet {};

using ClientMessage =
    std::variant<DocumentOpen, DocumentChange, DocumentClose, CompletionCreate, CompletionCancel,
                 ResponseCreate, ResponseCancel, TelemetrySubscribe, TelemetryUnsubscribe,
                 TraceStart, TraceStop, ShadowSet, ShadowClear, ShadowList, StatusGet>;

// What cannot be followed, and whom to tell: the id or response_id that the message carried, as far
// as it could be read.
struct Rejection {
  Problem problem;
  Json id;
  std::string responseId;
};

tl::expected<ClientMessage, Rejection> parseMessage(std::string_view text);

// The body of POST /v1/responses: a response.create without its type.
Checked<ResponseCreate> parseResponseBody(std::string_view body);

}  // namespace waferpair::server
