// SPDX-License-Identifier: GPL-3.0-or-later
// One end of a JSON-RPC 2.0 conversation, a message a line: requests go both ways, each side
// numbers its own. What the other side sends wrong is dropped, answered with an error, or ends the
// conversation; it never does harm. One thread.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QSet>
#include <functional>
#include <optional>

#include "pairing/agents/line_reader.h"

namespace waferpair::pairing {

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
  // So many lines in a row that are no messages end the conversation.
  static constexpr int kMostWrong = 1000;

  explicit JsonRpc(QObject* parent = nullptr) : QObject(parent) {}

  // `error` is set when it is one. Called once; when the conversation ends first, with what close()
  // was told.
  using Answer =
      std::function<void(const QJsonValue& result, const std::optional<RpcFailure>& error)>;
  void request(const QString& method, const QJsonObject& params, const Answer& answer);
  void notify(const QString& method, const QJsonObject& params);
  // Answers a request of the other side, which is dropped where it was answered before.
  void respond(const QJsonValue& id, const QJsonValue& result);
  void respond(const QJsonValue& id, const RpcFailure& error);

  // Takes bytes from the other side.
  void take(QByteArrayView bytes);
  // The other side is gone: requests that are open fail with this, and nothing more is sent.
  void close(const QString& why);

 Q_SIGNALS:
  // A line, its end included, for the other side.
  void sent(const QByteArray& line);
  void requested(const QJsonValue& id, const QString& method, const QJsonObject& params);
  void notified(const QString& method, const QJsonObject& params);
  // The other side does not keep to the protocol; the conversation cannot go on.
  void broken(const QString& why);

 private:
  void takeLine(const QByteArray& line);
  void takeRequest(const QJsonObject& message);
  void takeAnswer(const QJsonObject& message);
  void send(QJsonObject message);
  bool settle(const QJsonValue& id);

  LineReader lines_;
  QHash<qint64, Answer> open_;  // ours
  QSet<QByteArray> theirs_;     // ids of theirs that have no answer yet
  qint64 lastId_ = 0;
  int wrong_ = 0;
  bool closed_ = false;
};

}  // namespace waferpair::pairing
