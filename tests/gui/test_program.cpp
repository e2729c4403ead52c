// SPDX-License-Identifier: GPL-3.0-or-later
// The program as it is started: its arguments, and that it comes up without a model.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

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
  void startsAndKeepsToItsProfile();
};

void TestProgram::saysItsVersionAndHelp() {
  const Result version = run({"--version"});
  QCOMPARE(version.code, 0);
  QVERIFY2(version.out.startsWith("Waferpair "), qPrintable(version.out));
  QVERIFY(version.out.endsWith('\n') && version.out.count('\n') == 1);
  const Result help = run({"--help"});
  QCOMPARE(help.code, 0);
  for (const char* option : {"--model", "--tour", "--no-runtime", "--new-profile"}) {
    QVERIFY2(help.out.contains(option), option);
  }
}

void TestProgram::refusesBadArguments() {
  const Result result = run({"--nonsense"});
  QCOMPARE(result.code, 2);
  QVERIFY2(result.err.contains("nonsense") && result.err.contains("--help"),
           qPrintable(result.err));
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

QTEST_GUILESS_MAIN(TestProgram)
#include "test_program.moc"
