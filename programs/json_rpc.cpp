// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs/json_rpc.h"

#include <QJsonArray>
#include <QJsonDocument>

#include "editor/text/translate.h"

namespace waferpair::programs {
namespace {

// Numbers, strings and null are told apart.
QByteArray rpcIdKey(const QJsonValue& id) {
  return QJsonDocument(QJsonArray{id}).toJson(QJsonDocument::Compact);
}

QJsonObject rpcErrorObject(const RpcFailure& error) {
  return {{QStringLiteral("code"), error.code}, {QStringLiteral("message"), error.message}};
}

}  // namespace

JsonRpc::JsonRpc(Framing framing, QString protocol, QObject* parent)
    : QObject(parent), framing_(framing), protocol_(std::move(protocol)), messages_(framing) {
  connect(&messages_, &JsonMessages::message, this, &JsonRpc::takeMessage);
  connect(&messages_, &JsonMessages::broken, this, &JsonRpc::broken);
}

qint64 JsonRpc::request(const QString& method, const QJsonObject& params, const Answer& answer) {
  const qint64 id = ++lastId_;
  if (closed_) {
    answer({}, RpcFailure{RpcFailure::kInternal, translate("It has ended.")});
    return id;
  }
  open_.insert(id, answer);
  send({{QStringLiteral("id"), id},
        {QStringLiteral("method"), method},
        {QStringLiteral("params"), params}});
  return id;
}

void JsonRpc::notify(const QString& method, const QJsonObject& params) {
  send({{QStringLiteral("method"), method}, {QStringLiteral("params"), params}});
}

bool JsonRpc::settle(const QJsonValue& id) { return theirs_.remove(rpcIdKey(id)); }

void JsonRpc::respond(const QJsonValue& id, const QJsonValue& result) {
  if (settle(id)) send({{QStringLiteral("id"), id}, {QStringLiteral("result"), result}});
}

void JsonRpc::respond(const QJsonValue& id, const RpcFailure& error) {
  if (settle(id))
    send({{QStringLiteral("id"), id}, {QStringLiteral("error"), rpcErrorObject(error)}});
}

void JsonRpc::send(QJsonObject message) {
  if (closed_) return;
  message.insert(QStringLiteral("jsonrpc"), QStringLiteral("2.0"));
  Q_EMIT sent(framed(QJsonDocument(message).toJson(QJsonDocument::Compact), framing_));
}

void JsonRpc::take(QByteArrayView bytes) { messages_.take(bytes); }

void JsonRpc::takeMessage(const QJsonObject& message) {
  const bool hasMethod = message.value(u"method").isString();
  const bool isAnswer = message.contains(u"result") || message.contains(u"error");
  if (!hasMethod && !isAnswer) {
    // Programs print a stray line now and then.
    if (++wrong_ >= kMostWrong && !closed_)
      Q_EMIT broken(translate("What it sends is not of the %1.").arg(protocol_));
    return;
  }
  wrong_ = 0;
  if (hasMethod) {
    takeRequest(message);
  } else {
    takeAnswer(message);
  }
}

void JsonRpc::takeRequest(const QJsonObject& message) {
  const QString method = message.value(u"method").toString();
  const QJsonObject params = message.value(u"params").toObject();
  if (!message.contains(u"id")) {
    Q_EMIT notified(method, params);
    return;
  }
  const QJsonValue id = message.value(u"id");
  const QByteArray key = rpcIdKey(id);
  const bool isKnown = theirs_.contains(key);
  if (isKnown || theirs_.size() >= kMostOpen) {
    // One that is still open keeps its id, and gets its own answer.
    send({{QStringLiteral("id"), isKnown ? QJsonValue() : id},
          {QStringLiteral("error"),
           rpcErrorObject({RpcFailure::kInternal, QStringLiteral("Too many open requests")})}});
    return;
  }
  theirs_.insert(key);
  Q_EMIT requested(id, method, params);
}

void JsonRpc::takeAnswer(const QJsonObject& message) {
  const QJsonValue id = message.value(u"id");
  if (!id.isDouble()) return;
  const auto at = open_.constFind(id.toInteger(-1));
  if (at == open_.cend()) return;  // nobody asked
  const Answer answer = *at;
  open_.erase(at);
  const QJsonObject error = message.value(u"error").toObject();
  if (error.isEmpty()) return answer(message.value(u"result"), {});
  // `data` says where, as far as it is a text.
  QString text = error.value(u"message").toString();
  const QJsonValue data = error.value(u"data");
  const QString more = data.isString() ? data.toString() : data[u"details"].toString();
  if (!more.isEmpty() && !text.contains(more)) text += QStringLiteral(": ") + more;
  answer({}, RpcFailure{error.value(u"code").toInt(RpcFailure::kInternal), text});
}

void JsonRpc::close(const QString& why) {
  if (closed_) return;
  closed_ = true;
  messages_.close();
  theirs_.clear();
  failAll({RpcFailure::kInternal, why});
}

void JsonRpc::fail(qint64 request, const RpcFailure& error) {
  if (const Answer answer = open_.take(request)) answer({}, error);
}

void JsonRpc::failAll(const RpcFailure& error) {
  // Those that are asked meanwhile are not of these.
  const QList<qint64> open = open_.keys();
  for (const qint64 request : open) fail(request, error);
}

}  // namespace waferpair::programs
