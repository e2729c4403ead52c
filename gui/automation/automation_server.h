// SPDX-License-Identifier: GPL-3.0-or-later
// Takes requests over a local socket that only its owner can use: it lies in a folder that nobody
// else can enter, has mode 0600, and who connects is asked of the kernel. One JSON-RPC request a
// line; those of a connection are answered in order. A client that does not read is not read from
// either, and the window waits for none. UI thread only.
#pragma once

#include <QLocalServer>
#include <memory>

#include "gui/automation/automation.h"

class QLocalSocket;

namespace waferpair::gui {

class AutomationServer : public QObject {
  Q_OBJECT
 public:
  // A longer line is refused, and the connection ends: its rest would be taken for requests.
  static constexpr qsizetype kLongestLine = 16 << 20;
  // The bytes of answers that a client may leave unread; with more, its next request waits.
  static constexpr qint64 kMostUnread = 1 << 20;
  static constexpr int kMostClients = 16;

  // `automation` outlives this.
  explicit AutomationServer(Automation* automation, QObject* parent = nullptr);
  ~AutomationServer() override;  // removes the socket

  // Listens at `path`, or when that is empty in the folder of such sockets, named after this
  // process. Returns what is wrong and what can be done; empty when it listens.
  QString listen(const QString& path);
  QString path() const { return server_.fullServerName(); }

 private:
  class Client;
  void greet(QLocalSocket* socket);

  Automation* automation_;
  QLocalServer server_;
};

}  // namespace waferpair::gui
