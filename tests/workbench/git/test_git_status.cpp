// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of repositories that git itself made.
#include <QTest>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/git_status.h"

using namespace waferpair;
using namespace waferpair::workbench;

class TestGitStatus : public QObject {
  Q_OBJECT

 private:
  static editor::Result<std::optional<GitStatus>> read(const QString& folder) {
    const std::atomic<bool> cancelled = false;
    return readGitStatus(folder, cancelled);
  }
  static GitStatus status(const QString& folder) {
    const auto found = read(folder);
    if (!found) qWarning() << found.error().message();
    return found && *found ? **found : GitStatus();
  }

 private Q_SLOTS:
  void withoutRepositoryThereIsNoState() {
    const QTemporaryDir folder;
    const auto found = read(folder.path());
    QVERIFY(found);
    QVERIFY(!*found);
  }

  void filesHaveTheStatesGitGivesThem() {
    const ScratchRepository r;
    for (const char* name : {"same", "written", "src/staged", "gone", "src/deep/both"})
      r.write(QLatin1String(name), "one\n");
    r.write(".gitignore", "build/\n*.o\n");
    r.commit("first");
    r.write("written", "two\n");
    r.write("src/staged", "two\n");
    r.git({"add", "src/staged"});
    QVERIFY(QFile::remove(r.path("gone")));
    r.write("added", "new\n");
    r.git({"add", "added"});
    r.write("added", "and edited since\n");
    r.write("src/untracked", "x");
    r.write("new folder/inner/file", "x");
    r.write("build/a/b", "x");
    r.write("src/a.o", "x");

    QVERIFY(QDir(r.folder()).mkpath("empty/inner"));

    const GitStatus s = status(r.folder());
    QCOMPARE(s.workFolder, r.folder());
    QCOMPARE(s.gitFolder, r.path(".git"));
    QCOMPARE(s.stateOf(r.path("same")), GitState::kUnchanged);
    QCOMPARE(s.stateOf(r.path("src/deep")), GitState::kUnchanged);
    QCOMPARE(s.stateOf(r.path("written")), GitState::kModified);
    QCOMPARE(s.stateOf(r.path("src/staged")), GitState::kModified);
    QCOMPARE(s.stateOf(r.path("gone")), GitState::kDeleted);
    QCOMPARE(s.stateOf(r.path("added")), GitState::kAdded);
    QCOMPARE(s.stateOf(r.path("src/untracked")), GitState::kUntracked);
    QCOMPARE(s.stateOf(r.path("new folder")), GitState::kUntracked);
    QCOMPARE(s.stateOf(r.path("new folder/inner/file")), GitState::kUntracked);
    QCOMPARE(s.stateOf(r.path("build")), GitState::kIgnored);
    QCOMPARE(s.stateOf(r.path("build/a/b")), GitState::kIgnored);
    QCOMPARE(s.stateOf(r.path("src/a.o")), GitState::kIgnored);
    QCOMPARE(s.stateOf(r.path("src")), GitState::kModified);
    QCOMPARE(s.stateOf(r.path("empty")), GitState::kUnchanged);
    QCOMPARE(s.files.size(), 8);
  }

  void readingWritesNothing() {
    const ScratchRepository r;
    r.write("a", "one\n");
    r.commit("first");
    r.write("a", "two\n");
    const QFileInfo before(r.path(".git/index"));
    const QDateTime written = before.lastModified();
    const QStringList entries = QDir(r.path(".git")).entryList();
    QCOMPARE(status(r.folder()).stateOf(r.path("a")), GitState::kModified);
    QCOMPARE(QFileInfo(r.path(".git/index")).lastModified(), written);
    QCOMPARE(QDir(r.path(".git")).entryList(), entries);
  }

  void anIndexThatIsLockedIsReadAllTheSame() {
    const ScratchRepository r;
    r.write("a", "one\n");
    r.commit("first");
    r.write("a", "two\n");
    r.write(".git/index.lock", "");
    QCOMPARE(status(r.folder()).stateOf(r.path("a")), GitState::kModified);
    QVERIFY(QFile::exists(r.path(".git/index.lock")));
  }

