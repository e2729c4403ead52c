// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own git, and gits that are absent, old, slow, failing or hard to end.
#include <signal.h>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <thread>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/git_jobs.h"

using namespace waferpair;
using editor::Result;
using workbench::GitCall;
using workbench::GitJob;
using workbench::GitJobs;

namespace {

// A program named git that is a script, first in PATH while this lives.
class ScriptedGit {
 public:
  explicit ScriptedGit(const QByteArray& script) : path_(qgetenv("PATH")) {
    QFile file(folder_.filePath("git"));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no script");
    // Which repository is meant stands before the command.
    file.write("#!/bin/sh\nwhile case \"$1\" in --*) ;; *) false ;; esac; do shift; done\n" +
               script);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("PATH", folder_.path().toUtf8() + ':' + path_);
  }
  ~ScriptedGit() { qputenv("PATH", path_); }
  QString path(const char* name) const { return folder_.filePath(name); }

 private:
  QTemporaryDir folder_;
  QByteArray path_;
};

class TestGitCall : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theUsersGitIsRun() {
    workbench::ScratchRepository r;
    const auto blob = call({r.folder(), {"hash-object", "-w", "--stdin"}, "some text\n"});
    QVERIFY2(blob, "hash-object");
    QCOMPARE(r.git({"cat-file", "-p", blob->trimmed()}), QByteArray("some text\n"));
  }

  void whatItSaysIsTheError() {
    workbench::ScratchRepository r;
    const auto result = call({r.folder(), {"rev-parse", "--verify", "-q", "nothing"}});
    QVERIFY(!result);
    QCOMPARE(result.error().what, QString("git rev-parse ended with status 1."));
    const auto loud = call({r.folder(), {"cat-file", "-p", "nothing"}});
    QVERIFY(!loud);
    QVERIFY2(loud.error().what.contains("Not a valid object name nothing"),
             qPrintable(loud.error().what));
  }

