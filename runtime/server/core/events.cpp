// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/events.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string dump(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json modelJson(const inference::ModelCard& card) {
  return {{"name", card.name},
          {"file", card.file},
          {"architecture", card.architecture},
          {"parameters", card.parameters},
          {"context", card.context},
          {"vocab_size", card.vocabSize},
          {"fim", fimOrderName(card.prompt.order)},
          {"chat", card.chat ? Json(chatStyleName(*card.chat)) : Json(nullptr)},
          {"machine", card.machine},
          {"profile", card.profile},
          {"clock_hz", card.clockHz}};
}

Json usageJson(const inference::JobReport& report) {
  return {{"input_tokens", report.inputTokens},
          {"input_tokens_details", {{"cached_tokens", report.cachedTokens}}},
          {"output_tokens", report.outputTokens},
          {"output_tokens_details",
           {{"reasoning_tokens", 0},
            {"drafted_tokens", report.draftedTokens},
            {"accepted_tokens", report.acceptedTokens}}},
          {"total_tokens", report.inputTokens + report.outputTokens}};
}

Json timingsJson(const inference::JobReport& report, const inference::ModelCard& card) {
  std::optional<double> hostFirst, waferFirst;
  if (report.outputTokens > 0) {
    if (report.firstTokenMs > 0) hostFirst = report.firstTokenMs;
    waferFirst = 1000.0 * static_cast<double>(report.waferFirstTokenCycles) / card.clockHz;
  }
  Json shadow = nullptr;
  if (const wafer::Program* program = report.shadow.program.get()) {
    const wafer::Plan& plan = program->plan();
    std::optional<double> first;
    if (report.outputTokens > 0)
      first = 1e-6 * static_cast<double>(report.shadow.firstTokenCycles) / plan.clockGhz;
    shadow = {{"model", plan.shape.name},
              {"cycles", report.shadow.cycles},
              {"first_token_ms", orNull(first)},
              {"tokens_per_second", orNull(report.shadowTokensPerSecond())},
              {"machine", plan.machine.name},
              {"profile", plan.profile.name},
              {"clock_hz", plan.clockGhz * 1e9}};
  }
  return {{"host",
           {{"queued_ms", report.queuedMs},
            {"prefill_ms", report.prefillMs},
            {"first_token_ms", orNull(hostFirst)},
            {"tokens_per_second", orNull(report.hostTokensPerSecond())},
            {"total_ms", report.totalMs}}},
          {"wafer",
           {{"cycles", report.waferCycles},
            {"first_token_ms", orNull(waferFirst)},
            {"tokens_per_second", orNull(report.waferTokensPerSecond(card.clockHz))},
            {"machine", card.machine},
            {"profile", card.profile},
            {"clock_hz", card.clockHz}}},
          {"shadow", std::move(shadow)},
          {"context_used", report.contextUsed},
          {"context_limit", card.context}};
}

Json layoutJson(const protocol::WaferLayout& layout) {
  Json regions = Json::array();
  for (const protocol::RegionLayout& region : layout.regions) {
    Json sram = Json::object();
    for (int kind = 0; kind < protocol::kSramKinds; ++kind)
      sram[std::string(protocol::kSramKindNames[kind])] = region.sramPerPe[kind];
    regions.push_back({{"name", region.name},
                       {"wafer", region.wafer},
                       {"x", region.rect.x},
                       {"y", region.rect.y},
                       {"width", region.rect.width},
                       {"height", region.rect.height},
                       {"sram", std::move(sram)}});
  }
  Json ops = Json::array();
  for (const protocol::OpLayout& op : layout.ops)
    ops.push_back({{"name", op.name}, {"region", op.region}, {"layer", op.layer}});
  return {{"machine", layout.machine},
          {"profile", layout.profile},
          {"model", layout.model},
          {"shadow_of", layout.shadowOf},
          {"clock_hz", layout.clockHz},
          {"wafers", layout.wafers},
          {"fabric_width", layout.fabricWidth},
          {"fabric_height", layout.fabricHeight},
          {"die_columns", layout.dieColumns},
          {"die_rows", layout.dieRows},
          {"sram_per_pe", layout.sramPerPe},
          {"regions", std::move(regions)},
          {"ops", std::move(ops)}};
}

Json traceJson(const std::string& file, const trace::Written& written) {
  return {{"file", file},
          {"steps", written.totals.steps},
          {"tokens", written.totals.tokens},
          {"cycles", written.totals.cycles},
          {"bytes", written.bytes}};
}

Json queueJson(const inference::QueueDepth& depth) {
  return {{"running", depth.running},
          {"interactive", depth.interactive},
          {"background", depth.background}};
}

Json batchJson(const inference::EngineStats& stats) {
  Json mean = nullptr;
  if (stats.decodeSteps > 0)
    mean = static_cast<double>(stats.decodedSequences) / static_cast<double>(stats.decodeSteps);
  return {{"last", stats.sequencesInStep}, {"mean", std::move(mean)}};
}

std::string_view reasonName(inference::StopReason reason) {
  switch (reason) {
    case inference::StopReason::kEndOfText:
      return protocol::reason::kEndOfText;
    case inference::StopReason::kMaxTokens:
      return protocol::reason::kMaxTokens;
    case inference::StopReason::kMaxLines:
      return protocol::reason::kMaxLines;
    case inference::StopReason::kStopString:
      return protocol::reason::kStop;
    case inference::StopReason::kUnsure:
      return protocol::reason::kUnsure;
    case inference::StopReason::kContextFull:
      return protocol::reason::kContextFull;
    case inference::StopReason::kCancelled:
      return protocol::reason::kCancelled;
    case inference::StopReason::kStale:
      return protocol::reason::kStale;
    case inference::StopReason::kInputTooLong:
    case inference::StopReason::kGrammarStuck:
    case inference::StopReason::kFailed:
      break;
  }
  return protocol::reason::kFailed;
}

std::string errorEvent(const Problem& problem, const Json& id, const std::string& responseId) {
  Json error = {{"code", problem.code}, {"message", problem.message}, {"remedy", problem.remedy}};
  if (!problem.field.empty()) error["field"] = problem.field;
  Json event = {{"type", protocol::event::kError}, {"error", std::move(error)}};
  if (!id.is_null()) event["id"] = id;
  if (!responseId.empty()) event["response_id"] = responseId;
  return dump(event);
}

Problem problemOf(const inference::JobReport& report) {
  std::string_view code = protocol::error_code::kInternal, field;
  if (report.reason == inference::StopReason::kInputTooLong) {
    code = protocol::error_code::kInputTooLong;
    field = "input";
  } else if (report.reason == inference::StopReason::kGrammarStuck) {
    code = protocol::error_code::kInvalidField;
    field = "text.format";
  }
  return {std::string(code), std::string(field), report.error.what, report.error.remedy};
}

}  // namespace waferpair::server
