// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/submodules.h"

#include <sys/stat.h>

#include <optional>

#include "editor/text/path_bytes.h"

namespace waferpair::workbench {
namespace {

// The commit that the repository in `folder` is at; none: there is none, or it can't be read.
std::optional<git_oid> headOf(const QByteArray& folder) {
  struct stat info;
  if (lstat((folder + "/.git").constData(), &info) != 0) return std::nullopt;
  const auto opened = openRepository(editor::pathText(folder));
  git_oid head;
  if (!opened || !*opened || git_reference_name_to_id(&head, opened->get(), "HEAD") != 0)
    return std::nullopt;
  return head;
}

bool isLookedAt(const git_index_entry& entry) {
  return entry.mode == GIT_FILEMODE_COMMIT && git_index_entry_stage(&entry) == 0 &&
         (entry.flags & GIT_INDEX_ENTRY_VALID) == 0 &&
         (entry.flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) == 0;
}

}  // namespace

std::vector<QByteArray> movedSubmodules(git_repository* repository, git_index* index,
                                        const QByteArray& below,
                                        const std::atomic<bool>& cancelled) {
  std::vector<QByteArray> moved;
  const QByteArray workFolder(git_repository_workdir(repository));  // ends with a slash
  const bool isAll = below.isEmpty() || below == ".";
  for (size_t i = 0; i < git_index_entrycount(index) && !cancelled; ++i) {
    const git_index_entry* entry = git_index_get_byindex(index, i);
    if (!isLookedAt(*entry)) continue;
    const QByteArray path(entry->path);
    if (!isAll && path != below && !path.startsWith(below + '/')) continue;
    const auto head = headOf(workFolder + path);
    if (head && !git_oid_equal(&*head, &entry->id)) moved.push_back(path);
  }
  return moved;
}

}  // namespace waferpair::workbench
