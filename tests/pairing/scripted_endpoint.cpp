// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/pairing/scripted_endpoint.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTcpSocket>
#include <QWebSocket>

namespace waferpair::pairing {

namespace {

void sendChunks(QTcpSocket* socket, const QByteArrayList& pieces) {
  for (const QByteArray& piece : pieces) {
    socket->write(QByteArray::number(piece.size(), 16) + "\r\n" + piece + "\r\n");
    socket->flush();
  }
}

}  // namespace

ScriptedEndpoint::ScriptedEndpoint() {
  if (!server_.listen(QHostAddress::LocalHost)) qFatal("no port");
  connect(&server_, &QTcpServer::newConnection, this, [this] {
    QTcpSocket* socket = server_.nextPendingConnection();
    // As model servers do: else a small piece waits for the word that the one before it came.
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    ++*open_;
    ++connections_;
    connect(socket, &QTcpSocket::disconnected, [open = open_] { --*open; });
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { take(socket); });
  });
  connect(&sockets_, &QWebSocketServer::newConnection, this, &ScriptedEndpoint::takeSocket);
}

// Its sockets end with the servers, and would tell an object that is half gone.
ScriptedEndpoint::~ScriptedEndpoint() {
  for (QTcpSocket* socket : server_.findChildren<QTcpSocket*>()) socket->disconnect(this);
  for (QWebSocket* socket : openSockets_) socket->disconnect(this);
  // Nobody else owns these: handleConnection() gives them no parent.
  qDeleteAll(openSockets_);
}

QUrl ScriptedEndpoint::base() const {
  return QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(server_.serverPort()));
}

void ScriptedEndpoint::closeSockets() {
  for (QWebSocket* socket : std::exchange(openSockets_, {})) socket->close();
}

void ScriptedEndpoint::take(QTcpSocket* socket) {
  const QByteArray waiting = socket->peek(64 << 20);
  const qsizetype end = waiting.indexOf("\r\n\r\n");
  if (end < 0) return;
  Request request;
  const QByteArrayList lines = waiting.left(end).split('\n');
  const QByteArrayList first = lines.first().trimmed().split(' ');
  request.method = first.value(0);
  request.path = first.value(1);
  for (const QByteArray& line : lines.mid(1)) {
    const qsizetype colon = line.indexOf(':');
    request.headers.insert(line.left(colon).toLower(), line.mid(colon + 1).trimmed());
  }
  if (request.headers.value("upgrade").toLower() == "websocket") {
    socket->disconnect(this);
    if (refusal_ != 0) {
      socket->write("HTTP/1.1 " + QByteArray::number(refusal_) +
                    " No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      socket->disconnectFromHost();
      return;
    }
    upgrade_ = request;
    sockets_.handleConnection(socket);
    Q_EMIT socket->readyRead();
    return;
  }
  const qsizetype length = request.headers.value("content-length").toLongLong();
  if (waiting.size() < end + 4 + length) return;
  socket->read(end + 4);
  request.body = QJsonDocument::fromJson(socket->read(length)).object();
  requests_.append(request);
  answer(socket);
}

void ScriptedEndpoint::answer(QTcpSocket* socket) {
  const Reply reply = nextReply();
  if (reply.silent) return;
  if (!reply.raw) {
    socket->write("HTTP/1.1 " + QByteArray::number(reply.status) + " Scripted\r\n");
    for (const QByteArray& header : reply.headers) socket->write(header + "\r\n");
    socket->write("Transfer-Encoding: chunked\r\n\r\n");
  }
  if (reply.raw) {
    for (const QByteArray& piece : reply.pieces) {
      socket->write(piece);
      socket->flush();
    }
  } else {
    sendChunks(socket, reply.pieces);
  }
  if (reply.then == Then::kStall) stalled_ = socket;
  if (reply.then == Then::kEnd && !reply.raw) socket->write("0\r\n\r\n");
  if (reply.then == Then::kCut || (reply.raw && reply.then == Then::kEnd))
    socket->disconnectFromHost();
}

void ScriptedEndpoint::goOn(const QByteArrayList& pieces) {
  sendChunks(stalled_, pieces);
  stalled_->write("0\r\n\r\n");
}

void ScriptedEndpoint::say(const QByteArray& piece) {
  if (stalled_) return sendChunks(stalled_, {piece});
  stalledSocket_->sendTextMessage(QString::fromUtf8(piece));
  stalledSocket_->flush();
}

void ScriptedEndpoint::takeSocket() {
  QWebSocket* socket = sockets_.nextPendingConnection();
  openSockets_.append(socket);
  connect(socket, &QWebSocket::disconnected, this, [this, socket] {
    openSockets_.removeAll(socket);
    socket->deleteLater();
  });
  connect(socket, &QWebSocket::textMessageReceived, this,
          [this, socket, request = upgrade_](const QString& message) mutable {
            request.body = QJsonDocument::fromJson(message.toUtf8()).object();
            request.onSocket = true;
            requests_.append(request);
            const Reply reply = nextReply();
            if (reply.silent) return;
            for (const QByteArray& piece : reply.pieces) {
              if (reply.binary) {
                socket->sendBinaryMessage(piece);
              } else {
                socket->sendTextMessage(QString::fromUtf8(piece));
              }
            }
            socket->flush();
            if (reply.then == Then::kStall) stalledSocket_ = socket;
            if (reply.then == Then::kCut) socket->abort();
          });
}

ScriptedEndpoint::Reply ScriptedEndpoint::nextReply() {
  if (!replies_.isEmpty()) return replies_.takeFirst();
  Reply silent;
  silent.silent = true;
  return silent;
}

QByteArray sse(const QByteArray& json) { return "data: " + json + "\n\n"; }

QByteArray chatText(const QByteArray& text) {
  return sse(R"({"choices":[{"index":0,"delta":{"content":")" + text + R"("}}]})");
}

QByteArray chatFinish(const QByteArray& reason) {
  return sse(R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + reason + R"("}]})");
}

