// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a repository follows what git and other programs do to it.
#include <QTest>

#include "tests/support/rest.h"
#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/git_watch.h"

using namespace waferpair;
using namespace waferpair::workbench;

class TestGitWatch : public QObject {
  Q_OBJECT

 private:
  static GitState state(const GitWatch& git, const QString& path) {
    return git.status() ? git.status()->stateOf(path) : GitState::kConflict;
  }

 private Q_SLOTS:
  void whatChangesIsSeen() {
    const ScratchRepository r;
    r.write("src/a", "one\n");
    r.commit("first");
    GitWatch git;
    git.setFolder(r.folder());
    QTRY_COMPARE(state(git, r.path("src/a")), GitState::kUnchanged);
    r.write("src/a", "two\n");  // in place
    QTRY_COMPARE(state(git, r.path("src/a")), GitState::kModified);
    r.git({"commit", "-q", "-a", "-m", "second"});
    QTRY_COMPARE(state(git, r.path("src/a")), GitState::kUnchanged);
    r.git({"switch", "-q", "-c", "topic"});
    QTRY_COMPARE(git.status()->branch, QString("topic"));
    QVERIFY(QDir(r.folder()).mkdir("new"));
    test::rest({&git});  // it is watched before there is a file in it
    r.write("new/b", "x");
    QTRY_COMPARE(state(git, r.path("new/b")), GitState::kUntracked);
    git.setFolder({});
    QVERIFY(!git.status());
  }

  void aRepositoryMadeLaterIsSeen() {
    const QTemporaryDir folder;
    GitWatch git;
    int changes = 0;
    connect(&git, &GitWatch::changed, this, [&] { ++changes; });
    git.setFolder(QDir(folder.path()).canonicalPath());
    QTRY_VERIFY(changes > 1);
    QVERIFY(!git.status());
    QCOMPARE(git.problem(), editor::Error());
    runGit(folder.path(), {"init", "-q", "-b", "later"});
    QTRY_VERIFY(git.status());
    QTRY_COMPARE(git.status()->branch, QString("later"));
  }

  void aDamagedRepositoryIsToldAndMended() {
    const ScratchRepository r;
    r.write(".git/HEAD", "nothing that git knows");
    GitWatch git;
    git.setFolder(r.folder());
    QTRY_VERIFY(git.problem().what.contains(r.path(".git")));
    QVERIFY(!git.status());
    r.write(".git/HEAD", "ref: refs/heads/main\n");
    QTRY_VERIFY(git.status());
    QCOMPARE(git.problem(), editor::Error());
  }

  void anotherFolderIsReadAtOnce() {
    const ScratchRepository a, b;
    b.git({"symbolic-ref", "HEAD", "refs/heads/second"});
    GitWatch git;
    git.setFolder(a.folder());
    git.setFolder(b.folder());
    QTRY_VERIFY(git.status());
    QCOMPARE(git.status()->branch, QString("second"));
  }
};

QTEST_GUILESS_MAIN(TestGitWatch)
#include "test_git_watch.moc"
