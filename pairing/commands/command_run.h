// SPDX-License-Identifier: GPL-3.0-or-later
// A command that the user has approved, being run by the user's own shell, with no input. It has as
// long as it takes; when it ends, or is stopped, what it started ends with it. UI thread only.
#pragma once

#include <QObject>
#include <QProcess>
#include <QTimer>

#include "pairing/commands/capped_text.h"
#include "pairing/commands/command_record.h"

namespace waferpair::pairing {

class CommandRun : public QObject {
  Q_OBJECT
 public:
  // Starts it, in this folder.
  CommandRun(const QString& command, const QString& folder, QObject* parent = nullptr);
  // Kills it.
  ~CommandRun() override;

  // Asks it to end, and kills it when it has not after two seconds.
  void stop();
  bool isOver() const { return over_; }
  // As far as it has come.
  CommandRecord record() const;
  // Why it could not be run; empty: it could.
  const QString& problem() const { return problem_; }

 Q_SIGNALS:
  void grew();
  // Comes once, and not within the constructor.
  void finished();

 private:
  void end();
  void signalAll(int signal) const;

  CommandRecord record_;
  CappedText output_;
  QProcess process_;
  qint64 group_ = 0;  // of processes: the shell's id; 0: it could not be started
  QTimer patience_{this};
  QString problem_;
  bool over_ = false;
};

}  // namespace waferpair::pairing
