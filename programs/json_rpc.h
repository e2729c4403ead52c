// SPDX-License-Identifier: GPL-3.0-or-later
// One end of a JSON-RPC 2.0 conversation: requests go both ways, each side numbers its own. What
// the other side sends wrong is dropped, answered with an error, or ends the conversation; it never
// does harm. One thread, with an event loop; where headers frame the messages, large ones are
// parsed on another thread, and those behind them wait.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QSet>
#include <functional>
#include <optional>
#include <utility>

#include "programs/json_messages.h"

namespace waferpair::programs {

struct RpcFailure {
  static constexpr int kMethodNotFound = -32601;
  static constexpr int kInvalidParameters = -32602;
  static constexpr int kInternal = -32603;
  // These are the Agent Client Protocol's.
  static constexpr int kLoginWanted = -32000;
  static constexpr int kNotFound = -32002;

  int code = kInternal;
  QString message;
};

class JsonRpc : public QObject {
  Q_OBJECT
 public:
  // The other side may wait for so many answers; what it asks beyond is refused.
  static constexpr int kMostOpen = 64;
  // So many texts in a row that are no messages end the conversation.
  static constexpr int kMostWrong = 1000;

  // `protocol`: its name, for the user.
  JsonRpc(Framing framing, QString protocol, QObject* parent = nullptr);

  // `error` is set when it is one. Called once; when the conversation ends first, with what close()
  // was told. It is kept for as long as the request is open, and no longer.
  using Answer =
      std::function<void(const QJsonValue& result, const std::optional<RpcFailure>& error)>;
  // Returns its number, never 0.
  qint64 request(const QString& method, const QJsonObject& params, const Answer& answer);
  // It has no answer so far.
  bool isOpen(qint64 request) const { return open_.contains(request); }
  bool awaitsAnswers() const { return !open_.isEmpty(); }
  // Its answer is not wanted any more, and is not told.
  void forget(qint64 request) { open_.remove(request); }
  // It has no other answer than this, if it is open.
  void fail(qint64 request, const RpcFailure& error);
  // The same for all that are open.
  void failAll(const RpcFailure& error);
  void notify(const QString& method, const QJsonObject& params);
  // Answers a request of the other side, which is dropped where it was answered before.
  void respond(const QJsonValue& id, const QJsonValue& result);
  void respond(const QJsonValue& id, const RpcFailure& error);

  // Takes bytes from the other side.
  void take(QByteArrayView bytes);
  // The other side is gone: requests that are open fail with this, and nothing more is sent.
  void close(const QString& why);

 Q_SIGNALS:
  // A message, with what frames it, for the other side.
  void sent(const QByteArray& bytes);
  void requested(const QJsonValue& id, const QString& method, const QJsonObject& params);
  void notified(const QString& method, const QJsonObject& params);
  // The other side does not keep to the protocol; the conversation cannot go on.
  void broken(const QString& why);

 private:
  void takeMessage(const QJsonObject& message);
  void takeRequest(const QJsonObject& message);
  void takeAnswer(const QJsonObject& message);
  void send(QJsonObject message);
  bool settle(const QJsonValue& id);

  Framing framing_;
  QString protocol_;
  JsonMessages messages_;
  QHash<qint64, Answer> open_;  // ours
  QSet<QByteArray> theirs_;     // ids of theirs that have no answer yet
  qint64 lastId_ = 0;
  int wrong_ = 0;
  bool closed_ = false;
};

}  // namespace waferpair::programs