QByteArray chatCall(int index, const QString& id, const QString& name, const QString& arguments) {
  QJsonObject function{{"arguments", arguments}};
  QJsonObject call{{"index", index}};
  if (!name.isEmpty()) {
    function.insert("name", name);
    call.insert("type", "function");
  }
  if (!id.isEmpty()) call.insert("id", id);
  call.insert("function", function);
  const QJsonObject delta{{"tool_calls", QJsonArray{call}}};
  const QJsonObject choice{{"index", 0}, {"delta", delta}};
  return sse(
      QJsonDocument(QJsonObject{{"choices", QJsonArray{choice}}}).toJson(QJsonDocument::Compact));
}

static QByteArray reading(int read, int tokens) {
  return R"("prompt_progress":{"total":)" + QByteArray::number(tokens) +
         R"(,"cache":0,"processed":)" + QByteArray::number(read) + R"(,"time_ms":1})";
}

QByteArray chatReading(int read, int tokens) {
  return sse(R"({"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],)" +
             reading(read, tokens) + "}");
}

QByteArray responseReading(int read, int tokens) {
  return R"({"type":"response.prompt_progress",)" + reading(read, tokens) + "}";
}

QByteArray responseText(const QByteArray& text) {
  return R"({"type":"response.output_text.delta","delta":")" + text + R"("})";
}

QByteArray responseCompleted() {
  return R"({"type":"response.completed","response":{"status":"completed","usage":{)"
         R"("input_tokens":7,"input_tokens_details":{"cached_tokens":4},"output_tokens":3,)"
         R"("output_tokens_details":{"reasoning_tokens":1}}}})";
}

ScriptedEndpoint::Reply chatReply(QByteArray text) {
  return {.pieces = {chatText(text.replace("\n", "\\n")), chatFinish("stop"), sse("[DONE]")}};
}

ScriptedEndpoint::Reply chatBeginning(QByteArray text) {
  return {.pieces = {chatText(text.replace("\n", "\\n"))}, .then = ScriptedEndpoint::Then::kStall};
}

QByteArray searchReplaceBlock(const QByteArray& file, const QByteArray& from,
                              const QByteArray& to) {
  return file + "\n<<<<<<< SEARCH\n" + from + "=======\n" + to + ">>>>>>> REPLACE\n";
}

}  // namespace waferpair::pairing
