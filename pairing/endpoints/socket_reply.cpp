// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/socket_reply.h"

#include <QJsonDocument>
#include <QNetworkProxy>
#include <QRegularExpression>
#include <utility>

#include "editor/text/translate.h"
#include "pairing/endpoints/http_failure.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/endpoints/sse_parser.h"

namespace waferpair::pairing {
namespace {

// The API closes sockets after an hour.
constexpr qint64 kOldestMs = 50 * 60 * 1000;

}  // namespace

IdleSocket::~IdleSocket() { delete socket_; }

QWebSocket* IdleSocket::take() {
  QWebSocket* socket = socket_;
  socket_ = nullptr;
  if (!socket) return nullptr;
  if (socket->isValid() && age_.elapsed() < kOldestMs) return socket;
  delete socket;
  return nullptr;
}

void IdleSocket::keep(QWebSocket* socket, const QElapsedTimer& age) {
  if (socket_) socket_->deleteLater();
  socket_ = socket;
  age_ = age;
}

SocketReply::SocketReply(std::shared_ptr<IdleSocket> idle, EndpointAddress address,
                         const QJsonObject& message, AskOverEvents askOverEvents,
                         ReplyPatience patience)
    : ModelReply(patience),
      idle_(std::move(idle)),
      address_(std::move(address)),
      message_(QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact))),
      askOverEvents_(std::move(askOverEvents)) {
  if (const QString problem = address_.problem(); !problem.isEmpty()) {
    ReplyFailure failure;
    failure.kind = ReplyFailure::Kind::kRequest;
    failure.what = problem;
    failure.remedy = translate("Correct the address where the model is chosen.");
    QTimer::singleShot(0, this, [this, failure] { take({failure}); });
    return;
  }
  if (QWebSocket* socket = idle_->take()) {
    reused_ = true;
    isConnected_ = true;
    age_ = idle_->age();
    use(socket);
    socket_->sendTextMessage(message_);
    return;
  }
  open();
}

SocketReply::~SocketReply() { hangUp(); }

void SocketReply::open() {
  age_.start();
  auto* socket = new QWebSocket;
  if (address_.isLoopback()) socket->setProxy(QNetworkProxy::NoProxy);
  // A server says no more at a time than an event has.
  socket->setMaxAllowedIncomingMessageSize(SseParser::kMostEventBytes);
  socket->setMaxAllowedIncomingFrameSize(SseParser::kMostEventBytes);
  use(socket);
  connect(socket, &QWebSocket::connected, this, [this] {
    isConnected_ = true;
    socket_->sendTextMessage(message_);
  });
  QNetworkRequest request = requestTo(address_, QStringLiteral("/responses"));
  QUrl url = request.url();
  url.setScheme(url.scheme() == u"https" ? QStringLiteral("wss") : QStringLiteral("ws"));
  request.setUrl(url);
  request.setRawHeader("OpenAI-Beta", "responses_websockets=2026-02-06");
  socket->open(request);
}

void SocketReply::use(QWebSocket* socket) {
  socket_ = socket;
  connect(socket, &QWebSocket::textMessageReceived, this, &SocketReply::takeMessage);
  connect(socket, &QWebSocket::binaryMessageReceived, this, [this] {
    take({malformedReply(translate("The answer comes as bytes instead of text."))});
  });
  connect(socket, &QWebSocket::disconnected, this, &SocketReply::lost);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  const auto failed = &QWebSocket::errorOccurred;
#else
  const auto failed = qOverload<QAbstractSocket::SocketError>(&QWebSocket::error);
#endif
  connect(socket, failed, this, &SocketReply::lost);
}

void SocketReply::hangUp() {
  if (ModelReply* carrier = overEvents_.release()) {
    carrier->disconnect(this);
    if (!carrier->isOver()) carrier->cancel();
    carrier->deleteLater();  // it may be up the call stack
  }
  QWebSocket* socket = std::exchange(socket_, nullptr);
  if (!socket) return;
  socket->disconnect(this);
  if (isAtItsEnd_ && socket->isValid()) {
    idle_->keep(socket, age_);
    return;
  }
  socket->abort();
  socket->deleteLater();
}

void SocketReply::takeMessage(const QString& message) {
  stirred();
  anythingCame_ = true;
  const QVector<ReplyEvent> events = withoutKey(decoder_.take(message.toUtf8()), address_.key);
  isAtItsEnd_ = !events.isEmpty() && std::holds_alternative<ReplyDone>(events.last());
  take(events);
}

void SocketReply::lost() {
  const QWebSocketProtocol::CloseCode code = socket_->closeCode();
  const QString text = socket_->errorString();
  if (reused_ && !anythingCame_) {
    // The server closed it while nobody used it.
    reused_ = false;
    isConnected_ = false;
    QWebSocket* closed = std::exchange(socket_, nullptr);
    closed->disconnect(this);
    closed->deleteLater();
    open();
    return;
  }
  // Qt tells the status of a refusal in words alone.
  static const QRegularExpression upgradeRequired(QStringLiteral("\\b426\\b"));
  if (!isConnected_ && text.contains(upgradeRequired)) {
    fallBack();
    return;
  }
  if (!isConnected_) {
    take(withoutKey({unreachable(address_, text)}, address_.key));
    return;
  }
  if (code == QWebSocketProtocol::CloseCodeTooMuchData) {
    ReplyFailure failure;
    failure.kind = ReplyFailure::Kind::kTooLong;
    failure.what = translate("A part of the answer is longer than %1 MiB.")
                       .arg(SseParser::kMostEventBytes >> 20);
    failure.remedy = translate("Choose another model.");
    take({failure});
    return;
  }
  take({cutReply()});
}

void SocketReply::fallBack() {
  idle_->refuse();
  QWebSocket* refused = std::exchange(socket_, nullptr);
  refused->disconnect(this);
  refused->deleteLater();
  leaveDeadlines();
  overEvents_ = askOverEvents_();
  const ModelReply* carrier = overEvents_.get();
  connect(carrier, &ModelReply::textArrived, this,
          [this](const QString& delta) { take({TextDelta{delta}}); });
  connect(carrier, &ModelReply::reasoningArrived, this,
          [this](const QString& delta) { take({ReasoningDelta{delta}}); });
  connect(carrier, &ModelReply::toolCalled, this, [this](const ToolCall& call) { take({call}); });
  connect(carrier, &ModelReply::usageTold, this,
          [this](const TokenUsage& usage) { take({usage}); });
  connect(carrier, &ModelReply::waited, this, [this, carrier] {
    if (carrier->serverWait() && carrier->serverWait() != serverWait())
      take({*carrier->serverWait()});
    if (carrier->promptProgress() != promptProgress()) take({*carrier->promptProgress()});
  });
  connect(carrier, &ModelReply::finished, this, [this, carrier](ReplyDone done) {
    QVector<ReplyEvent> events = {carrier->hostTimings()};
    if (carrier->waferTimings()) events.append(*carrier->waferTimings());
    events.append(done);
    take(events);
  });
  connect(carrier, &ModelReply::failed, this,
          [this](const ReplyFailure& failure) { take({failure}); });
}

}  // namespace waferpair::pairing
