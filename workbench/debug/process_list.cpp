// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/process_list.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <algorithm>

namespace waferpair::workbench {
namespace {

constexpr qint64 kMostOfLine = 4096;  // bytes

QByteArray beginningOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.read(kMostOfLine) : QByteArray();
}

bool isOurs(const QString& folder) {
  struct stat about = {};
  return ::stat(folder.toLocal8Bit().constData(), &about) == 0 && about.st_uid == ::getuid();
}

}  // namespace

QVector<RunningProcess> runningProcesses() {
  QVector<RunningProcess> all;
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    bool isNumber = false;
    const qint64 pid = entry.toLongLong(&isNumber);
    const QString folder = QStringLiteral("/proc/") + entry;
    if (!isNumber || pid == ::getpid() || !isOurs(folder)) continue;
    QByteArray line = beginningOf(folder + QStringLiteral("/cmdline"));
    while (line.endsWith('\0')) line.chop(1);
    if (line.isEmpty()) continue;
    line.replace('\0', ' ');
    all.append(
        {pid, QString::fromLocal8Bit(beginningOf(folder + QStringLiteral("/comm"))).trimmed(),
         QString::fromLocal8Bit(line), QFile::symLinkTarget(folder + QStringLiteral("/exe"))});
  }
  std::sort(all.begin(), all.end(),
            [](const RunningProcess& a, const RunningProcess& b) { return a.pid > b.pid; });
  return all;
}

}  // namespace waferpair::workbench
