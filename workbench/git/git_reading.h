// SPDX-License-Identifier: GPL-3.0-or-later
// What a git that only reads is given instead of a repository: a git folder of our own with the
// repository's commits, branches and index, and a configuration and attributes that we wrote; and
// an empty folder for its work folder. So nothing that the repository says is run or converts
// anything: no fsmonitor, diff program, textconv, filter, hook, pager, alias, helper, signature
// check or transport, whichever way it was set. Any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <memory>

#include "editor/text/result.h"

namespace waferpair::workbench {

class GitReading {
 public:
  // Of the repository that `folder` is in, as it is now. It goes with this object.
  static editor::Result<std::unique_ptr<GitReading>> of(const QString& folder);

  QString gitFolder() const { return directory_.filePath(QStringLiteral("repository")); }
  // Without a file, ever.
  QString workFolder() const { return directory_.filePath(QStringLiteral("work")); }
  // "NAME=value", in place of all that the user has of git's own.
  QStringList environment() const;

 private:
  QTemporaryDir directory_;  // for this user alone
};

}  // namespace waferpair::workbench
