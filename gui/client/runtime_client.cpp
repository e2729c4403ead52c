// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_client.h"

#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLoggingCategory>
#include <QNetworkProxy>
#include <QNetworkRequest>
#include <array>

#include "editor/text/text_codec.h"
#include "gui/client/session_token.h"
#include "gui/store/json_fields.h"
#include "runtime/base/port_owner.h"
#include "runtime/protocol/messages.h"

namespace waferpair::gui {
namespace {

Q_LOGGING_CATEGORY(clientLog, "waferpair.runtime.client", QtWarningMsg)

namespace field = protocol::field;
namespace request = protocol::request;

constexpr std::array kRetryMs = {50, 200, 500, 1000, 2000};
constexpr int kGreetingMs = 5'000;
// waferd's own events are small; the largest is a layout of some thousand regions.
constexpr quint64 kMaxMessageBytes = 16 << 20;
// Messages that texts go to the model by.
constexpr std::array kWithTexts = {request::kDocumentOpen, request::kDocumentChange,
                                   request::kCompletionCreate, request::kResponseCreate};

QString word(std::string_view text) { return QString::fromLatin1(text.data(), text.size()); }

}  // namespace

RuntimeClient::RuntimeClient(QObject* parent) : QObject(parent) {
  retry_.setSingleShot(true);
  greetingDeadline_.setSingleShot(true);
  connect(&retry_, &QTimer::timeout, this, &RuntimeClient::attempt);
  connect(&greetingDeadline_, &QTimer::timeout, this,
          [this] { onBroken(tr("no greeting within %1 s").arg(kGreetingMs / 1000)); });
}

RuntimeClient::~RuntimeClient() { dropSocket(); }

void RuntimeClient::connectTo(const RuntimeEndpoint& endpoint) {
  close();
  endpoint_ = endpoint;
  failedAttempts_ = 0;
  attempt();
}

void RuntimeClient::close() {
  retry_.stop();
  const bool hadSession = ready_;
  dropSocket();
  if (hadSession) Q_EMIT lost();
}

void RuntimeClient::dropSocket() {
  greetingDeadline_.stop();
  ready_ = false;
  regions_ = ops_ = -1;
  if (!socket_) return;
  socket_->disconnect(this);
  if (socket_->state() == QAbstractSocket::ConnectedState)
    socket_->close();
  else if (socket_->state() != QAbstractSocket::UnconnectedState)
    socket_->abort();
  socket_->deleteLater();
  socket_ = nullptr;
}

void RuntimeClient::attempt() {
  dropSocket();
  const SessionToken token = readSessionToken(endpoint_.tokenFile);
  if (token.token.isEmpty()) {
    giveUp(token.problem);
    return;
  }
  // Where nobody listens yet, it is tried again.
  const auto owner = base::ownerOfPort(endpoint_.port, base::Loopback::kV4);
  if (owner && *owner && **owner != ::geteuid()) {
    const base::Error stranger = base::requireOwnPort(endpoint_.port).error();
    giveUp({QString::fromStdString(stranger.what), tr("Restart the model.")});
    return;
  }
  socket_ = new QWebSocket(QString(), QWebSocketProtocol::VersionLatest, this);
  // A proxy for the outside world has no business with a loopback session.
  socket_->setProxy(QNetworkProxy::NoProxy);
  socket_->setMaxAllowedIncomingMessageSize(kMaxMessageBytes);
  socket_->setMaxAllowedIncomingFrameSize(kMaxMessageBytes);
  connect(socket_, &QWebSocket::textMessageReceived, this, &RuntimeClient::onText);
  connect(socket_, &QWebSocket::binaryMessageReceived, this, &RuntimeClient::onBinary);
  connect(socket_, &QWebSocket::disconnected, this, [this] { onBroken(socket_->errorString()); });
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
  const auto failed = &QWebSocket::errorOccurred;
#else
  const auto failed = qOverload<QAbstractSocket::SocketError>(&QWebSocket::error);
#endif
  connect(socket_, failed, this, [this] { onBroken(socket_->errorString()); });

  QNetworkRequest upgrade(QUrl(
      QStringLiteral("ws://127.0.0.1:%1%2").arg(endpoint_.port).arg(word(protocol::kSocketPath))));
  upgrade.setRawHeader("Authorization", "Bearer " + token.token);
  greetingDeadline_.start(kGreetingMs);
  socket_->open(upgrade);
}

void RuntimeClient::onBroken(const QString& reason) {
  if (!socket_) return;  // the second of two signals about one break
  qCDebug(clientLog).noquote() << "session broke:" << reason;
  const bool hadSession = ready_;
  dropSocket();
  if (hadSession) failedAttempts_ = 0;
  if (failedAttempts_ >= static_cast<int>(kRetryMs.size())) {
    giveUp(
        {tr("The model server on port %1 cannot be reached: %2.").arg(endpoint_.port).arg(reason),
         tr("Restart the model.")});
    return;
  }
  retry_.start(kRetryMs[failedAttempts_++]);
  if (hadSession) Q_EMIT lost();
}

void RuntimeClient::giveUp(const editor::Error& problem) {
  close();
  qCWarning(clientLog).noquote() << problem.message();
  Q_EMIT unreachable(problem);
}

void RuntimeClient::onText(const QString& text) {
  QString why;
  const std::optional<ServerEvent> parsed = parseServerEvent(text, why);
  if (!parsed) {
    qCWarning(clientLog).noquote() << "dropped a message:" << why;
    return;
  }
  if (const auto* now = std::get_if<ServerStatus>(&*parsed)) {
    if (now->sessionStart && now->protocol != protocol::kProtocolVersion) {
      giveUp({tr("The model server speaks protocol %1, this program %2.")
                  .arg(now->protocol)
                  .arg(protocol::kProtocolVersion),
              tr("Install waferd and waferpair of the same version.")});
      return;
    }
    if (now->sessionStart && !ready_) {
      greetingDeadline_.stop();
      ready_ = true;
      failedAttempts_ = 0;
      Q_EMIT ready();
      if (telemetryHz_ > 0) subscribe();
    }
    Q_EMIT status(*now);
    return;
  }
  // Nothing else means anything before the greeting.
  if (!ready_) return;
  if (const auto* delta = std::get_if<CompletionDelta>(&*parsed)) {
    Q_EMIT completionDelta(*delta);
  } else if (const auto* done = std::get_if<CompletionDone>(&*parsed)) {
    Q_EMIT completionDone(*done);
  } else if (const auto* error = std::get_if<ServerError>(&*parsed)) {
    qCWarning(clientLog).noquote() << error->code << error->problem.message();
    Q_EMIT serverError(*error);
  } else if (const auto* other = std::get_if<OtherEvent>(&*parsed)) {
    Q_EMIT told(other->type, other->fields);
  } else if (const auto* layout = std::get_if<protocol::WaferLayout>(&*parsed)) {
    regions_ = static_cast<qsizetype>(layout->regions.size());
    ops_ = static_cast<qsizetype>(layout->ops.size());
    Q_EMIT telemetryLayout(*layout);
  }
}

void RuntimeClient::onBinary(const QByteArray& bytes) {
  if (!ready_ || telemetryHz_ == 0) return;
  const std::optional<protocol::TelemetryFrame> frame =
      protocol::decodeTelemetry(std::as_bytes(std::span(bytes.constData(), bytes.size())));
  bool fits = frame && static_cast<qsizetype>(frame->regions.size()) == regions_;
  if (fits)
    for (const protocol::OpSpan& span : frame->lastStep) fits = fits && span.op < ops_;
  if (fits)
    Q_EMIT telemetryFrame(*frame);
  else
    qCWarning(clientLog) << "dropped a telemetry frame, bytes:" << bytes.size();
}

void RuntimeClient::send(const QJsonObject& message) {
  const QString type = message[nameOf(field::message::kType)].toString();
  for (const std::string_view each : kWithTexts) {
    if (type != word(each)) continue;
    qCCritical(clientLog).noquote() << "not sent, as nothing looked for secrets in it:" << type;
    return;
  }
  write(message);
}

void RuntimeClient::write(const QJsonObject& message) {
  if (!ready_) return;
  socket_->sendTextMessage(
      QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact)));
}

