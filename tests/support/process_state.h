// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a process is at work, for tests of what must end with another one.
#pragma once

#include <signal.h>

#include <QFile>

namespace waferpair {

// One that ended and that nobody has asked about yet (a zombie) is not alive: whose child it became
// may take its time.
inline bool isAlive(qint64 pid) {
  if (pid <= 0 || ::kill(static_cast<pid_t>(pid), 0) != 0) return false;
  QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
  return stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
}

}  // namespace waferpair
