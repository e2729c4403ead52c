// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/http_failure.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QLocale>
#include <QTimeZone>
#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/endpoints/reply_decoder.h"

namespace waferpair::pairing {
namespace {

ReplyFailure failure(ReplyFailure::Kind kind, const QString& what, const QString& remedy) {
  ReplyFailure made;
  made.kind = kind;
  made.what = what;
  made.remedy = remedy;
  return made;
}

// The endpoint's own words, to stand behind our sentence as a part of it.
QString saidIn(const QByteArray& body) {
  constexpr qsizetype kLongest = 500;
  const QJsonObject object = QJsonDocument::fromJson(body).object();
  const QJsonValue error = object.value(u"error");
  QString said = error.isObject() ? error.toObject().value(u"message").toString()
                                  : error.toString(object.value(u"message").toString());
  said = said.simplified().left(kLongest);
  return said.isEmpty() ? QString() : translate(" It says: \"%1\"").arg(said);
}

}  // namespace

ReplyFailure httpFailure(int status, const QByteArray& body, const EndpointAddress& address) {
  using Kind = ReplyFailure::Kind;
  const QString place = address.place();
  const auto with = [&](Kind kind, const QString& what, const QString& remedy) {
    return failure(kind, what + saidIn(body), remedy);
  };
  const QJsonObject error = QJsonDocument::fromJson(body).object().value(u"error").toObject();
  if (auto tooLong =
          contextFailure(error.value(u"message").toString(),
                         error.value(u"code").toString() + u' ' + error.value(u"type").toString());
      tooLong && status < 500) {
    tooLong->what += saidIn(body);
    return *tooLong;
  }
  switch (status) {
    case 401:
    case 403:
      return address.key.isEmpty()
                 ? with(Kind::kKey, translate("The model at %1 wants a key.").arg(place),
                        translate("Enter its key where the model is chosen."))
                 : with(Kind::kKey, translate("The model at %1 refuses the key.").arg(place),
                        translate("Check the key where the model is chosen."));
    case 404:
      return with(
          Kind::kRequest,
          translate("There is no model \"%1\" at %2, or no such API.").arg(address.model, place),
          translate("Check the address and the model's name."));
    case 408:
    case 504:
      return with(Kind::kTimeout, translate("The model at %1 took too long.").arg(place),
                  translate("Ask again, or with less context."));
    case 413:
      return with(Kind::kRequest, translate("That is too long for the model at %1.").arg(place),
                  translate("Ask with less context."));
    case 429:
    case 503:
    case 529:
      return with(Kind::kBusy, translate("The model at %1 is busy.").arg(place),
                  translate("Ask again in a while, or choose another model."));
    default:
      break;
  }
  if (status >= 500) {
    return with(Kind::kServer,
                translate("The server at %1 failed (HTTP %2).").arg(place).arg(status),
                translate("Ask again, or choose another model."));
  }
  return with(
      Kind::kRequest,
      translate("The server at %1 refuses what was asked (HTTP %2).").arg(place).arg(status),
      translate("Choose another model, or ask in another way."));
}

ReplyFailure redirected(const QUrl& target, const EndpointAddress& address) {
  return failure(ReplyFailure::Kind::kRedirected,
                 translate("%1 sends requests on to %2; nothing was sent there.")
                     .arg(address.place(),
                          target.isValid() && !target.host().isEmpty()
                              ? target.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery)
                              : translate("another address")),
                 translate("If you trust that address, enter it as the model's."));
}

ReplyFailure unreachable(const EndpointAddress& address, const QString& why) {
  return failure(ReplyFailure::Kind::kUnreachable,
                 translate("There is no connection to %1: %2.").arg(address.place(), why),
                 address.isLoopback()
                     ? translate("Start the model's server, or choose another model.")
                     : translate("Check the network and the address, or choose another model."));
}

QString connectionProblem(QNetworkReply::NetworkError error, const QString& text) {
  switch (error) {
    case QNetworkReply::ConnectionRefusedError:
      return translate("nobody answers there");
    case QNetworkReply::HostNotFoundError:
      return translate("there is no such host");
    case QNetworkReply::SslHandshakeFailedError:
      return translate("its certificate is not valid");
    case QNetworkReply::RemoteHostClosedError:
      return translate("it hung up");
    default:
      return text;
  }
}

ReplyFailure connectionFailure(QNetworkReply::NetworkError error, const QString& text,
                               const EndpointAddress& address) {
  switch (error) {
    case QNetworkReply::RemoteHostClosedError:
      return cutReply();
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::ProtocolUnknownError:
      return malformedReply(
          translate("What answers at %1 does not speak HTTP as a model's API does.")
              .arg(address.place()));
    default:
      return unreachable(address, connectionProblem(error, text));
  }
}

std::optional<std::chrono::milliseconds> retryAfter(const QByteArray& header,
                                                    const QDateTime& now) {
  constexpr qint64 kLongestMs = 24LL * 3600 * 1000;
  const QByteArray text = header.trimmed();
  bool isNumber = false;
  const qint64 seconds = text.toLongLong(&isNumber);
  if (isNumber) {
    if (seconds < 0) return {};
    return std::chrono::milliseconds(std::min(seconds, kLongestMs / 1000) * 1000);
  }
  QDateTime date = QLocale::c().toDateTime(QString::fromLatin1(text),
                                           QStringLiteral("ddd, dd MMM yyyy hh:mm:ss 'GMT'"));
  if (!date.isValid()) return {};
  date.setTimeZone(QTimeZone::utc());
  return std::chrono::milliseconds(std::clamp<qint64>(now.msecsTo(date), 0, kLongestMs));
}

QVector<ReplyEvent> withoutKey(QVector<ReplyEvent> events, const QByteArray& key) {
  if (key.isEmpty()) return events;
  for (ReplyEvent& event : events) {
    if (auto* failure = std::get_if<ReplyFailure>(&event))
      failure->what.replace(QString::fromUtf8(key), translate("(the key)"));
  }
  return events;
}

}  // namespace waferpair::pairing
