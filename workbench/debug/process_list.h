// SPDX-License-Identifier: GPL-3.0-or-later
// The user's processes, to be attached to. Read from /proc. Any thread.
#pragma once

#include <QString>
#include <QVector>

namespace waferpair::workbench {

struct RunningProcess {
  qint64 pid = 0;
  QString name;     // "python3"
  QString line;     // its command line
  QString program;  // absolute, as far as it may be known
};

// Those of this user but for this program, the youngest first; what has no program of its own (the
// kernel's threads) is left out.
QVector<RunningProcess> runningProcesses();

}  // namespace waferpair::workbench
