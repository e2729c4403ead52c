// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/start_guard.h"

#include <fcntl.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <array>
#include <climits>
#include <csignal>
#include <cstring>

namespace waferpair::gui {
namespace {

constexpr std::array kCrashes{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// The state of the signal handler, which may neither allocate nor lock.
char markPath[PATH_MAX];
std::array<struct sigaction, kCrashes.size()> before;

void restoreHandlers() {
  for (std::size_t i = 0; i < kCrashes.size(); ++i) sigaction(kCrashes[i], &before[i], nullptr);
}

extern "C" void leaveMark(int signal, siginfo_t* info, void*) {
  const int file = open(markPath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) close(file);
  // The signal comes again as soon as this returns, and is handled as it would have been. A fault
  // does so by itself, and then still says where.
  restoreHandlers();
  if (info->si_code <= 0 || signal == SIGABRT) raise(signal);
}

}  // namespace

StartGuard::StartGuard(const QString& stateDirectory) {
  const QString mark = stateDirectory + QStringLiteral("/start-crashed");
  lastCrashed_ = QFile::exists(mark);
  QFile::remove(mark);
  const QByteArray path = QFile::encodeName(mark);
  if (!QDir().mkpath(stateDirectory) || path.size() >= PATH_MAX) return;
  std::strcpy(markPath, path.constData());
  struct sigaction action = {};
  action.sa_sigaction = leaveMark;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;  // a stack that overflowed has no room
  for (std::size_t i = 0; i < kCrashes.size(); ++i) sigaction(kCrashes[i], &action, &before[i]);
  watching_ = true;
}

StartGuard::~StartGuard() { completed(); }

void StartGuard::completed() {
  if (watching_) restoreHandlers();
  watching_ = false;
}

}  // namespace waferpair::gui
