// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/git_changes.h"

#include <QDir>
#include <QFileInfo>

#include "editor/text/git_repository.h"
#include "editor/text/path_bytes.h"
#include "pairing/translate.h"

namespace waferpair::pairing {

using editor::GitDiff;
using editor::GitObject;
using editor::GitPatch;
using editor::gitProblem;

editor::Result<QVector<FileChange>> changesSinceHead(const QString& folder, ChangesIn where) {
  const auto repository = editor::openRepository(folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository) return editor::fail(translate("The folder is in no git repository."));
  const char* workFolder = git_repository_workdir(repository->get());
  if (!workFolder) return editor::fail(translate("The git repository has no files beside it."));
  const QString root = QDir::cleanPath(editor::pathText(workFolder));

  git_object* found = nullptr;
  git_revparse_single(&found, repository->get(), "HEAD^{tree}");  // null before the first commit
  const GitObject tree(found);
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_IGNORE_SUBMODULES;
  options.max_size = kMostOfComparedFile;
  const QByteArray below =
      editor::pathBytes(QDir(root).relativeFilePath(QFileInfo(folder).canonicalFilePath()));
  char* spec = const_cast<char*>(below.constData());
  if (below != "." && !below.isEmpty() && !below.startsWith("..")) {
    options.flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH;
    options.pathspec = {&spec, 1};
  }
  editor::GitWalk walk(repository->get(), root);
  walk.watch(options);
  if (const auto problem = walk.problem()) return tl::unexpected(*problem);
  git_diff* made = nullptr;
  auto* head = reinterpret_cast<git_tree*>(tree.get());
  const int code =
      where == ChangesIn::kIndex
          ? git_diff_tree_to_index(&made, repository->get(), head, nullptr, &options)
          : git_diff_tree_to_workdir_with_index(&made, repository->get(), head, &options);
  if (const auto problem = walk.problem()) return tl::unexpected(*problem);
  if (code != 0) return tl::unexpected(gitProblem(translate("git's changes can't be read.")));
  const GitDiff diff(made);
  git_diff_find_similar(diff.get(), nullptr);

  QVector<FileChange> changes;
  qint64 all = 0;
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff.get(), i);
    FileChange change;
    change.path = root + u'/' + editor::pathText(delta->new_file.path);
    change.oldPath = root + u'/' + editor::pathText(delta->old_file.path);
    const auto isLong = [](const git_diff_file& file) { return file.size > kMostOfComparedFile; };
    change.isTooLong =
        all > kMostOfAllPatches || isLong(delta->old_file) || isLong(delta->new_file);
    git_patch* patched = nullptr;
    if (!change.isTooLong && git_patch_from_diff(&patched, diff.get(), i) == 0 && patched) {
      const GitPatch patch(patched);
      git_buf text = GIT_BUF_INIT;
      const bool isBinary = (git_patch_get_delta(patch.get())->flags & GIT_DIFF_FLAG_BINARY) != 0;
      if (!isBinary && git_patch_to_buf(&text, patch.get()) == 0)
        change.patch = QByteArray(text.ptr, static_cast<qsizetype>(text.size));
      git_buf_dispose(&text);
      all += change.patch.size();
    }
    changes.append(change);
  }
  return changes;
}

}  // namespace waferpair::pairing
