// SPDX-License-Identifier: GPL-3.0-or-later
// A reply that streams in over the WebSocket of the Responses API: one response at a time on a
// socket. A socket whose reply was seen to its end serves the next one; any other is closed, for
// what is left on it would be taken for an answer to the next request. A server that has no sockets
// (426) is asked over server-sent events instead.
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QWebSocket>
#include <functional>

#include "pairing/endpoints/responses_format.h"

namespace waferpair::pairing {

// Keeps at most one open socket that waits for a request.
class IdleSocket {
 public:
  IdleSocket() = default;
  ~IdleSocket();
  IdleSocket(const IdleSocket&) = delete;
  IdleSocket& operator=(const IdleSocket&) = delete;

  // Returns a socket that is still open, or null. The caller owns it.
  QWebSocket* take();
  // `age`: since it was opened.
  void keep(QWebSocket* socket, const QElapsedTimer& age);
  // The age of the socket that was taken last.
  const QElapsedTimer& age() const { return age_; }
  // The server has no sockets.
  void refuse() { isRefused_ = true; }
  bool isRefused() const { return isRefused_; }

 private:
  QPointer<QWebSocket> socket_;
  QElapsedTimer age_;
  bool isRefused_ = false;
};

class SocketReply : public ModelReply {
  Q_OBJECT
 public:
  // Asks for the same over server-sent events.
  using AskOverEvents = std::function<std::unique_ptr<ModelReply>()>;

  SocketReply(std::shared_ptr<IdleSocket> idle, EndpointAddress address, const QJsonObject& message,
              AskOverEvents askOverEvents, ReplyPatience patience);
  ~SocketReply() override;

 protected:
  void hangUp() override;

 private:
  void open();
  void use(QWebSocket* socket);
  void takeMessage(const QString& message);
  void lost();
  void fallBack();

  std::shared_ptr<IdleSocket> idle_;
  EndpointAddress address_;
  QString message_;
  ResponsesDecoder decoder_;
  AskOverEvents askOverEvents_;
  std::unique_ptr<ModelReply> overEvents_;  // carries this one, where there is no socket
  QWebSocket* socket_ = nullptr;
  QElapsedTimer age_;
  bool reused_ = false;
  bool isConnected_ = false;
  bool anythingCame_ = false;
  bool isAtItsEnd_ = false;  // nothing of this reply is left to come
};

}  // namespace waferpair::pairing
