// SPDX-License-Identifier: GPL-3.0-or-later
// A reply that streams in over HTTP as server-sent events.
#pragma once

#include <QNetworkAccessManager>

#include "pairing/endpoints/reply_decoder.h"
#include "pairing/endpoints/sse_parser.h"

class QNetworkReply;

namespace waferpair::pairing {

class HttpReply : public ModelReply {
  Q_OBJECT
 public:
  // Posts `body` to `path` below the address's base. `waitsOut`: as ModelRequest has it.
  HttpReply(std::shared_ptr<QNetworkAccessManager> network, EndpointAddress address,
            const QString& path, const QJsonObject& body, std::unique_ptr<ReplyDecoder> decoder,
            ReplyPatience patience, bool waitsOut = false);
  ~HttpReply() override;

 protected:
  void hangUp() override;

 private:
  void post();
  void read();
  void readEvents();
  void takeMessages(const QVector<SseEvent>& events);
  void ended();
  void refuse();
  void waitOut(std::chrono::milliseconds time);
  void fail(const ReplyFailure& failure);

  std::shared_ptr<QNetworkAccessManager> network_;
  EndpointAddress address_;
  QString path_;
  QJsonObject body_;
  std::unique_ptr<ReplyDecoder> decoder_;
  SseParser events_;
  QNetworkReply* reply_ = nullptr;  // null: none yet, or let go
  QByteArray refusal_;              // what comes with a status that is no success
  bool waitsOut_;
  int waits_ = 0;       // that were waited out
  QTimer again_{this};  // while one is
};

}  // namespace waferpair::pairing
