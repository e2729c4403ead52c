// SPDX-License-Identifier: GPL-3.0-or-later
// One end of a conversation in the Debug Adapter Protocol: requests go both ways, and the adapter
// tells of events. What it sends wrong is dropped, or ends the conversation; it never does harm.
// One thread, with an event loop.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <functional>

#include "programs/json_messages.h"

namespace waferpair::workbench {

struct DapAnswer {
  QJsonObject body;
  QString problem;  // a sentence; empty: it was done
  bool isFine() const { return problem.isEmpty(); }
};

class DapConnection : public QObject {
  Q_OBJECT
 public:
  // So many texts in a row that are no messages end the conversation.
  static constexpr int kMostWrong = 1000;

  explicit DapConnection(QObject* parent = nullptr);

  // Called once; when the conversation ends first, with what close() was told.
  using Answer = std::function<void(const DapAnswer& answer)>;
  // Returns its number, never 0.
  qint64 request(const QString& command, const QJsonObject& arguments, const Answer& answer);
  // Answer a request of the adapter, each once.
  void respond(qint64 request, const QString& command, const QJsonObject& body);
  void refuse(qint64 request, const QString& command, const QString& why);

  // Takes bytes from the adapter.
  void take(QByteArrayView bytes) { messages_.take(bytes); }
  // The adapter is gone: requests that are open fail with this, and nothing more is sent.
  void close(const QString& why);

 Q_SIGNALS:
  // A message, with what frames it, for the adapter.
  void sent(const QByteArray& bytes);
  void requested(qint64 request, const QString& command, const QJsonObject& arguments);
  void told(const QString& event, const QJsonObject& body);
  // The adapter does not keep to the protocol; the conversation cannot go on.
  void broken(const QString& why);

 private:
  void takeMessage(const QJsonObject& message);
  void takeAnswer(const QJsonObject& message);
  void send(QJsonObject message);

  struct Open {
    QString command;
    Answer answer;
  };

  programs::JsonMessages messages_;
  QHash<qint64, Open> open_;
  qint64 last_ = 0;
  int wrong_ = 0;
  bool closed_ = false;
};

}  // namespace waferpair::workbench
