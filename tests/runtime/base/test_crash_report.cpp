// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that really crash, each in a child of its own.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include "runtime/base/crash_report.h"

namespace waferpair::base {
namespace {

constexpr char kAbout[] = "Program: tried 1.2\nColor: blue\n";

__attribute__((noinline)) int overflow(int depth) {
  volatile char room[4096] = {};
  room[depth % 4096] = 1;
  return overflow(depth + 1) + room[0];
}

// No core is dumped, and Qt Test does not call a debugger.
void endQuietly() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) std::signal(number, SIG_DFL);
}

void faultAt(std::uintptr_t address) { *reinterpret_cast<volatile int*>(address) = 1; }

}  // namespace

class TestCrashReport : public QObject {
  Q_OBJECT

  // Has a child crash, and returns its report; the signal that ended it in `signal`.
  static QByteArray reportOf(const std::function<void()>& crash, int* signal) {
    const QTemporaryDir folder;
    const pid_t child = fork();
    if (child == 0) {
      endQuietly();
      if (!reportCrashes("tried", folder.path().toStdString(), kAbout)) _exit(7);
      crash();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
    const QStringList files = QDir(folder.path()).entryList(QDir::Files);
    if (files.size() != 1) return {};
    const QRegularExpression name(QStringLiteral("^tried-\\d+-%1\\.new$").arg(child));
    struct stat info = {};
    const QString path = folder.filePath(files.first());
    stat(path.toLocal8Bit().constData(), &info);
    if (!name.match(files.first()).hasMatch() || (info.st_mode & 07777) != 0600) return {};
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

 private slots:
  void initTestCase() {
    int signal = 0;
    reportOf([] {}, &signal);
    if (signal == -7) QSKIP("sanitizers report crashes themselves");
  }

  void aFaultSaysWhere() {
    int signal = 0;
    const QByteArray report = reportOf([] { faultAt(0x1230); }, &signal);
    QCOMPARE(signal, SIGSEGV);
    QVERIFY(report.startsWith(kAbout));
    QVERIFY2(report.contains("Signal: SIGSEGV: memory that is not there (at 0x1230)"), report);
    QVERIFY2(report.contains("Thread: main\n"), report);
    const QRegularExpression time("\nTime: 20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\n");
    QVERIFY2(time.match(QString::fromUtf8(report)).hasMatch(), report);
    // The frames go by the modules' names, and no line has a path.
    QVERIFY2(report.contains("\n  libc.so.6("), report);
    QVERIFY2(!report.contains('/'), report);
  }

  void anAbortIsReported() {
    int signal = 0;
    const QByteArray report = reportOf([] { std::abort(); }, &signal);
    QCOMPARE(signal, SIGABRT);
    QVERIFY2(report.contains("Signal: SIGABRT: the program gave up\n"), report);
    QVERIFY2(report.contains("abort"), report);
  }

  void aSignalFromOutsideIsSaidToBeOne() {
    int signal = 0;
    const QByteArray report = reportOf([] { kill(getpid(), SIGSEGV); }, &signal);
    QCOMPARE(signal, SIGSEGV);
    QVERIFY2(report.contains("(sent by a program)"), report);
  }

  void aStackThatOverflowedIsReported() {
    int signal = 0;
    const QByteArray report = reportOf([] { overflow(0); }, &signal);
    QCOMPARE(signal, SIGSEGV);
    QVERIFY2(report.contains("SIGSEGV"), report);
  }

  void anotherThreadIsSaidToBeOne() {
    int signal = 0;
    const QByteArray report = reportOf([] { std::thread([] { faultAt(8); }).join(); }, &signal);
    QCOMPARE(signal, SIGSEGV);
    QVERIFY2(report.contains("Thread: another\n"), report);
  }

  void manyThreadsThatCrashLeaveOneReport() {
    int signal = 0;
    const QByteArray report = reportOf(
        [] {
          std::vector<std::thread> threads;
          for (int i = 0; i < 8; ++i) threads.emplace_back([] { faultAt(8); });
          for (std::thread& thread : threads) thread.join();
        },
        &signal);
    QCOMPARE(signal, SIGSEGV);
    QCOMPARE(report.count("Signal:"), 1);
  }

  // Whoever crashes in a folder that is gone ends as ever.
  void withoutAFolderItEndsAllTheSame() {
    const pid_t child = fork();
    if (child == 0) {
      endQuietly();
      reportCrashes("tried", "/nowhere/at/all", "");
      std::abort();
    }
    int status = 0;
    waitpid(child, &status, 0);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGABRT);
  }
};

}  // namespace waferpair::base

QTEST_GUILESS_MAIN(waferpair::base::TestCrashReport)
#include "test_crash_report.moc"
