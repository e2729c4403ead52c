// SPDX-License-Identifier: GPL-3.0-or-later
// The words both sides of the socket agree on. Text frames are JSON objects with a "type" below;
// binary frames are telemetry (telemetry.h). docs/protocol.md shows each message with its fields.
//
// Offsets are bytes into the document's UTF-8 text. A document's version is chosen by the client
// and only grows; every completion carries the version and offset it was asked for.
#pragma once

#include <string_view>

namespace waferpair::protocol {

inline constexpr int kProtocolVersion = 1;
inline constexpr std::string_view kSocketPath = "/v1/session";

// Client to server.
namespace request {
inline constexpr std::string_view kDocumentOpen = "document.open";
inline constexpr std::string_view kDocumentChange = "document.change";
inline constexpr std::string_view kDocumentClose = "document.close";
inline constexpr std::string_view kCompletionCreate = "completion.create";
inline constexpr std::string_view kCompletionCancel = "completion.cancel";
inline constexpr std::string_view kResponseCreate = "response.create";
inline constexpr std::string_view kResponseCancel = "response.cancel";
inline constexpr std::string_view kTelemetrySubscribe = "telemetry.subscribe";
inline constexpr std::string_view kTelemetryUnsubscribe = "telemetry.unsubscribe";
inline constexpr std::string_view kTraceStart = "trace.start";
inline constexpr std::string_view kTraceStop = "trace.stop";
inline constexpr std::string_view kShadowSet = "shadow.set";
inline constexpr std::string_view kShadowClear = "shadow.clear";
inline constexpr std::string_view kShadowList = "shadow.list";
inline constexpr std::string_view kStatusGet = "status.get";
}  // namespace request

// Server to client.
namespace event {
inline constexpr std::string_view kSessionReady = "session.ready";
inline constexpr std::string_view kStatus = "status";
inline constexpr std::string_view kCompletionDelta = "completion.delta";
inline constexpr std::string_view kCompletionDone = "completion.done";
// Those of the OpenAI Responses API; exactly one of the last three ends a response.
inline constexpr std::string_view kResponseCreated = "response.created";
inline constexpr std::string_view kResponseInProgress = "response.in_progress";
inline constexpr std::string_view kResponseItemAdded = "response.output_item.added";
inline constexpr std::string_view kResponsePartAdded = "response.content_part.added";
inline constexpr std::string_view kResponseTextDelta = "response.output_text.delta";
inline constexpr std::string_view kResponseTextDone = "response.output_text.done";
inline constexpr std::string_view kResponsePartDone = "response.content_part.done";
inline constexpr std::string_view kResponseItemDone = "response.output_item.done";
inline constexpr std::string_view kResponseCompleted = "response.completed";
inline constexpr std::string_view kResponseCancelled = "response.cancelled";
inline constexpr std::string_view kResponseFailed = "response.failed";
inline constexpr std::string_view kTelemetryLayout = "telemetry.layout";
inline constexpr std::string_view kTraceStarted = "trace.started";
inline constexpr std::string_view kTraceStopped = "trace.stopped";
inline constexpr std::string_view kShadowChanged = "shadow.changed";
inline constexpr std::string_view kShadowShapes = "shadow.shapes";
inline constexpr std::string_view kError = "error";
}  // namespace event

// Why a completion ended: completion.done's "reason".
namespace reason {
inline constexpr std::string_view kEndOfText = "end_of_text";
inline constexpr std::string_view kMaxTokens = "max_tokens";
inline constexpr std::string_view kMaxLines = "max_lines";
inline constexpr std::string_view kStop = "stop";      // one of the request's stop strings
inline constexpr std::string_view kUnsure = "unsure";  // less likely than min_probability
inline constexpr std::string_view kCancelled = "cancelled";
inline constexpr std::string_view kStale = "stale";  // the document moved on before it started
inline constexpr std::string_view kContextFull = "context_full";
inline constexpr std::string_view kFailed = "failed";  // an error event with its id says why
}  // namespace reason

// The server's "state", in session.ready and status.
namespace state {
inline constexpr std::string_view kLoading = "loading";
inline constexpr std::string_view kReady = "ready";
inline constexpr std::string_view kFailed = "failed";  // "error" says why
}  // namespace state

// error.code
namespace error_code {
inline constexpr std::string_view kMalformedJson = "malformed_json";
inline constexpr std::string_view kUnknownType = "unknown_type";
inline constexpr std::string_view kInvalidField = "invalid_field";
inline constexpr std::string_view kUnknownDocument = "unknown_document";
inline constexpr std::string_view kVersionConflict = "version_conflict";
inline constexpr std::string_view kIdInUse = "id_in_use";
inline constexpr std::string_view kPreviousResponseNotFound = "previous_response_not_found";
inline constexpr std::string_view kUnknownChatTemplate = "unknown_chat_template";
inline constexpr std::string_view kNotReady = "not_ready";
inline constexpr std::string_view kInputTooLong = "input_too_long";
inline constexpr std::string_view kTraceFailed = "trace_failed";
inline constexpr std::string_view kShadowFailed = "shadow_failed";
inline constexpr std::string_view kLimitExceeded = "limit_exceeded";
inline constexpr std::string_view kInternal = "internal";
}  // namespace error_code

}  // namespace waferpair::protocol
