// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing of a repository is run by what only reads it, whatever it says, and nothing in it makes
// anybody wait.
#include <sys/stat.h>

#include <QTest>

#include "tests/workbench/git/hostile_repository.h"
#include "workbench/git/blame.h"
#include "workbench/git/commit_log.h"
#include "workbench/git/git_file.h"
#include "workbench/git/git_status.h"
#include "workbench/git/refs.h"
#include "workbench/git/repository.h"
#include "workbench/git/worktrees.h"

using namespace waferpair;
using workbench::HostileRepository;
using workbench::ScratchRepository;

namespace {

const std::atomic<bool> kGoesOn = false;

class TestHostileRepository : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void nothingIsRun_data() {
    QTest::addColumn<QStringList>("sprungBy");
    for (const HostileRepository::Trap& trap : HostileRepository::traps())
      QTest::newRow(trap.name) << trap.sprungBy;
  }
  void nothingIsRun() {
    QFETCH(QStringList, sprungBy);
    HostileRepository r;
    r.set(QString::fromUtf8(QTest::currentDataTag()));
    r.forgetMarks();
    // What the environment of this program says to a git that looks for it is not heard either.
    qputenv("GIT_EXTERNAL_DIFF", r.program().toUtf8());
    qputenv("GIT_PAGER", r.program().toUtf8());
    qputenv("GIT_CONFIG_COUNT", "1");
    qputenv("GIT_CONFIG_KEY_0", "core.fsmonitor");
    qputenv("GIT_CONFIG_VALUE_0", r.program().toUtf8());
    readAll(r.folder());
    for (const char* name : {"GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_CONFIG_COUNT",
                             "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"})
      qunsetenv(name);
    QCOMPARE(r.marks(), QByteArray());
    if (sprungBy.isEmpty()) return;
    r.git(sprungBy, true);
    QVERIFY2(!r.marks().isEmpty(), "it is no trap");
  }

  // A commit can hold all of a bare repository but its name `.git`.
  void aFolderThatLooksLikeARepositoryIsNone() {
    ScratchRepository r;
    r.write("lib/a.txt", "one\n");
    r.write("lib/HEAD", "ref: refs/heads/main\n");
    r.write("lib/objects/x", "");
    r.write("lib/refs/x", "");
    r.write("program", "#!/bin/sh\necho ran >> \"" + r.folder().toUtf8() + "/mark\"\n");
    QVERIFY(QFile::setPermissions(r.path("program"), QFile::Permissions(0x7755)));
    r.write(
        "lib/config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = " +
            r.path("program").toUtf8() + "\n");
    r.commit("first");
    // It is a trap.
    workbench::runGit(r.path("lib"), {"status"}, true);
    QVERIFY(QFile::remove(r.path("mark")));
    const auto blamed = workbench::blame({r.path("lib/a.txt"), text("one\n")}, kGoesOn);
    QVERIFY2(blamed, blamed ? "" : qPrintable(blamed.error().message()));
    QCOMPARE(blamed->value(0).subject, QString("first"));
    readAll(r.path("lib"));
    const auto file = workbench::GitFileReader().read(r.path("lib/a.txt"), editor::Encoding::kUtf8);
    QVERIFY(file);
    QCOMPARE(file->workFolder, r.folder());
    QCOMPARE(file->path, QString("lib/a.txt"));
    QVERIFY(!QFile::exists(r.path("mark")));
    // The same in an archive, where no repository is above.
    QVERIFY(QDir(r.path(".git")).removeRecursively());
    readAll(r.path("lib"));
    QVERIFY(!workbench::blame({r.path("lib/a.txt"), text("one\n")}, kGoesOn));
    QVERIFY(!QFile::exists(r.path("mark")));
  }

