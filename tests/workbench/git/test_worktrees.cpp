// SPDX-License-Identifier: GPL-3.0-or-later
// Worktrees as git itself lists them.
#include <QtTest>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/worktrees.h"

using namespace waferpair::workbench;

class TestWorktrees : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void gitsOwnListIsRead() {
    const ScratchRepository repository;
    repository.commit("first");
    const QTemporaryDir around;
    const QString folder = QDir(around.path()).canonicalPath();
    repository.git({"worktree", "add", "-q", "-b", "feature/x", folder + "/a b"});
    repository.git({"worktree", "add", "-q", "--detach", folder + "/loose"});
    repository.git({"worktree", "add", "-q", "-b", "gone", folder + "/gone"});
    repository.git({"worktree", "lock", folder + "/loose"});
    QVERIFY(QDir(folder + "/gone").removeRecursively());
    const QByteArray head = repository.git({"rev-parse", "HEAD"}).trimmed();
    auto found = readWorktrees(repository.git({"worktree", "list", "--porcelain"}));
    QCOMPARE(found.size(), 4);
    QCOMPARE(found[0], (GitWorktree{repository.folder(), head, "main", true}));
    std::sort(found.begin() + 1, found.end(),
              [](const GitWorktree& a, const GitWorktree& b) { return a.path < b.path; });
    QCOMPARE(found[1], (GitWorktree{folder + "/a b", head, "feature/x"}));
    QCOMPARE(found[2], (GitWorktree{folder + "/gone", head, "gone", false, false, false, true}));
    QCOMPARE(found[3], (GitWorktree{folder + "/loose", head, {}, false, false, true}));
  }

  void whatIsNotOfItsFormIsLeftOut() {
    QVERIFY(readWorktrees("HEAD abc\nbranch refs/heads/x\n").isEmpty());
    QVERIFY(readWorktrees("worktree relative\nHEAD abc\n").isEmpty());
    const auto bare = readWorktrees("worktree /r\nbare\n\nodd line\nlocked\n");
    QCOMPARE(bare, QVector<GitWorktree>({{"/r", {}, {}, true, true}}));
  }

  void theirPlaceIsFree() {
    const QTemporaryDir around;
    const QString main = around.path() + "/project";
    QCOMPARE(worktreePlace(main, "feature/x"), main + "-feature-x");
    QVERIFY(QDir().mkpath(main + "-feature-x"));
    QCOMPARE(worktreePlace(main, "feature/x"), main + "-feature-x-2");
  }
};

QTEST_MAIN(TestWorktrees)
#include "test_worktrees.moc"
