// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/reply_decoder.h"

#include <QLocale>
#include <QRegularExpression>

#include "editor/text/translate.h"

namespace waferpair::pairing {

ReplyFailure malformedReply(const QString& what) {
  ReplyFailure failure;
  failure.kind = ReplyFailure::Kind::kMalformed;
  failure.what = what;
  failure.remedy = translate("Check that the address is that of a model's API.");
  return failure;
}

ReplyFailure cutReply() {
  ReplyFailure failure;
  failure.kind = ReplyFailure::Kind::kCut;
  failure.what = translate("The connection ended before the answer did.");
  failure.remedy = translate("Ask again.");
  return failure;
}

ReplyFailure modelFailure(const QJsonObject& error) {
  constexpr qsizetype kLongest = 500;
  ReplyFailure failure;
  const QString message = error.value(u"message").toString().simplified();
  const QString code = error.value(u"code").toString();
  const QString type = error.value(u"type").toString();
  const auto names = [&](const char* word) {
    return code.contains(QLatin1String(word)) || type.contains(QLatin1String(word));
  };
  if (auto tooLong = contextFailure(message, code)) {
    tooLong->what += translate(" It says: \"%1\"").arg(message.left(kLongest));
    return *tooLong;
  }
  failure.what = message.isEmpty()
                     ? translate("The model failed and does not say why.")
                     : translate("The model's server says: \"%1\"").arg(message.left(kLongest));
  if (names("rate_limit") || names("overloaded")) {
    failure.kind = ReplyFailure::Kind::kBusy;
    failure.remedy = translate("Ask again in a while.");
  } else if (names("invalid_request")) {
    failure.kind = ReplyFailure::Kind::kRequest;
    failure.remedy = translate("Ask with less context, or choose another model.");
  } else {
    failure.kind = ReplyFailure::Kind::kServer;
    failure.remedy = translate("Ask again, or choose another model.");
  }
  return failure;
}

std::optional<ReplyFailure> contextFailure(const QString& message, const QString& code) {
  static const QRegularExpression told(
      QStringLiteral("(?:context[ _](?:length|size|window)|n_ctx)[^0-9]{0,40}([0-9][0-9,]{2,9})"),
      QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression exceeded(
      QStringLiteral("exceed|too (?:long|large)|longer than|maximum|more than"),
      QRegularExpression::CaseInsensitiveOption);
  const QRegularExpressionMatch size = told.match(message);
  const bool isNamed = code.contains(u"context_length") || code.contains(u"exceed_context_size");
  if (!isNamed && !(size.hasMatch() && exceeded.match(message).hasMatch())) return {};
  ReplyFailure failure;
  failure.kind = ReplyFailure::Kind::kRequest;
  const qint64 tokens = size.captured(1).remove(u',').toLongLong();
  failure.what = tokens > 0
                     ? translate("What was asked is longer than the model's context of %1 tokens.")
                           .arg(QLocale().toString(tokens))
                     : translate("What was asked is longer than the model's context.");
  failure.remedy = translate(
      "Ask with less, or enter the size as the model's context where it is chosen, so that less "
      "goes along.");
  return failure;
}

TokenUsage usageIn(const QJsonObject& usage, const char* input, const char* output) {
  const auto count = [&](const char* name) {
    return usage.value(QLatin1String(name)).toInteger(-1);
  };
  const auto detail = [&](const char* of, const char* name) {
    const QString details = QLatin1String(of) + QStringLiteral("_details");
    return usage.value(details).toObject().value(QLatin1String(name)).toInteger(-1);
  };
  return {count(input), detail(input, "cached_tokens"), count(output),
          detail(output, "reasoning_tokens")};
}

std::optional<ServerWait> serverWaitIn(const QJsonObject& event) {
  const QJsonObject told = event.value(u"waiting").toObject();
  const QString what = told.value(u"for").toString();
  if (what == u"queue") return ServerWait{};
  if (what != u"model") return {};
  const double loaded = told.value(u"loaded").toDouble(-1);
  ServerWait wait{ServerWait::For::kModel, {}};
  if (loaded >= 0 && loaded <= 1) wait.loaded = loaded;
  return wait;
}

std::optional<PromptProgress> promptProgressIn(const QJsonObject& event) {
  const QJsonObject told = event.value(u"prompt_progress").toObject();
  const PromptProgress progress{told.value(u"total").toInteger(), told.value(u"cache").toInteger(),
                                told.value(u"processed").toInteger()};
  const bool isSound = progress.tokens > 0 && progress.cached >= 0 && progress.read >= 0 &&
                       progress.cached <= progress.tokens && progress.read <= progress.tokens;
  if (!isSound) return {};
  return progress;
}

std::optional<double> measureIn(const QJsonValue& value) {
  if (!value.isDouble() || !(value.toDouble() > 0 && value.toDouble() < 1e12)) return {};
  return value.toDouble();
}

std::optional<HostTimings> hostTimingsIn(const QJsonObject& timings) {
  const QJsonValue host = timings.value(u"host");
  const HostTimings told{measureIn(host.isObject() ? host.toObject().value(u"tokens_per_second")
                                                   : timings.value(u"predicted_per_second"))};
  if (!told.tokensPerSecond) return {};
  return told;
}

}  // namespace waferpair::pairing
