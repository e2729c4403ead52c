// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/test_scanner.h"

#include <QFileInfo>
#include <utility>

#include "editor/text/guest_file.h"
#include "workbench/testing/find_tests.h"

namespace waferpair::workbench {

QVector<TestFile> TestScanner::scan(const QString& folder, const QStringList& files,
                                    const std::atomic<bool>& cancelled) {
  if (folder_ != folder) seen_.clear();
  folder_ = folder;
  QVector<TestFile> found;
  QHash<QString, Seen> now;
  for (const QString& each : files) {
    if (cancelled) break;
    if (!mayHoldTests(each)) continue;
    const QString path = folder + u'/' + each;
    const QFileInfo info(path);
    if (!info.isFile() || info.size() > kMostOfTestFile) continue;
    Seen seen = seen_.value(path);
    if (seen.changed != info.lastModified() || seen.size != info.size()) {
      const auto bytes = editor::readGuestFile(path, kMostOfTestFile);
      if (!bytes || !*bytes) continue;
      seen = {info.lastModified(), info.size(), findTests(path, **bytes, folder)};
    }
    if (!seen.items.isEmpty()) found.append({path, seen.items});
    now.insert(path, std::move(seen));
  }
  if (!cancelled) seen_ = std::move(now);
  return found;
}

}  // namespace waferpair::workbench
