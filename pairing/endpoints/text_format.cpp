// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/text_format.h"

#include <QJsonArray>
#include <QJsonDocument>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

// The logarithm of the probability of a chunk's tokens: OpenAI's lists, or as llama-server has it,
// the objects of Chat Completions.
std::optional<double> chanceIn(const QJsonObject& told) {
  double sum = 0;
  bool isKnown = false;
  const auto add = [&](const QJsonValue& value) {
    if (!value.isDouble() || value.toDouble() > 0) return false;
    sum += value.toDouble();
    return isKnown = true;
  };
  for (const QJsonValueConstRef value : told.value(u"token_logprobs").toArray())
    if (!add(value)) return {};
  if (isKnown) return sum;
  for (const QJsonValueConstRef value : told.value(u"content").toArray())
    if (!add(value.toObject().value(u"logprob"))) return {};
  return isKnown ? std::optional(sum) : std::nullopt;
}

}  // namespace

QJsonObject textBody(const TextRequest& request, const QString& model) {
  // "raw" is waferd's: the prompt's tokens are as it spells them, which is so elsewhere.
  return {{"model", model},
          {"prompt", QString::fromUtf8(request.prompt)},
          {"max_tokens", request.mostTokens},
          {"temperature", 0},
          {"stop", QJsonArray::fromStringList(request.stop)},
          {"logprobs", 1},
          {"raw", true},
          {"stream", true}};
}

QVector<ReplyEvent> TextDecoder::take(QByteArrayView message) {
  if (message.trimmed() == "[DONE]") return end();
  const QJsonDocument document = QJsonDocument::fromJson(message.toByteArray());
  if (!document.isObject())
    return {malformedReply(translate("A part of the answer is no JSON object."))};
  const QJsonObject chunk = document.object();
  if (chunk.value(u"error").isObject()) return {modelFailure(chunk.value(u"error").toObject())};
  QVector<ReplyEvent> events;
  const QJsonObject choice = chunk.value(u"choices").toArray().at(0).toObject();
  const auto chance = chanceIn(choice.value(u"logprobs").toObject());
  if (const QString text = choice.value(u"text").toString(); !text.isEmpty() || chance)
    events.append(TextDelta{text, chance});
  if (const QString finish = choice.value(u"finish_reason").toString(); !finish.isEmpty()) {
    done_ =
        ReplyDone{finish == u"length" ? ReplyDone::Reason::kLength : ReplyDone::Reason::kComplete};
  }
  if (chunk.value(u"usage").isObject())
    events.append(usageIn(chunk.value(u"usage").toObject(), "prompt_tokens", "completion_tokens"));
  if (const auto host = hostTimingsIn(chunk.value(u"timings").toObject())) events.append(*host);
  return events;
}

// Some servers close the stream without "[DONE]".
QVector<ReplyEvent> TextDecoder::end() {
  if (!done_) return {cutReply()};
  return {*done_};
}

}  // namespace waferpair::pairing
