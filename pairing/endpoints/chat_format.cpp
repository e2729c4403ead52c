// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/chat_format.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

QJsonObject messageFor(const InputItem& item) {
  switch (item.kind) {
    case InputItem::Kind::kUser:
      return {{"role", "user"}, {"content", item.text}};
    case InputItem::Kind::kAssistant:
      return {{"role", "assistant"}, {"content", item.text}};
    case InputItem::Kind::kToolOutput:
      return {{"role", "tool"}, {"tool_call_id", item.call.id}, {"content", item.text}};
    case InputItem::Kind::kToolCall:
      break;
  }
  const QJsonObject function{{"name", item.call.name}, {"arguments", item.call.arguments}};
  const QJsonObject call{{"id", item.call.id}, {"type", "function"}, {"function", function}};
  return {{"role", "assistant"}, {"content", QJsonValue::Null}, {"tool_calls", QJsonArray{call}}};
}

ReplyDone::Reason reasonFor(const QString& finish) {
  if (finish == u"length") return ReplyDone::Reason::kLength;
  if (finish == u"tool_calls" || finish == u"function_call") return ReplyDone::Reason::kToolCalls;
  if (finish == u"content_filter") return ReplyDone::Reason::kFiltered;
  return ReplyDone::Reason::kComplete;
}

}  // namespace

QJsonObject chatBody(const ModelRequest& request, const QString& model) {
  QJsonArray messages;
  if (!request.instructions.isEmpty())
    messages.append(QJsonObject{{"role", "system"}, {"content", request.instructions}});
  for (const InputItem& item : request.input) {
    QJsonObject message = messageFor(item);
    // Calls that were made together are one message, with what was said before them.
    if (item.kind == InputItem::Kind::kToolCall && !messages.isEmpty()) {
      QJsonObject last = messages.last().toObject();
      if (last.value(u"role").toString() == u"assistant") {
        QJsonArray calls = last.value(u"tool_calls").toArray();
        calls.append(message.value(u"tool_calls").toArray().first());
        last.insert(u"tool_calls", calls);
        messages.replace(messages.size() - 1, last);
        continue;
      }
    }
    messages.append(message);
  }
  QJsonObject body{{"model", model},
                   {"messages", messages},
                   {"stream", true},
                   {"stream_options", QJsonObject{{"include_usage", true}}}};
  if (request.mostOutputTokens) body.insert(u"max_tokens", *request.mostOutputTokens);
  if (request.temperature) body.insert(u"temperature", *request.temperature);
  if (!request.grammar.isEmpty()) body.insert(u"grammar", request.grammar);
  QJsonArray tools;
  for (const Tool& tool : request.tools) {
    const QJsonObject function{
        {"name", tool.name}, {"description", tool.description}, {"parameters", tool.parameters}};
    tools.append(QJsonObject{{"type", "function"}, {"function", function}});
  }
  if (!tools.isEmpty()) body.insert(u"tools", tools);
  if (!tools.isEmpty() && !request.mayCallTools) body.insert(u"tool_choice", "none");
  return body;
}

QVector<ReplyEvent> ChatDecoder::take(QByteArrayView message) {
  if (message.trimmed() == "[DONE]") return done();
  const QJsonDocument document = QJsonDocument::fromJson(message.toByteArray());
  if (!document.isObject())
    return {malformedReply(translate("A part of the answer is no JSON object."))};
  const QJsonObject chunk = document.object();
  if (chunk.value(u"error").isObject()) return {modelFailure(chunk.value(u"error").toObject())};
  QVector<ReplyEvent> events;
  if (const auto progress = promptProgressIn(chunk)) events.append(*progress);
  const QJsonObject choice = chunk.value(u"choices").toArray().at(0).toObject();
  const QJsonObject delta = choice.value(u"delta").toObject();
  for (const char* key : {"reasoning_content", "reasoning"}) {
    const QString thought = delta.value(QLatin1String(key)).toString();
    if (thought.isEmpty()) continue;
    events.append(ReasoningDelta{thought});
    break;
  }
  if (const QString text = delta.value(u"content").toString(); !text.isEmpty())
    events.append(TextDelta{text});
  if (!takeCalls(delta)) return {malformedReply(translate("A tool call of the answer is wrong."))};
  if (isFull_) {
    done_ = ReplyDone{ReplyDone::Reason::kToolCalls};
    return events + done();
  }
  if (const QString finish = choice.value(u"finish_reason").toString(); !finish.isEmpty())
    done_ = ReplyDone{reasonFor(finish)};
  if (chunk.value(u"usage").isObject())
    events.append(usageIn(chunk.value(u"usage").toObject(), "prompt_tokens", "completion_tokens"));
  if (const auto host = hostTimingsIn(chunk.value(u"timings").toObject())) events.append(*host);
  return events;
}

// A call comes in pieces: its name first, then its arguments bit by bit.
bool ChatDecoder::takeCalls(const QJsonObject& delta) {
  for (const QJsonValueConstRef value : delta.value(u"tool_calls").toArray()) {
    const QJsonObject piece = value.toObject();
    const int index = piece.value(u"index").toInt(static_cast<int>(calls_.size()));
    if (index < 0 || index > calls_.size()) return false;
    if (index >= kMostCalls) {
      isFull_ = true;
      return true;
    }
    if (index == calls_.size()) calls_.append(ToolCall{});
    ToolCall& call = calls_[index];
    const QJsonObject function = piece.value(u"function").toObject();
    if (const QString id = piece.value(u"id").toString(); !id.isEmpty()) call.id = id;
    if (const QString name = function.value(u"name").toString(); !name.isEmpty()) call.name = name;
    call.arguments += function.value(u"arguments").toString();
    callBytes_ += function.value(u"arguments").toString().size();
    if (callBytes_ > ModelReply::kMostText) return false;
  }
  return true;
}

QVector<ReplyEvent> ChatDecoder::done() {
  QVector<ReplyEvent> events;
  for (ToolCall& call : std::exchange(calls_, {})) events.append(std::move(call));
  events.append(done_.value_or(ReplyDone{}));
  return events;
}

// Some servers close the stream without "[DONE]".
QVector<ReplyEvent> ChatDecoder::end() {
  if (!done_) return {cutReply()};
  return done();
}

}  // namespace waferpair::pairing
