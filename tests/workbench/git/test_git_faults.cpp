// SPDX-License-Identifier: GPL-3.0-or-later
// What is done to a repository is killed at random moments, with the git that does it: the
// repository stays whole, and each text that the user had is on disk, in the index, in a commit, or
// among what was discarded.
#include <signal.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QTest>
#include <chrono>
#include <thread>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/discards.h"

using namespace waferpair;
using workbench::ScratchRepository;

namespace {

constexpr int kFiles = 40;
constexpr int kRounds = 4;

class TestGitFaults : public QObject {
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

  void nothingIsLost_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"stage", "unstage", "discard", "restore", "commit", "lines"})
      QTest::newRow(what) << QString(what);
  }
  void nothingIsLost() {
    QFETCH(QString, what);
    // How long it takes when nobody disturbs it, on this computer and now.
    qint64 whole = 0;
    {
      ScratchRepository r;
      fill(r, what);
      QElapsedTimer clock;
      clock.start();
      QVERIFY(run(r, what, -1));
      whole = clock.elapsed();
    }
    int cut = 0;
    for (int round = 0; round < kRounds; ++round) {
      ScratchRepository r;
      const QVector<QByteArray> texts = fill(r, what);
      cut += run(r, what, random_.bounded(static_cast<int>(whole) + 1)) ? 0 : 1;
      QFile::remove(r.path(".git/index.lock"));
      QFile::remove(r.path(".git/HEAD.lock"));
      QFile::remove(r.path(".git/refs/heads/main.lock"));
      // Trees that a killed git noted in the index before it wrote them are made anew by the next.
      const QByteArray problems = r.git({"fsck", "--no-dangling", "--no-progress", "HEAD"}, true);
      QCOMPARE(problems, QByteArray());
      QVERIFY(!r.git({"write-tree"}).isEmpty());
      for (const QByteArray& text : texts)
        QVERIFY2(isThere(r, text), qPrintable(what + ": " + QString(text.left(40))));
      // And it goes on from there.
      QVERIFY(run(r, "stage", -1));
      QVERIFY(run(r, "commit", -1) || r.git({"status", "--porcelain"}).isEmpty());
    }
    QVERIFY2(cut > 0, "it was never cut");
  }

 private:
  // Files that are changed, staged and not, and new ones; returns all texts that they had.
  static QVector<QByteArray> fill(const ScratchRepository& r, const QString& what) {
    QVector<QByteArray> texts;
    const auto write = [&](const QString& kind, const char* version) {
      for (int i = 0; i < kFiles; ++i) {
        const QByteArray text =
            QString("%1 %2 %3\n").arg(kind, version).arg(i).toUtf8().repeated(200);
        r.write(kind + QString::number(i) + ".txt", text);
        texts.append(text);
      }
    };
    write("a", "committed");
    r.commit("first");
    write("a", "staged");
    r.git({"add", "-A"});
    write("a", "changed");
    write("new", "untracked");
    if (what == QLatin1String("restore")) run(r, "discard", -1);
    return texts;
  }

  // The processes that have `parent`, or are in the folder: git has a session of its own, and one
  // that was just begun is not in the folder yet.
  static QVector<pid_t> gitsOf(const ScratchRepository& r, pid_t parent) {
    QVector<pid_t> found;
    for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
      const pid_t pid = name.toInt();
      if (pid <= 0) continue;
      QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
      const QByteArray line = stat.open(QIODevice::ReadOnly) ? stat.readAll() : QByteArray();
      // "pid (name) state parent ..."
      const QByteArray behind = line.mid(line.lastIndexOf(')') + 2);
      const bool isChild = parent > 0 && behind.mid(2).split(' ').value(0).toInt() == parent;
      if (isChild || QFile::symLinkTarget(QStringLiteral("/proc/%1/cwd").arg(pid)) == r.folder())
        found.append(pid);
    }
    return found;
  }

  // Kills it, and the git that it runs, after so many ms; negative: not at all. Returns whether it
  // was done before.
  static bool run(const ScratchRepository& r, const QString& what, int afterMs) {
    QProcess actor;
    actor.setProgram(QCoreApplication::applicationDirPath() + "/git_actor");
    actor.setArguments({what, r.folder()});
    actor.setChildProcessModifier([] { ::setpgid(0, 0); });
    actor.start();
    if (!actor.waitForStarted()) return false;
    if (afterMs >= 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(afterMs));
      // Stopped, it starts no more.
      const auto pid = static_cast<pid_t>(actor.processId());
      ::kill(pid, SIGSTOP);
      for (const pid_t git : gitsOf(r, pid)) ::kill(git, SIGKILL);
      ::kill(pid, SIGKILL);
    }
    actor.waitForFinished(60'000);
    // One that is dying still has its lock.
    while (afterMs >= 0 && !gitsOf(r, 0).isEmpty()) std::this_thread::yield();
    return actor.exitStatus() == QProcess::NormalExit && actor.exitCode() == 0;
  }

  // On disk, or an object of git's.
  static bool isThere(const ScratchRepository& r, const QByteArray& text) {
    const QByteArray blob = "blob " + QByteArray::number(text.size()) + '\0' + text;
    const QString id = QCryptographicHash::hash(blob, QCryptographicHash::Sha1).toHex();
    if (QFile::exists(r.path(".git/objects/" + id.left(2) + '/' + id.mid(2)))) return true;
    for (const QString& name : QDir(r.folder()).entryList(QDir::Files)) {
      QFile file(r.path(name));
      if (file.open(QIODevice::ReadOnly) && file.readAll() == text) return true;
    }
    return false;
  }

  QRandomGenerator random_{QRandomGenerator::securelySeeded()};
};

}  // namespace

QTEST_GUILESS_MAIN(TestGitFaults)
#include "test_git_faults.moc"
