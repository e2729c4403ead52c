// SPDX-License-Identifier: GPL-3.0-or-later
// The program as it is started: its arguments, and that it comes up without a model.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

namespace {

const QString kProgram = QStringLiteral(WAFERPAIR_BIN_DIR "/waferpair");

struct Result {
  int code;
  QString out;
  QString err;
};

Result run(const QStringList& arguments) {
  QProcess program;
  program.start(kProgram, arguments);
  program.waitForFinished(30'000);
  return {program.exitCode(), QString::fromLocal8Bit(program.readAllStandardOutput()),
          QString::fromLocal8Bit(program.readAllStandardError())};
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT
 private slots:
  void saysItsVersionAndHelp();
  void refusesBadArguments();
  void itsCommandsAreThoseOfThePage();
  void startsAndKeepsToItsProfile();
  void asksBeforeOpeningWhatCrashedItsStart();
};

void TestProgram::saysItsVersionAndHelp() {
  const Result version = run({"--version"});
  QCOMPARE(version.code, 0);
  QVERIFY2(version.out.startsWith("Waferpair "), qPrintable(version.out));
  QVERIFY(version.out.endsWith('\n') && version.out.count('\n') == 1);
  const Result help = run({"--help"});
  QCOMPARE(help.code, 0);
  for (const char* option :
       {"--model", "--tour", "--no-runtime", "--new-profile", "--list-commands"}) {
    QVERIFY2(help.out.contains(option), option);
  }
}

void TestProgram::refusesBadArguments() {
  const Result result = run({"--nonsense"});
  QCOMPARE(result.code, 2);
  QVERIFY2(result.err.contains("nonsense") && result.err.contains("--help"),
           qPrintable(result.err));
}

void TestProgram::itsCommandsAreThoseOfThePage() {
  const Result listed = run({"--list-commands"});
  QCOMPARE(listed.code, 0);
  QVERIFY2(listed.out.startsWith("| command |") && listed.out.count('\n') > 60,
           qPrintable(listed.out));
  QFile file(QStringLiteral(WAFERPAIR_SOURCE_DIR "/docs/keys.md"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString page = QString::fromUtf8(file.readAll());
  const QString table = page.mid(page.indexOf("| command |"));
  QVERIFY2(table == listed.out,
           qPrintable("The table at the end of docs/keys.md should be what waferpair "
                      "--list-commands prints:\n" +
                      listed.out));
}

void TestProgram::startsAndKeepsToItsProfile() {
  QTemporaryDir profile;
  QTemporaryDir project;
  QProcess program;
  program.start(kProgram, {"--no-runtime", "--new-profile", profile.path(), project.path()});
  QVERIFY(program.waitForStarted());
  // The folder is remembered as soon as it is open.
  const QString recent = profile.filePath("state/waferpair/recent.json");
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(recent), 20'000);
  QCOMPARE(program.state(), QProcess::Running);
  program.kill();
  QVERIFY(program.waitForFinished());
}

void TestProgram::asksBeforeOpeningWhatCrashedItsStart() {
  QTemporaryDir profile;
  QTemporaryDir project;
  const QString recent = profile.filePath("state/waferpair/recent.json");
  const QString mark = profile.filePath("state/waferpair/start-crashed");
  const auto started = [&](QProcess& program) {
    QFile::remove(recent);
    program.start(kProgram, {"--no-runtime", "--new-profile", profile.path(), project.path()});
    return program.waitForStarted() &&
           QTest::qWaitFor([&] { return QFile::exists(recent); }, 20'000);
  };
  // Killed, it opens the folder again.
  for (const int signal : {SIGKILL, SIGSEGV}) {
    QProcess program;
    QVERIFY(started(program));
    ::kill(static_cast<pid_t>(program.processId()), signal);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitStatus(), QProcess::CrashExit);
    QCOMPARE(QFile::exists(mark), signal == SIGSEGV);
  }
  // After a crash it does not, but the mark is for one start.
  QProcess careful;
  QVERIFY(!QFile::exists(recent) || QFile::remove(recent));
  careful.start(kProgram, {"--no-runtime", "--new-profile", profile.path(), project.path()});
  QVERIFY(careful.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(mark), 20'000);
  QTest::qWait(500);
  QVERIFY(!QFile::exists(recent));
  careful.kill();
  QVERIFY(careful.waitForFinished());
  QProcess again;
  QVERIFY(started(again));
  again.kill();
  QVERIFY(again.waitForFinished());
}

QTEST_GUILESS_MAIN(TestProgram)
#include "test_program.moc"
