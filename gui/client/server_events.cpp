// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/server_events.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "gui/client/telemetry_json.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

namespace event = protocol::event;

// Doubles hold integers exactly up to here, so an id or offset beyond it cannot be trusted.
constexpr double kMaxExact = 9'007'199'254'740'992.0;

std::optional<double> number(const QJsonObject& object, QLatin1StringView name) {
  const QJsonValue value = object.value(name);
  if (!value.isDouble() || !std::isfinite(value.toDouble()) || value.toDouble() < 0)
    return std::nullopt;
  return value.toDouble();
}

std::optional<qint64> count(const QJsonObject& object, QLatin1StringView name) {
  const std::optional<double> value = number(object, name);
  if (!value || *value > kMaxExact || *value != std::floor(*value)) return std::nullopt;
  return static_cast<qint64>(*value);
}

using Name = QLatin1StringView;

RuntimeProblem problemOf(const QJsonObject& error) {
  return {error.value(Name("message")).toString(), error.value(Name("remedy")).toString()};
}

// Nothing for null, and for what tells too little.
std::optional<ShadowFacts> parseShadow(const QJsonValue& value) {
  const QJsonObject object = value.toObject();
  ShadowFacts shadow;
  shadow.model = object.value(Name("model")).toString();
  shadow.parameters = count(object, Name("parameters")).value_or(0);
  shadow.wafers = object.value(Name("wafers")).toInt();
  shadow.context = count(object, Name("context")).value_or(0);
  shadow.tokensPerSecond = number(object, Name("tokens_per_second")).value_or(0);
  if (shadow.model.isEmpty() || shadow.wafers < 1) return std::nullopt;
  return shadow;
}

ShadowShapes parseShapes(const QJsonArray& array) {
  ShadowShapes parsed;
  for (const QJsonValue& value : array) {
    const QJsonObject object = value.toObject();
    ShadowShape shape{object.value(Name("name")).toString(),
                      count(object, Name("parameters")).value_or(0),
                      object.value(Name("wafers")).toInt(), object.value(Name("guess")).toBool(),
                      object.value(Name("source")).toString()};
    if (!shape.name.isEmpty()) parsed.shapes.append(shape);
  }
  return parsed;
}

std::optional<ServerEvent> parseStatus(const QJsonObject& object, bool sessionStart, QString& why) {
  ServerStatus status;
  status.sessionStart = sessionStart;
  if (sessionStart) status.protocol = object.value(Name("protocol")).toInt();
  const std::string state = object.value(Name("state")).toString().toStdString();
  if (state == protocol::state::kReady) {
    status.state = ModelState::kReady;
  } else if (state == protocol::state::kFailed) {
    status.state = ModelState::kFailed;
    status.problem = problemOf(object.value(Name("error")).toObject());
  } else if (state != protocol::state::kLoading) {
    why = QStringLiteral("state is neither loading nor ready nor failed");
    return std::nullopt;
  }
  const QJsonObject model = object.value(Name("model")).toObject();
  status.model = model.value(Name("name")).toString();
  status.machine = model.value(Name("machine")).toString();
  status.profile = model.value(Name("profile")).toString();
  status.clockHz = number(model, Name("clock_hz")).value_or(0);
  status.contextLimit = count(model, Name("context"));
  status.shadow = parseShadow(object.value(Name("shadow")));
  return status;
}

RuntimeFigures parseTimings(const QJsonObject& timings) {
  const QJsonObject host = timings.value(Name("host")).toObject();
  const QJsonObject shadow = timings.value(Name("shadow")).toObject();
  const QJsonObject wafer = shadow.isEmpty() ? timings.value(Name("wafer")).toObject() : shadow;
  RuntimeFigures figures;
  figures.shadow = shadow.value(Name("model")).toString();
  figures.machine = wafer.value(Name("machine")).toString();
  figures.profile = wafer.value(Name("profile")).toString();
  figures.clockHz = number(wafer, Name("clock_hz")).value_or(0);
  figures.hostTokensPerSecond = number(host, Name("tokens_per_second"));
  figures.firstTokenHostMs = number(host, Name("first_token_ms"));
  figures.waferTokensPerSecond = number(wafer, Name("tokens_per_second"));
  figures.firstTokenWaferMs = number(wafer, Name("first_token_ms"));
  figures.contextUsed = count(timings, Name("context_used"));
  figures.contextLimit = count(timings, Name("context_limit"));
  return figures;
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
  const std::string type = object.value(Name("type")).toString().toStdString();
  const std::optional<qint64> request = count(object, Name("id"));

  if (type == event::kCompletionDelta) {
    const std::optional<qint64> version = count(object, Name("version"));
    const std::optional<qint64> offset = count(object, Name("offset"));
    const QJsonValue added = object.value(Name("text"));
    if (!request || !version || !offset || !added.isString()) {
      why = QStringLiteral("completion.delta lacks a valid id, version, offset or text");
      return std::nullopt;
    }
    return CompletionDelta{static_cast<quint64>(*request), *version, *offset,
                           added.toString().toUtf8()};
  }
  if (type == event::kCompletionDone) {
    const QString reason = object.value(Name("reason")).toString();
    if (!request || reason.isEmpty()) {
      why = QStringLiteral("completion.done lacks a valid id or reason");
      return std::nullopt;
    }
    return CompletionDone{static_cast<quint64>(*request), reason,
                          parseTimings(object.value(Name("timings")).toObject())};
  }
  if (type == event::kSessionReady) return parseStatus(object, true, why);
  if (type == event::kStatus) return parseStatus(object, false, why);
  if (type == event::kTelemetryLayout) {
    std::optional<protocol::WaferLayout> layout =
        parseWaferLayout(object.value(Name("layout")).toObject(), why);
    if (!layout) return std::nullopt;
    return *std::move(layout);
  }
  if (type == event::kTraceStarted) return TraceStarted{object.value(Name("file")).toString()};
  if (type == event::kTraceStopped)
    return TraceStopped{object.value(Name("file")).toString(),
                        count(object, Name("steps")).value_or(0),
                        count(object, Name("tokens")).value_or(0)};
  if (type == event::kShadowChanged)
    return ShadowChanged{parseShadow(object.value(Name("shadow")))};
  if (type == event::kShadowShapes) return parseShapes(object.value(Name("shapes")).toArray());
  if (type == event::kError) {
    const QJsonObject error = object.value(Name("error")).toObject();
    ServerError reported{error.value(Name("code")).toString(), problemOf(error), std::nullopt};
    if (request) reported.request = static_cast<quint64>(*request);
    return reported;
  }
  if (type.empty()) {
    why = QStringLiteral("it has no type");
    return std::nullopt;
  }
  return std::monostate{};
}

}  // namespace waferpair::gui
