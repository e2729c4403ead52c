// SPDX-License-Identifier: GPL-3.0-or-later
// OpenAI's Responses API: the same bodies and events over HTTP and over a WebSocket.
#pragma once

#include "pairing/endpoints/reply_decoder.h"

namespace waferpair::pairing {

// The body of a request, which is not kept by the server. `stream` is for HTTP only.
QJsonObject responsesBody(const ModelRequest& request, const QString& model);

class ResponsesDecoder : public ReplyDecoder {
 public:
  QVector<ReplyEvent> take(QByteArrayView message) override;
  QVector<ReplyEvent> end() override { return {cutReply()}; }

  // response.created has come. What comes before it on a WebSocket is another reply's.
  bool hasBegun() const { return begun_; }

 private:
  QVector<ReplyEvent> ended(const QString& type, const QJsonObject& response) const;

  bool begun_ = false;
  bool called_ = false;  // a tool
};

}  // namespace waferpair::pairing
