// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/events.h"

#include "runtime/protocol/messages.h"
#include "runtime/wafer/estimate/calibration.h"

namespace waferpair::server {

namespace field = protocol::field;

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string dump(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string openText(const Json& event, const base::Field& text) {
  std::string head = dump(event);
  head.pop_back();
  return head + ",\"" + text.name + "\":\"";
}

std::optional<protocol::FigureBand> bandFor(const std::string& machine, const std::string& profile,
                                            double clockGhz) {
  const auto band = wafer::knownBand(machine, profile, clockGhz);
  if (!band) return std::nullopt;
  return protocol::FigureBand{band->measured,     band->rows,      band->denseRows,
                              band->worstPercent, band->ofPrefill, band->timesPublished};
}

Json bandJson(const std::optional<protocol::FigureBand>& band) {
  namespace field = field::band;
  if (!band) return nullptr;
  return {{field::kMeasured, band->measured},   {field::kRows, band->rows},
          {field::kDenseRows, band->denseRows}, {field::kWorstPercent, band->worstPercent},
          {field::kOfPrefill, band->ofPrefill}, {field::kTimesPublished, band->timesPublished}};
}

Json modelJson(const inference::ModelCard& card) {
  namespace field = field::model;
  Json adapters = Json::array();
  for (const transformer::AdapterFile& adapter : card.adapters)
    adapters.push_back({{protocol::field::adapter::kFile, adapter.path},
                        {protocol::field::adapter::kFactor, adapter.factor}});
  return {{field::kName, card.name},
          {field::kFile, card.file},
          {field::kAdapters, std::move(adapters)},
          {field::kArchitecture, card.architecture},
          {field::kParameters, card.parameters},
          {field::kContext, card.context},
          {field::kVocabSize, card.vocabSize},
          {field::kFim, fimOrderName(card.prompt.order)},
          {field::kChat, card.chat ? Json(chatStyleName(*card.chat)) : Json(nullptr)},
          {field::kTools, card.tools.has_value()},
          {field::kMachine, card.machine},
          {field::kProfile, card.profile},
          {field::kClockHz, card.clockHz},
          {field::kBand, bandJson(bandFor(card.machine, card.profile, card.clockHz / 1e9))}};
}

Json usageJson(const inference::JobReport& report) {
  return {{field::usage::kInputTokens, report.inputTokens},
          {field::usage::kInputTokensDetails,
           {{field::input_details::kCachedTokens, report.cachedTokens}}},
          {field::usage::kOutputTokens, report.outputTokens},
          {field::usage::kOutputTokensDetails,
           {{field::output_details::kReasoningTokens, 0},
            {field::output_details::kDraftedTokens, report.draftedTokens},
            {field::output_details::kAcceptedTokens, report.acceptedTokens}}},
          {field::usage::kTotalTokens, report.inputTokens + report.outputTokens}};
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
    shadow = {{field::shadow_timings::kModel, plan.shape.name},
              {field::wafer_timings::kCycles, report.shadow.cycles},
              {field::wafer_timings::kFirstTokenMs, orNull(first)},
              {field::wafer_timings::kTokensPerSecond, orNull(report.shadowTokensPerSecond())},
              {field::wafer_timings::kMachine, plan.machine.name},
              {field::wafer_timings::kProfile, plan.profile.name},
              {field::wafer_timings::kClockHz, plan.clockGhz * 1e9},
              {field::wafer_timings::kBand,
               bandJson(bandFor(plan.machine.name, plan.profile.name, plan.clockGhz))}};
  }
  return {
      {field::timings::kHost,
       {{field::host_timings::kQueuedMs, report.queuedMs},
        {field::host_timings::kPrefillMs, report.prefillMs},
        {field::host_timings::kFirstTokenMs, orNull(hostFirst)},
        {field::host_timings::kTokensPerSecond, orNull(report.hostTokensPerSecond())},
        {field::host_timings::kTotalMs, report.totalMs}}},
      {field::timings::kWafer,
       {{field::wafer_timings::kCycles, report.waferCycles},
        {field::wafer_timings::kFirstTokenMs, orNull(waferFirst)},
        {field::wafer_timings::kTokensPerSecond, orNull(report.waferTokensPerSecond(card.clockHz))},
        {field::wafer_timings::kMachine, card.machine},
        {field::wafer_timings::kProfile, card.profile},
        {field::wafer_timings::kClockHz, card.clockHz},
        {field::wafer_timings::kBand,
         bandJson(bandFor(card.machine, card.profile, card.clockHz / 1e9))}}},
      {field::timings::kShadow, std::move(shadow)},
      {field::timings::kContextUsed, report.contextUsed},
      {field::timings::kContextLimit, card.context}};
}

Json layoutJson(const protocol::WaferLayout& layout) {
  Json regions = Json::array();
  for (const protocol::RegionLayout& region : layout.regions) {
    Json sram = Json::object();
    for (int kind = 0; kind < protocol::kSramKinds; ++kind)
      sram[std::string(protocol::kSramKindNames[kind])] = region.sramPerPe[kind];
    regions.push_back({{field::region::kName, region.name},
                       {field::region::kWafer, region.wafer},
                       {field::region::kX, region.rect.x},
                       {field::region::kY, region.rect.y},
                       {field::region::kWidth, region.rect.width},
                       {field::region::kHeight, region.rect.height},
                       {field::region::kSram, std::move(sram)}});
  }
  Json ops = Json::array();
  for (const protocol::OpLayout& op : layout.ops)
    ops.push_back({{field::op::kName, op.name},
                   {field::op::kRegion, op.region},
                   {field::op::kLayer, op.layer}});
  return {{field::layout::kMachine, layout.machine},
          {field::layout::kProfile, layout.profile},
          {field::layout::kModel, layout.model},
          {field::layout::kShadowOf, layout.shadowOf},
          {field::layout::kClockHz, layout.clockHz},
          {field::layout::kWafers, layout.wafers},
          {field::layout::kFabricWidth, layout.fabricWidth},
          {field::layout::kFabricHeight, layout.fabricHeight},
          {field::layout::kDieColumns, layout.dieColumns},
          {field::layout::kDieRows, layout.dieRows},
          {field::layout::kSramPerPe, layout.sramPerPe},
          {field::layout::kLoadBytes, layout.loadBytes},
          {field::layout::kLoadSeconds, layout.loadSeconds},
          {field::layout::kRegions, std::move(regions)},
          {field::layout::kOps, std::move(ops)},
          {field::layout::kBand, bandJson(layout.band)}};
}

Json traceJson(const std::string& file, const trace::Written& written) {
  return {{field::trace_stopped::kFile, file},
          {field::trace_stopped::kSteps, written.totals.steps},
          {field::trace_stopped::kTokens, written.totals.tokens},
          {field::trace_stopped::kCycles, written.totals.cycles},
          {field::trace_stopped::kBytes, written.bytes}};
}

Json queueJson(const inference::QueueDepth& depth) {
  return {{field::queue::kRunning, depth.running},
          {field::queue::kInteractive, depth.interactive},
          {field::queue::kBackground, depth.background}};
}

Json batchJson(const inference::EngineStats& stats) {
  Json mean = nullptr;
  if (stats.decodeSteps > 0)
    mean = static_cast<double>(stats.decodedSequences) / static_cast<double>(stats.decodeSteps);
  return {{field::batch::kLast, stats.sequencesInStep}, {field::batch::kMean, std::move(mean)}};
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
    case inference::StopReason::kLoop:
      return protocol::reason::kLoop;
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
    case inference::StopReason::kNotLoaded:
    case inference::StopReason::kFailed:
      break;
  }
  return protocol::reason::kFailed;
}

