// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs/child_process.h"

#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTimer>
#include <QUuid>
#include <chrono>

#include "editor/text/translate.h"

namespace waferpair::programs {
namespace {

constexpr char kMark[] = "WAFERPAIR_CHILD_MARK";
constexpr std::chrono::seconds kEndPatience(2);

QByteArray procFile(qint64 pid, const char* name) {
  QFile file(QStringLiteral("/proc/%1/%2").arg(pid).arg(QLatin1String(name)));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Reads /proc/PID/stat behind the name, which may hold anything: "S ppid pgrp ...".
QList<QByteArray> procStat(qint64 pid) {
  const QByteArray stat = procFile(pid, "stat");
  return stat.mid(stat.lastIndexOf(')') + 2).split(' ');
}

constexpr int kStateField = 0;
constexpr int kGroupField = 2;
constexpr int kTimeField = 19;

void signalThose(const QVector<ChildProcess::Started>& processes, int signal) {
  for (const ChildProcess::Started& each : processes)
    if (procStat(each.pid).value(kTimeField) == each.time)
      ::kill(static_cast<pid_t>(each.pid), signal);
}

}  // namespace

ChildProcess::ChildProcess(ProgramCommand command, QString folder, QObject* parent)
    : QObject(parent),
      command_(std::move(command)),
      mark_(QUuid::createUuid().toString(QUuid::WithoutBraces)) {
  process_.setProgram(command_.program);
  process_.setArguments(command_.arguments);
  process_.setWorkingDirectory(folder);
  QProcessEnvironment environment =
      programEnvironment(QProcessEnvironment::systemEnvironment(), command_);
  environment.insert(QLatin1String(kMark), mark_);
  process_.setProcessEnvironment(environment);
  process_.setChildProcessModifier([] { ::setpgid(0, 0); });
  connect(&process_, &QProcess::readyReadStandardOutput, this,
          [this] { Q_EMIT received(process_.readAllStandardOutput()); });
  connect(&process_, &QProcess::readyReadStandardError, this, [this] {
    lastWords_ = (lastWords_ + process_.readAllStandardError()).right(kMostLastWords);
  });
  connect(&process_, &QProcess::finished, this, &ChildProcess::finished);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart || std::exchange(told_, true)) return;
    group_ = 0;
    Q_EMIT ended(
        translate("%1 cannot be started: %2.").arg(command_.program, process_.errorString()));
  });
}

ChildProcess::~ChildProcess() {
  process_.disconnect(this);
  signalThose(processesOf(marks()), SIGKILL);
  // Its end is seen at once: it was killed.
  process_.waitForFinished(1000);
}

void ChildProcess::start() {
  process_.start();
  // Not when it tells that it has started: it may be at work before that is told.
  group_ = process_.processId();
}

void ChildProcess::write(const QByteArray& bytes) {
  if (isRunning()) process_.write(bytes);
}

void ChildProcess::stop() {
  process_.closeWriteChannel();
  QTimer::singleShot(kEndPatience, this, [this] { end(processesOf(marks())); });
}

std::optional<int> ChildProcess::status() const {
  const bool hasEnded = group_ > 0 && !isRunning() && process_.exitStatus() == QProcess::NormalExit;
  return hasEnded ? std::optional(process_.exitCode()) : std::nullopt;
}

QString ChildProcess::lastWords() const { return QString::fromUtf8(lastWords_).trimmed(); }

QVector<ChildProcess::Started> ChildProcess::processesOf(const Marks& marks) {
  QVector<Started> all;
  if (marks.group <= 0) return all;
  const QByteArray marked = QByteArray(kMark) + '=' + marks.text.toLatin1();
  const QByteArray group = QByteArray::number(marks.group);
  for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    bool isNumber = false;
    const qint64 pid = name.toLongLong(&isNumber);
    if (!isNumber) continue;
    const QList<QByteArray> stat = procStat(pid);
    if (stat.size() <= kTimeField || stat[kStateField] == "Z") continue;
    if (stat[kGroupField] == group || procFile(pid, "environ").split('\0').contains(marked))
      all.append({pid, stat[kTimeField]});
  }
  return all;
}

void ChildProcess::end(const QVector<Started>& processes) {
  signalThose(processes, SIGTERM);
  QTimer::singleShot(kEndPatience, this, [processes] { signalThose(processes, SIGKILL); });
}

// Processes that it leaves behind have nobody who could stop them.
void ChildProcess::finished() {
  lastWords_ = (lastWords_ + process_.readAllStandardError()).right(kMostLastWords);
  const QByteArray last = process_.readAllStandardOutput();
  if (!last.isEmpty()) Q_EMIT received(last);
  end(processesOf(marks()));
  if (std::exchange(told_, true)) return;
  Q_EMIT ended(process_.exitStatus() == QProcess::CrashExit
                   ? translate("It was ended by a signal.")
                   : translate("It ended with status %1.").arg(process_.exitCode()));
}

}  // namespace waferpair::programs
