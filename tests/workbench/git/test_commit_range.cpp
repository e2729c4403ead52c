// SPDX-License-Identifier: GPL-3.0-or-later
// What the user names, resolved to commits, in real repositories.
#include <QtTest>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/commit_range.h"

using namespace waferpair::workbench;

namespace {

// main has two commits, topic two others since the first one; "v1" is the first.
struct Branches : ScratchRepository {
  Branches() {
    write("a.txt", "one\n");
    commit("first");
    git({"tag", "-a", "-m", "a tag", "v1"});
    git({"switch", "-q", "-c", "topic"});
    write("b.txt", "b\n");
    commit("b comes");
    write("b.txt", "b\nc\n");
    commit("b grows");
    git({"switch", "-q", "main"});
    write("c.txt", "c\n");
    commit("c comes");
    git({"switch", "-q", "topic"});
  }
  QString id(const QString& revision) const {
    return QString::fromLatin1(git({"rev-parse", revision + "^{commit}"}).trimmed());
  }
  GitRef ref(const QString& name) const {
    GitRef found;
    found.name = name;
    found.commit = id(name);
    return found;
  }
};

template <typename T>
QString problemOf(const waferpair::editor::Result<T>& result) {
  return result ? QStringLiteral("(none)") : result.error().message();
}

GitRef refOf(GitRef::Kind kind, const QString& name, bool isCurrent = false,
             const QString& upstream = {}) {
  GitRef ref;
  ref.kind = kind;
  ref.name = name;
  ref.isCurrent = isCurrent;
  ref.upstream = upstream;
  return ref;
}

class TestCommitRange : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void namesAreResolvedToCommits() {
    const Branches r;
    for (const char* name : {"topic", "v1", "HEAD~1", "main", "HEAD", "refs/heads/main"})
      QCOMPARE(commitNamed(r.folder(), name).value_or(QString()), r.id(name));
    QCOMPARE(commitNamed(r.folder(), r.id("main").left(8)).value_or(QString()), r.id("main"));
    QCOMPARE(commitNamed(r.folder(), " main ").value_or(QString()), r.id("main"));
  }

  // No name of a branch may become an option of a program.
  void whatLooksLikeAnOptionIsRefused() {
    const Branches r;
    r.write(".git/refs/heads/--output=x", r.git({"rev-parse", "HEAD"}));
    for (const char* name : {"--output=x", "-p", "", "a\nb", "nothing", "main:a.txt", "HEAD~9"})
      QVERIFY2(!commitNamed(r.folder(), name), name);
    QVERIFY(!rangeNamed(r.folder(), "main..--output=x"));
    QVERIFY(!rangeNamed(r.folder(), "--output=x..main"));
    QVERIFY(!rangeNameProblem("-p..main").isEmpty());
    // One that is chosen from the list is meant by its commit.
    GitRef odd = r.ref("main");
    odd.name = "--output=x";
    QVERIFY(rangeSince(r.folder(), odd));
    QVERIFY(!QFile::exists(r.path("x")));
  }

  void aBranchIsWhatItChangedSinceItWentApart() {
    const Branches r;
    const auto range = rangeSince(r.folder(), r.ref("main"));
    QVERIFY2(range, qPrintable(problemOf(range)));
    QCOMPARE(range->from, r.id("v1"));
    QCOMPARE(range->to, r.id("topic"));
    QCOMPARE(range->commits, 2);
    QCOMPARE(range->subjects, QStringList({"b grows", "b comes"}));
    r.git({"merge", "-q", "--no-edit", "main"});
    QCOMPARE(rangeSince(r.folder(), r.ref("main"))->from, r.id("main"));
  }

  void aBranchWithoutCommitsOfItsOwnIsRefused() {
    const Branches r;
    r.git({"switch", "-q", "--detach", "v1"});
    const auto range = rangeSince(r.folder(), r.ref("main"));
    QVERIFY2(problemOf(range).startsWith("There are no commits here that main does not have. "),
             qPrintable(problemOf(range)));
  }

  void historiesThatNeverMetAreTold() {
    const Branches r;
    r.git({"checkout", "-q", "--orphan", "other"});
    r.commit("apart");
    const auto range = rangeSince(r.folder(), r.ref("main"));
    QVERIFY2(problemOf(range).contains("have no commit in common. Review a range"),
             qPrintable(problemOf(range)));
    // The range itself needs no meeting.
    QCOMPARE(rangeNamed(r.folder(), "main..other")->to, r.id("other"));
  }

