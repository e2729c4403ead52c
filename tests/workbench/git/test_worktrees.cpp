// SPDX-License-Identifier: GPL-3.0-or-later
// Worktrees that git itself made.
#include <QtTest>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/worktrees.h"

using namespace waferpair::workbench;

class TestWorktrees : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void thoseThatGitMadeAreListed() {
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
    const auto found = gitWorktrees(folder + "/loose");
    QVERIFY(found);
    QCOMPARE(found->size(), 4);
    QCOMPARE(found->value(0), (GitWorktree{repository.folder(), head, "main", true}));
    QCOMPARE(found->value(1), (GitWorktree{folder + "/a b", head, "feature/x"}));
    QCOMPARE(found->value(2),
             (GitWorktree{folder + "/gone", head, "gone", false, false, false, true}));
    QCOMPARE(found->value(3), (GitWorktree{folder + "/loose", head, {}, false, false, true}));
  }

  void oneWithoutACommitIsAtABranch() {
    const ScratchRepository repository;
    const auto found = gitWorktrees(repository.folder());
    QVERIFY(found);
    QCOMPARE(*found, QVector<GitWorktree>({{repository.folder(), {}, "main", true}}));
    const QTemporaryDir outside;
    QVERIFY(!gitWorktrees(outside.path()));
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
