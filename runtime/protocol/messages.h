// SPDX-License-Identifier: GPL-3.0-or-later
// Made of messages.toml by scripts/generate_protocol.py: change that, and run it.
//
// The words both sides of the socket agree on. Text frames are JSON objects with a "type" below;
// binary frames are telemetry (telemetry.h). docs/protocol.md tells the story.
#pragma once

#include <string_view>

#include "runtime/base/field.h"

// clang-format off
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
inline constexpr std::string_view kModelLoad = "model.load";
inline constexpr std::string_view kModelUnload = "model.unload";
inline constexpr std::string_view kShadowSet = "shadow.set";
inline constexpr std::string_view kShadowClear = "shadow.clear";
inline constexpr std::string_view kShadowList = "shadow.list";
inline constexpr std::string_view kTokenExplain = "token.explain";
inline constexpr std::string_view kOpExplain = "op.explain";
inline constexpr std::string_view kCutoutRun = "cutout.run";
inline constexpr std::string_view kCutoutLook = "cutout.look";
inline constexpr std::string_view kExperimentRun = "experiment.run";
inline constexpr std::string_view kStatusGet = "status.get";
}  // namespace request

// Server to client.
namespace event {
inline constexpr std::string_view kSessionReady = "session.ready";
inline constexpr std::string_view kStatus = "status";
inline constexpr std::string_view kCompletionDelta = "completion.delta";
inline constexpr std::string_view kCompletionDone = "completion.done";
inline constexpr std::string_view kResponseCreated = "response.created";
inline constexpr std::string_view kResponseQueued = "response.queued";
inline constexpr std::string_view kResponseInProgress = "response.in_progress";
inline constexpr std::string_view kResponsePromptProgress = "response.prompt_progress";
inline constexpr std::string_view kResponseOutputItemAdded = "response.output_item.added";
inline constexpr std::string_view kResponseContentPartAdded = "response.content_part.added";
inline constexpr std::string_view kResponseOutputTextDelta = "response.output_text.delta";
inline constexpr std::string_view kResponseOutputTextDone = "response.output_text.done";
inline constexpr std::string_view kResponseContentPartDone = "response.content_part.done";
inline constexpr std::string_view kResponseReasoningTextDelta = "response.reasoning_text.delta";
inline constexpr std::string_view kResponseReasoningTextDone = "response.reasoning_text.done";
inline constexpr std::string_view kResponseFunctionCallArgumentsDelta = "response.function_call_arguments.delta";
inline constexpr std::string_view kResponseFunctionCallArgumentsDone = "response.function_call_arguments.done";
inline constexpr std::string_view kResponseOutputItemDone = "response.output_item.done";
inline constexpr std::string_view kResponseCompleted = "response.completed";
inline constexpr std::string_view kResponseIncomplete = "response.incomplete";
inline constexpr std::string_view kResponseCancelled = "response.cancelled";
inline constexpr std::string_view kResponseFailed = "response.failed";
inline constexpr std::string_view kTelemetryLayout = "telemetry.layout";
inline constexpr std::string_view kTraceStarted = "trace.started";
inline constexpr std::string_view kTraceStopped = "trace.stopped";
inline constexpr std::string_view kShadowChanged = "shadow.changed";
inline constexpr std::string_view kShadowShapes = "shadow.shapes";
inline constexpr std::string_view kTokenExplained = "token.explained";
inline constexpr std::string_view kOpExplained = "op.explained";
inline constexpr std::string_view kCutoutRan = "cutout.ran";
inline constexpr std::string_view kCutoutSeen = "cutout.seen";
inline constexpr std::string_view kExperimentDone = "experiment.done";
inline constexpr std::string_view kError = "error";
}  // namespace event

// Why a completion ended.
namespace reason {
inline constexpr std::string_view kEndOfText = "end_of_text";  // The model said so.
inline constexpr std::string_view kMaxTokens = "max_tokens";  // There were as many tokens as asked for.
inline constexpr std::string_view kMaxLines = "max_lines";  // There were as many lines as asked for.
inline constexpr std::string_view kStop = "stop";  // One of the request's stop strings came.
inline constexpr std::string_view kLoop = "loop";  // It repeated itself: the fourth time in a row the same line, or the same dozen tokens or more; or it only counted on, with nothing new but the numbers.
inline constexpr std::string_view kUnsure = "unsure";  // The next token was less likely than min_probability.
inline constexpr std::string_view kCancelled = "cancelled";  // It was cancelled, or a newer one of its document came.
inline constexpr std::string_view kStale = "stale";  // The document moved on before it started.
inline constexpr std::string_view kContextFull = "context_full";  // The model can take in no more.
inline constexpr std::string_view kFailed = "failed";  // An error event with its id says why.
}  // namespace reason

// The state of a model.
namespace state {
inline constexpr std::string_view kLoading = "loading";  // It is being loaded, or its file is being read.
inline constexpr std::string_view kReady = "ready";  // It is in memory.
inline constexpr std::string_view kIdle = "idle";  // It is not in memory; its next request loads it.
inline constexpr std::string_view kFailed = "failed";  // It cannot be used; `error` says why.
}  // namespace state

// The way in which figures came about.
namespace nature {
inline constexpr std::string_view kEmulated = "emulated";  // Cycles of the closed forms of a kernel profile, by its clock.
inline constexpr std::string_view kModelled = "modelled";  // A formula with constants from elsewhere.
inline constexpr std::string_view kSimulated = "simulated";  // Cycle by cycle.
inline constexpr std::string_view kPublished = "published";  // By somebody else.
}  // namespace nature

