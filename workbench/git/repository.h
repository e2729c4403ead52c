// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the repository that a folder is in, with what is said where that fails. Any thread.
#pragma once

#include <QString>

#include "editor/text/libgit2.h"

namespace waferpair::workbench {

// `folder` is absolute; the repository is there or above. Null: there is none. Fails where it is
// damaged or somebody else's.
editor::Result<editor::GitRepository> openRepository(const QString& folder);

// Returns what a branch follows; null: nothing that is here. libgit2 1.5 can tell, too, and forgets
// to free 20 KiB for each entry of the configuration whenever it does.
editor::GitReference upstreamOf(git_reference* branch);

// What is said of a repository, or a part of it, that can't be read.
editor::Error damagedRepository(const QString& path);

}  // namespace waferpair::workbench
