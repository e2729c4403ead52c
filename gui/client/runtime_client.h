// SPDX-License-Identifier: GPL-3.0-or-later
// The program's end of the WebSocket session with waferd (docs/protocol.md): connects, connects
// again when the connection breaks, sends requests, hands on checked events. A message from the
// server that is not as it should be is logged and dropped; the session lives on.
//
// Knows nothing of documents or requests beyond the message at hand: after each ready() the caller
// opens its documents anew. UI thread only; every call returns at once.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QVector>
#include <QWebSocket>

#include "editor/text/result.h"
#include "gui/client/passed.h"
#include "gui/client/runtime_process.h"
#include "gui/client/server_events.h"

namespace waferpair::gui {

class RuntimeClient : public QObject {
  Q_OBJECT
 public:
  explicit RuntimeClient(QObject* parent = nullptr);
  ~RuntimeClient() override;

  // Leaves any present session first.
  void connectTo(const RuntimeEndpoint& endpoint);
  // Ends the session and does not try again.
  void close();
  // Returns true between ready() and lost(). Other requests are dropped.
  bool isReady() const { return ready_; }
  // The endpoint of the last connectTo().
  const RuntimeEndpoint& endpoint() const { return endpoint_; }

  // Texts go to the server by these alone.
  void openDocument(const PassedText& text);
  void changeDocument(const PassedChange& change);
  void closeDocument(const editor::DocumentId& id);
  // `model`: the one that is asked for a line, beside the first; empty: the first is asked.
  void createCompletion(quint64 id, const PassedQuery& query, const QString& model = {});
  void cancelCompletion(quint64 id);
  void createResponse(const PassedPrompt& prompt);
  // Sends a message (newMessage()) of those who read its answers in told(). One that texts go by is
  // not sent.
  void send(const QJsonObject& message);
  void setTelemetryRate(int hz);

 Q_SIGNALS:
  // A session began. The model may still be loading: see status().
  void ready();
  // The session that ready() told of is over. Unless close() or connectTo() ended it, the next
  // attempt follows by itself.
  void lost();
  // Sent when several attempts brought no session; nothing more is tried until connectTo().
  void unreachable(const waferpair::editor::Error& problem);

  void status(const waferpair::gui::ServerStatus& status);
  void completionDelta(const waferpair::gui::CompletionDelta& delta);
  void completionDone(const waferpair::gui::CompletionDone& done);
  void serverError(const waferpair::gui::ServerError& error);
  // Tells of an event of any other type.
  void told(const std::string& type, const waferpair::gui::JsonFields& event);
  void telemetryLayout(const waferpair::protocol::WaferLayout& layout);
  void telemetryFrame(const waferpair::protocol::TelemetryFrame& frame);

 private:
  void attempt();
  void onBroken(const QString& reason);
  void giveUp(const editor::Error& problem);
  void dropSocket();
  void onText(const QString& text);
  void onBinary(const QByteArray& bytes);
  void subscribe();
  void write(const QJsonObject& message);

  RuntimeEndpoint endpoint_;
  QPointer<QWebSocket> socket_;  // one an attempt; child of this
  QTimer retry_{this};
  QTimer greetingDeadline_{this};  // from an attempt to session.ready
  bool ready_ = false;
  int failedAttempts_ = 0;
  int telemetryHz_ = 0;
  // Counts of the last layout: a frame that does not match them is dropped.
  qsizetype regions_ = -1;
  qsizetype ops_ = -1;
};

}  // namespace waferpair::gui