  void filesThatLieElsewhereAreNotRead() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    const QTemporaryDir other;
    r.git({"config", "core.worktree", other.path()});
    const auto opened = workbench::openRepository(r.folder());
    QVERIFY(!opened);
    QVERIFY2(opened.error().what.contains("core.worktree"), qPrintable(opened.error().what));
    // Said of its own place it changes nothing.
    r.git({"config", "core.worktree", r.folder()});
    QVERIFY(workbench::openRepository(r.folder()));
  }

  void whatIsNoFileIsNotWaitedFor_data() {
    QTest::addColumn<QString>("path");
    for (const char* path :
         {".git/config", ".git/HEAD", ".git/index", ".git/packed-refs", ".git/info/exclude",
          ".git/info/attributes", ".git/included", ".gitignore", ".gitattributes", "new/.gitignore",
          "new/.gitattributes", "old/.gitignore", ".git/shallow", "deep/a/b/.gitignore",
          "deep/a/b/.gitattributes", "deep/a/.gitignore", "old/in/it/.gitignore"})
      for (const char* kind : {"FIFO", "device", "hole"})
        QTest::addRow("%s, %s", path, kind) << QString(path);
  }
  void whatIsNoFileIsNotWaitedFor() {
    QFETCH(QString, path);
    ScratchRepository r;
    r.write("old/a.txt", "one\n");
    r.commit("first");
    r.write("old/a.txt", "two\n");
    r.write("new/b.txt", "one\n");
    // Of a folder that is not tracked git wants to know whether a file is in it.
    r.write("deep/.gitignore", ".gitignore\nignored*\n");
    r.write("deep/a/ignored/x.txt", "one\n");
    r.write("deep/a/b/b.txt", "one\n");
    r.write("old/in/it/b.txt", "one\n");
    r.git({"config", "include.path", "included"});
    QFile::remove(r.path(path));
    const QByteArray name = QFile::encodeName(r.path(path));
    const QString kind = QString(QTest::currentDataTag()).section(", ", 1);
    if (kind == "FIFO") {
      QCOMPARE(mkfifo(name.constData(), 0600), 0);
    } else if (kind == "device") {
      QVERIFY(QFile::link("/dev/zero", r.path(path)));
    } else {
      QFile hole(r.path(path));
      QVERIFY(hole.open(QIODevice::WriteOnly) && hole.resize(8LL << 30));
    }
    const auto status = workbench::readGitStatus(r.folder(), kGoesOn);
    QVERIFY(!status);
    QVERIFY2(status.error().what.contains(path), qPrintable(status.error().what));
  }

  // What git does not come to is none of its rules.
  void whatGitDoesNotReadDoesNotMatter_data() {
    QTest::addColumn<QString>("path");
    for (const char* path : {"build/a/b/.gitignore", "new/z/.gitignore"})
      QTest::newRow(path) << QString(path);
  }
  void whatGitDoesNotReadDoesNotMatter() {
    QFETCH(QString, path);
    ScratchRepository r;
    r.write(".gitignore", "build/\n");
    r.commit("first");
    r.write("new/b.txt", "one\n");
    QVERIFY(QDir(r.folder()).mkpath(QFileInfo(path).path()));
    QCOMPARE(mkfifo(QFile::encodeName(r.path(path)).constData(), 0600), 0);
    const auto status = workbench::readGitStatus(r.folder(), kGoesOn);
    QVERIFY2(status, status ? "" : qPrintable(status.error().message()));
    QCOMPARE((*status)->unstaged.size(), 1);
  }

 private:
  static editor::Snapshot text(const char* utf8) { return editor::Snapshot(QByteArrayView(utf8)); }
  // All that the program reads of a repository by itself or for somebody who looks.
  static void readAll(const QString& folder) {
    const QString file = folder + "/a.txt";
    const editor::Snapshot now = text("one\n2\nthree\nfour\n");
    workbench::readGitStatus(folder, kGoesOn);
    workbench::GitFileReader reader;
    if (const auto read = reader.read(file, editor::Encoding::kUtf8))
      reader.clean(*read, now, editor::Encoding::kUtf8);
    reader.textAt(file, "HEAD~1", editor::Encoding::kUtf8);
    workbench::gitRefs(folder);
    workbench::gitStashes(folder);
    workbench::gitRemotes(folder);
    workbench::gitWorktrees(folder);
    workbench::blame({file, now}, kGoesOn);
    workbench::blame({file, now, editor::Encoding::kUtf8, 2}, kGoesOn);
    for (const QStringList& arguments :
         {QStringList{"log", "-z", "--format=" + workbench::commitLogFormat(), "--branches",
                      "--remotes", "--tags", "HEAD"},
          QStringList{"log", "-p", "--follow", "--", "a.txt"}, QStringList{"log", "-1"},
          QStringList{"show", "-p", "--stat", "HEAD"}, QStringList{"show", "-p", "HEAD~1"},
          QStringList{"status"}, QStringList{"diff"}, QStringList{"diff", "--cached"},
          QStringList{"rev-parse", "HEAD"}, QStringList{"stash", "list"},
          QStringList{"log", "--show-signature", "-2"}})
      workbench::readWithGit({folder, arguments}, kGoesOn);
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestHostileRepository)
#include "test_hostile_repository.moc"