  void aCommitIsWhatItChanged() {
    const Branches r;
    const auto range = rangeOfCommit(r.folder(), "topic");
    QCOMPARE(range->from, r.id("topic~1"));
    QCOMPARE(range->to, r.id("topic"));
    QCOMPARE(range->commits, 1);
    QCOMPARE(range->subjects, QStringList("b grows"));
    // There was nothing before the first one.
    QCOMPARE(rangeOfCommit(r.folder(), "v1")->from, QString());
    // A merge is what came to the branch that was merged into.
    r.git({"merge", "-q", "--no-edit", "main"});
    QCOMPARE(rangeOfCommit(r.folder(), "HEAD")->from, r.id("HEAD^1"));
  }

  void rangesAreReadAsGitReadsThem() {
    const Branches r;
    QCOMPARE(rangeNamed(r.folder(), "v1..topic")->commits, 2);
    QCOMPARE(rangeNamed(r.folder(), "v1..")->to, r.id("HEAD"));
    QCOMPARE(rangeNamed(r.folder(), "main..topic")->from, r.id("main"));
    QCOMPARE(rangeNamed(r.folder(), "main...topic")->from, r.id("v1"));
    QCOMPARE(rangeNamed(r.folder(), " main ... topic ")->from, r.id("v1"));
    QVERIFY2(problemOf(rangeNamed(r.folder(), "topic..HEAD")).contains("are the same commit. "),
             qPrintable(problemOf(rangeNamed(r.folder(), "topic..HEAD"))));
    QVERIFY2(problemOf(rangeNamed(r.folder(), "v1..gone")).contains("no commit \"gone\""),
             qPrintable(problemOf(rangeNamed(r.folder(), "v1..gone"))));
    for (const char* wrong : {"", "main", "..", "a..b..c"})
      QVERIFY2(!rangeNameProblem(wrong).isEmpty(), wrong);
    QCOMPARE(rangeNameProblem("HEAD~1..HEAD"), QString());
  }

  void beforeTheFirstCommitAndOutsideOfRepositoriesItIsTold() {
    const ScratchRepository fresh;
    QVERIFY2(problemOf(commitNamed(fresh.folder(), "HEAD")).startsWith("There is no commit yet. "),
             qPrintable(problemOf(commitNamed(fresh.folder(), "HEAD"))));
    const waferpair::test::TemporaryFolder plain;
    const QString problem = problemOf(rangeNamed(plain.path(), "a..b"));
    QVERIFY2(problem.contains("is in no git repository. \"git init\""), qPrintable(problem));
  }

  void aShallowCloneIsTold() {
    const Branches r;
    const waferpair::test::TemporaryFolder place;
    const QString clone = place.filePath("clone");
    runGit(place.path(),
           {"clone", "-q", "--depth", "1", "--no-single-branch", "file://" + r.folder(), clone});
    GitRef main;
    main.name = "origin/main";
    main.commit = r.id("main");
    QVERIFY2(problemOf(rangeSince(clone, main)).contains("git fetch --unshallow"),
             qPrintable(problemOf(rangeSince(clone, main))));
    QVERIFY2(problemOf(rangeOfCommit(clone, "HEAD")).contains("git fetch --unshallow"),
             qPrintable(problemOf(rangeOfCommit(clone, "HEAD"))));
    QCOMPARE(rangeNamed(clone, "origin/main..HEAD")->to, r.id("topic"));
    // One that reaches as far back as they meet tells it.
    const QString deeper = place.filePath("deeper");
    runGit(place.path(),
           {"clone", "-q", "--depth", "3", "--no-single-branch", "file://" + r.folder(), deeper});
    const auto since = rangeSince(deeper, main);
    QVERIFY2(since, qPrintable(problemOf(since)));
    QCOMPARE(since->from, rangeSince(r.folder(), main)->from);
  }

  void theLikelyBaseIsChosen() {
    using Kind = GitRef::Kind;
    const QVector<GitRef> refs{refOf(Kind::kBranch, "topic", true, "origin/topic"),
                               refOf(Kind::kBranch, "other"),
                               refOf(Kind::kBranch, "master"),
                               refOf(Kind::kRemoteBranch, "origin/topic"),
                               refOf(Kind::kRemoteBranch, "origin/main"),
                               refOf(Kind::kTag, "v1")};
    QCOMPARE(likelyBase(refs, {}), 4);
    QCOMPARE(likelyBase(refs, "v1"), 5);
    QCOMPARE(likelyBase(refs, "topic"), 4);  // it is the branch itself
    // On main, what is not pushed is meant.
    const QVector<GitRef> onMain{refOf(Kind::kBranch, "main", true, "origin/main"),
                                 refOf(Kind::kRemoteBranch, "origin/main")};
    QCOMPARE(likelyBase(onMain, {}), 1);
    QCOMPARE(likelyBase({refOf(Kind::kBranch, "main", true)}, {}), -1);
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestCommitRange)
#include "test_commit_range.moc"