  void conflictsAreTold() {
    const ScratchRepository r;
    r.write("dir/a", "one\n");
    r.commit("first");
    r.git({"switch", "-q", "-c", "other"});
    r.write("dir/a", "theirs\n");
    r.commit("theirs");
    r.git({"switch", "-q", "main"});
    r.write("dir/a", "ours\n");
    r.commit("ours");
    QCOMPARE(status(r.folder()).operation, GitOperation::kNone);
    r.git({"merge", "-q", "other"}, true);
    const GitStatus s = status(r.folder());
    QCOMPARE(s.operation, GitOperation::kMerge);
    QCOMPARE(s.stateOf(r.path("dir/a")), GitState::kConflict);
    QCOMPARE(s.stateOf(r.path("dir")), GitState::kConflict);
  }

  void aBranchIsAheadAndBehind() {
    const ScratchRepository upstream;
    upstream.commit("first");
    QTemporaryDir other;
    const QString clone = QDir(other.path()).canonicalPath() + "/clone";
    runGit(other.path(), {"clone", "-q", upstream.folder(), clone});
    GitStatus s = status(clone);
    QCOMPARE(s.branch, QString("main"));
    QCOMPARE(s.upstream, QString("origin/main"));
    QCOMPARE(s.ahead, 0);
    QCOMPARE(s.behind, 0);
    upstream.commit("theirs");
    for (const char* message : {"mine", "mine, too"})
      runGit(clone, {"commit", "-q", "--allow-empty", "-m", message});
    runGit(clone, {"fetch", "-q"});
    s = status(clone);
    QCOMPARE(s.ahead, 2);
    QCOMPARE(s.behind, 1);
    QCOMPARE(s.commit, QString(runGit(clone, {"rev-parse", "HEAD"})).left(10));
    runGit(clone, {"switch", "-q", "-c", "topic/of mine"}, true);
    runGit(clone, {"switch", "-q", "-c", "topic/mine"});
    s = status(clone);
    QCOMPARE(s.branch, QString("topic/mine"));
    QCOMPARE(s.upstream, QString());
  }

  void withoutCommitAndWithoutBranch() {
    const ScratchRepository r;
    r.write("a", "one\n");
    GitStatus s = status(r.folder());
    QCOMPARE(s.branch, QString("main"));
    QCOMPARE(s.commit, QString());
    QCOMPARE(s.stateOf(r.path("a")), GitState::kUntracked);
    r.git({"add", "a"});
    QCOMPARE(status(r.folder()).stateOf(r.path("a")), GitState::kAdded);
    r.commit("first");
    r.git({"switch", "-q", "--detach"});
    s = status(r.folder());
    QCOMPARE(s.branch, QString());
    QCOMPARE(s.commit.size(), 10);
  }

  // Only what lies below the folder is read.
  void aRepositoryAboveIsFound() {
    const ScratchRepository r;
    r.write("part/[a]/file", "one\n");
    r.write("elsewhere", "one\n");
    r.commit("first");
    r.write("part/[a]/file", "two\n");
    r.write("elsewhere", "two\n");
    const GitStatus s = status(r.path("part/[a]"));
    QCOMPARE(s.workFolder, r.folder());
    QCOMPARE(s.files.size(), 1);
    QCOMPARE(s.stateOf(r.path("part/[a]/file")), GitState::kModified);
    QVERIFY(s.watched.contains(r.path("part/[a]")));
    QVERIFY(!s.watched.contains(r.path("part")));
  }

