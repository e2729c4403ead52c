// SPDX-License-Identifier: GPL-3.0-or-later
// A program's process, and all that it starts: they form a process group, and carry a mark in their
// environment by which those that leave the group are found, too. They end with this object.
// UI thread only; nothing here waits.
#pragma once

#include <QObject>
#include <QProcess>
#include <QVector>
#include <optional>

#include "programs/program_command.h"

namespace waferpair::programs {

class ChildProcess : public QObject {
  Q_OBJECT
 public:
  ChildProcess(ProgramCommand command, QString folder, QObject* parent = nullptr);
  // Kills all that it started, at once.
  ~ChildProcess() override;

  void start();
  void write(const QByteArray& bytes);
  // Bytes that it has not read so far.
  qint64 unread() const { return process_.bytesToWrite(); }
  // Its input is closed; what is left after 2 s is asked to end, after 2 s more it is killed.
  void stop();
  bool isRunning() const { return process_.state() != QProcess::NotRunning; }
  // The status that it has ended with; none: a signal ended it, or it could not be started.
  std::optional<int> status() const;
  // The end of what it wrote for people, at most so many bytes.
  static constexpr qsizetype kMostLastWords = 64 << 10;
  QString lastWords() const;

  // A process is known by its number and by when it was started: numbers are used again.
  struct Started {
    qint64 pid = 0;
    QByteArray time;
    bool operator==(const Started&) const = default;
  };
  // By which its processes are known.
  struct Marks {
    QString text;
    qint64 group = 0;  // 0: it has not begun
  };
  Marks marks() const { return {mark_, group_}; }
  // The program and all that it started, and they started, as far as it still runs. Any thread.
  static QVector<Started> processesOf(const Marks& marks);
  // Ends these: asked to, and killed 2 s later.
  void end(const QVector<Started>& processes);

 Q_SIGNALS:
  void received(const QByteArray& bytes);
  // It is over, or could not be started; `how` is a sentence.
  void ended(const QString& how);

 private:
  void finished();

  ProgramCommand command_;
  QString mark_;
  QProcess process_;
  qint64 group_ = 0;
  QByteArray lastWords_;
  bool told_ = false;
};

}  // namespace waferpair::programs
