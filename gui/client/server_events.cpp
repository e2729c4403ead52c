// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/server_events.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/client/message_fields.h"
#include "gui/client/telemetry_json.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace event = protocol::event;

namespace field = protocol::field;

editor::Error problemOf(MessageFields error) {
  return {error.text(field::problem::kMessage).value_or(QString()),
          error.text(field::problem::kRemedy).value_or(QString())};
}

// Returns nothing for null, and for an object that tells too little.
std::optional<ShadowFacts> parseShadow(MessageFields object) {
  ShadowFacts shadow;
  shadow.model = object.text(field::shadow::kModel).value_or(QString());
  shadow.parameters = object.integer(field::shadow::kParameters).value_or(0);
  shadow.wafers = object.small(field::shadow::kWafers);
  shadow.context = object.integer(field::shadow::kContext).value_or(0);
  shadow.tokensPerSecond = object.number(field::shadow::kTokensPerSecond).value_or(0);
  if (shadow.model.isEmpty() || shadow.wafers < 1) return std::nullopt;
  return shadow;
}

ShadowShapes parseShapes(MessageFields& message) {
  const QJsonArray list = message.list(field::shadow_shapes::kShapes);
  ShadowShapes parsed;
  for (qsizetype i = 0; i < list.size(); ++i) {
    MessageFields object = message.entry(field::shadow_shapes::kShapes, list, i);
    const ShadowShape shape{object.text(field::shape::kName).value_or(QString()),
                            object.integer(field::shape::kParameters).value_or(0),
                            object.small(field::shape::kWafers),
                            object.boolean(field::shape::kGuess),
                            object.text(field::shape::kSource).value_or(QString())};
    if (!shape.name.isEmpty()) parsed.shapes.append(shape);
  }
  return parsed;
}

std::optional<ServerEvent> parseStatus(MessageFields& message, bool sessionStart, QString& why) {
  ServerStatus status;
  status.sessionStart = sessionStart;
  if (sessionStart) status.protocol = message.small(field::session_ready::kProtocol);
  const std::string state = message.text(field::state::kState).value_or(QString()).toStdString();
  if (state == protocol::state::kReady) {
    status.state = ModelState::kReady;
  } else if (state == protocol::state::kFailed) {
    status.state = ModelState::kFailed;
    status.problem = problemOf(message.object(field::state::kError));
  } else if (state != protocol::state::kLoading) {
    why = QStringLiteral("state is neither loading nor ready nor failed");
    return std::nullopt;
  }
  MessageFields model = message.object(field::state::kModel);
  status.model = model.text(field::model::kName).value_or(QString());
  status.machine = model.text(field::model::kMachine).value_or(QString());
  status.profile = model.text(field::model::kProfile).value_or(QString());
  status.clockHz = model.number(field::model::kClockHz).value_or(0);
  status.contextLimit = model.integer(field::model::kContext);
  status.shadow = parseShadow(message.object(field::state::kShadow));
  return status;
}

RuntimeFigures parseTimings(MessageFields timings) {
  MessageFields host = timings.object(field::timings::kHost);
  MessageFields shadow = timings.object(field::timings::kShadow);
  // The shadow's have the fields of the wafer's.
  MessageFields wafer = shadow.isEmpty() ? timings.object(field::timings::kWafer) : shadow;
  RuntimeFigures figures;
  figures.shadow = shadow.text(field::shadow_timings::kModel).value_or(QString());
  figures.machine = wafer.text(field::wafer_timings::kMachine).value_or(QString());
  figures.profile = wafer.text(field::wafer_timings::kProfile).value_or(QString());
  figures.clockHz = wafer.number(field::wafer_timings::kClockHz).value_or(0);
  figures.hostTokensPerSecond = host.number(field::host_timings::kTokensPerSecond);
  figures.firstTokenHostMs = host.number(field::host_timings::kFirstTokenMs);
  figures.waferTokensPerSecond = wafer.number(field::wafer_timings::kTokensPerSecond);
  figures.firstTokenWaferMs = wafer.number(field::wafer_timings::kFirstTokenMs);
  figures.contextUsed = timings.integer(field::timings::kContextUsed);
  figures.contextLimit = timings.integer(field::timings::kContextLimit);
  return figures;
}

std::optional<ServerEvent> parseDelta(MessageFields& message, QString& why) {
  const auto request = message.id(field::completion_delta::kId);
  const auto version = message.integer(field::completion_delta::kVersion);
  const auto offset = message.integer(field::completion_delta::kOffset);
  const auto added = message.text(field::completion_delta::kText);
  if (request && version && offset && added)
    return CompletionDelta{static_cast<quint64>(*request), *version, *offset, added->toUtf8()};
  why = QStringLiteral("completion.delta lacks a valid id, version, offset or text");
  return std::nullopt;
}

std::optional<ServerEvent> parseDone(MessageFields& message, QString& why) {
  const auto request = message.id(field::completion_done::kId);
  const QString reason = message.text(field::completion_done::kReason).value_or(QString());
  if (request && !reason.isEmpty())
    return CompletionDone{static_cast<quint64>(*request), reason,
                          parseTimings(message.object(field::completion_done::kTimings))};
  why = QStringLiteral("completion.done lacks a valid id or reason");
  return std::nullopt;
}

ServerError parseFailure(MessageFields& message) {
  MessageFields error = message.object(field::error::kError);
  ServerError reported{error.text(field::problem::kCode).value_or(QString()), problemOf(error),
                       std::nullopt};
  if (const auto request = message.id(field::error::kId))
    reported.request = static_cast<quint64>(*request);
  return reported;
}

TraceStopped parseStopped(MessageFields& message) {
  return {message.text(field::trace_stopped::kFile).value_or(QString()),
          message.integer(field::trace_stopped::kSteps).value_or(0),
          message.integer(field::trace_stopped::kTokens).value_or(0)};
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
  const QJsonObject object = document.object();
  const std::string type = object.value(QLatin1StringView("type")).toString().toStdString();
  MessageFields message(object);
  if (type == event::kCompletionDelta) return parseDelta(message, why);
  if (type == event::kCompletionDone) return parseDone(message, why);
  if (type == event::kSessionReady) return parseStatus(message, true, why);
  if (type == event::kStatus) return parseStatus(message, false, why);
  if (type == event::kTelemetryLayout) {
    const QString layout = nameOf(field::telemetry_layout::kLayout);
    if (auto parsed = parseWaferLayout(object.value(layout).toObject(), why))
      return *std::move(parsed);
    return std::nullopt;
  }
  if (type == event::kTraceStarted)
    return TraceStarted{message.text(field::trace_started::kFile).value_or(QString())};
  if (type == event::kTraceStopped) return parseStopped(message);
  if (type == event::kShadowChanged)
    return ShadowChanged{parseShadow(message.object(field::shadow_changed::kShadow))};
  if (type == event::kShadowShapes) return parseShapes(message);
  if (type == event::kError) return parseFailure(message);
  if (type.empty()) {
    why = QStringLiteral("it has no type");
    return std::nullopt;
  }
  return std::monostate{};
}

}  // namespace waferpair::gui