// The problem with a message.
namespace error_code {
inline constexpr std::string_view kMalformedJson = "malformed_json";  // It is not a JSON object, or nested too deeply.
inline constexpr std::string_view kUnknownType = "unknown_type";  // `type` is missing or none of these.
inline constexpr std::string_view kInvalidField = "invalid_field";  // A field is missing, of the wrong type, or out of range.
inline constexpr std::string_view kModelNotFound = "model_not_found";  // `model` is none of those that are offered.
inline constexpr std::string_view kUnknownDocument = "unknown_document";  // `uri` is not open in this session.
inline constexpr std::string_view kVersionConflict = "version_conflict";  // `version` does not fit the document's.
inline constexpr std::string_view kIdInUse = "id_in_use";  // A completion or response of this `id` is still running.
inline constexpr std::string_view kPreviousResponseNotFound = "previous_response_not_found";  // It is neither the latest finished response of this connection nor stored.
inline constexpr std::string_view kUnknownChatTemplate = "unknown_chat_template";  // `input` has messages, and the model's chat template is not known; or `messages` were sent, and the model has none.
inline constexpr std::string_view kUnknownToken = "unknown_token";  // There is no such token, op or cut-out, or it is remembered no longer.
inline constexpr std::string_view kCutoutFailed = "cutout_failed";  // A cut-out cannot be run.
inline constexpr std::string_view kShadowFailed = "shadow_failed";  // A shape cannot be read or placed, or not now.
inline constexpr std::string_view kExperimentFailed = "experiment_failed";  // A question cannot be answered: something in it is unknown, out of range or does not fit.
inline constexpr std::string_view kTraceFailed = "trace_failed";  // A trace cannot be recorded, or not to its end.
inline constexpr std::string_view kNotReady = "not_ready";  // The model is still loading, or failed to load.
inline constexpr std::string_view kContextLengthExceeded = "context_length_exceeded";  // The prompt leaves no room in the model's context.
inline constexpr std::string_view kLimitExceeded = "limit_exceeded";  // There is too much of something (limits).
inline constexpr std::string_view kInternal = "internal";  // A defect of the server.
}  // namespace error_code

// The problem with a request over HTTP, beside the above.
namespace http_error_code {
inline constexpr std::string_view kForbiddenOrigin = "forbidden_origin";  // It comes from a web page of another computer.
inline constexpr std::string_view kInvalidToken = "invalid_token";  // The access token is missing or wrong.
inline constexpr std::string_view kNotFound = "not_found";  // There is nothing at this path, or no response of this id.
inline constexpr std::string_view kMethodNotAllowed = "method_not_allowed";  // There is, but not for this method.
inline constexpr std::string_view kNotSupported = "not_supported";  // Another server has it; this one does without.
inline constexpr std::string_view kMalformedRequest = "malformed_request";  // It is no HTTP, or has a field twice that decides who is let in.
}  // namespace http_error_code

