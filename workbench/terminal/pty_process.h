// SPDX-License-Identifier: GPL-3.0-or-later
// A program on a terminal of its own (a pty): its session, what it reads and writes, its size. What
// it writes is read in slices of a few milliseconds, so that a flood holds up nothing else here;
// the kernel makes the program wait. UI thread only.
#pragma once

#include <QObject>
#include <QProcess>
#include <memory>

#include "programs/program_command.h"

class QSocketNotifier;

namespace waferpair::workbench {

class PtyProcess : public QObject {
  Q_OBJECT
 public:
  // The program gets this environment as it is.
  PtyProcess(const programs::ProgramCommand& command, const QString& folder,
             const QProcessEnvironment& environment, QObject* parent = nullptr);
  // Hangs up; what is in front and does not end then is killed.
  ~PtyProcess() override;

  // Either ended() follows, or it runs.
  void start(int rows, int columns);
  bool isRunning() const { return process_.state() != QProcess::NotRunning; }
  void write(const QByteArray& bytes);
  void resize(int rows, int columns);
  // What is in front is told that the terminal is gone; 2 s later it is killed with the program.
  void hangUp();

  // The name of the program that is in front; empty where it is the one started.
  QString foreground() const;
  // The folder that the program is in; empty where that is not known.
  QString folder() const;

 Q_SIGNALS:
  void received(const QByteArray& bytes);
  // `problem`: it could not be started, or a signal ended it; else empty, and `status` is its own.
  void ended(int status, const QString& problem);

 private:
  void fail(const QString& problem);
  void readSlice();
  bool readSome();
  void writeSome();
  void finished();
  void closeTerminal();
  void signalForeground(int signal) const;

  QProcess process_;
  int terminal_ = -1;  // our end
  std::unique_ptr<QSocketNotifier> readable_;
  std::unique_ptr<QSocketNotifier> writable_;
  QByteArray unwritten_;
  bool isTold_ = false;
};

}  // namespace waferpair::workbench
