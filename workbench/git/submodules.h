// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a repository's submodules are at another commit than its index says. Told by the index
// and by the submodules' own folders: `.gitmodules`, of which libgit2 1.5 loses 20 KiB at each key
// that is no path whenever it looks there, is not read. Any thread.
#pragma once

#include <QByteArray>
#include <atomic>
#include <vector>

#include "workbench/git/repository.h"

namespace waferpair::workbench {

// Returns their paths as the index has them, in its order, of those at `below` or below it ("." or
// empty: all). One that is not checked out is as it was, as git says. `index` is the repository's;
// what is not looked at once `cancelled` is true is left out.
std::vector<QByteArray> movedSubmodules(git_repository* repository, git_index* index,
                                        const QByteArray& below,
                                        const std::atomic<bool>& cancelled);

}  // namespace waferpair::workbench