  void absent() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    const auto result = call({r_.folder(), {"status"}});
    qputenv("PATH", path);
    QVERIFY(!result);
    QCOMPARE(result.error().what, QString("Git is not installed, or not in PATH."));
    QCOMPARE(result.error().remedy, QString("Install the package \"git\"."));
  }

  void old() {
    const ScriptedGit git("echo \"error: unknown option \\`$2'\" >&2; exit 129\n");
    const auto result = call({r_.folder(), {"stash", "--staged"}});
    QVERIFY(!result);
    QCOMPARE(result.error().what, QString("git stash: error: unknown option `--staged'"));
    QVERIFY(result.error().remedy.contains("too old"));
  }

  void killed() {
    const ScriptedGit git("kill -9 $$\n");
    const auto result = call({r_.folder(), {"gc"}});
    QVERIFY(!result);
    QCOMPARE(result.error().what, QString("git gc was ended by a signal."));
  }

  void progressIsToldLineByLine() {
    const ScriptedGit git(
        "printf 'Counting:  50%% (1/2)\\rCounting: 100%% (2/2), done.\\nTotal 2\\n' >&2\n");
    QStringList lines;
    const std::atomic<bool> cancelled = false;
    QVERIFY(workbench::writeWithGit({r_.folder(), {"push"}}, permission(), cancelled,
                                    [&](const QString& line) { lines.append(line); }));
    QCOMPARE(lines,
             (QStringList{"Counting:  50% (1/2)", "Counting: 100% (2/2), done.", "Total 2"}));
  }

  // With what it started: a helper that waits for the network.
  void aSlowOneIsCancelledWithAllThatItStarted() {
    const ScriptedGit git(
        "dir=$(dirname \"$0\"); sleep 300 & echo $! > \"$dir/helper\"; echo > \"$dir/begun\"; "
        "wait\n");
    std::atomic<bool> cancelled = false;
    Result<QByteArray> result;
    std::thread thread([&] {
      result = workbench::writeWithGit({r_.folder(), {"fetch"}}, permission(), cancelled);
    });
    const bool begun = QTest::qWaitFor([&] { return QFile::exists(git.path("begun")); }, 20'000);
    cancelled = true;
    thread.join();
    QVERIFY(begun);
    QVERIFY(!result);
    QCOMPARE(result.error().what, QString("git fetch was cancelled."));
    QTRY_VERIFY(::kill(helperOf(git), 0) != 0);
  }

  void oneThatDoesNotWantToEndIsKilled() {
    const ScriptedGit git(
        "trap '' TERM; echo > \"$(dirname \"$0\")/begun\"; while :; do sleep 0.1; done\n");
    std::atomic<bool> cancelled = false;
    Result<QByteArray> result;
    std::thread thread([&] {
      result = workbench::writeWithGit({r_.folder(), {"fetch"}}, permission(), cancelled);
    });
    const bool begun = QTest::qWaitFor([&] { return QFile::exists(git.path("begun")); }, 20'000);
    cancelled = true;
    thread.join();
    QVERIFY(begun);
    QCOMPARE(result.error().what, QString("git fetch was cancelled."));
  }

  // What it would ask is an error that says what to do.
  void itAsksNothing() {
    const ScriptedGit git(
        "[ \"$GIT_TERMINAL_PROMPT\" = 0 ] && ! (: </dev/tty) 2>/dev/null && "
        "echo \"fatal: could not read Username for 'https://example.org': terminal prompts "
        "disabled\" >&2; exit 128\n");
    const auto result = call({r_.folder(), {"push"}});
    QVERIFY(!result);
    QVERIFY2(result.error().remedy.contains("credential helper"),
             qPrintable(result.error().message()));
  }

  void ofThisProgramsEnvironmentNothingIsPassedOn() {
    qputenv("WAFERPAIR_SECRET", "x");
    qputenv("GIT_DIR", "/nowhere");
    const ScriptedGit git("echo \"[$WAFERPAIR_SECRET][$GIT_DIR][$SSH_AUTH_SOCK]\"\n");
    qputenv("SSH_AUTH_SOCK", "/agent");
    const auto result = call({r_.folder(), {"status"}});
    for (const char* name : {"WAFERPAIR_SECRET", "GIT_DIR", "SSH_AUTH_SOCK"}) qunsetenv(name);
    QCOMPARE(*result, QByteArray("[][][/agent]\n"));
  }

  // What an unlucky PATH leads to in the project, or wherever git happens to run.
  void theGitOfAProjectIsNotStarted() {
    const workbench::ScratchRepository r;
    const QByteArray path = qgetenv("PATH");
    const QString here = QDir::currentPath();
    for (const char* place : {"git", "bin/git", "sub/git"}) {
      r.write(place, "#!/bin/sh\ntouch \"$0.ran\"\n");
      QVERIFY(QFile::setPermissions(r.path(place), QFile::Permissions(0x7755)));
    }
    const QByteArray folder = r.folder().toUtf8();
    for (const QByteArray& front : {QByteArray("."), QByteArray(), QByteArray("bin"), folder,
                                    folder + "/bin", folder + "/./sub"}) {
      qputenv("PATH", front + ':' + path);
      QVERIFY(QDir::setCurrent(r.folder()));
      const std::atomic<bool> cancelled = false;
      const auto read = workbench::readWithGit({r.folder(), {"--version"}}, cancelled);
      const auto written = call({r.folder(), {"--version"}});
      QDir::setCurrent(here);
      qputenv("PATH", path);
      QVERIFY2(read && read->startsWith("git version"), front);
      QVERIFY2(written && written->startsWith("git version"), front);
    }
    for (const char* place : {"git.ran", "bin/git.ran", "sub/git.ran"})
      QVERIFY(!QFile::exists(r.path(place)));
  }

  void withoutTrustNothingIsWritten() {
    const workbench::ScratchRepository r;
    GitJobs jobs;
    Result<QByteArray> result = QByteArray();
    bool hasRun = false;
    const auto write = [&](const QString& folder) {
      jobs.startWriting(
          folder, "Tagging",
          [&, folder](const GitJob& job) {
            hasRun = true;
            return job.call(folder, {"hash-object", "-w", "--stdin"}, "x");
          },
          [&](const Result<QByteArray>& done) { result = done; });
      QTRY_VERIFY(!jobs.isRunning());
    };
    write(r.folder());
    QVERIFY(!result && !hasRun);
    QVERIFY2(result.error().what.contains("is not trusted"), qPrintable(result.error().what));
    // One that reads has no way to write.
    jobs.setTrust(workbench::anyTrust());
    jobs.start(
        "Reading",
        [&](const GitJob& job) {
          return job.call(r.folder(), {"tag", "x"});
        },
        [&](const Result<QByteArray>& done) { result = done; });
    QTRY_VERIFY(!jobs.isRunning());
    QVERIFY(!result);
    write(r.folder());
    QVERIFY(result && hasRun);
    // The word for one repository is none for another.
    const std::atomic<bool> cancelled = false;
    const workbench::ScratchRepository other;
    QVERIFY(!workbench::writeWithGit({other.folder(), {"tag", "x"}},
                                     *workbench::anyTrust().permit(r.folder()), cancelled));
  }

  void jobsRunOneAfterAnother() {
    GitJobs jobs;
    QStringList order;
    for (const QString name : {"a", "b", "c"}) {
      jobs.start(
          name, [name](const GitJob&) -> Result<QByteArray> { return name.toUtf8(); },
          [&order](const Result<QByteArray>& result) { order.append(QString(*result)); });
    }
    QCOMPARE(jobs.title(), QString("a"));
    QTRY_VERIFY(!jobs.isRunning());
    QCOMPARE(order, (QStringList{"a", "b", "c"}));
  }

  void aJobIsCancelledAndTheNextRuns() {
    const ScriptedGit git("[ \"$1\" = slow ] && exec sleep 300; echo done\n");
    GitJobs jobs;
    jobs.setTrust(workbench::anyTrust());
    Result<QByteArray> slow = QByteArray(), quick = QByteArray();
    bool isDone = false;
    jobs.startWriting(
        r_.folder(), "Slow", [this](const GitJob& job) { return job.call(r_.folder(), {"slow"}); },
        [&](const Result<QByteArray>& result) { slow = result; });
    jobs.startWriting(
        r_.folder(), "Quick",
        [this](const GitJob& job) { return job.call(r_.folder(), {"quick"}); },
        [&](const Result<QByteArray>& result) {
          quick = result;
          isDone = true;
        });
    jobs.cancel();
    QTRY_VERIFY(isDone);
    QCOMPARE(slow.error().what, QString("git slow was cancelled."));
    QCOMPARE(*quick, QByteArray("done\n"));
  }

  void theEndOfTheJobsEndsTheOneThatRuns() {
    const ScriptedGit git("echo $$ > \"$(dirname \"$0\")/helper\"; exec sleep 300\n");
    {
      GitJobs jobs;
      jobs.setTrust(workbench::anyTrust());
      jobs.startWriting(r_.folder(), "Slow",
                        [this](const GitJob& job) { return job.call(r_.folder(), {"slow"}); });
      QTRY_VERIFY(helperOf(git) > 0);
    }
    QTRY_VERIFY(::kill(helperOf(git), 0) != 0);
  }

 private:
  workbench::GitPermission permission() const { return *workbench::anyTrust().permit(r_.folder()); }
  static Result<QByteArray> call(const GitCall& call) {
    const std::atomic<bool> cancelled = false;
    return workbench::writeWithGit(call, *workbench::anyTrust().permit(call.folder), cancelled);
  }
  static pid_t helperOf(const ScriptedGit& git) {
    QFile file(git.path("helper"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
  }

  const workbench::ScratchRepository r_;
};

}  // namespace

QTEST_GUILESS_MAIN(TestGitCall)
#include "test_git_call.moc"