  void worktreesAndSubmodulesAreRepositories() {
    const ScratchRepository r;
    r.write("a", "one\n");
    r.commit("first");
    const QTemporaryDir other;
    const QString linked = QDir(other.path()).canonicalPath() + "/linked";
    r.git({"worktree", "add", "-q", "-b", "linked", linked});
    GitStatus s = status(linked);
    QCOMPARE(s.workFolder, linked);
    QCOMPARE(s.branch, QString("linked"));
    QCOMPARE(s.gitFolder, r.path(".git/worktrees/linked"));
    QCOMPARE(s.commonFolder, r.path(".git"));

    const ScratchRepository outer;
    outer.git({"-c", "protocol.file.allow=always", "submodule", "-q", "add", r.folder(), "inner"});
    outer.commit("with a submodule");
    outer.write("inner/a", "two\n");
    s = status(outer.path("inner"));
    QCOMPARE(s.workFolder, outer.path("inner"));
    QCOMPARE(s.stateOf(outer.path("inner/a")), GitState::kModified);
    QCOMPARE(status(outer.folder()).stateOf(outer.path("inner")), GitState::kUnchanged);
  }

  // Whatever `.gitmodules` says: it is not read for that.
  void submodulesAtAnotherCommitAreChanged() {
    const ScratchRepository inner;
    inner.write("a", "one\n");
    inner.commit("first");
    const ScratchRepository r;
    r.write("zz", "one\n");
    for (const char* name : {"lib/moved", "same", "gone", "empty"})
      r.git({"-c", "protocol.file.allow=always", "submodule", "-q", "add", inner.folder(),
             QLatin1String(name)});
    r.commit("first");
    r.write("zz", "two\n");
    runGit(r.path("lib/moved"), {"commit", "-q", "--allow-empty", "-m", "second"});
    QVERIFY(QDir(r.path("gone")).removeRecursively());
    QVERIFY(QDir(r.path("empty")).removeRecursively() && QDir().mkpath(r.path("empty")));
    const QVector<GitChange> expected{{"gone", {}, GitState::kDeleted},
                                      {"lib/moved", {}, GitState::kModified},
                                      {"zz", {}, GitState::kModified}};
    QFile file(r.path(".gitmodules"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray said = file.readAll();
    r.git({"update-index", "--assume-unchanged", ".gitmodules"});
    for (const QByteArray& modules :
         {said, said + "[submodule \"b\"]\n\tpath = same\n", QByteArray("[[[\n"), QByteArray()}) {
      r.write(".gitmodules", modules);
      const GitStatus s = status(r.folder());
      QCOMPARE(s.unstaged, expected);
      QVERIFY(s.staged.isEmpty());
      QCOMPARE(s.stateOf(r.path("lib")), GitState::kModified);
      QCOMPARE(s.stateOf(r.path("same")), GitState::kUnchanged);
      QCOMPARE(status(r.path("lib")).unstaged, expected.mid(1, 1));
    }
    r.git({"add", "lib/moved"});
    const GitStatus s = status(r.folder());
    QCOMPARE(s.staged, expected.mid(1, 1));
    QCOMPARE(s.unstaged.size(), 2);
  }

  void whatIsWrongWithARepositoryIsSaid() {
    const QTemporaryDir folder;
    const QString bare = QDir(folder.path()).canonicalPath();
    runGit(bare, {"init", "-q", "--bare"});
    auto found = read(bare);
    QVERIFY(!found);
    QVERIFY2(found.error().what.contains("bare") && found.error().what.contains(bare),
             qPrintable(found.error().message()));

    for (const char* file : {"HEAD", "index"}) {
      const ScratchRepository r;
      r.write("a", "one\n");
      r.commit("first");
      r.write(QStringLiteral(".git/") + QLatin1String(file), "no such thing as this");
      found = read(r.folder());
      QVERIFY2(!found, file);
      QVERIFY2(found.error().what.contains(r.path(".git")), qPrintable(found.error().what));
      QVERIFY(found.error().remedy.contains("git fsck"));
    }
  }

  void aReadingThatIsCalledOffGivesUp() {
    const ScratchRepository r;
    r.write("a", "one\n");
    const std::atomic<bool> cancelled = true;
    QVERIFY(!readGitStatus(r.folder(), cancelled));
  }
};

QTEST_GUILESS_MAIN(TestGitStatus)
#include "test_git_status.moc"
