// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/server_events.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>

#include "gui/client/telemetry_json.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace event = protocol::event;

namespace field = protocol::field;

editor::Error problemOf(JsonFields error) {
  return {error.text(field::problem::kMessage), error.text(field::problem::kRemedy)};
}

// A state that is not known is that of a model that cannot be asked.
std::optional<ModelState> stateIn(const QString& word) {
  const std::string state = word.toStdString();
  if (state == protocol::state::kLoading) return ModelState::kLoading;
  if (state == protocol::state::kReady) return ModelState::kReady;
  if (state == protocol::state::kIdle) return ModelState::kIdle;
  if (state == protocol::state::kFailed) return ModelState::kFailed;
  return std::nullopt;
}

std::optional<HostedModel> parseHosted(JsonFields fields) {
  namespace field = field::hosted;
  HostedModel hosted;
  hosted.file = fields.text(field::kFile);
  const std::optional<ModelState> state = stateIn(fields.text(field::kState));
  if (hosted.file.isEmpty() || !state) return std::nullopt;
  hosted.state = *state;
  hosted.progress = fields.number(field::kProgress);
  hosted.memoryBytes = fields.integer(field::kMemoryBytes).value_or(0);
  hosted.kvUsedBytes = fields.integer(field::kKvUsedBytes).value_or(0);
  hosted.threads = fields.small(field::kThreads);
  hosted.kernels = fields.text(field::kKernels);
  JsonFields model = fields.object(field::kModel);
  hosted.name = model.text(protocol::field::model::kName);
  // The path is no name: its file was not read yet.
  if (const QString given = fields.text(field::kName);
      hosted.name.isEmpty() && given != hosted.file)
    hosted.name = given;
  hosted.contextTokens = model.integer(protocol::field::model::kContext).value_or(-1);
  hosted.parameters = model.integer(protocol::field::model::kParameters).value_or(-1);
  hosted.followsInstructions = !model.text(protocol::field::model::kChat).isEmpty();
  JsonFields error = fields.object(field::kError);
  hosted.problem = {error.text(protocol::field::failure::kMessage),
                    error.text(protocol::field::failure::kRemedy)};
  return hosted;
}

std::optional<ServerEvent> parseStatus(JsonFields& message, bool sessionStart, QString& why) {
  ServerStatus status;
  status.sessionStart = sessionStart;
  if (sessionStart) status.protocol = message.small(field::session_ready::kProtocol);
  const std::optional<ModelState> state = stateIn(message.text(field::state::kState));
  if (!state) {
    why = QStringLiteral("state is none of those that are known");
    return std::nullopt;
  }
  JsonFields model = message.object(field::state::kModel);
  status.state = *state;
  if (*state == ModelState::kFailed) {
    status.problem = problemOf(message.object(field::state::kError));
  } else if (*state == ModelState::kIdle || !model.isEmpty()) {
    status.state = ModelState::kReady;  // one that was loaded before is loaded by what it is asked
  }
  status.model = model.text(field::model::kName);
  status.machine = model.text(field::model::kMachine);
  status.profile = model.text(field::model::kProfile);
  status.clockHz = model.number(field::model::kClockHz).value_or(0);
  status.band = readBand(model.object(field::model::kBand));
  status.contextLimit = model.integer(field::model::kContext);
  status.parameters = model.integer(field::model::kParameters).value_or(-1);
  status.followsInstructions = !model.text(field::model::kChat).isEmpty();
  status.shadow = readShadow(message.object(field::state::kShadow));
  const QJsonArray models = message.list(field::state::kModels);
  for (qsizetype i = 0; i < models.size(); ++i) {
    if (auto hosted = parseHosted(message.entry(field::state::kModels, models, i)))
      status.models.append(*std::move(hosted));
  }
  return status;
}

