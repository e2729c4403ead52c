// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the user what an HTTP status or a failed connection means, and what to do.
#pragma once

#include <QAbstractSocket>
#include <QNetworkReply>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// The answer to a request that was not taken. `body` may be anything; what it says of itself is
// told if it is JSON with an "error".
ReplyFailure httpFailure(int status, const QByteArray& body, const EndpointAddress& address);
// Redirections are not followed: text goes where the user said, and nowhere else.
ReplyFailure redirected(const QUrl& target, const EndpointAddress& address);
ReplyFailure connectionFailure(QNetworkReply::NetworkError error, const QString& text,
                               const EndpointAddress& address);
// "nobody answers there"; `text` where nothing more is known.
QString connectionProblem(QNetworkReply::NetworkError error, const QString& text);
ReplyFailure unreachable(const EndpointAddress& address, const QString& why);

// "120" (seconds) or a date as HTTP has them; `now` is UTC. None: it is neither. At most a day.
std::optional<std::chrono::milliseconds> retryAfter(const QByteArray& header, const QDateTime& now);

// Servers may quote the key in what they say; it is told nobody.
QVector<ReplyEvent> withoutKey(QVector<ReplyEvent> events, const QByteArray& key);

}  // namespace waferpair::pairing
