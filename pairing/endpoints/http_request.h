// SPDX-License-Identifier: GPL-3.0-or-later
// Sends requests over HTTP as all of them are sent: none follows a redirection, keeps a cookie or
// goes through a proxy to this computer itself.
#pragma once

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <memory>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

QNetworkRequest plainRequest(const QUrl& url);
// With the address's key; `path` is below its base.
QNetworkRequest requestTo(const EndpointAddress& address, const QString& path);

// Has a model's server tell how far it has read the prompt, as waferd and llama-server do. Those of
// the web (https) are not asked: some refuse a field that they do not know.
inline constexpr QStringView kReturnProgress = u"return_progress";
void wantProgress(QJsonObject* body, const EndpointAddress& address);

std::shared_ptr<QNetworkAccessManager> networkFor(const QUrl& base);

// 0: nothing was answered.
int statusOf(const QNetworkReply& reply);
bool isSuccess(int status);

// Ends the request, if there is one; `listener` hears nothing more of it.
void letGo(QNetworkReply*& reply, const QObject* listener);

// Tells why a reply that has ended, or whose status is no success, did not bring what was asked
// for. `body` is what came with it.
ReplyFailure failureOf(const QNetworkReply& reply, const QByteArray& body,
                       const EndpointAddress& address);

}  // namespace waferpair::pairing
