// SPDX-License-Identifier: GPL-3.0-or-later
// A stand-in for waferd that says exactly what a test tells it to: for what the real server never
// does (malformed messages, drops in the middle of a stream, wrong versions). Tests only.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QPointer>
#include <QTemporaryDir>
#include <QWebSocket>
#include <QWebSocketServer>
#include <functional>

#include "gui/client/runtime_process.h"

namespace waferpair::test {

class ScriptedServer : public QObject {
  Q_OBJECT
 public:
  // Listens at once; greets each session as ready.
  explicit ScriptedServer(QObject* parent = nullptr);

  gui::RuntimeEndpoint endpoint() const;
  QString tokenFile() const { return directory_.filePath(QStringLiteral("token")); }
  QByteArray token() const { return QByteArray(64, 'a'); }
  // The line by which waferd would say that it listens here.
  QByteArray listeningLine() const;
  // Writes a program that starts as waferd does, runs `shellCode`, says listeningLine() and stays
  // until its input ends. $2 is the model.
  QString program(const QByteArray& shellCode = {}) const;

  // The message sent when a session begins; none while it is empty.
  QByteArray greeting;
  // Called with each message after it has been noted down.
  std::function<void(const QJsonObject& message)> onMessage;

  bool hasSession() const { return session_ != nullptr; }
  int sessions() const { return sessions_; }
  QByteArray lastAuthorization() const { return authorization_; }
  QString lastPath() const { return path_; }
  void dropSession();
  // Lets nobody in until listenAgain() (on the same port).
  void stopListening() { server_.close(); }
  bool listenAgain();

  const QList<QJsonObject>& messages() const { return messages_; }
  // The messages as they came: reading a string, Qt's JSON loses a U+FEFF in its front.
  const QStringList& texts() const { return texts_; }
  QList<QJsonObject> messagesOf(const QString& type) const;
  void forgetMessages() { messages_.clear(); }

  void sendText(const QByteArray& text);
  void sendBinary(const QByteArray& bytes);

  // The text of a document as the messages so far say it is; for edits in order.
  static QByteArray documentAfter(const QList<QJsonObject>& messages, const QString& uri);

 private:
  QTemporaryDir directory_;
  QWebSocketServer server_;
  QPointer<QWebSocket> session_;
  QList<QJsonObject> messages_;
  QByteArray authorization_;
  QString path_;
  quint16 port_ = 0;
  int sessions_ = 0;
  QStringList texts_;
};

}  // namespace waferpair::test
