// SPDX-License-Identifier: GPL-3.0-or-later
// A debug adapter's process and the way to it: its own pipes, or a connection that it makes to a
// port of ours on this computer. It ends with this object, with all that it started. UI thread
// only; nothing here waits.
#pragma once

#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <memory>

#include "programs/child_process.h"
#include "workbench/debug/debug_adapter.h"

namespace waferpair::workbench {

class AdapterLink : public QObject {
  Q_OBJECT
 public:
  AdapterLink(const FoundAdapter& adapter, const QString& folder, QObject* parent);

  void start();
  void write(const QByteArray& bytes);
  // It is asked to end, and killed where it does not.
  void stop();
  bool isRunning() const { return process_->isRunning(); }
  // The end of what it wrote for people.
  QString lastWords() const { return process_->lastWords(); }

 Q_SIGNALS:
  void received(const QByteArray& bytes);
  // It is over, or could not be started; `how` is a sentence.
  void ended(const QString& how);

 private:
  void takeConnection();

  bool connects_;
  QTcpServer server_;
  QPointer<QTcpSocket> socket_;
  QByteArray unsent_;  // until it has connected
  std::unique_ptr<programs::ChildProcess> process_;
};

}  // namespace waferpair::workbench