Json errorJson(const Problem& problem) {
  namespace field = field::problem;
  Json error = {{field::kCode, problem.code},
                {field::kMessage, problem.what},
                {field::kRemedy, problem.remedy}};
  if (!problem.field.empty()) error[field::kField.name] = problem.field;
  return error;
}

Json openAiError(const Problem& problem, bool ours) {
  namespace field = protocol::field::http_error;
  return {{field::kMessage, problem.what},
          {field::kType, ours ? "server_error" : "invalid_request_error"},
          {field::kCode, problem.code},
          {field::kParam, problem.field.empty() ? Json(nullptr) : Json(problem.field)},
          {field::kRemedy, problem.remedy}};
}

int httpStatus(const Problem& problem) {
  namespace code = protocol::error_code;
  if (problem.code == code::kModelNotFound) return 404;
  if (problem.code == protocol::http_error_code::kNotFound) return 404;
  if (problem.code == protocol::http_error_code::kNotSupported) return 501;
  if (problem.code == code::kLimitExceeded) return 429;
  if (problem.code == code::kInternal) return 500;
  if (problem.code == code::kNotReady) return 503;
  return 400;
}

std::string errorEvent(const Problem& problem, const Json& id, const std::string& responseId) {
  Json event = {{field::message::kType, protocol::event::kError},
                {field::error::kError, errorJson(problem)}};
  if (!id.is_null()) event[field::error::kId.name] = id;
  if (!responseId.empty()) event[field::error::kResponseId.name] = responseId;
  return dump(event);
}

Problem problemOf(const inference::JobReport& report) {
  namespace code = protocol::error_code;
  if (report.reason == inference::StopReason::kInputTooLong)
    return {code::kContextLengthExceeded, report.error};
  if (report.reason == inference::StopReason::kGrammarStuck)
    return {code::kInvalidField, report.error};
  if (report.reason == inference::StopReason::kNotLoaded) return {code::kNotReady, report.error};
  return {code::kInternal, report.error};
}

}  // namespace waferpair::server
