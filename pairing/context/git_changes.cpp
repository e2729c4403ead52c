// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/git_changes.h"

#include <QDir>
#include <QFileInfo>

#include "editor/text/git_repository.h"
#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"

namespace waferpair::pairing {

using editor::GitDiff;
using editor::GitObject;
using editor::GitPatch;
using editor::gitProblem;

namespace {

// The repository of a folder, and what of it lies below the folder.
struct ComparedRepository {
  editor::GitRepository repository;
  QString root;      // the work folder
  QByteArray below;  // empty: all
};

editor::Result<ComparedRepository> repositoryOf(const QString& folder) {
  auto repository = editor::openRepository(folder);
  if (!repository) return tl::unexpected(repository.error());
  if (!*repository) return editor::fail(translate("The folder is in no git repository."));
  const char* workFolder = git_repository_workdir(repository->get());
  if (!workFolder) return editor::fail(translate("The git repository has no files beside it."));
  const QString root = QDir::cleanPath(editor::pathText(workFolder));
  QByteArray below =
      editor::pathBytes(QDir(root).relativeFilePath(QFileInfo(folder).canonicalFilePath()));
  if (below == "." || below.startsWith("..")) below.clear();
  return ComparedRepository{std::move(*repository), root, below};
}

// `spec` outlives the options.
git_diff_options optionsBelow(char** spec) {
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.flags = GIT_DIFF_IGNORE_SUBMODULES;
  options.max_size = kMostOfComparedFile;
  if (**spec != '\0') {
    options.flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH;
    options.pathspec = {spec, 1};
  }
  return options;
}

// All that is stored under that name; null: no file is.
QByteArray blobText(git_repository* repository, const git_diff_file& file) {
  git_blob* found = nullptr;
  if (git_oid_is_zero(&file.id) || git_blob_lookup(&found, repository, &file.id) != 0) return {};
  const editor::GitOwner<git_blob, git_blob_free> blob(found);
  return QByteArray(static_cast<const char*>(git_blob_rawcontent(found)),
                    static_cast<qsizetype>(git_blob_rawsize(found)));
}

// `texts`: where the whole texts are; null: they are not asked for.
QVector<FileChange> changesIn(git_diff* diff, const QString& root, git_repository* texts) {
  QVector<FileChange> changes;
  qint64 all = 0, allTexts = 0;
  for (size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff, i);
    FileChange change;
    change.path = root + u'/' + editor::pathText(delta->new_file.path);
    change.oldPath = root + u'/' + editor::pathText(delta->old_file.path);
    const auto isLong = [](const git_diff_file& file) { return file.size > kMostOfComparedFile; };
    change.isTooLong = all > kMostOfAllPatches || allTexts > kMostOfAllTexts ||
                       isLong(delta->old_file) || isLong(delta->new_file);
    git_patch* patched = nullptr;
    // The sizes of stored files are known once they were compared.
    if (!change.isTooLong && git_patch_from_diff(&patched, diff, i) == 0 && patched) {
      const GitPatch patch(patched);
      delta = git_patch_get_delta(patch.get());
      if (isLong(delta->old_file) || isLong(delta->new_file)) change.isTooLong = true;
      git_buf text = GIT_BUF_INIT;
      const bool isBinary = (delta->flags & GIT_DIFF_FLAG_BINARY) != 0;
      if (!change.isTooLong && !isBinary && git_patch_to_buf(&text, patch.get()) == 0)
        change.patch = QByteArray(text.ptr, static_cast<qsizetype>(text.size));
      git_buf_dispose(&text);
      all += change.patch.size();
      if (texts && !change.patch.isEmpty()) {
        change.before = blobText(texts, delta->old_file);
        change.after = blobText(texts, delta->new_file);
        allTexts += change.before.size() + change.after.size();
      }
    }
    changes.append(change);
  }
  return changes;
}

editor::Result<GitObject> treeOf(git_repository* repository, const QString& commit) {
  git_oid id;
  git_object* found = nullptr;
  git_object* tree = nullptr;
  const QByteArray name = commit.toLatin1();
  if (git_oid_fromstrn(&id, name.constData(), static_cast<size_t>(name.size())) != 0 ||
      git_object_lookup(&found, repository, &id, GIT_OBJECT_COMMIT) != 0)
    return tl::unexpected(gitProblem(translate("The commit %1 can't be read.").arg(commit)));
  const GitObject object(found);
  if (git_object_peel(&tree, found, GIT_OBJECT_TREE) != 0)
    return tl::unexpected(gitProblem(translate("The commit %1 can't be read.").arg(commit)));
  return GitObject(tree);
}

}  // namespace

editor::Result<QVector<FileChange>> changesSinceHead(const QString& folder, ChangesIn where) {
  const auto compared = repositoryOf(folder);
  if (!compared) return tl::unexpected(compared.error());
  git_repository* repository = compared->repository.get();
  git_object* found = nullptr;
  git_revparse_single(&found, repository, "HEAD^{tree}");  // null before the first commit
  const GitObject tree(found);
  char* spec = const_cast<char*>(compared->below.constData());
  git_diff_options options = optionsBelow(&spec);
  editor::GitWalk walk(repository, compared->root);
  walk.watch(options);
  if (const auto problem = walk.problem()) return tl::unexpected(*problem);
  git_diff* made = nullptr;
  auto* head = reinterpret_cast<git_tree*>(tree.get());
  const int code = where == ChangesIn::kIndex
                       ? git_diff_tree_to_index(&made, repository, head, nullptr, &options)
                       : git_diff_tree_to_workdir_with_index(&made, repository, head, &options);
  if (const auto problem = walk.problem()) return tl::unexpected(*problem);
  if (code != 0) return tl::unexpected(gitProblem(translate("git's changes can't be read.")));
  const GitDiff diff(made);
  git_diff_find_similar(diff.get(), nullptr);
  return changesIn(diff.get(), compared->root, nullptr);
}

editor::Result<QVector<FileChange>> changesBetween(const QString& folder, const QString& from,
                                                   const QString& to) {
  const auto compared = repositoryOf(folder);
  if (!compared) return tl::unexpected(compared.error());
  git_repository* repository = compared->repository.get();
  GitObject before;
  if (!from.isEmpty()) {
    auto tree = treeOf(repository, from);
    if (!tree) return tl::unexpected(tree.error());
    before = std::move(*tree);
  }
  const auto after = treeOf(repository, to);
  if (!after) return tl::unexpected(after.error());
  char* spec = const_cast<char*>(compared->below.constData());
  git_diff_options options = optionsBelow(&spec);
  git_diff* made = nullptr;
  if (git_diff_tree_to_tree(&made, repository, reinterpret_cast<git_tree*>(before.get()),
                            reinterpret_cast<git_tree*>(after->get()), &options) != 0)
    return tl::unexpected(gitProblem(translate("git's changes can't be read.")));
  const GitDiff diff(made);
  // What a file's diff is made by is asked of git's rules, which lie in the folders above it.
  for (size_t i = 0; i < git_diff_num_deltas(diff.get()); ++i) {
    const git_diff_delta* delta = git_diff_get_delta(diff.get(), i);
    for (const git_diff_file* file : {&delta->old_file, &delta->new_file})
      if (const auto problem = editor::rulesProblem(compared->root, editor::pathText(file->path)))
        return tl::unexpected(*problem);
  }
  git_diff_find_similar(diff.get(), nullptr);
  return changesIn(diff.get(), compared->root, repository);
}

}  // namespace waferpair::pairing