RuntimeFigures parseTimings(JsonFields timings) {
  JsonFields host = timings.object(field::timings::kHost);
  JsonFields shadow = timings.object(field::timings::kShadow);
  // The shadow's have the fields of the wafer's.
  JsonFields wafer = shadow.isEmpty() ? timings.object(field::timings::kWafer) : shadow;
  RuntimeFigures figures;
  figures.shadow = shadow.text(field::shadow_timings::kModel);
  figures.machine = wafer.text(field::wafer_timings::kMachine);
  figures.profile = wafer.text(field::wafer_timings::kProfile);
  figures.clockHz = wafer.number(field::wafer_timings::kClockHz).value_or(0);
  figures.band = readBand(wafer.object(field::wafer_timings::kBand));
  figures.hostTokensPerSecond = host.number(field::host_timings::kTokensPerSecond);
  figures.firstTokenHostMs = host.number(field::host_timings::kFirstTokenMs);
  figures.waferTokensPerSecond = wafer.number(field::wafer_timings::kTokensPerSecond);
  figures.firstTokenWaferMs = wafer.number(field::wafer_timings::kFirstTokenMs);
  figures.contextUsed = timings.integer(field::timings::kContextUsed);
  figures.contextLimit = timings.integer(field::timings::kContextLimit);
  return figures;
}

std::optional<ServerEvent> parseDelta(JsonFields& message, QString& why) {
  const auto request = message.id(field::completion_delta::kId);
  const auto version = message.integer(field::completion_delta::kVersion);
  const auto offset = message.integer(field::completion_delta::kOffset);
  const QString added = message.text(field::completion_delta::kText);
  if (!message.problem()) return CompletionDelta{*request, *version, *offset, added.toUtf8()};
  why = message.problem()->what;
  return std::nullopt;
}

std::optional<ServerEvent> parseDone(JsonFields& message, QString& why) {
  const auto request = message.id(field::completion_done::kId);
  const QString reason = message.text(field::completion_done::kReason);
  std::optional<double> probability;
  if (message.has(field::completion_done::kProbability))
    probability = message.number(field::completion_done::kProbability);
  if (!message.problem())
    return CompletionDone{*request, reason, probability,
                          parseTimings(message.object(field::completion_done::kTimings))};
  why = message.problem()->what;
  return std::nullopt;
}

ServerError parseFailure(JsonFields& message) {
  JsonFields error = message.object(field::error::kError);
  return {error.text(field::problem::kCode), problemOf(error), message.id(field::error::kId)};
}

}  // namespace

std::optional<ServerEvent> parseServerEvent(const QString& text, QString& why) {
  why.clear();
  QJsonParseError parseError;
  const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8(), &parseError);
  if (!document.isObject()) {
    why = QStringLiteral("not a JSON object: %1").arg(parseError.errorString());
    return std::nullopt;
  }
  JsonFields message(document.object());
  const std::string type = message.text(field::message::kType).toStdString();
  if (type.empty()) {
    why = message.problem() ? message.problem()->what : QStringLiteral("type is empty.");
    return std::nullopt;
  }
  if (type == event::kCompletionDelta) return parseDelta(message, why);
  if (type == event::kCompletionDone) return parseDone(message, why);
  if (type == event::kSessionReady) return parseStatus(message, true, why);
  if (type == event::kStatus) return parseStatus(message, false, why);
  if (type == event::kTelemetryLayout) {
    const QJsonObject layout = message.value(field::telemetry_layout::kLayout).toObject();
    if (auto parsed = parseWaferLayout(layout, why)) return *std::move(parsed);
    return std::nullopt;
  }
  if (type == event::kError) return parseFailure(message);
  return OtherEvent{type, std::move(message)};
}

std::optional<ShadowFacts> readShadow(JsonFields shadow) {
  namespace field = field::shadow;
  ShadowFacts facts;
  facts.model = shadow.text(field::kModel);
  facts.parameters = shadow.integer(field::kParameters).value_or(0);
  facts.wafers = shadow.small(field::kWafers);
  facts.context = shadow.integer(field::kContext).value_or(0);
  facts.tokensPerSecond = shadow.number(field::kTokensPerSecond).value_or(0);
  facts.band = readBand(shadow.object(field::kBand));
  if (facts.model.isEmpty() || facts.wafers < 1) return std::nullopt;
  return facts;
}

}  // namespace waferpair::gui