void RuntimeClient::openDocument(const PassedText& text) {
  QJsonObject open = newMessage(request::kDocumentOpen);
  put(open, field::document_open::kUri, text->id);
  put(open, field::document_open::kLanguage, text->language);
  put(open, field::document_open::kVersion, text->version);
  put(open, field::document_open::kText, editor::exactUtf8(text->text.toByteArray()));
  write(open);
}

void RuntimeClient::changeDocument(const PassedChange& change) {
  QJsonArray list;
  for (const editor::TextEdit& edit : change->edits)
    list.append(QJsonObject{{nameOf(field::edit::kStart), edit.start},
                            {nameOf(field::edit::kEnd), edit.end},
                            {nameOf(field::edit::kText), editor::exactUtf8(edit.text)}});
  QJsonObject message = newMessage(request::kDocumentChange);
  put(message, field::document_change::kUri, change->id);
  put(message, field::document_change::kVersion, change->version);
  put(message, field::document_change::kEdits, list);
  write(message);
}

void RuntimeClient::closeDocument(const editor::DocumentId& id) {
  QJsonObject close = newMessage(request::kDocumentClose);
  put(close, field::document_close::kUri, id);
  write(close);
}

void RuntimeClient::createCompletion(quint64 id, const PassedQuery& passed, const QString& model) {
  const editor::CompletionQuery& query = *passed;
  QJsonObject create = newMessage(request::kCompletionCreate);
  put(create, field::completion_create::kId, static_cast<qint64>(id));
  if (!model.isEmpty()) {
    put(create, field::completion_create::kModel, model);
    // As the first one is: lines can be compared.
    put(create, field::completion_create::kMaxLines, 1);
  }
  put(create, field::completion_create::kUri, query.document);
  put(create, field::completion_create::kVersion, query.version);
  put(create, field::completion_create::kOffset, query.offset);
  if (query.leastProbability > 0)
    put(create, field::completion_create::kMinProbability, query.leastProbability);
  put(create, field::completion_create::kLines, editor::kCompetingLines);
  if (query.isAhead) put(create, field::completion_create::kAhead, true);
  if (query.alternative > 0) put(create, field::completion_create::kAlternative, query.alternative);
  if (!query.inserted.isEmpty())
    put(create, field::completion_create::kInserted, QString::fromUtf8(query.inserted));
  if (!query.names.isEmpty()) {
    QJsonArray names;
    for (const QByteArray& name : query.names) names.append(QString::fromUtf8(name));
    put(create, field::completion_create::kNames, names);
    put(create, field::completion_create::kNamesAreAll, query.namesAreAll);
  }
  write(create);
}

void RuntimeClient::cancelCompletion(quint64 id) {
  QJsonObject cancel = newMessage(request::kCompletionCancel);
  put(cancel, field::completion_cancel::kId, static_cast<qint64>(id));
  send(cancel);
}

void RuntimeClient::createResponse(const PassedPrompt& prompt) {
  QJsonObject create = newMessage(request::kResponseCreate);
  put(create, field::response_create::kId, prompt->id);
  put(create, field::response_create::kInput, prompt->text);
  put(create, field::response_create::kMaxOutputTokens, prompt->mostTokens);
  write(create);
}

void RuntimeClient::setTelemetryRate(int hz) {
  if (hz == telemetryHz_) return;
  telemetryHz_ = hz;
  if (hz > 0)
    subscribe();
  else
    send(newMessage(request::kTelemetryUnsubscribe));
}

void RuntimeClient::subscribe() {
  QJsonObject subscription = newMessage(request::kTelemetrySubscribe);
  put(subscription, field::telemetry_subscribe::kHz, telemetryHz_);
  send(subscription);
}

}  // namespace waferpair::gui
