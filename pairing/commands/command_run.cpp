// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/commands/command_run.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QFileInfo>
#include <chrono>

#include "programs/program_command.h"

namespace waferpair::pairing {
namespace {

constexpr std::chrono::seconds kPatience(2);

QString userShell() {
  const QString shell = qEnvironmentVariable("SHELL");
  return QFileInfo(shell).isExecutable() ? shell : QStringLiteral("/bin/sh");
}

}  // namespace

CommandRun::CommandRun(const QString& command, const QString& folder, QObject* parent)
    : QObject(parent), record_{command, folder, {}, {}} {
  // A model wrote it, and it works on the project: it gets no secrets that it was not given.
  QProcessEnvironment environment =
      programs::programEnvironment(QProcessEnvironment::systemEnvironment(), {});
  environment.insert(QStringLiteral("TERM"), QStringLiteral("dumb"));
  process_.setProcessEnvironment(environment);
  process_.setWorkingDirectory(folder);
  process_.setProcessChannelMode(QProcess::MergedChannels);
  process_.setStandardInputFile(QProcess::nullDevice());
  // A group of its own, so that all of it can be ended; and the shell goes when this program dies.
  process_.setChildProcessModifier([] {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  });
  connect(&process_, &QProcess::readyReadStandardOutput, this, [this] {
    output_.feed(process_.readAllStandardOutput());
    Q_EMIT grew();
  });
  connect(&process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    output_.feed(process_.readAllStandardOutput());
    if (status == QProcess::NormalExit && !patience_.isActive()) record_.exitCode = code;
    end();
  });
  connect(
      &process_, &QProcess::errorOccurred, this,
      [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        group_ = 0;
        problem_ = tr("The command can't be run: %1.").arg(process_.errorString());
        end();
      },
      Qt::QueuedConnection);
  patience_.setSingleShot(true);
  connect(&patience_, &QTimer::timeout, this, [this] { signalAll(SIGKILL); });
  process_.start(userShell(), {QStringLiteral("-c"), command});
  // Not when it tells that it has started: the command may be at work before that is told.
  group_ = process_.processId();
}

CommandRun::~CommandRun() {
  process_.disconnect(this);
  if (over_) return;
  signalAll(SIGKILL);
  process_.kill();
  process_.waitForFinished();
}

void CommandRun::signalAll(int signal) const {
  if (group_ > 0) ::kill(static_cast<pid_t>(-group_), signal);
}

void CommandRun::stop() {
  if (over_ || patience_.isActive()) return;
  signalAll(SIGTERM);
  patience_.start(kPatience);
}

CommandRecord CommandRun::record() const {
  CommandRecord record = record_;
  record.output = output_.text();
  return record;
}

void CommandRun::end() {
  if (over_) return;
  over_ = true;
  patience_.stop();
  signalAll(SIGKILL);  // what it left running
  Q_EMIT finished();
}

}  // namespace waferpair::pairing
