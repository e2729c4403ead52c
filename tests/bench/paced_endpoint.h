// SPDX-License-Identifier: GPL-3.0-or-later
// An endpoint that speaks Chat Completions at the pace of a real model and says what a bench wants:
// each request goes on to a model server, and for each token of its answer the next piece of the
// bench's own text goes back. So a model with random weights, which writes nothing of use, shows
// what an answer of a given length costs.
#pragma once

#include <QByteArray>
#include <QNetworkAccessManager>
#include <QTcpServer>
#include <QUrl>

class QTcpSocket;

namespace waferpair::bench {

class PacedEndpoint : public QObject {
 public:
  // The server's model must have one token for each byte, as test::TinyModel has; the tokens
  // computed are letters only, so that no answer ends early.
  PacedEndpoint(QUrl server, QByteArray key, QString model);

  QUrl base() const;
  // The text of all answers, cut into as many pieces of about the same length as there are tokens
  // to be computed. Cuts are between characters.
  void setAnswer(const QString& text, int tokens);

  int answered() const { return answered_; }  // requests whose answer is out
  // What the server counted for the last request; -1 before the first.
  qint64 inputTokens() const { return inputTokens_; }
  qint64 cachedTokens() const { return cachedTokens_; }

 private:
  void take(QTcpSocket* socket);
  void forward(QTcpSocket* socket, const QByteArray& body);

  QTcpServer listener_;
  QNetworkAccessManager network_;
  QUrl server_;
  QByteArray key_;
  QString model_;
  QByteArrayList pieces_;  // of JSON, whole events
  int answered_ = 0;
  qint64 inputTokens_ = -1;
  qint64 cachedTokens_ = -1;
};

}  // namespace waferpair::bench