// The fields of messages and of the objects in them.
namespace field {
// Mirrors a document from now on.
namespace document_open {
inline constexpr base::Field kUri{.name = "uri", .required = true, .bytes = 8192};
inline constexpr base::Field kLanguage{.name = "language", .bytes = 256};
inline constexpr base::Field kVersion{.name = "version", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kText{.name = "text", .required = true, .bytes = 33554432};
}  // namespace document_open
// Edits an open document; a change with anything wrong in it changes nothing.
namespace document_change {
inline constexpr base::Field kUri{.name = "uri", .required = true, .bytes = 8192};
inline constexpr base::Field kVersion{.name = "version", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kEdits{.name = "edits", .required = true, .most = 100000};
}  // namespace document_change
// Forgets a document and cancels its completions.
namespace document_close {
inline constexpr base::Field kUri{.name = "uri", .required = true, .bytes = 8192};
}  // namespace document_close
// Asks for text at a place of an open document.
namespace completion_create {
inline constexpr base::Field kId{.name = "id", .required = true};
inline constexpr base::Field kModel{.name = "model", .bytes = 4096};
inline constexpr base::Field kUri{.name = "uri", .required = true, .bytes = 8192};
inline constexpr base::Field kVersion{.name = "version", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kOffset{.name = "offset", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kMaxTokens{.name = "max_tokens", .low = 1, .high = 4096, .fallback = 64};
inline constexpr base::Field kMaxLines{.name = "max_lines", .low = 1, .high = 1000};
inline constexpr base::Field kMinProbability{.name = "min_probability", .low = 0, .high = 1, .fallback = 0};
inline constexpr base::Field kAlternative{.name = "alternative", .low = 0, .high = 15, .fallback = 0};
inline constexpr base::Field kLines{.name = "lines", .low = 0, .high = 16, .fallback = 0};
inline constexpr base::Field kNames{.name = "names", .bytes = 128, .most = 1000};
inline constexpr base::Field kNamesAreAll{.name = "names_are_all", .fallback = 0};
inline constexpr base::Field kInserted{.name = "inserted", .bytes = 65536};
inline constexpr base::Field kSpeculation{.name = "speculation", .fallback = 1};
inline constexpr base::Field kAhead{.name = "ahead", .fallback = 0};
inline constexpr base::Field kHealing{.name = "healing", .fallback = 1};
inline constexpr base::Field kChecks{.name = "checks", .fallback = 1};
}  // namespace completion_create
// Ends a completion within one step of the model.
namespace completion_cancel {
inline constexpr base::Field kId{.name = "id", .required = true};
}  // namespace completion_cancel
// Asks for an answer, or for a text to be continued: the Responses API.
namespace response_create {
inline constexpr base::Field kId{.name = "id", .bytes = 256};
inline constexpr base::Field kModel{.name = "model", .bytes = 4096};
inline constexpr base::Field kInput{.name = "input", .required = true, .bytes = 33554432};
inline constexpr base::Field kInstructions{.name = "instructions", .bytes = 33554432};
inline constexpr base::Field kPreviousResponseId{.name = "previous_response_id", .bytes = 256};
inline constexpr base::Field kMaxOutputTokens{.name = "max_output_tokens", .low = 1, .high = 1048576};
inline constexpr base::Field kText{.name = "text"};
inline constexpr base::Field kTools{.name = "tools", .most = 1024};
inline constexpr base::Field kToolChoice{.name = "tool_choice"};
inline constexpr base::Field kParallelToolCalls{.name = "parallel_tool_calls", .fallback = 1};
inline constexpr base::Field kStream{.name = "stream", .fallback = 0};
inline constexpr base::Field kStore{.name = "store", .fallback = 1};
inline constexpr base::Field kBackground{.name = "background", .fallback = 0};
inline constexpr base::Field kGenerate{.name = "generate", .fallback = 1};
inline constexpr base::Field kSpeculation{.name = "speculation", .fallback = 1};
inline constexpr base::Field kReturnProgress{.name = "return_progress", .fallback = 0};
}  // namespace response_create
// Ends a response within one step of the model.
namespace response_cancel {
inline constexpr base::Field kResponseId{.name = "response_id", .required = true, .bytes = 256};
}  // namespace response_cancel
// Asks for the wafer's layout and for frames of what it does, or changes their rate.
namespace telemetry_subscribe {
inline constexpr base::Field kHz{.name = "hz", .required = true, .low = 1, .high = 240};
}  // namespace telemetry_subscribe
// Records what the wafer does into a file, until trace.stop or the end of the session.
namespace trace_start {
inline constexpr base::Field kFile{.name = "file", .required = true, .bytes = 4096};
inline constexpr base::Field kModel{.name = "model", .bytes = 4096};
}  // namespace trace_start
// Reads a model into memory ahead of its first request; a status event tells how far it is.
namespace model_load {
inline constexpr base::Field kModel{.name = "model", .required = true, .bytes = 4096};
inline constexpr base::Field kNow{.name = "now", .fallback = 1};
inline constexpr base::Field kAdapters{.name = "adapters", .most = 8};
}  // namespace model_load
// Has a model that is not at work give its memory back; its next request loads it again.
namespace model_unload {
inline constexpr base::Field kModel{.name = "model", .required = true, .bytes = 4096};
inline constexpr base::Field kForget{.name = "forget", .fallback = 0};
}  // namespace model_unload
// Places a model of which only the shape is known, and has the first one's tokens step it.
namespace shadow_set {
inline constexpr base::Field kShape{.name = "shape", .required = true, .bytes = 4096};
inline constexpr base::Field kWeights{.name = "weights", .bytes = 256};
inline constexpr base::Field kProfile{.name = "profile", .bytes = 256};
inline constexpr base::Field kClockGhz{.name = "clock_ghz", .low = 0.01, .high = 100};
inline constexpr base::Field kObjective{.name = "objective", .bytes = 256};
inline constexpr base::Field kContext{.name = "context", .low = 1, .high = 16777216};
}  // namespace shadow_set
// Asks how a token of a completion of this session came about, and what the wafer did for it.
namespace token_explain {
inline constexpr base::Field kCompletion{.name = "completion", .required = true};
inline constexpr base::Field kToken{.name = "token", .low = 0, .high = 1048576, .fallback = 0};
inline constexpr base::Field kAt{.name = "at", .low = 0, .high = 33554432};
}  // namespace token_explain
// Asks for the closed form of an op in the step that gave a token.
namespace op_explain {
inline constexpr base::Field kCompletion{.name = "completion", .required = true};
inline constexpr base::Field kToken{.name = "token", .required = true, .low = 0, .high = 1048576};
inline constexpr base::Field kOp{.name = "op", .required = true, .low = 0, .high = 65535};
}  // namespace op_explain
// Runs a cut-out of an op's region on the mesh simulator, cycle by cycle; the one that ran before is forgotten.
namespace cutout_run {
inline constexpr base::Field kCompletion{.name = "completion", .required = true};
inline constexpr base::Field kToken{.name = "token", .required = true, .low = 0, .high = 1048576};
inline constexpr base::Field kOp{.name = "op", .required = true, .low = 0, .high = 65535};
inline constexpr base::Field kSize{.name = "size", .low = 2, .high = 64, .fallback = 32};
}  // namespace cutout_run
// Asks for the state of one core of the cut-out that ran last, as a cycle begins.
namespace cutout_look {
inline constexpr base::Field kCycle{.name = "cycle", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kX{.name = "x", .required = true, .low = 0, .high = 63};
inline constexpr base::Field kY{.name = "y", .required = true, .low = 0, .high = 63};
}  // namespace cutout_look
// Asks what would be: figures of a model on wafers or GPUs, or of a program on the mesh; no model need be loaded.
namespace experiment_run {
inline constexpr base::Field kId{.name = "id", .required = true};
inline constexpr base::Field kQuestion{.name = "question", .required = true, .bytes = 65536};
}  // namespace experiment_run
// The server's first message.
namespace session_ready {
inline constexpr base::Field kProtocol{.name = "protocol", .required = true, .low = 1};
inline constexpr base::Field kServer{.name = "server", .required = true};
}  // namespace session_ready
// Follows status.get, and every change of a model's state.
namespace status {
inline constexpr base::Field kQueue{.name = "queue", .required = true};
inline constexpr base::Field kBatch{.name = "batch", .required = true};
inline constexpr base::Field kSessions{.name = "sessions", .required = true, .low = 0};
inline constexpr base::Field kUptimeMs{.name = "uptime_ms", .required = true, .low = 0};
}  // namespace status
// More text of a completion.
namespace completion_delta {
inline constexpr base::Field kId{.name = "id", .required = true};
inline constexpr base::Field kVersion{.name = "version", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kOffset{.name = "offset", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kText{.name = "text", .required = true};
}  // namespace completion_delta
// The end of a completion: one for each that was accepted.
namespace completion_done {
inline constexpr base::Field kId{.name = "id", .required = true};
inline constexpr base::Field kVersion{.name = "version", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kOffset{.name = "offset", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kReason{.name = "reason", .required = true};
inline constexpr base::Field kProbability{.name = "probability", .low = 0, .high = 1};
inline constexpr base::Field kUsage{.name = "usage", .required = true};
inline constexpr base::Field kTimings{.name = "timings", .required = true};
}  // namespace completion_done
// A response was accepted.
namespace response_created {
inline constexpr base::Field kResponse{.name = "response", .required = true};
}  // namespace response_created
// The response waits for something; this comes every second until its first step, where the request has return_progress.
namespace response_queued {
inline constexpr base::Field kResponse{.name = "response", .required = true};
inline constexpr base::Field kWaiting{.name = "waiting", .required = true};
}  // namespace response_queued
// Its first step is about to run.
namespace response_in_progress {
inline constexpr base::Field kResponse{.name = "response", .required = true};
}  // namespace response_in_progress
// How far its prompt has been read, where the request has return_progress: as it begins, and after each step that reads.
namespace response_prompt_progress {
inline constexpr base::Field kPromptProgress{.name = "prompt_progress", .required = true};
}  // namespace response_prompt_progress
// A message, or a call of a tool, begins.
namespace response_output_item_added {
inline constexpr base::Field kOutputIndex{.name = "output_index", .required = true, .low = 0};
inline constexpr base::Field kItem{.name = "item", .required = true};
}  // namespace response_output_item_added
// The message's text begins.
namespace response_content_part_added {
inline constexpr base::Field kPart{.name = "part", .required = true};
}  // namespace response_content_part_added
// More of its text.
namespace response_output_text_delta {
inline constexpr base::Field kDelta{.name = "delta", .required = true};
inline constexpr base::Field kLogprobs{.name = "logprobs", .required = true};
}  // namespace response_output_text_delta
// Its whole text.
namespace response_output_text_done {
inline constexpr base::Field kText{.name = "text", .required = true};
inline constexpr base::Field kLogprobs{.name = "logprobs", .required = true};
}  // namespace response_output_text_done
// The message's text is whole.
namespace response_content_part_done {
inline constexpr base::Field kPart{.name = "part", .required = true};
}  // namespace response_content_part_done
// More of what the model thinks, in an item of the type reasoning.
namespace response_reasoning_text_delta {
inline constexpr base::Field kDelta{.name = "delta", .required = true};
}  // namespace response_reasoning_text_delta
// All that it thought there.
namespace response_reasoning_text_done {
inline constexpr base::Field kText{.name = "text", .required = true};
}  // namespace response_reasoning_text_done
// A piece of a call's arguments.
namespace response_function_call_arguments_delta {
inline constexpr base::Field kItemId{.name = "item_id", .required = true};
inline constexpr base::Field kOutputIndex{.name = "output_index", .required = true, .low = 0};
inline constexpr base::Field kDelta{.name = "delta", .required = true};
}  // namespace response_function_call_arguments_delta
// A call's arguments are whole.
namespace response_function_call_arguments_done {
inline constexpr base::Field kItemId{.name = "item_id", .required = true};
inline constexpr base::Field kOutputIndex{.name = "output_index", .required = true, .low = 0};
inline constexpr base::Field kName{.name = "name", .required = true};
inline constexpr base::Field kArguments{.name = "arguments", .required = true};
}  // namespace response_function_call_arguments_done
// A message, or a call of a tool, is whole, or was cut by the response's end.
namespace response_output_item_done {
inline constexpr base::Field kOutputIndex{.name = "output_index", .required = true, .low = 0};
inline constexpr base::Field kItem{.name = "item", .required = true};
}  // namespace response_output_item_done
// A response ended by itself. One of these four ends each that was accepted.
namespace response_completed {
inline constexpr base::Field kResponse{.name = "response", .required = true};
}  // namespace response_completed
// A response ended at a limit.
namespace response_incomplete {
inline constexpr base::Field kResponse{.name = "response", .required = true};
}  // namespace response_incomplete
// A response was cancelled.
namespace response_cancelled {
inline constexpr base::Field kResponse{.name = "response", .required = true};
}  // namespace response_cancelled
// A response failed.
namespace response_failed {
inline constexpr base::Field kResponse{.name = "response", .required = true};
}  // namespace response_failed
// The layout that the frames that follow refer to.
namespace telemetry_layout {
inline constexpr base::Field kLayout{.name = "layout", .required = true};
}  // namespace telemetry_layout
// A recording has begun.
namespace trace_started {
inline constexpr base::Field kFile{.name = "file", .required = true};
}  // namespace trace_started
// A recording has ended, and its file is whole.
namespace trace_stopped {
inline constexpr base::Field kFile{.name = "file", .required = true};
inline constexpr base::Field kSteps{.name = "steps", .required = true, .low = 0};
inline constexpr base::Field kTokens{.name = "tokens", .required = true, .low = 0};
inline constexpr base::Field kCycles{.name = "cycles", .required = true, .low = 0};
inline constexpr base::Field kBytes{.name = "bytes", .required = true, .low = 0};
}  // namespace trace_stopped
// There is another shadow, or none: told to every session.
namespace shadow_changed {
inline constexpr base::Field kShadow{.name = "shadow"};
}  // namespace shadow_changed
// The catalog of shapes, the smallest first.
namespace shadow_shapes {
inline constexpr base::Field kShapes{.name = "shapes", .required = true};
}  // namespace shadow_shapes
// How a token came about. The step is charged to the wafer's program again, as it was when it ran.
namespace token_explained {
inline constexpr base::Field kCompletion{.name = "completion", .required = true};
inline constexpr base::Field kToken{.name = "token", .required = true, .low = 0};
inline constexpr base::Field kTokens{.name = "tokens", .required = true};
inline constexpr base::Field kDrafted{.name = "drafted", .required = true};
inline constexpr base::Field kContested{.name = "contested", .required = true};
inline constexpr base::Field kProbability{.name = "probability", .required = true, .low = 0, .high = 1};
inline constexpr base::Field kNetwork{.name = "network", .required = true, .low = 0, .high = 1};
inline constexpr base::Field kAlternatives{.name = "alternatives", .required = true};
inline constexpr base::Field kStep{.name = "step", .required = true};
inline constexpr base::Field kWafer{.name = "wafer", .required = true};
}  // namespace token_explained
// The closed form of an op, for the token's row or the chunk that it came of.
namespace op_explained {
inline constexpr base::Field kCompletion{.name = "completion", .required = true};
inline constexpr base::Field kToken{.name = "token", .required = true, .low = 0};
inline constexpr base::Field kOp{.name = "op", .required = true, .low = 0};
inline constexpr base::Field kKind{.name = "kind", .required = true};
inline constexpr base::Field kGemm{.name = "gemm", .required = true};
inline constexpr base::Field kRows{.name = "rows", .required = true, .low = 1};
inline constexpr base::Field kPositions{.name = "positions", .required = true, .low = 1};
inline constexpr base::Field kTerms{.name = "terms", .required = true};
inline constexpr base::Field kProducts{.name = "products", .required = true};
inline constexpr base::Field kReduces{.name = "reduces", .required = true};
inline constexpr base::Field kKv{.name = "kv"};
inline constexpr base::Field kCutout{.name = "cutout", .required = true};
}  // namespace op_explained
// What the cores and links of a cut-out did. Its operands are small whole numbers, not the model's.
namespace cutout_ran {
inline constexpr base::Field kCompletion{.name = "completion", .required = true};
inline constexpr base::Field kToken{.name = "token", .required = true, .low = 0};
inline constexpr base::Field kOp{.name = "op", .required = true, .low = 0};
inline constexpr base::Field kWidth{.name = "width", .required = true, .low = 1, .high = 64};
inline constexpr base::Field kHeight{.name = "height", .required = true, .low = 1, .high = 64};
inline constexpr base::Field kOfWidth{.name = "of_width", .required = true, .low = 1};
inline constexpr base::Field kOfHeight{.name = "of_height", .required = true, .low = 1};
inline constexpr base::Field kCycles{.name = "cycles", .required = true, .low = 0};
inline constexpr base::Field kHops{.name = "hops", .required = true, .low = 0};
inline constexpr base::Field kStalls{.name = "stalls", .required = true};
inline constexpr base::Field kClosedForm{.name = "closed_form", .required = true, .low = 0};
inline constexpr base::Field kInstructions{.name = "instructions", .required = true};
inline constexpr base::Field kEvents{.name = "events", .required = true};
inline constexpr base::Field kDropped{.name = "dropped", .required = true, .low = 0};
}  // namespace cutout_ran
// The state of a core as a cycle begins. A core that computes without the fabric may be ahead.
namespace cutout_seen {
inline constexpr base::Field kCycle{.name = "cycle", .required = true, .low = 0};
inline constexpr base::Field kX{.name = "x", .required = true, .low = 0};
inline constexpr base::Field kY{.name = "y", .required = true, .low = 0};
inline constexpr base::Field kStalls{.name = "stalls", .required = true};
inline constexpr base::Field kQueues{.name = "queues", .required = true};
inline constexpr base::Field kSwitches{.name = "switches", .required = true};
inline constexpr base::Field kWords{.name = "words", .required = true};
}  // namespace cutout_seen
// The answer to an experiment.
namespace experiment_done {
inline constexpr base::Field kId{.name = "id", .required = true};
inline constexpr base::Field kAnswer{.name = "answer", .required = true};
}  // namespace experiment_done
// A message could not be followed, or a job failed.
namespace error {
inline constexpr base::Field kId{.name = "id"};
inline constexpr base::Field kResponseId{.name = "response_id"};
inline constexpr base::Field kError{.name = "error", .required = true};
}  // namespace error
// The field of every message and every event.
namespace message {
inline constexpr base::Field kType{.name = "type", .required = true, .bytes = 256};
}  // namespace message
// Replaces the bytes [start, end) of a text.
namespace edit {
inline constexpr base::Field kStart{.name = "start", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kEnd{.name = "end", .required = true, .low = 0, .high = 9007199254740992};
inline constexpr base::Field kText{.name = "text", .required = true, .bytes = 33554432};
}  // namespace edit
// A low-rank adapter (LoRA) that is added to the weights of a model.
namespace adapter {
inline constexpr base::Field kFile{.name = "file", .required = true, .bytes = 4096};
inline constexpr base::Field kFactor{.name = "factor", .low = -1000, .high = 1000, .fallback = 1};
}  // namespace adapter
// The state of the first model, and that of all.
namespace state {
inline constexpr base::Field kState{.name = "state", .required = true};
inline constexpr base::Field kModel{.name = "model"};
inline constexpr base::Field kShadow{.name = "shadow"};
inline constexpr base::Field kError{.name = "error"};
inline constexpr base::Field kModels{.name = "models", .required = true};
}  // namespace state
// A model that is offered.
namespace hosted {
inline constexpr base::Field kName{.name = "name", .required = true};
inline constexpr base::Field kFile{.name = "file", .required = true};
inline constexpr base::Field kState{.name = "state", .required = true};
inline constexpr base::Field kProgress{.name = "progress", .low = 0, .high = 1};
inline constexpr base::Field kMemoryBytes{.name = "memory_bytes", .required = true, .low = 0};
inline constexpr base::Field kKvUsedBytes{.name = "kv_used_bytes", .required = true, .low = 0};
inline constexpr base::Field kThreads{.name = "threads", .required = true, .low = 0};
inline constexpr base::Field kKernels{.name = "kernels", .required = true};
inline constexpr base::Field kRunning{.name = "running", .required = true, .low = 0};
inline constexpr base::Field kWaiting{.name = "waiting", .required = true, .low = 0};
inline constexpr base::Field kModel{.name = "model"};
inline constexpr base::Field kError{.name = "error"};
}  // namespace hosted
// Why the model cannot be used.
namespace failure {
inline constexpr base::Field kMessage{.name = "message", .required = true};
inline constexpr base::Field kRemedy{.name = "remedy", .required = true};
}  // namespace failure
// The problem with a message.
namespace problem {
inline constexpr base::Field kCode{.name = "code", .required = true};
inline constexpr base::Field kField{.name = "field"};
inline constexpr base::Field kMessage{.name = "message", .required = true};
inline constexpr base::Field kRemedy{.name = "remedy", .required = true};
}  // namespace problem
// The problem with a request over HTTP.
namespace http_error {
inline constexpr base::Field kMessage{.name = "message", .required = true};
inline constexpr base::Field kType{.name = "type", .required = true};
inline constexpr base::Field kCode{.name = "code", .required = true};
inline constexpr base::Field kParam{.name = "param"};
inline constexpr base::Field kRemedy{.name = "remedy", .required = true};
}  // namespace http_error
// What is known of a model.
namespace model {
inline constexpr base::Field kName{.name = "name", .required = true};
inline constexpr base::Field kFile{.name = "file", .required = true};
inline constexpr base::Field kAdapters{.name = "adapters", .required = true};
inline constexpr base::Field kArchitecture{.name = "architecture", .required = true};
inline constexpr base::Field kParameters{.name = "parameters", .required = true, .low = 0};
inline constexpr base::Field kContext{.name = "context", .required = true, .low = 1};
inline constexpr base::Field kVocabSize{.name = "vocab_size", .required = true, .low = 1};
inline constexpr base::Field kFim{.name = "fim", .required = true};
inline constexpr base::Field kChat{.name = "chat"};
inline constexpr base::Field kTools{.name = "tools", .required = true};
inline constexpr base::Field kMachine{.name = "machine", .required = true};
inline constexpr base::Field kProfile{.name = "profile", .required = true};
inline constexpr base::Field kClockHz{.name = "clock_hz", .required = true, .low = 0};
inline constexpr base::Field kBand{.name = "band"};
}  // namespace model
// How far figures of a profile are to be trusted on a machine at a clock. One that is used otherwise than it was measured is an extrapolation.
namespace band {
inline constexpr base::Field kMeasured{.name = "measured", .required = true};
inline constexpr base::Field kRows{.name = "rows", .required = true, .low = 0};
inline constexpr base::Field kDenseRows{.name = "dense_rows", .required = true, .low = 0};
inline constexpr base::Field kWorstPercent{.name = "worst_percent", .required = true, .low = 0};
inline constexpr base::Field kOfPrefill{.name = "of_prefill", .required = true};
inline constexpr base::Field kTimesPublished{.name = "times_published", .required = true, .low = 0};
}  // namespace band
// A model of which only the shape is known, as it is placed.
namespace shadow {
inline constexpr base::Field kModel{.name = "model", .required = true};
inline constexpr base::Field kParameters{.name = "parameters", .required = true, .low = 0};
inline constexpr base::Field kActiveParameters{.name = "active_parameters", .required = true, .low = 0};
inline constexpr base::Field kGuess{.name = "guess", .required = true};
inline constexpr base::Field kWafers{.name = "wafers", .required = true, .low = 1};
inline constexpr base::Field kPesUsed{.name = "pes_used", .required = true, .low = 0};
inline constexpr base::Field kSramBytesUsed{.name = "sram_bytes_used", .required = true, .low = 0};
inline constexpr base::Field kSramBytes{.name = "sram_bytes", .required = true, .low = 0};
inline constexpr base::Field kContext{.name = "context", .required = true, .low = 0};
inline constexpr base::Field kTokensPerSecond{.name = "tokens_per_second", .required = true, .low = 0};
inline constexpr base::Field kMachine{.name = "machine", .required = true};
inline constexpr base::Field kProfile{.name = "profile", .required = true};
inline constexpr base::Field kClockHz{.name = "clock_hz", .required = true, .low = 0};
inline constexpr base::Field kBand{.name = "band"};
}  // namespace shadow
// A shape of the catalog.
namespace shape {
inline constexpr base::Field kName{.name = "name", .required = true};
inline constexpr base::Field kParameters{.name = "parameters", .required = true, .low = 0};
inline constexpr base::Field kActiveParameters{.name = "active_parameters", .required = true, .low = 0};
inline constexpr base::Field kWafers{.name = "wafers", .low = 1};
inline constexpr base::Field kGuess{.name = "guess", .required = true};
inline constexpr base::Field kSource{.name = "source", .required = true};
}  // namespace shape
// What an experiment has found.
namespace answer {
inline constexpr base::Field kNature{.name = "nature", .required = true};
inline constexpr base::Field kTitle{.name = "title", .required = true, .bytes = 8192};
inline constexpr base::Field kBand{.name = "band", .required = true, .bytes = 8192};
inline constexpr base::Field kWorstErrorPercent{.name = "worst_error_percent", .low = 0};
inline constexpr base::Field kFigures{.name = "figures", .required = true, .most = 4096};
inline constexpr base::Field kShares{.name = "shares", .required = true, .most = 64};
inline constexpr base::Field kSources{.name = "sources", .required = true, .most = 64};
}  // namespace answer
// A figure of an answer.
namespace figure {
inline constexpr base::Field kName{.name = "name", .required = true, .bytes = 256};
inline constexpr base::Field kLabel{.name = "label", .required = true, .bytes = 256};
inline constexpr base::Field kValue{.name = "value", .required = true};
inline constexpr base::Field kUnit{.name = "unit", .required = true, .bytes = 64};
}  // namespace figure
// A part of the time of one token.
namespace share {
inline constexpr base::Field kName{.name = "name", .required = true, .bytes = 256};
inline constexpr base::Field kSeconds{.name = "seconds", .required = true, .low = 0};
}  // namespace share
// The jobs of all clients.
namespace queue {
inline constexpr base::Field kRunning{.name = "running", .required = true, .low = 0};
inline constexpr base::Field kInteractive{.name = "interactive", .required = true, .low = 0};
inline constexpr base::Field kBackground{.name = "background", .required = true, .low = 0};
inline constexpr base::Field kOldestMs{.name = "oldest_ms", .required = true, .low = 0};
inline constexpr base::Field kYours{.name = "yours", .required = true};
}  // namespace queue
// A job that waits.
namespace waiting {
inline constexpr base::Field kId{.name = "id"};
inline constexpr base::Field kResponseId{.name = "response_id"};
inline constexpr base::Field kPosition{.name = "position", .required = true, .low = 1};
inline constexpr base::Field kWaitingMs{.name = "waiting_ms", .required = true, .low = 0};
}  // namespace waiting
// The number of jobs that share a step of the model.
namespace batch {
inline constexpr base::Field kLast{.name = "last", .required = true, .low = 0};
inline constexpr base::Field kMean{.name = "mean", .low = 0};
}  // namespace batch
// A job that has not begun waits for this.
namespace waiting_for {
inline constexpr base::Field kFor{.name = "for", .required = true};
inline constexpr base::Field kLoaded{.name = "loaded", .low = 0, .high = 1};
}  // namespace waiting_for
// How far a prompt has been read.
namespace prompt_progress {
inline constexpr base::Field kTotal{.name = "total", .required = true, .low = 0};
inline constexpr base::Field kCache{.name = "cache", .required = true, .low = 0};
inline constexpr base::Field kProcessed{.name = "processed", .required = true, .low = 0};
inline constexpr base::Field kTimeMs{.name = "time_ms", .required = true, .low = 0};
}  // namespace prompt_progress
// The tokens that a job took.
namespace usage {
inline constexpr base::Field kInputTokens{.name = "input_tokens", .required = true, .low = 0};
inline constexpr base::Field kInputTokensDetails{.name = "input_tokens_details", .required = true};
inline constexpr base::Field kOutputTokens{.name = "output_tokens", .required = true, .low = 0};
inline constexpr base::Field kOutputTokensDetails{.name = "output_tokens_details", .required = true};
inline constexpr base::Field kTotalTokens{.name = "total_tokens", .required = true, .low = 0};
}  // namespace usage
// The part of the prompt that was known.
namespace input_details {
inline constexpr base::Field kCachedTokens{.name = "cached_tokens", .required = true, .low = 0};
}  // namespace input_details
// The ways in which the output came about.
namespace output_details {
inline constexpr base::Field kReasoningTokens{.name = "reasoning_tokens", .required = true, .low = 0, .high = 0};
inline constexpr base::Field kDraftedTokens{.name = "drafted_tokens", .required = true, .low = 0};
inline constexpr base::Field kAcceptedTokens{.name = "accepted_tokens", .required = true, .low = 0};
}  // namespace output_details
// The time that a job took: the two clocks are never mixed.
namespace timings {
inline constexpr base::Field kHost{.name = "host", .required = true};
inline constexpr base::Field kWafer{.name = "wafer", .required = true};
inline constexpr base::Field kShadow{.name = "shadow"};
inline constexpr base::Field kContextUsed{.name = "context_used", .required = true, .low = 0};
inline constexpr base::Field kContextLimit{.name = "context_limit", .required = true, .low = 0};
}  // namespace timings
// Times on this computer.
namespace host_timings {
inline constexpr base::Field kQueuedMs{.name = "queued_ms", .required = true, .low = 0};
inline constexpr base::Field kPrefillMs{.name = "prefill_ms", .required = true, .low = 0};
inline constexpr base::Field kFirstTokenMs{.name = "first_token_ms", .low = 0};
inline constexpr base::Field kTokensPerSecond{.name = "tokens_per_second", .low = 0};
inline constexpr base::Field kTotalMs{.name = "total_ms", .required = true, .low = 0};
}  // namespace host_timings
// Times on the emulated wafer.
namespace wafer_timings {
inline constexpr base::Field kCycles{.name = "cycles", .required = true, .low = 0};
inline constexpr base::Field kFirstTokenMs{.name = "first_token_ms", .low = 0};
inline constexpr base::Field kTokensPerSecond{.name = "tokens_per_second", .low = 0};
inline constexpr base::Field kMachine{.name = "machine", .required = true};
inline constexpr base::Field kProfile{.name = "profile", .required = true};
inline constexpr base::Field kClockHz{.name = "clock_hz", .required = true, .low = 0};
inline constexpr base::Field kBand{.name = "band"};
}  // namespace wafer_timings
// Times on the emulated wafers of the shadow.
namespace shadow_timings {
inline constexpr base::Field kModel{.name = "model", .required = true};
}  // namespace shadow_timings
// A model's program on the wafer.
namespace layout {
inline constexpr base::Field kMachine{.name = "machine", .required = true, .bytes = 4096};
inline constexpr base::Field kProfile{.name = "profile", .required = true, .bytes = 4096};
inline constexpr base::Field kModel{.name = "model", .required = true, .bytes = 4096};
inline constexpr base::Field kShadowOf{.name = "shadow_of", .bytes = 4096};
inline constexpr base::Field kClockHz{.name = "clock_hz", .required = true, .low = 0};
inline constexpr base::Field kWafers{.name = "wafers", .low = 1, .high = 1073741824, .fallback = 1};
inline constexpr base::Field kFabricWidth{.name = "fabric_width", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kFabricHeight{.name = "fabric_height", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kDieColumns{.name = "die_columns", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kDieRows{.name = "die_rows", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kSramPerPe{.name = "sram_per_pe", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kLoadBytes{.name = "load_bytes", .low = 0};
inline constexpr base::Field kLoadSeconds{.name = "load_seconds", .low = 0};
inline constexpr base::Field kRegions{.name = "regions", .required = true, .most = 65536};
inline constexpr base::Field kOps{.name = "ops", .required = true, .most = 65536};
inline constexpr base::Field kBand{.name = "band"};
}  // namespace layout
// A rectangle of cores that run the same ops.
namespace region {
inline constexpr base::Field kName{.name = "name", .required = true, .bytes = 4096};
inline constexpr base::Field kWafer{.name = "wafer", .low = 0, .high = 1073741824, .fallback = 0};
inline constexpr base::Field kX{.name = "x", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kY{.name = "y", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kWidth{.name = "width", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kHeight{.name = "height", .required = true, .low = 1, .high = 1073741824};
inline constexpr base::Field kSram{.name = "sram", .required = true};
}  // namespace region
// The SRAM of a core, in bytes.
namespace sram {
inline constexpr base::Field kCode{.name = "code", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kWeights{.name = "weights", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kKvCache{.name = "kv_cache", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kActivations{.name = "activations", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kFree{.name = "free", .required = true, .low = 0, .high = 1073741824};
}  // namespace sram
// An op of the program.
namespace op {
inline constexpr base::Field kName{.name = "name", .required = true, .bytes = 4096};
inline constexpr base::Field kRegion{.name = "region", .required = true, .low = 0, .high = 1073741824};
inline constexpr base::Field kLayer{.name = "layer", .required = true, .low = -1, .high = 1073741824};
}  // namespace op
// A token of a completion.
namespace piece {
inline constexpr base::Field kText{.name = "text", .required = true};
inline constexpr base::Field kStart{.name = "start", .required = true, .low = -65536};
inline constexpr base::Field kEnd{.name = "end", .required = true, .low = -65536};
}  // namespace piece
// A token that could have stood there.
namespace alternative {
inline constexpr base::Field kText{.name = "text", .required = true};
inline constexpr base::Field kProbability{.name = "probability", .required = true, .low = 0, .high = 1};
inline constexpr base::Field kChosen{.name = "chosen", .required = true};
}  // namespace alternative
// A step of the model on this computer.
namespace step {
inline constexpr base::Field kRows{.name = "rows", .required = true, .low = 1};
inline constexpr base::Field kRow{.name = "row", .required = true, .low = 0};
inline constexpr base::Field kContext{.name = "context", .required = true, .low = 0};
inline constexpr base::Field kDrafted{.name = "drafted", .required = true, .low = 0};
inline constexpr base::Field kAccepted{.name = "accepted", .required = true, .low = 0};
inline constexpr base::Field kLines{.name = "lines", .required = true, .low = 1};
inline constexpr base::Field kHostMs{.name = "host_ms", .required = true, .low = 0};
}  // namespace step
// A step of the emulated wafer. It begins when all rows before have left.
namespace wafer_step {
inline constexpr base::Field kLayout{.name = "layout", .required = true};
inline constexpr base::Field kIndex{.name = "index", .required = true, .low = 0};
inline constexpr base::Field kCount{.name = "count", .required = true, .low = 1};
inline constexpr base::Field kRows{.name = "rows", .required = true, .low = 1};
inline constexpr base::Field kRow{.name = "row", .required = true, .low = 0};
inline constexpr base::Field kContext{.name = "context", .required = true, .low = 0};
inline constexpr base::Field kCycles{.name = "cycles", .required = true, .low = 0};
inline constexpr base::Field kGemm{.name = "gemm", .required = true};
inline constexpr base::Field kOps{.name = "ops", .required = true};
}  // namespace wafer_step
// A term of a closed form.
namespace term {
inline constexpr base::Field kWhat{.name = "what", .required = true};
inline constexpr base::Field kForm{.name = "form", .required = true};
inline constexpr base::Field kNumbers{.name = "numbers", .required = true};
inline constexpr base::Field kCycles{.name = "cycles", .required = true, .low = 0};
inline constexpr base::Field kFabric{.name = "fabric", .required = true};
}  // namespace term
// A vector times a matrix that lies on the cores in tiles.
namespace product {
inline constexpr base::Field kK{.name = "k", .required = true, .low = 0};
inline constexpr base::Field kN{.name = "n", .required = true, .low = 0};
inline constexpr base::Field kAlongX{.name = "along_x", .required = true};
inline constexpr base::Field kTileRows{.name = "tile_rows", .required = true, .low = 0};
inline constexpr base::Field kTileColumns{.name = "tile_columns", .required = true, .low = 0};
inline constexpr base::Field kTimes{.name = "times", .required = true, .low = 1};
}  // namespace product
// A sum over each row or column of cores, in groups; then the result goes to all.
namespace reduce {
inline constexpr base::Field kAlongX{.name = "along_x", .required = true};
inline constexpr base::Field kCores{.name = "cores", .required = true, .low = 1};
inline constexpr base::Field kGroups{.name = "groups", .required = true, .low = 1};
inline constexpr base::Field kStages{.name = "stages", .required = true, .low = 0};
inline constexpr base::Field kElements{.name = "elements", .required = true, .low = 0};
inline constexpr base::Field kTimes{.name = "times", .required = true, .low = 1};
}  // namespace reduce
// The positions of a KV cache, which lie along y. A new one comes to the last row, and rows pass their oldest on upwards.
namespace kv_rows {
inline constexpr base::Field kRows{.name = "rows", .required = true, .low = 1};
inline constexpr base::Field kLeast{.name = "least", .required = true, .low = 0};
inline constexpr base::Field kFuller{.name = "fuller", .required = true, .low = 0};
inline constexpr base::Field kTop{.name = "top", .required = true, .low = 0};
inline constexpr base::Field kEntry{.name = "entry", .required = true, .low = 0};
}  // namespace kv_rows
// Cycles of cores.
namespace stalls {
inline constexpr base::Field kBusy{.name = "busy", .required = true, .low = 0};
inline constexpr base::Field kWavelet{.name = "wavelet", .required = true, .low = 0};
inline constexpr base::Field kOutput{.name = "output", .required = true, .low = 0};
inline constexpr base::Field kBank{.name = "bank", .required = true, .low = 0};
}  // namespace stalls
// Wavelets that wait.
namespace mesh_queue {
inline constexpr base::Field kPort{.name = "port", .required = true, .low = 0, .high = 5};
inline constexpr base::Field kColor{.name = "color", .required = true, .low = 0, .high = 31};
inline constexpr base::Field kCount{.name = "count", .required = true, .low = 0};
inline constexpr base::Field kRoom{.name = "room", .required = true, .low = 0};
}  // namespace mesh_queue
// The switch of a color at a router.
namespace mesh_switch {
inline constexpr base::Field kColor{.name = "color", .required = true, .low = 0, .high = 31};
inline constexpr base::Field kPosition{.name = "position", .required = true, .low = 0, .high = 3};
inline constexpr base::Field kPositions{.name = "positions", .required = true, .low = 1, .high = 4};
inline constexpr base::Field kFrom{.name = "from", .required = true, .low = 0, .high = 31};
inline constexpr base::Field kTo{.name = "to", .required = true, .low = 0, .high = 31};
}  // namespace mesh_switch
// The settings for how tokens are sampled, and where the text stops.
namespace sampling {
inline constexpr base::Field kTemperature{.name = "temperature", .low = 0, .high = 100, .fallback = 0};
inline constexpr base::Field kTopK{.name = "top_k", .low = 0, .high = 1048576, .fallback = 0};
inline constexpr base::Field kTopP{.name = "top_p", .low = 0, .high = 1, .fallback = 1};
inline constexpr base::Field kMinP{.name = "min_p", .low = 0, .high = 1, .fallback = 0};
inline constexpr base::Field kRepetitionPenalty{.name = "repetition_penalty", .low = 0.5, .high = 10, .fallback = 1};
inline constexpr base::Field kSeed{.name = "seed", .low = 0, .high = 9007199254740992, .fallback = 0};
inline constexpr base::Field kLogitBias{.name = "logit_bias", .most = 1024};
inline constexpr base::Field kStop{.name = "stop", .bytes = 1024, .most = 256};
}  // namespace sampling
// The fields of every event of a response.
namespace response_event {
inline constexpr base::Field kResponseId{.name = "response_id", .required = true};
inline constexpr base::Field kSequenceNumber{.name = "sequence_number", .required = true, .low = 0};
}  // namespace response_event
// The fields of every event of a response's text.
namespace part_event {
inline constexpr base::Field kItemId{.name = "item_id", .required = true};
inline constexpr base::Field kOutputIndex{.name = "output_index", .required = true, .low = 0};
inline constexpr base::Field kContentIndex{.name = "content_index", .required = true, .low = 0};
}  // namespace part_event
}  // namespace field

}  // namespace waferpair::protocol
// clang-format on
