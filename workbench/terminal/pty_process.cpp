// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/pty_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSocketNotifier>
#include <QTimer>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr qint64 kSlice = 4;  // ms
constexpr std::chrono::seconds kHangUpPatience(2);
constexpr int kLastPatience = 500;  // ms, when this program ends, too
// What the program has not read; a paste may be long, one that nobody reads has an end.
constexpr qsizetype kMostUnwritten = 16 << 20;
constexpr int kMostLeft = 12;  // pieces of 64 KiB, of what a program that is over has written

// The flags that a terminal of an editor has differ from the kernel's in this: text is UTF-8.
void setUtf8(int terminal) {
  termios settings{};
  if (::tcgetattr(terminal, &settings) != 0) return;
  settings.c_iflag |= IUTF8;
  ::tcsetattr(terminal, TCSANOW, &settings);
}

// Between fork and exec: only what is safe there.
void takeTerminal(int side) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int each : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGTSTP, SIGTTIN,
                         SIGTTOU, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT})
    ::signal(each, SIG_DFL);
  ::setsid();
  ::ioctl(side, TIOCSCTTY, 0);
  ::dup2(side, STDIN_FILENO);
  ::dup2(side, STDOUT_FILENO);
  ::dup2(side, STDERR_FILENO);
}

}  // namespace

PtyProcess::PtyProcess(const programs::ProgramCommand& command, const QString& folder,
                       const QProcessEnvironment& environment, QObject* parent)
    : QObject(parent) {
  process_.setProgram(command.program);
  process_.setArguments(command.arguments);
  process_.setWorkingDirectory(folder);
  process_.setProcessEnvironment(environment);
  process_.setProcessChannelMode(QProcess::ForwardedChannels);
  process_.setInputChannelMode(QProcess::ForwardedInputChannel);
  connect(&process_, &QProcess::finished, this, &PtyProcess::finished);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      fail(translate("%1 cannot be started: %2.").arg(process_.program(), process_.errorString()));
  });
}

PtyProcess::~PtyProcess() {
  process_.disconnect(this);
  if (!isRunning()) {
    closeTerminal();
    return;
  }
  const pid_t front = terminal_ >= 0 ? ::tcgetpgrp(terminal_) : -1;
  signalForeground(SIGHUP);
  closeTerminal();
  if (process_.waitForFinished(kLastPatience)) return;
  if (front > 0) ::killpg(front, SIGKILL);
  process_.kill();
  process_.waitForFinished(kLastPatience);
}

void PtyProcess::fail(const QString& problem) {
  closeTerminal();
  if (!std::exchange(isTold_, true)) Q_EMIT ended(-1, problem);
}

void PtyProcess::start(int rows, int columns) {
  terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  char name[128] = "";
  int side = -1;
  if (terminal_ >= 0 && ::grantpt(terminal_) == 0 && ::unlockpt(terminal_) == 0 &&
      ::ptsname_r(terminal_, name, sizeof name) == 0)
    side = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (side < 0) {
    return fail(translate("There is no terminal to be had: %1. Close some that are open.")
                    .arg(QString::fromLocal8Bit(std::strerror(errno))));
  }
  setUtf8(terminal_);
  resize(rows, columns);
  process_.setChildProcessModifier([side] { takeTerminal(side); });
  readable_ = std::make_unique<QSocketNotifier>(terminal_, QSocketNotifier::Read);
  connect(readable_.get(), &QSocketNotifier::activated, this, &PtyProcess::readSlice);
  writable_ = std::make_unique<QSocketNotifier>(terminal_, QSocketNotifier::Write);
  writable_->setEnabled(false);
  connect(writable_.get(), &QSocketNotifier::activated, this, &PtyProcess::writeSome);
  process_.start();
  ::close(side);
}

bool PtyProcess::readSome() {
  QByteArray bytes(64 << 10, Qt::Uninitialized);
  const ssize_t got = ::read(terminal_, bytes.data(), static_cast<size_t>(bytes.size()));
  if (got > 0) {
    bytes.truncate(got);
    Q_EMIT received(bytes);
    return true;
  }
  // Nobody has the other side open (EIO), which is no end yet: the program may open it again.
  const bool isGone = got == 0 || (errno != EAGAIN && errno != EINTR);
  if (isGone && readable_) readable_->setEnabled(false);
  return false;
}

void PtyProcess::readSlice() {
  QElapsedTimer timer;
  timer.start();
  while (terminal_ >= 0 && readSome() && timer.elapsed() < kSlice) {
  }
}

void PtyProcess::write(const QByteArray& bytes) {
  if (terminal_ < 0 || unwritten_.size() + bytes.size() > kMostUnwritten) return;
  unwritten_ += bytes;
  writeSome();
}

void PtyProcess::writeSome() {
  while (terminal_ >= 0 && !unwritten_.isEmpty()) {
    const ssize_t put =
        ::write(terminal_, unwritten_.constData(), static_cast<size_t>(unwritten_.size()));
    if (put <= 0) {
      if (put < 0 && errno == EINTR) continue;
      if (put < 0 && errno != EAGAIN) unwritten_.clear();
      break;
    }
    unwritten_.remove(0, put);
  }
  if (writable_) writable_->setEnabled(!unwritten_.isEmpty());
}

void PtyProcess::resize(int rows, int columns) {
  if (terminal_ < 0) return;
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void PtyProcess::signalForeground(int signal) const {
  const pid_t front = terminal_ >= 0 ? ::tcgetpgrp(terminal_) : -1;
  if (front > 0) {
    ::killpg(front, signal);
    ::killpg(front, SIGCONT);
  }
  const auto own = static_cast<pid_t>(process_.processId());
  if (own > 0) ::killpg(own, signal);
}

void PtyProcess::hangUp() {
  if (!isRunning()) return;
  signalForeground(SIGHUP);
  QTimer::singleShot(kHangUpPatience, this, [this] {
    if (isRunning()) signalForeground(SIGKILL);
  });
}

void PtyProcess::closeTerminal() {
  readable_.reset();
  writable_.reset();
  if (terminal_ >= 0) ::close(terminal_);
  terminal_ = -1;
}

void PtyProcess::finished() {
  // What the program wrote last. Others that it left behind may go on writing for ever: no more is
  // read than the system keeps.
  for (int left = kMostLeft; left > 0 && terminal_ >= 0 && readSome(); --left) {
  }
  closeTerminal();
  if (std::exchange(isTold_, true)) return;
  const bool isCrash = process_.exitStatus() == QProcess::CrashExit;
  Q_EMIT ended(process_.exitCode(), isCrash ? translate("It was ended by a signal.") : QString());
}

QString PtyProcess::foreground() const {
  const pid_t front = terminal_ >= 0 ? ::tcgetpgrp(terminal_) : -1;
  if (front <= 0 || front == process_.processId() || !isRunning()) return {};
  QFile name(QStringLiteral("/proc/%1/comm").arg(front));
  return name.open(QIODevice::ReadOnly) ? QString::fromUtf8(name.readAll()).trimmed() : QString();
}

QString PtyProcess::folder() const {
  if (!isRunning()) return {};
  return QFileInfo(QStringLiteral("/proc/%1/cwd").arg(process_.processId())).symLinkTarget();
}

}  // namespace waferpair::workbench
