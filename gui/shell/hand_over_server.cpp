// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/hand_over_server.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QEvent>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QRandomGenerator>
#include <utility>

#include "gui/documents/editor_tabs.h"
#include "gui/project/workspace.h"
#include "gui/shell/main_window.h"
#include "gui/shell/open_request.h"
#include "gui/shell/shown_request.h"

namespace waferpair::gui {
namespace {

constexpr int kFarewellMs = 500;

bool isFromUser(const QLocalSocket& socket) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  return ::getsockopt(static_cast<int>(socket.socketDescriptor()), SOL_SOCKET, SO_PEERCRED, &peer,
                      &size) == 0 &&
         peer.uid == ::geteuid();
}

// Whoever started this process may read its output to the end: it is not to be held open by a
// window that goes on.
void leaveOutput() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, each);
  ::close(nothing);
}

}  // namespace

// A connection; it goes with its socket.
class HandOverServer::Client : public QObject {
 public:
  Client(QLocalSocket* socket, HandOverServer* server, bool isStarter)
      : QObject(socket), socket_(socket), server_(server), isStarter_(isStarter) {
    socket->setParent(server);
    socket->setReadBufferSize(kLongestOpenLine + 1);
    connect(socket, &QLocalSocket::readyRead, this, &Client::read);
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    const WindowParts& parts = server->window_->parts();
    say(greetingLine({parts.workspace->folder(),
                      parts.workspace->folder().isEmpty() && parts.tabs->documents().isEmpty(),
                      parts.workspace->folders().mid(1)}));
    read();
  }
  ~Client() override {
    server_->clients_.removeOne(this);
    for (Document* document : std::as_const(shown_.awaited)) sayThatNobodyWaits(document);
  }

  // The program ends.
  void farewell() {
    if (shown_.awaited.isEmpty()) return;
    // Closed by its user the window is hidden by now; what was not saved was not wanted.
    int status = shown_.status();
    for (const Document* document : std::as_const(shown_.awaited))
      if (server_->window_->isVisible() && document->isModified()) status = 1;
    end(status);
    (void)socket_->waitForBytesWritten(kFarewellMs);
  }

  void documentClosed(Document* document) {
    if (!shown_.awaited.removeOne(document) || !shown_.awaited.isEmpty()) return;
    end(shown_.status());
    // It is not gone from the tabs yet.
    QMetaObject::invokeMethod(
        server_,
        [server = server_, shown = shown_] {
          closeBeside(server->window_, shown);
          server->closeIfDone();
        },
        Qt::QueuedConnection);
  }

 private:
  void say(const QByteArray& line) { socket_->write(line); }
  void say(const QJsonObject& object) {
    say(QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n');
  }

  void end(int status) {
    say(QJsonObject{{QStringLiteral("status"), status}});
    socket_->disconnectFromServer();
  }

  void read() {
    if (isAsked_) {
      (void)socket_->readAll();
      return;
    }
    if (socket_->canReadLine()) return take(socket_->readLine(kLongestOpenLine + 1));
    if (socket_->bytesAvailable() > kLongestOpenLine) socket_->abort();
  }

  void take(const QByteArray& line) {
    isAsked_ = true;
    const auto request = parseOpenRequest(line);
    if (!request) return socket_->abort();
    showRequest(server_->window_, *request,
                [self = QPointer(this), waits = request->wait](const ShownRequest& shown) {
                  if (self) return self->answer(shown, waits);
                  for (Document* document : shown.awaited) sayThatNobodyWaits(document);
                });
  }

  void answer(const ShownRequest& shown, bool waits) {
    shown_ = shown;
    const bool taken = !waits || !shown_.awaited.isEmpty();
    QJsonObject answer{{QStringLiteral("taken"), taken}};
    if (!shown_.problem.isEmpty()) answer.insert(QStringLiteral("problem"), shown_.problem);
    say(answer);
    if (isStarter_) {
      (void)socket_->waitForBytesWritten(kFarewellMs);
      leaveOutput();
    }
    if (shown_.awaited.isEmpty()) {
      socket_->disconnectFromServer();
      server_->closeIfDone();
    }
  }

  QLocalSocket* socket_;
  HandOverServer* server_;
  bool isStarter_;
  bool isAsked_ = false;
  ShownRequest shown_;
};

HandOverServer::HandOverServer(MainWindow* window, QObject* parent)
    : QObject(parent), window_(window) {
  server_.setSocketOptions(QLocalServer::UserAccessOption);
  server_.setMaxPendingConnections(kMostClients);
  connect(&server_, &QLocalServer::newConnection, this, &HandOverServer::greetAll);
  connect(window->parts().tabs, &EditorTabs::closed, this, [this](Document* document) {
    const QList<Client*> clients = clients_;
    for (Client* client : clients) client->documentClosed(document);
  });
  window->installEventFilter(this);
}

HandOverServer::~HandOverServer() {
  const QList<Client*> clients = clients_;
  for (Client* client : clients) client->farewell();
  qDeleteAll(clients);
}

QString HandOverServer::listen(const QString& prefix) {
  const QString name = QString::number(QRandomGenerator::system()->generate(), 36);
  const QString path = prefix + name + QStringLiteral(".sock");
  if (!server_.listen(path)) return server_.errorString();
  ::chmod(QFile::encodeName(path).constData(), 0600);  // Qt adds the right to run it
  return {};
}

bool HandOverServer::adopt(int descriptor) {
  struct stat info = {};
  if (::fstat(descriptor, &info) != 0 || !S_ISSOCK(info.st_mode)) return false;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // no program started here is to hold it
  starter_ = new QLocalSocket(this);
  if (!starter_->setSocketDescriptor(descriptor)) return false;
  isForOne_ = true;
  return true;
}

void HandOverServer::begin() {
  begun_ = true;
  if (QLocalSocket* starter = std::exchange(starter_, nullptr))
    clients_.append(new Client(starter, this, true));
  greetAll();
}

void HandOverServer::greetAll() {
  if (!begun_) return;
  while (QLocalSocket* socket = server_.nextPendingConnection()) {
    if (!isFromUser(*socket) || clients_.size() >= kMostClients) {
      socket->abort();
      socket->deleteLater();
    } else {
      clients_.append(new Client(socket, this, false));
    }
  }
}

void HandOverServer::closeIfDone() {
  if (!isForOne_ || !window_->parts().workspace->folder().isEmpty()) return;
  if (window_->parts().tabs->documents().isEmpty()) window_->close();
}

bool HandOverServer::eventFilter(QObject* watched, QEvent* event) {
  // The window used last is the one with the youngest socket.
  if (event->type() == QEvent::WindowActivate && server_.isListening())
    ::utimensat(AT_FDCWD, QFile::encodeName(server_.fullServerName()).constData(), nullptr, 0);
  return QObject::eventFilter(watched, event);
}

}  // namespace waferpair::gui
