// SPDX-License-Identifier: GPL-3.0-or-later
// Small questions to a repository, besides opening it. Reads the disk and writes nothing; any
// thread.
#pragma once

#include <QString>
#include <QStringList>

#include "editor/text/git_repository.h"

namespace waferpair::workbench {

using editor::damagedRepository;
using editor::openRepository;

// A file and the repository that it is in.
struct RepositoryFile {
  QString workFolder;  // absolute, without a slash at the end
  QString path;        // relative to it
};
// `path` is absolute. Fails where the file is in no repository, or in `.git` itself.
editor::Result<RepositoryFile> fileInRepository(const QString& path);

// The names of its remotes, in order.
editor::Result<QStringList> gitRemotes(const QString& folder);

// Returns what a branch follows; null: nothing that is here. libgit2 1.5 can tell, too, and forgets
// to free 20 KiB for each entry of the configuration whenever it does.
editor::GitReference upstreamOf(git_reference* branch);

}  // namespace waferpair::workbench
