// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/refs.h"

#include <algorithm>

#include "editor/text/translate.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {

using editor::GitOwner;
using editor::GitReference;
using editor::GitRepository;
using editor::Result;

namespace {

using RefCommit = GitOwner<git_commit, git_commit_free>;
using RefIterator = GitOwner<git_reference_iterator, git_reference_iterator_free>;

RefCommit commitAt(git_reference* reference) {
  git_object* found = nullptr;
  if (git_reference_peel(&found, reference, GIT_OBJECT_COMMIT) != 0) return nullptr;
  return RefCommit(reinterpret_cast<git_commit*>(found));
}

Result<GitRepository> needed(const QString& folder) {
  auto repository = openRepository(folder);
  if (repository && !*repository)
    return editor::fail(translate("%1 is in no git repository.").arg(folder));
  return repository;
}

}  // namespace

Result<QVector<GitRef>> gitRefs(const QString& folder) {
  const auto repository = needed(folder);
  if (!repository) return tl::unexpected(repository.error());
  git_reference_iterator* made = nullptr;
  if (git_reference_iterator_new(&made, repository->get()) != 0)
    return tl::unexpected(damagedRepository(folder));
  const RefIterator each(made);
  QVector<GitRef> refs;
  git_reference* found = nullptr;
  while (git_reference_next(&found, each.get()) == 0) {
    const GitReference reference(found);
    GitRef ref;
    if (git_reference_is_branch(found)) {
      ref.kind = GitRef::Kind::kBranch;
    } else if (git_reference_is_remote(found)) {
      ref.kind = GitRef::Kind::kRemoteBranch;
    } else if (git_reference_is_tag(found)) {
      ref.kind = GitRef::Kind::kTag;
    } else {
      continue;
    }
    ref.name = QString::fromUtf8(git_reference_shorthand(found));
    // Which branch of a remote is its own HEAD is no branch itself.
    if (ref.kind == GitRef::Kind::kRemoteBranch && ref.name.endsWith(QLatin1String("/HEAD")))
      continue;
    const RefCommit commit = commitAt(found);
    if (!commit) continue;
    ref.commit = QString::fromLatin1(git_oid_tostr_s(git_commit_id(commit.get())));
    ref.subject = QString::fromUtf8(git_commit_summary(commit.get()));
    ref.when = QDateTime::fromSecsSinceEpoch(git_commit_time(commit.get()));
    if (ref.kind == GitRef::Kind::kBranch) {
      ref.isCurrent = git_branch_is_head(found) == 1;
      if (const GitReference upstream = upstreamOf(found))
        ref.upstream = QString::fromUtf8(git_reference_shorthand(upstream.get()));
    }
    refs.append(ref);
  }
  std::stable_sort(refs.begin(), refs.end(), [](const GitRef& a, const GitRef& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.when > b.when;
  });
  return refs;
}

Result<QVector<GitStash>> gitStashes(const QString& folder) {
  const auto repository = needed(folder);
  if (!repository) return tl::unexpected(repository.error());
  QVector<GitStash> stashes;
  const auto take = [](size_t number, const char* message, const git_oid* id, void* all) {
    static_cast<QVector<GitStash>*>(all)->append({static_cast<int>(number),
                                                  QString::fromLatin1(git_oid_tostr_s(id)),
                                                  QString::fromUtf8(message),
                                                  {}});
    return 0;
  };
  if (git_stash_foreach(repository->get(), take, &stashes) != 0)
    return tl::unexpected(damagedRepository(folder));
  for (GitStash& stash : stashes) {
    git_oid id;
    git_commit* found = nullptr;
    if (git_oid_fromstr(&id, stash.commit.toLatin1().constData()) != 0 ||
        git_commit_lookup(&found, repository->get(), &id) != 0)
      continue;
    const RefCommit commit(found);
    stash.when = QDateTime::fromSecsSinceEpoch(git_commit_time(found));
  }
  return stashes;
}

QString refNameProblem(const QString& name) {
  int isValid = 0;
  if (name.isEmpty()) return translate("It needs a name.");
  if (git_branch_name_is_valid(&isValid, name.toUtf8().constData()) == 0 && isValid == 1 &&
      name != QLatin1String("HEAD"))
    return {};
  return translate(
      "Git allows no such name: no blanks, \"..\", \"~\", \"^\", \":\", \"?\", \"*\", \"[\" or "
      "\"\\\", and no \"-\" in front.");
}

}  // namespace waferpair::workbench
