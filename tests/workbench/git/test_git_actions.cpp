// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are staged, unstaged, discarded and put back, commits and their hooks.
#include <unistd.h>

#include <QTest>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/discards.h"
#include "workbench/git/git_actions.h"

using namespace waferpair;
using workbench::CommitWish;
using workbench::Discard;
using workbench::GitChange;
using workbench::GitResult;
using workbench::GitState;
using workbench::ScratchRepository;

namespace {

class TestGitActions : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    qputenv("GIT_CONFIG_GLOBAL", "/dev/null");
    qputenv("GIT_CONFIG_NOSYSTEM", "1");
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      qputenv(QByteArray("GIT_") + who + "_NAME", "A Tester");
      qputenv(QByteArray("GIT_") + who + "_EMAIL", "tester@example.org");
    }
  }

  void whatIsStagedAndWhatIsNotIsListed() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.write("old.txt", "a file\nwith some\nlines\n");
    r.commit("first");
    r.write("a.txt", "two\n");
    r.git({"add", "-A"});
    r.write("a.txt", "three\n");
    r.git({"mv", "old.txt", "new.txt"});
    r.write("folder/x", "");
    const auto status = read(r);
    QCOMPARE(status.staged, (QVector<GitChange>{{"a.txt", {}, GitState::kModified},
                                                {"new.txt", "old.txt", GitState::kModified}}));
    QCOMPARE(status.unstaged, (QVector<GitChange>{{"a.txt", {}, GitState::kModified},
                                                  {"folder/", {}, GitState::kUntracked}}));
    // A commit takes what is staged outside of the folder, too.
    QCOMPARE(read(r, "folder").staged.size(), 2);
  }

  void filesAreStagedAndUnstaged() {
    ScratchRepository r;
    // Before the first commit.
    r.write("a.txt", "one\n");
    r.write("*.txt", "a name that is no pattern\n");
    QVERIFY(workbench::stageFiles(r.folder(), {"*.txt"}, job(r)));
    QCOMPARE(r.git({"ls-files"}), QByteArray("*.txt\n"));
    QVERIFY(workbench::unstageFiles(r.folder(), {"*.txt"}, job(r)));
    QCOMPARE(r.git({"ls-files"}), QByteArray());
    r.commit("first");
    QVERIFY(QFile::remove(r.path("a.txt")));
    r.write("folder/b", "");
    QVERIFY(workbench::stageFiles(r.folder(), {"a.txt", "folder/"}, job(r)));
    QCOMPARE(r.git({"status", "--porcelain"}), QByteArray("D  a.txt\nA  folder/b\n"));
    QVERIFY(workbench::unstageFiles(r.folder(), {"a.txt", "folder/b"}, job(r)));
    QCOMPARE(r.git({"status", "--porcelain"}), QByteArray(" D a.txt\n?? folder/\n"));
  }

  // Names are bytes: those that are no UTF-8 are staged, discarded and put back as any other.
  void namesThatAreNoUtf8() {
    ScratchRepository r;
    const auto raw = [&](const QByteArray& name) { return r.folder().toUtf8() + '/' + name; };
    const auto put = [&](const QByteArray& name, const char* bytes) {
      FILE* file = std::fopen(raw(name).constData(), "w");
      QVERIFY(file);
      std::fputs(bytes, file);
      std::fclose(file);
    };
    const auto get = [&](const QByteArray& name) {
      FILE* file = std::fopen(raw(name).constData(), "r");
      if (!file) return QByteArray("(not there)");
      QByteArray bytes(100, '\0');
      bytes.truncate(static_cast<qsizetype>(std::fread(bytes.data(), 1, 100, file)));
      std::fclose(file);
      return bytes;
    };
    put("caf\xe9.txt", "one\n");
    put("\x83\x65.txt", "one\n");
    r.write("plain.txt", "one\n");
    auto status = read(r);
    QCOMPARE(status.unstaged.size(), 3);
    QStringList paths;
    for (const GitChange& change : status.unstaged) paths.append(change.path);
    QVERIFY(workbench::stageFiles(r.folder(), paths, job(r)));
    QCOMPARE(r.git({"ls-files", "-z"}), QByteArray("caf\xe9.txt\0plain.txt\0\x83\x65.txt\0", 26));
    QVERIFY(workbench::unstageFiles(r.folder(), paths, job(r)));
    QCOMPARE(r.git({"ls-files"}), QByteArray());
    r.commit("first");
    put("caf\xe9.txt", "two\n");
    status = read(r);
    QCOMPARE(status.unstaged.size(), 1);
    const auto discarded = workbench::discardFiles(r.folder(), status.unstaged, job(r));
    QVERIFY2(discarded, discarded ? "" : qPrintable(discarded.error().message()));
    QCOMPARE(get("caf\xe9.txt"), QByteArray("one\n"));
    QVERIFY(workbench::restoreDiscarded(r.folder(), *discarded));
    QCOMPARE(get("caf\xe9.txt"), QByteArray("two\n"));
    // Untracked, it goes and comes back.
    put("n\xff", "new\n");
    status = read(r);
    const auto gone = workbench::discardFiles(r.folder(), {status.unstaged.last()}, job(r));
    QVERIFY2(gone, gone ? "" : qPrintable(gone.error().message()));
    QCOMPARE(get("n\xff"), QByteArray("(not there)"));
    QVERIFY(workbench::restoreDiscarded(r.folder(), *gone));
    QCOMPARE(get("n\xff"), QByteArray("new\n"));
    QCOMPARE(read(r).unstaged.size(), 2);
  }

  void moreFilesThanACommandLineHoldsAreStaged() {
    ScratchRepository r;
    QStringList paths;
    const QString folder = QString(200, 'd');
    for (int i = 0; i < 1500; ++i) {
      paths.append(folder + '/' + QString::number(i) + ".txt");
      r.write(paths.last(), "x");
    }
    QVERIFY(workbench::stageFiles(r.folder(), paths, job(r)));
    QCOMPARE(r.git({"ls-files"}).count('\n'), 1500);
  }

  void whatIsDiscardedIsPutBackByteByByte() {
    ScratchRepository r;
    r.git({"config", "core.autocrlf", "input"});
    r.write("a.txt", "one\n");
    r.commit("first");
    const QByteArray mine("two\r\nthree\n\0\xff", 13);
    r.write("a.txt", mine);
    r.write("new/b.txt", "new\n");
    r.write("new/run.sh", "#!/bin/sh\n");
    QVERIFY(QFile::setPermissions(r.path("new/run.sh"), QFile::Permissions(0x7755)));
    QVERIFY(QFile::link("b.txt", r.path("new/link")));
    const GitResult discarded = workbench::discardFiles(
        r.folder(), {{"a.txt", {}, GitState::kModified}, {"new/", {}, GitState::kUntracked}},
        job(r));
    QVERIFY2(discarded, discarded ? "" : qPrintable(discarded.error().message()));
    QCOMPARE(r.git({"status", "--porcelain"}), QByteArray());
    QVERIFY(!QFile::exists(r.path("new")));

    const auto all = *workbench::discards(r.folder());
    QCOMPARE(all.size(), 1);
    QCOMPARE(all[0].name, QString(*discarded));
    QCOMPARE(all[0].paths, (QStringList{"a.txt", "new/b.txt", "new/link", "new/run.sh"}));
    // What came in the meantime is not lost either.
    r.write("a.txt", "later\n");
    const auto before = workbench::restoreDiscarded(r.folder(), all[0].name);
    QVERIFY(before);
    QCOMPARE(bytes(r, "a.txt"), mine);
    QCOMPARE(bytes(r, "new/b.txt"), QByteArray("new\n"));
    QCOMPARE(QFileInfo(r.path("new/link")).symLinkTarget(), r.path("new/b.txt"));
    QVERIFY(QFileInfo(r.path("new/run.sh")).isExecutable());
    QVERIFY(workbench::restoreDiscarded(r.folder(), before->name));
    QCOMPARE(bytes(r, "a.txt"), QByteArray("later\n"));
  }

  void garbageCollectionKeepsWhatWasDiscarded() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.write("a.txt", "precious\n");
    QVERIFY(workbench::discardFiles(r.folder(), {{"a.txt", {}, GitState::kModified}}, job(r)));
    r.git({"gc", "-q", "--prune=now"});
    r.git({"prune", "--expire=now"});
    QVERIFY(workbench::restoreDiscarded(r.folder(), workbench::discards(r.folder())->first().name));
    QCOMPARE(bytes(r, "a.txt"), QByteArray("precious\n"));
  }

  void whatIsStagedStaysWhereTheRestIsDiscarded() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.write("a.txt", "staged\n");
    r.git({"add", "-A"});
    r.write("a.txt", "not staged\n");
    QVERIFY(workbench::discardFiles(r.folder(), {{"a.txt", {}, GitState::kModified}}, job(r)));
    QCOMPARE(bytes(r, "a.txt"), QByteArray("staged\n"));
  }

  void nothingIsDiscardedThatCannotBeKept() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.write("a.txt", "mine\n");
    r.write("sub/.git/HEAD", "");
    r.write("sub/x", "");
    const auto inner = workbench::discardFiles(
        r.folder(), {{"a.txt", {}, GitState::kModified}, {"sub/", {}, GitState::kUntracked}},
        job(r));
    QVERIFY(!inner);
    QVERIFY2(inner.error().what.contains("sub/"), qPrintable(inner.error().what));
    QCOMPARE(bytes(r, "a.txt"), QByteArray("mine\n"));
    if (geteuid() == 0) QSKIP("root may write anywhere");
    QVERIFY(QFile::setPermissions(r.path(".git/objects"), QFile::ReadOwner | QFile::ExeOwner));
    const auto full =
        workbench::discardFiles(r.folder(), {{"a.txt", {}, GitState::kModified}}, job(r));
    QFile::setPermissions(r.path(".git/objects"), QFile::Permissions(0x7700));
    QVERIFY(!full);
    QCOMPARE(bytes(r, "a.txt"), QByteArray("mine\n"));
  }

  void aFileThatChangedSinceItWasKeptIsLeft() {
    ScratchRepository r;
    r.write("a", "kept\n");
    r.write("b", "kept\n");
    const auto kept = workbench::keepDiscarded(r.folder(), {"a", "b"});
    QVERIFY(kept);
    r.write("b", "later\n");
    QCOMPARE(workbench::changedSince(r.folder(), *kept, {"a", "b"}), QStringList{"b"});
    const auto removed = workbench::removeKept(r.folder(), *kept, {"a", "b"});
    QVERIFY(!removed);
    QVERIFY(!QFile::exists(r.path("a")));
    QCOMPARE(bytes(r, "b"), QByteArray("later\n"));
  }

  void onlyWhatWasDiscardedIsPutBack() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.write("a.txt", "two\n");
    const auto restored = workbench::restoreDiscarded(r.folder(), "refs/heads/main");
    QVERIFY(!restored);
    QCOMPARE(bytes(r, "a.txt"), QByteArray("two\n"));
  }

  void aCommitIsMadeWithItsHooks() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    const auto done =
        workbench::commit(r.folder(), {"#12 first\n\n# not a remark\n", false, true}, job(r));
    QVERIFY2(done, done ? "" : qPrintable(done.error().message()));
    QCOMPARE(r.git({"log", "-1", "--format=%B"}).trimmed(),
             QByteArray("#12 first\n\n# not a remark"));
    r.write(".git/hooks/pre-commit", "#!/bin/sh\necho 'no tabs, please' >&2\nexit 1\n");
    QVERIFY(QFile::setPermissions(r.path(".git/hooks/pre-commit"), QFile::Permissions(0x7755)));
    r.write("a.txt", "two\n");
    const auto refused = workbench::commit(r.folder(), {"second", false, true}, job(r));
    QVERIFY(!refused);
    QCOMPARE(refused.error().what, QString("git commit: no tabs, please"));
    QCOMPARE(r.git({"rev-list", "--count", "HEAD"}).trimmed(), QByteArray("1"));
  }

  void theLastCommitIsAmended() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.write("b.txt", "one\n");
    r.git({"add", "-A"});
    QVERIFY(workbench::commit(r.folder(), {"first and more", true, false}, job(r)));
    QCOMPARE(r.git({"log", "--format=%s"}), QByteArray("first and more\n"));
    QCOMPARE(r.git({"ls-tree", "--name-only", "HEAD"}), QByteArray("a.txt\nb.txt\n"));
  }

 private:
  static workbench::GitJob job(const ScratchRepository& r) {
    static const std::atomic<bool> cancelled = false;
    return {cancelled, {}, workbench::anyTrust().permit(r.folder())};
  }
  static workbench::GitStatus read(const ScratchRepository& r, const QString& folder = {}) {
    const std::atomic<bool> cancelled = false;
    const auto status =
        workbench::readGitStatus(folder.isEmpty() ? r.folder() : r.path(folder), cancelled);
    return status ? status->value_or(workbench::GitStatus()) : workbench::GitStatus();
  }
  static QByteArray bytes(const ScratchRepository& r, const QString& path) {
    QFile file(r.path(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestGitActions)
#include "test_git_actions.moc"
