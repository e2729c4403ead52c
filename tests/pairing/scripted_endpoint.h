// SPDX-License-Identifier: GPL-3.0-or-later
// A model's endpoint on a real socket that answers what a test tells it to, and misbehaves on
// demand. Over HTTP and over WebSockets, at one port.
#pragma once

#include <QJsonObject>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>
#include <QWebSocketServer>
#include <memory>

class QWebSocket;

namespace waferpair::pairing {

class ScriptedEndpoint : public QObject {
  Q_OBJECT
 public:
  enum class Then {
    kEnd,    // as it should be
    kCut,    // the connection goes, the body being unfinished
    kStall,  // nothing more comes
  };
  struct Reply {
    QByteArrayList pieces;  // of the body, or messages of a WebSocket; each is sent by itself
    Then then = Then::kEnd;
    int status = 200;
    QByteArrayList headers = {"Content-Type: text/event-stream"};
    bool silent = false;  // not even a status comes
    bool raw = false;     // the pieces are all that comes: no status, no headers
    bool binary = false;  // the messages of a WebSocket are not text
  };
  struct Request {
    QByteArray method;
    QByteArray path;
    QMap<QByteArray, QByteArray> headers;  // names in lower case
    QJsonObject body;
    bool onSocket = false;
  };

  ScriptedEndpoint();
  ~ScriptedEndpoint() override;

  QUrl base() const;
  // Requests are answered in this order; one without a reply is silent.
  void script(const Reply& reply) { replies_.append(reply); }
  // Replies that no request has taken yet are not sent.
  void forgetScript() { replies_.clear(); }
  // The last reply over HTTP that stalls goes on with these pieces, and ends as it should.
  void goOn(const QByteArrayList& pieces);
  // The last reply that stalls, over HTTP or a WebSocket, goes on with this piece, and stalls.
  void say(const QByteArray& piece);
  // A WebSocket is refused with this status; 0: it is not.
  void refuseSockets(int status) { refusal_ = status; }
  // Closes the WebSockets that are open.
  void closeSockets();

  const QVector<Request>& requests() const { return requests_; }
  int openConnections() const { return *open_; }
  int connections() const { return connections_; }

 private:
  void take(QTcpSocket* socket);
  void answer(QTcpSocket* socket);
  void takeSocket();
  Reply nextReply();

  QTcpServer server_;
  QWebSocketServer sockets_{QStringLiteral("scripted"), QWebSocketServer::NonSecureMode};
  QVector<QWebSocket*> openSockets_;
  QPointer<QTcpSocket> stalled_;
  QPointer<QWebSocket> stalledSocket_;
  QVector<Reply> replies_;
  QVector<Request> requests_;
  Request upgrade_;
  int refusal_ = 0;
  std::shared_ptr<int> open_ = std::make_shared<int>(0);  // sockets may outlive this
  int connections_ = 0;
};

// Messages as the protocols have them, for scripts.
QByteArray sse(const QByteArray& json);
QByteArray chatText(const QByteArray& text);
QByteArray chatFinish(const QByteArray& reason);
// A call of a tool, or a piece of one: all but the first have more of the arguments alone.
QByteArray chatCall(int index, const QString& id, const QString& name, const QString& arguments);
// So many tokens of the prompt, of which there are so many, have been read.
QByteArray chatReading(int read, int tokens);
QByteArray responseReading(int read, int tokens);
QByteArray responseText(const QByteArray& text);
QByteArray responseCompleted();

// A whole answer over Chat Completions, and one after whose beginning nothing comes.
ScriptedEndpoint::Reply chatReply(QByteArray text);
ScriptedEndpoint::Reply chatBeginning(QByteArray text);
// A change of a file as models write it; `from` and `to` are whole lines.
QByteArray searchReplaceBlock(const QByteArray& file, const QByteArray& from, const QByteArray& to);

}  // namespace waferpair::pairing
