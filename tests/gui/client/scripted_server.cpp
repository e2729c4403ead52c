// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/client/scripted_server.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace waferpair::test {

ScriptedServer::ScriptedServer(QObject* parent)
    : QObject(parent),
      greeting(R"({"type":"session.ready","protocol":1,"server":"scripted","state":"ready",
                   "model":{"name":"scripted-model","context":1024,"machine":"wse3",
                            "profile":"a-profile","clock_hz":1.1e9}})"),
      server_(QStringLiteral("scripted"), QWebSocketServer::NonSecureMode) {
  QFile file(tokenFile());
  if (!file.open(QFile::WriteOnly)) qFatal("no token file");
  file.write(token() + '\n');
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
  if (!listenAgain()) qFatal("cannot listen");
  connect(&server_, &QWebSocketServer::newConnection, this, [this] {
    session_ = server_.nextPendingConnection();
    session_->setParent(this);
    ++sessions_;
    authorization_ = session_->request().rawHeader("Authorization");
    path_ = session_->requestUrl().path();
    connect(session_, &QWebSocket::textMessageReceived, this, [this](const QString& text) {
      texts_.append(text);
      messages_.append(QJsonDocument::fromJson(text.toUtf8()).object());
      if (onMessage) onMessage(QJsonObject(messages_.last()));
    });
    if (!greeting.isEmpty()) sendText(greeting);
  });
}

bool ScriptedServer::listenAgain() {
  if (!server_.listen(QHostAddress::LocalHost, port_)) return false;
  port_ = server_.serverPort();
  return true;
}

gui::RuntimeEndpoint ScriptedServer::endpoint() const { return {port_, tokenFile(), 1}; }

QByteArray ScriptedServer::listeningLine() const {
  return QJsonDocument(
             QJsonObject{
                 {"event", "listening"}, {"port", port_}, {"token_file", tokenFile()}, {"pid", 1}})
      .toJson(QJsonDocument::Compact);
}

QString ScriptedServer::program(const QByteArray& shellCode) const {
  const QString path = directory_.filePath(QStringLiteral("waferd"));
  QFile file(path);
  if (!file.open(QFile::WriteOnly)) qFatal("no program");
  file.write("#!/bin/sh\n" + shellCode + "\necho '" + listeningLine() + "'\nexec cat\n");
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

void ScriptedServer::dropSession() {
  if (session_) session_->abort();
  session_ = nullptr;
}

void ScriptedServer::sendText(const QByteArray& text) {
  if (session_) session_->sendTextMessage(QString::fromUtf8(text));
}

void ScriptedServer::sendBinary(const QByteArray& bytes) {
  if (session_) session_->sendBinaryMessage(bytes);
}

QList<QJsonObject> ScriptedServer::messagesOf(const QString& type) const {
  QList<QJsonObject> found;
  for (const QJsonObject& message : messages_)
    if (message.value(u"type").toString() == type) found.append(message);
  return found;
}

QByteArray ScriptedServer::documentAfter(const QList<QJsonObject>& messages, const QString& uri) {
  QByteArray text;
  for (const QJsonObject& message : messages) {
    if (message.value(u"uri").toString() != uri) continue;
    if (message.value(u"type").toString() == u"document.open")
      text = message.value(u"text").toString().toUtf8();
    for (const QJsonValue& edit : message.value(u"edits").toArray()) {
      const qint64 start = edit[u"start"].toInteger();
      text.replace(start, edit[u"end"].toInteger() - start, edit[u"text"].toString().toUtf8());
    }
  }
  return text;
}

}  // namespace waferpair::test
