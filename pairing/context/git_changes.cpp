// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/git_changes.h"

#include <QDir>
#include <QFile>

#include "editor/text/libgit2.h"
#include "pairing/translate.h"

namespace waferpair::pairing {

using editor::GitDiff;
using editor::GitObject;
using editor::GitPatch;
using editor::gitProblem;
using editor::GitRepository;

editor::Result<QVector<FileChange>> changesSinceHead(const QString& folder) {
  editor::setUpLibgit2();
  git_repository* opened = nullptr;
  const QByteArray path = QFile::encodeName(folder);
  if (git_repository_open_ext(&opened, path.constData(), 0, nullptr) != 0)
    return editor::fail(translate("The folder is in no git repository."));
  const GitRepository repository(opened);
  const char* workFolder = git_repository_workdir(repository.get());
  if (!workFolder) return editor::fail(translate("The git repository has no files beside it."));
  const QString root = QDir::cleanPath(QFile::decodeName(workFolder));

  git_object* head = nullptr;
  git_revparse_single(&head, repository.get(), "HEAD^{tree}");  // null before the first commit
  const GitObject tree(head);
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_IGNORE_SUBMODULES;
  const QByteArray below =
      QFile::encodeName(QDir(root).relativeFilePath(QFileInfo(folder).canonicalFilePath()));
  char* spec = const_cast<char*>(below.constData());
  if (below != "." && !below.isEmpty() && !below.startsWith("..")) {
    options.flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH;
    options.pathspec = {&spec, 1};
  }
  git_diff* made = nullptr;
  if (git_diff_tree_to_workdir_with_index(&made, repository.get(),
                                          reinterpret_cast<git_tree*>(tree.get()), &options) != 0)
    return tl::unexpected(gitProblem(translate("git's changes can't be read.")));
  const GitDiff diff(made);
  git_diff_find_similar(diff.get(), nullptr);

  QVector<FileChange> changes;
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff.get(), i);
    FileChange change;
    change.path = root + u'/' + QFile::decodeName(delta->new_file.path);
    change.oldPath = root + u'/' + QFile::decodeName(delta->old_file.path);
    git_patch* patched = nullptr;
    if (git_patch_from_diff(&patched, diff.get(), i) == 0 && patched) {
      const GitPatch patch(patched);
      git_buf text = GIT_BUF_INIT;
      const bool isBinary = (git_patch_get_delta(patch.get())->flags & GIT_DIFF_FLAG_BINARY) != 0;
      if (!isBinary && git_patch_to_buf(&text, patch.get()) == 0)
        change.patch = QByteArray(text.ptr, static_cast<qsizetype>(text.size));
      git_buf_dispose(&text);
    }
    changes.append(change);
  }
  return changes;
}

}  // namespace waferpair::pairing
