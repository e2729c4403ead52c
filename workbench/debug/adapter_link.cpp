// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/adapter_link.h"

#include "editor/text/translate.h"

namespace waferpair::workbench {

AdapterLink::AdapterLink(const FoundAdapter& adapter, const QString& folder, QObject* parent)
    : QObject(parent), connects_(adapter.adapter.connects()) {
  programs::ProgramCommand command = adapter.command;
  // What is debugged gets the whole environment, as it would in a terminal.
  command.environment += programs::secretVariables(QProcessEnvironment::systemEnvironment());
  if (connects_) {
    server_.listen(QHostAddress::LocalHost);
    const QString address = QStringLiteral("127.0.0.1:%1").arg(server_.serverPort());
    for (QString& argument : command.arguments)
      argument.replace(QLatin1String("${address}"), address);
    connect(&server_, &QTcpServer::newConnection, this, &AdapterLink::takeConnection);
  }
  process_ = std::make_unique<programs::ChildProcess>(command, folder);
  if (!connects_)
    connect(process_.get(), &programs::ChildProcess::received, this, &AdapterLink::received);
  connect(process_.get(), &programs::ChildProcess::ended, this, &AdapterLink::ended);
}

void AdapterLink::start() {
  if (connects_ && !server_.isListening()) {
    Q_EMIT ended(translate("No port could be opened for it: %1.").arg(server_.errorString()));
    return;
  }
  process_->start();
}

// The first one is the adapter's: nobody else is told of the port.
void AdapterLink::takeConnection() {
  socket_ = server_.nextPendingConnection();
  server_.close();
  connect(socket_, &QTcpSocket::readyRead, this, [this] { Q_EMIT received(socket_->readAll()); });
  connect(socket_, &QTcpSocket::disconnected, process_.get(), &programs::ChildProcess::stop);
  socket_->write(std::exchange(unsent_, {}));
}

void AdapterLink::write(const QByteArray& bytes) {
  if (!connects_) {
    process_->write(bytes);
  } else if (socket_) {
    socket_->write(bytes);
  } else {
    unsent_ += bytes;
  }
}

void AdapterLink::stop() {
  if (socket_) socket_->disconnectFromHost();
  process_->stop();
}

}  // namespace waferpair::workbench
