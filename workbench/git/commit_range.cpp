// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/commit_range.h"

#include <QMultiMap>
#include <QSet>
#include <algorithm>
#include <functional>
#include <iterator>

#include "editor/text/translate.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {

using editor::GitObject;
using editor::GitOwner;
using editor::GitRepository;
using editor::Result;

namespace {

using RangeCommit = GitOwner<git_commit, git_commit_free>;
using RangeWalk = GitOwner<git_revwalk, git_revwalk_free>;

constexpr qsizetype kMostOfRevision = 1'000;  // UTF-16 units

QString hexOf(const git_oid& id) { return QString::fromLatin1(git_oid_tostr_s(&id)); }

Result<GitRepository> repositoryAround(const QString& folder) {
  auto repository = openRepository(folder);
  if (repository && !*repository)
    return editor::fail(translate("%1 is in no git repository.").arg(folder),
                        translate("\"git init\" in the terminal makes one."));
  return repository;
}

QString revisionProblem(const QString& revision) {
  if (revision.isEmpty()) return translate("Name a commit: HEAD~1, main, v1.2, 1a2b3c4.");
  const bool isOdd = std::any_of(revision.begin(), revision.end(),
                                 [](QChar c) { return c < u' ' || c == QChar(0x7f); });
  if (revision.startsWith(u'-') || revision.size() > kMostOfRevision || isOdd)
    return translate("\"%1\" is no name of a commit.").arg(revision.left(40).simplified());
  return {};
}

Result<git_oid> resolved(git_repository* repository, const QString& revision) {
  if (const QString problem = revisionProblem(revision); !problem.isEmpty())
    return editor::fail(problem);
  if (git_repository_head_unborn(repository) == 1 && revision.startsWith(QLatin1String("HEAD")))
    return editor::fail(translate("There is no commit yet."),
                        translate("Make the first one, then it can be reviewed."));
  git_object* found = nullptr;
  git_object* commit = nullptr;
  git_revparse_single(&found, repository, revision.toUtf8().constData());
  const GitObject object(found);
  if (!found || git_object_peel(&commit, found, GIT_OBJECT_COMMIT) != 0)
    return editor::fail(
        translate("There is no commit \"%1\".").arg(revision),
        translate("Name a branch, a tag or a commit: HEAD~1, main, v1.2, 1a2b3c4."));
  const GitObject owned(commit);
  return *git_object_id(commit);
}

// Null: the repository does not have it.
RangeCommit commitThere(git_repository* repository, const git_oid& id) {
  git_commit* found = nullptr;
  git_commit_lookup(&found, repository, &id);
  return RangeCommit(found);
}

QByteArray keyOf(const git_oid& id) {
  return QByteArray(reinterpret_cast<const char*>(id.id), GIT_OID_RAWSZ);
}

// Goes back from a commit over those that a shallow repository has, the latest first, until `take`
// says that it is enough. libgit2's own walks fail there, and leak (1.5).
void walkThere(git_repository* repository, const git_oid& start,
               const std::function<bool(const git_oid& id)>& take) {
  constexpr qsizetype kMostLooked = 200'000;
  QSet<QByteArray> looked;
  QMultiMap<qint64, git_oid> byTime{{0, start}};
  while (!byTime.isEmpty() && looked.size() < kMostLooked) {
    const git_oid id = byTime.last();
    byTime.erase(std::prev(byTime.end()));
    if (looked.contains(keyOf(id))) continue;
    looked.insert(keyOf(id));
    if (!take(id)) return;
    const RangeCommit commit = commitThere(repository, id);
    const unsigned parents = commit ? git_commit_parentcount(commit.get()) : 0;
    for (unsigned i = 0; i < parents; ++i) {
      const git_oid& parent = *git_commit_parent_id(commit.get(), i);
      if (const RangeCommit before = commitThere(repository, parent))
        byTime.insert(git_commit_time(before.get()), parent);
    }
  }
}

QSet<QByteArray> allThere(git_repository* repository, const git_oid& start) {
  QSet<QByteArray> all;
  walkThere(repository, start, [&all](const git_oid& id) {
    all.insert(keyOf(id));
    return true;
  });
  return all;
}

// The latest commit before `b` that is before `a`, too.
std::optional<git_oid> meetingThere(git_repository* repository, const git_oid& a,
                                    const git_oid& b) {
  const QSet<QByteArray> beforeA = allThere(repository, a);
  std::optional<git_oid> found;
  walkThere(repository, b, [&](const git_oid& id) {
    if (beforeA.contains(keyOf(id))) found = id;
    return !found;
  });
  return found;
}

// Where two histories went apart.
Result<git_oid> meeting(git_repository* repository, const git_oid& a, const git_oid& b,
                        const QString& nameOfA, const QString& nameOfB) {
  const bool isShallow = git_repository_is_shallow(repository) == 1;
  git_oid base;
  if (isShallow) {
    if (const auto there = meetingThere(repository, a, b)) return *there;
  } else if (git_merge_base(&base, repository, &a, &b) == 0) {
    return base;
  }
  if (isShallow)
    return editor::fail(translate("This clone is shallow: its history ends before %1 and %2 meet.")
                            .arg(nameOfA, nameOfB),
                        translate("\"git fetch --unshallow\" in the terminal gets the rest."));
  return editor::fail(translate("%1 and %2 have no commit in common.").arg(nameOfA, nameOfB),
                      translate("Review a range, \"%1..%2\", instead.").arg(nameOfB, nameOfA));
}

void count(git_repository* repository, const git_oid& from, const git_oid& to, CommitRange* range) {
  const auto take = [repository, range](const git_oid& id) {
    ++range->commits;
    git_commit* found = nullptr;
    if (range->subjects.size() < CommitRange::kMostSubjects &&
        git_commit_lookup(&found, repository, &id) == 0) {
      const RangeCommit commit(found);
      range->subjects.append(QString::fromUtf8(git_commit_summary(found)));
    }
    return range->commits < CommitRange::kMostCommits;
  };
  if (git_repository_is_shallow(repository) == 1) {
    const QSet<QByteArray> before = allThere(repository, from);
    return walkThere(repository, to,
                     [&](const git_oid& id) { return before.contains(keyOf(id)) || take(id); });
  }
  git_revwalk* made = nullptr;
  if (git_revwalk_new(&made, repository) != 0) return;
  const RangeWalk walk(made);
  git_revwalk_sorting(made, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
  if (git_revwalk_push(made, &to) != 0 || git_revwalk_hide(made, &from) != 0) return;
  git_oid id;
  while (git_revwalk_next(&id, made) == 0 && take(id)) {
  }
}

Result<CommitRange> rangeBetween(git_repository* repository, const git_oid& from,
                                 const git_oid& to) {
  CommitRange range{hexOf(from), hexOf(to), 0, {}};
  count(repository, from, to, &range);
  return range;
}

struct RangeName {
  QString from, to;
  bool sinceMeeting = false;
};

// None where it is no range.
std::optional<RangeName> readRange(const QString& text) {
  const QString range = text.trimmed();
  const qsizetype dots = range.indexOf(QLatin1String(".."));
  if (dots < 0) return std::nullopt;
  const bool isThree = range.mid(dots).startsWith(QLatin1String("..."));
  RangeName name{range.left(dots).trimmed(), range.mid(dots + (isThree ? 3 : 2)).trimmed(),
                 isThree};
  if ((name.from.isEmpty() && name.to.isEmpty()) || name.to.contains(QLatin1String("..")))
    return {};
  for (QString* side : {&name.from, &name.to})
    if (side->isEmpty()) *side = QStringLiteral("HEAD");
  return name;
}

}  // namespace

Result<QString> commitNamed(const QString& folder, const QString& revision) {
  const auto repository = repositoryAround(folder);
  if (!repository) return tl::unexpected(repository.error());
  return resolved(repository->get(), revision.trimmed()).map([](const git_oid& id) {
    return hexOf(id);
  });
}

Result<CommitRange> rangeSince(const QString& folder, const GitRef& base) {
  const auto repository = repositoryAround(folder);
  if (!repository) return tl::unexpected(repository.error());
  git_repository* in = repository->get();
  const QString own = QStringLiteral("HEAD");
  const auto head = resolved(in, own);
  if (!head) return tl::unexpected(head.error());
  // A branch and a tag may have one name: it is by its commit that it was chosen.
  const auto other = resolved(in, base.commit);
  if (!other) return tl::unexpected(other.error());
  const auto from = meeting(in, *head, *other, own, base.name);
  if (!from) return tl::unexpected(from.error());
  if (git_oid_equal(&*from, &*head) != 0)
    return editor::fail(
        translate("There are no commits here that %1 does not have.").arg(base.name),
        translate("Commit first, choose another branch, or review what is not "
                  "committed: Review My Changes."));
  return rangeBetween(in, *from, *head);
}

Result<CommitRange> rangeOfCommit(const QString& folder, const QString& revision) {
  const auto repository = repositoryAround(folder);
  if (!repository) return tl::unexpected(repository.error());
  const auto id = resolved(repository->get(), revision.trimmed());
  if (!id) return tl::unexpected(id.error());
  git_commit* found = nullptr;
  if (git_commit_lookup(&found, repository->get(), &*id) != 0)
    return tl::unexpected(damagedRepository(folder));
  const RangeCommit commit(found);
  CommitRange range{{}, hexOf(*id), 1, {QString::fromUtf8(git_commit_summary(found))}};
  const git_oid* parent = git_commit_parent_id(found, 0);
  git_commit* before = nullptr;
  if (parent && git_commit_lookup(&before, repository->get(), parent) == 0) {
    const RangeCommit owned(before);
    range.from = hexOf(*parent);
    return range;
  }
  // Where a shallow clone ends, libgit2 may tell of no parent, but the commit itself does.
  const bool isFirst = !QByteArray(git_commit_raw_header(found)).contains("parent ");
  if (isFirst) return range;
  if (git_repository_is_shallow(repository->get()) == 1)
    return editor::fail(
        translate("This clone is shallow: it does not have the commit before this one."),
        translate("\"git fetch --unshallow\" in the terminal gets the rest."));
  return tl::unexpected(damagedRepository(folder));
}

Result<CommitRange> rangeNamed(const QString& folder, const QString& text) {
  const auto name = readRange(text);
  if (!name) return editor::fail(rangeNameProblem(text));
  const auto repository = repositoryAround(folder);
  if (!repository) return tl::unexpected(repository.error());
  git_repository* in = repository->get();
  auto from = resolved(in, name->from);
  if (!from) return tl::unexpected(from.error());
  const auto to = resolved(in, name->to);
  if (!to) return tl::unexpected(to.error());
  if (name->sinceMeeting) from = meeting(in, *from, *to, name->from, name->to);
  if (!from) return tl::unexpected(from.error());
  if (git_oid_equal(&*from, &*to) != 0)
    return editor::fail(
        name->sinceMeeting
            ? translate("%1 has no commits that %2 does not have.").arg(name->to, name->from)
            : translate("%1 and %2 are the same commit.").arg(name->from, name->to),
        translate("Name two commits, the older one first: v1.2..main."));
  return rangeBetween(in, *from, *to);
}

QString rangeNameProblem(const QString& text) {
  const auto name = readRange(text);
  if (!name)
    return translate(
        "Name two commits, branches or tags: \"v1.2..main\", or \"main...HEAD\" for what changed "
        "since the two went apart.");
  const QString problem = revisionProblem(name->from);
  return problem.isEmpty() ? revisionProblem(name->to) : problem;
}

qsizetype likelyBase(const QVector<GitRef>& refs, const QString& remembered) {
  QString upstream;
  for (const GitRef& ref : refs)
    if (ref.isCurrent) upstream = ref.upstream;
  const auto named = [&refs](const auto& fits) -> qsizetype {
    const auto found = std::find_if(refs.begin(), refs.end(),
                                    [&](const GitRef& ref) { return !ref.isCurrent && fits(ref); });
    return found == refs.end() ? -1 : found - refs.begin();
  };
  if (!remembered.isEmpty())
    if (const qsizetype at = named([&](const GitRef& ref) { return ref.name == remembered; });
        at >= 0)
      return at;
  for (const char* usual : {"main", "master", "trunk", "develop"}) {
    const QString name = QLatin1String(usual);
    for (const auto kind : {GitRef::Kind::kBranch, GitRef::Kind::kRemoteBranch})
      if (const qsizetype at = named([&](const GitRef& ref) {
            return ref.kind == kind && ref.name != upstream &&
                   (ref.name == name ||
                    (kind == GitRef::Kind::kRemoteBranch && ref.name.section(u'/', 1) == name));
          });
          at >= 0)
        return at;
  }
  return named([&](const GitRef& ref) { return ref.name == upstream; });
}

}  // namespace waferpair::workbench
