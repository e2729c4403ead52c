// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/http_request.h"

#include <QDateTime>
#include <QNetworkProxy>
#include <utility>

#include "pairing/endpoints/http_failure.h"

namespace waferpair::pairing {

QNetworkRequest plainRequest(const QUrl& url) {
  QNetworkRequest request(url);
  request.setRawHeader("User-Agent", "waferpair");
  request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                       QNetworkRequest::ManualRedirectPolicy);
  request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
  request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
  return request;
}

QNetworkRequest requestTo(const EndpointAddress& address, const QString& path) {
  QUrl url = address.base;
  QString base = url.path();
  while (base.endsWith(u'/')) base.chop(1);
  url.setPath(base + path);
  QNetworkRequest request = plainRequest(url);
  if (!address.key.isEmpty()) request.setRawHeader("Authorization", "Bearer " + address.key);
  return request;
}

void wantProgress(QJsonObject* body, const EndpointAddress& address) {
  if (address.isLoopback() || address.base.scheme() == u"http") body->insert(kReturnProgress, true);
}

std::shared_ptr<QNetworkAccessManager> networkFor(const QUrl& base) {
  auto network = std::make_shared<QNetworkAccessManager>();
  if (isLoopback(base)) network->setProxy(QNetworkProxy::NoProxy);
  return network;
}

int statusOf(const QNetworkReply& reply) {
  return reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

bool isSuccess(int status) { return status >= 200 && status < 300; }

void letGo(QNetworkReply*& reply, const QObject* listener) {
  QNetworkReply* ended = std::exchange(reply, nullptr);
  if (!ended) return;
  ended->disconnect(listener);
  ended->abort();
  ended->deleteLater();
}

ReplyFailure failureOf(const QNetworkReply& reply, const QByteArray& body,
                       const EndpointAddress& address) {
  const int status = statusOf(reply);
  if (status == 0) return connectionFailure(reply.error(), reply.errorString(), address);
  if (status >= 300 && status < 400) {
    const QUrl target = reply.header(QNetworkRequest::LocationHeader).toUrl();
    return redirected(reply.url().resolved(target), address);
  }
  ReplyFailure failure = httpFailure(status, body, address);
  if (failure.kind == ReplyFailure::Kind::kBusy)
    failure.retryAfter =
        retryAfter(reply.rawHeader("Retry-After"), QDateTime::currentDateTimeUtc());
  return failure;
}

}  // namespace waferpair::pairing
