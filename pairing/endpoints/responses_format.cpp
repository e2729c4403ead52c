// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/responses_format.h"

#include <QJsonArray>
#include <QJsonDocument>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

QJsonObject itemFor(const InputItem& item) {
  const auto message = [&item](const char* role, const char* type) {
    const QJsonObject content{{"type", type}, {"text", item.text}};
    return QJsonObject{{"type", "message"}, {"role", role}, {"content", QJsonArray{content}}};
  };
  switch (item.kind) {
    case InputItem::Kind::kUser:
      return message("user", "input_text");
    case InputItem::Kind::kAssistant:
      return message("assistant", "output_text");
    case InputItem::Kind::kToolCall:
      return {{"type", "function_call"},
              {"call_id", item.call.id},
              {"name", item.call.name},
              {"arguments", item.call.arguments}};
    case InputItem::Kind::kToolOutput:
      return {{"type", "function_call_output"}, {"call_id", item.call.id}, {"output", item.text}};
  }
  Q_UNREACHABLE();
}

constexpr qsizetype kMostNameText = 100;

// As waferd tells it beside the fields of the Responses API.
std::optional<WaferTimings> waferTimingsIn(const QJsonObject& timings) {
  const QJsonObject shadow = timings.value(u"shadow").toObject();
  const QJsonObject wafer = shadow.isEmpty() ? timings.value(u"wafer").toObject() : shadow;
  const auto name = [&wafer](QStringView field) {
    return wafer.value(field).toString().simplified().left(kMostNameText);
  };
  WaferTimings told{name(u"model"),
                    name(u"machine"),
                    name(u"profile"),
                    measureIn(wafer.value(u"clock_hz")).value_or(0),
                    measureIn(wafer.value(u"first_token_ms")),
                    measureIn(wafer.value(u"tokens_per_second"))};
  // A figure without its origin is none.
  if (told.machine.isEmpty() || told.profile.isEmpty() || told.clockHz == 0) return {};
  return told;
}

}  // namespace

QJsonObject responsesBody(const ModelRequest& request, const QString& model) {
  QJsonArray input;
  for (const InputItem& item : request.input) input.append(itemFor(item));
  QJsonObject body{{"model", model}, {"input", input}, {"store", false}};
  if (!request.instructions.isEmpty()) body.insert(u"instructions", request.instructions);
  if (request.mostOutputTokens) body.insert(u"max_output_tokens", *request.mostOutputTokens);
  if (request.temperature) body.insert(u"temperature", *request.temperature);
  if (!request.grammar.isEmpty()) {
    const QJsonObject format{
        {"type", "grammar"}, {"syntax", "gbnf"}, {"definition", request.grammar}};
    body.insert(u"text", QJsonObject{{"format", format}});
  }
  QJsonArray tools;
  for (const Tool& tool : request.tools) {
    tools.append(QJsonObject{{"type", "function"},
                             {"name", tool.name},
                             {"description", tool.description},
                             {"parameters", tool.parameters}});
  }
  if (!tools.isEmpty()) body.insert(u"tools", tools);
  if (!tools.isEmpty() && !request.mayCallTools) body.insert(u"tool_choice", "none");
  return body;
}

QVector<ReplyEvent> ResponsesDecoder::take(QByteArrayView message) {
  // Some servers end the stream as that of Chat Completions ends.
  if (message.trimmed() == "[DONE]") return {cutReply()};
  const QJsonDocument document = QJsonDocument::fromJson(message.toByteArray());
  if (!document.isObject())
    return {malformedReply(translate("A part of the answer is no JSON object."))};
  const QJsonObject event = document.object();
  const QString type = event.value(u"type").toString();
  if (type == u"response.created") {
    begun_ = true;
  } else if (type == u"response.output_text.delta" || type == u"response.refusal.delta") {
    return {TextDelta{event.value(u"delta").toString()}};
  } else if (type == u"response.reasoning_text.delta" ||
             type == u"response.reasoning_summary_text.delta") {
    return {ReasoningDelta{event.value(u"delta").toString()}};
  } else if (type == u"response.output_item.done") {
    const QJsonObject item = event.value(u"item").toObject();
    if (item.value(u"type").toString() != u"function_call") return {};
    called_ = true;
    return {ToolCall{item.value(u"call_id").toString(), item.value(u"name").toString(),
                     item.value(u"arguments").toString()}};
  } else if (type == u"error") {
    const QJsonValue inner = event.value(u"error");
    return {modelFailure(inner.isObject() ? inner.toObject() : event)};
  } else if (type == u"response.completed" || type == u"response.incomplete" ||
             type == u"response.failed") {
    return ended(type, event.value(u"response").toObject());
  }
  // The protocol grows: events that are not known say nothing else.
  if (const auto wait = serverWaitIn(event)) return {*wait};
  if (const auto progress = promptProgressIn(event)) return {*progress};
  return {};
}

QVector<ReplyEvent> ResponsesDecoder::ended(const QString& type,
                                            const QJsonObject& response) const {
  QVector<ReplyEvent> events;
  if (response.value(u"usage").isObject())
    events.append(usageIn(response.value(u"usage").toObject(), "input_tokens", "output_tokens"));
  const QJsonObject timings = response.value(u"timings").toObject();
  if (const auto host = hostTimingsIn(timings)) events.append(*host);
  if (const auto wafer = waferTimingsIn(timings)) events.append(*wafer);
  if (type == u"response.failed") {
    events.append(modelFailure(response.value(u"error").toObject()));
    return events;
  }
  ReplyDone done;
  if (called_) done.reason = ReplyDone::Reason::kToolCalls;
  if (type == u"response.incomplete") {
    const QString reason =
        response.value(u"incomplete_details").toObject().value(u"reason").toString();
    done.reason =
        reason == u"content_filter" ? ReplyDone::Reason::kFiltered : ReplyDone::Reason::kLength;
  }
  events.append(done);
  return events;
}

}  // namespace waferpair::pairing
