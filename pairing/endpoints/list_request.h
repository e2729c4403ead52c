// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a server for a list by one GET: no redirects are followed, no cookies kept, and no more is
// read than a list may have. One thread, with an event loop.
#pragma once

#include <QNetworkAccessManager>
#include <chrono>

#include "pairing/request/endpoint.h"

class QNetworkReply;

namespace waferpair::pairing {

class ListRequest : public QObject {
  Q_OBJECT
 public:
  // `path` is below the address's base.
  ListRequest(const EndpointAddress& address, const QString& path,
              std::chrono::milliseconds patience, QObject* parent = nullptr);
  // Ends it; no signal follows.
  ~ListRequest() override;

 Q_SIGNALS:
  // One of the two, once, never within the constructor.
  void arrived(const QByteArray& body);
  void failed(const waferpair::pairing::ReplyFailure& failure);

 private:
  void read();
  void ended();
  void fail(const ReplyFailure& failure);

  EndpointAddress address_;
  std::shared_ptr<QNetworkAccessManager> network_;
  QTimer deadline_{this};
  QNetworkReply* reply_ = nullptr;  // null: none, or over
  QByteArray body_;
};

}  // namespace waferpair::pairing
