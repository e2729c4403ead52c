// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/paced_endpoint.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkReply>
#include <QTcpSocket>
#include <algorithm>
#include <memory>

#include "pairing/endpoints/sse_parser.h"

namespace waferpair::bench {
namespace {

QByteArray chatEvent(const QJsonObject& delta, const QJsonValue& finish) {
  const QJsonObject choice{{"index", 0}, {"delta", delta}, {"finish_reason", finish}};
  return "data: " +
         QJsonDocument(QJsonObject{{"choices", QJsonArray{choice}}})
             .toJson(QJsonDocument::Compact) +
         "\n\n";
}

void send(QTcpSocket* socket, const QByteArray& bytes) {
  socket->write(QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n");
  socket->flush();
}

}  // namespace

PacedEndpoint::PacedEndpoint(QUrl server, QByteArray key, QString model)
    : server_(std::move(server)), key_(std::move(key)), model_(std::move(model)) {
  if (!listener_.listen(QHostAddress::LocalHost)) qFatal("no port");
  connect(&listener_, &QTcpServer::newConnection, this, [this] {
    QTcpSocket* socket = listener_.nextPendingConnection();
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { take(socket); });
  });
}

QUrl PacedEndpoint::base() const {
  return QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(listener_.serverPort()));
}

void PacedEndpoint::setAnswer(const QString& text, int tokens) {
  pieces_.clear();
  for (int i = 0; i < tokens; ++i) {
    const auto from = text.size() * i / tokens;
    const auto to = text.size() * (i + 1) / tokens;
    pieces_ += chatEvent({{"content", text.mid(from, to - from)}}, QJsonValue::Null);
  }
}

void PacedEndpoint::take(QTcpSocket* socket) {
  const QByteArray waiting = socket->peek(64 << 20);
  const auto end = waiting.indexOf("\r\n\r\n");
  if (end < 0) return;
  const QByteArray head = waiting.left(end).toLower();
  const auto field = head.indexOf("content-length:");
  const qint64 length =
      field < 0
          ? 0
          : head.mid(field + 15, head.indexOf('\r', field) - field - 15).trimmed().toLongLong();
  if (waiting.size() < end + 4 + length) return;
  socket->read(end + 4);
  forward(socket, socket->read(length));
}

void PacedEndpoint::forward(QTcpSocket* socket, const QByteArray& body) {
  QJsonObject json = QJsonDocument::fromJson(body).object();
  QJsonObject letters;
  for (char c = 'a'; c <= 'z'; ++c) letters.insert(QString::number(int{c}), 100);
  json.insert("model", model_);
  json.insert("max_tokens", static_cast<int>(pieces_.size()));
  json.remove("max_completion_tokens");
  json.insert("logit_bias", letters);
  json.insert("stream_options", QJsonObject{{"include_usage", true}});
  QNetworkRequest request(QUrl(server_.toString() + "/chat/completions"));
  request.setRawHeader("Authorization", "Bearer " + key_);
  request.setHeader(QNetworkRequest::ContentTypeHeader, "application/json");
  QNetworkReply* reply = network_.post(request, QJsonDocument(json).toJson(QJsonDocument::Compact));
  connect(socket, &QTcpSocket::disconnected, reply, &QNetworkReply::abort);
  connect(reply, &QNetworkReply::finished, reply, &QNetworkReply::deleteLater);

  struct Progress {
    pairing::SseParser parser;
    qsizetype sent = 0;
    bool begun = false;
  };
  auto progress = std::make_shared<Progress>();
  connect(reply, &QNetworkReply::readyRead, socket, [this, reply, socket, progress] {
    if (reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() != 200)
      qFatal("the server says: %s", reply->readAll().constData());
    if (!std::exchange(progress->begun, true))
      socket->write(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: "
          "chunked\r\n\r\n");
    for (const auto& said : progress->parser.feed(reply->readAll())) {
      const QJsonObject chunk = QJsonDocument::fromJson(said.data).object();
      const QJsonObject usage = chunk["usage"].toObject();
      if (!usage.isEmpty()) {
        inputTokens_ = usage["prompt_tokens"].toInteger();
        cachedTokens_ = usage["prompt_tokens_details"].toObject()["cached_tokens"].toInteger();
      }
      // A letter is a token.
      const auto computed = chunk["choices"]
                                .toArray()
                                .at(0)
                                .toObject()["delta"]
                                .toObject()["content"]
                                .toString()
                                .size();
      for (qsizetype i = 0; i < computed && progress->sent < pieces_.size(); ++i)
        send(socket, pieces_[progress->sent++]);
    }
  });
  connect(reply, &QNetworkReply::finished, socket, [this, socket, progress] {
    if (progress->sent != pieces_.size()) qFatal("the answer ended early");
    send(socket, chatEvent({}, "stop"));
    send(socket, "data: [DONE]\n\n");
    socket->write("0\r\n\r\n");
    socket->flush();
    ++answered_;
  });
}

}  // namespace waferpair::bench
