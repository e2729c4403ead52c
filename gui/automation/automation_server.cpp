// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/automation_server.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QLocalSocket>
#include <QPointer>

#include "runtime/base/private_folder.h"
#include "runtime/protocol/automation.h"

namespace waferpair::gui {
namespace {

bool isOwner(const QLocalSocket& socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return getsockopt(static_cast<int>(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer,
                    &size) == 0 &&
         peer.uid == geteuid();
}

}  // namespace

// A client's connection; destroyed with its socket.
class AutomationServer::Client : public QObject {
 public:
  Client(QLocalSocket* socket, Automation* automation)
      : QObject(socket), socket_(socket), automation_(automation) {
    // More than a line need not be kept for it: the rest stays on the client's side.
    socket->setReadBufferSize(kLongestLine + 1);
    // Queued: a call may run an event loop in which more is asked, and the socket does not tell of
    // that from within its own signal.
    connect(socket, &QLocalSocket::readyRead, this, &Client::read, Qt::QueuedConnection);
    connect(socket, &QLocalSocket::bytesWritten, this, &Client::read);
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
  }

 private:
  void read() {
    while (!answering_ && socket_->bytesToWrite() <= kMostUnread && socket_->canReadLine())
      take(socket_->readLine(kLongestLine + 1));
    if (!answering_ && !leaving_ && socket_->bytesAvailable() > kLongestLine &&
        !socket_->canReadLine()) {
      leaving_ = true;
      refuse({QJsonValue::Null,
              RpcError(RpcError::kInvalidRequest,
                       {QStringLiteral("A line has more than %1 MiB.").arg(kLongestLine >> 20),
                        QStringLiteral("Send less at a time, one request a line.")})});
      socket_->disconnectFromServer();
    }
  }

  void take(const QByteArray& line) {
    if (line.trimmed().isEmpty()) return;
    const auto request = parseRequest(line);
    if (!request) return refuse(request.error());
    answering_ = true;
    automation_->call(*request, [self = QPointer<Client>(this), id = request->id,
                                 wanted = request->wantsAnswer()](const RpcResult& result) {
      if (!self) return;
      if (wanted) self->socket_->write(answerLine(id, result));
      self->answering_ = false;
      // The next one from the event loop: an answer may come from within read().
      QMetaObject::invokeMethod(self.data(), &Client::read, Qt::QueuedConnection);
    });
  }

  void refuse(const RpcRefusal& refusal) {
    socket_->write(answerLine(refusal.id, tl::unexpected<RpcError>(refusal.error)));
  }

  QLocalSocket* socket_;
  Automation* automation_;
  bool answering_ = false;
  bool leaving_ = false;  // a line was too long: only that is still to be written
};

AutomationServer::AutomationServer(Automation* automation, QObject* parent)
    : QObject(parent), automation_(automation) {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  server_.setMaxPendingConnections(kMostClients);
  connect(&server_, &QLocalServer::newConnection, this, [this] {
    while (QLocalSocket* socket = server_.nextPendingConnection()) greet(socket);
  });
}

AutomationServer::~AutomationServer() = default;

QString AutomationServer::listen(const QString& path) {
  QString where = path;
  if (where.isEmpty()) {
    const auto folder = base::privateFolder("Name a socket with --automation-socket.");
    if (!folder) return QString::fromStdString(folder.error().message());
    where = QString::fromStdString(*folder + '/' + protocol::automationSocketName(getpid()));
  }
  if (QFile::exists(where))
    return QStringLiteral("%1 exists already. Remove it, or name another socket.").arg(where);
  if (!server_.listen(where))
    return QStringLiteral(
               "No socket can be made at %1: %2. Name another with "
               "--automation-socket, at most 100 bytes long.")
        .arg(where, server_.errorString());
  ::chmod(QFile::encodeName(where).constData(), 0600);  // Qt adds the right to run it
  return {};
}

void AutomationServer::greet(QLocalSocket* socket) {
  const auto clients = server_.findChildren<QLocalSocket*>();
  if (!isOwner(*socket) || clients.size() > kMostClients) {
    socket->abort();
    socket->deleteLater();
    return;
  }
  new Client(socket, automation_);
}

}  // namespace waferpair::gui
