// SPDX-License-Identifier: GPL-3.0-or-later
// The program as it is started: its arguments. How it comes up is in
// tests/automation/test_start.py.
#include <QFile>
#include <QProcess>
#include <QTest>

#include "tests/support/paths.h"

namespace {

const QString kProgram = QString::fromStdString(waferpair::test::programDir() + "/waferpair");

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
  void itsSettingsAreThoseOfThePageAndTheSchema();
};

void TestProgram::saysItsVersionAndHelp() {
  const Result version = run({"--version"});
  QCOMPARE(version.code, 0);
  QVERIFY2(version.out.startsWith("Waferpair "), qPrintable(version.out));
  QVERIFY(version.out.endsWith('\n') && version.out.count('\n') == 1);
  const Result help = run({"--help"});
  QCOMPARE(help.code, 0);
  for (const char* option :
       {"--model", "--tour", "--no-runtime", "--new-profile", "--list-commands", "--list-settings",
        "--settings-schema", "--automation", "--reproducible"}) {
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
  QFile file(QString::fromStdString(waferpair::test::sourceDir() + "/docs/keys.md"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QString page = QString::fromUtf8(file.readAll());
  const QString table = page.mid(page.indexOf("| command |"));
  QVERIFY2(table == listed.out,
           qPrintable("The table at the end of docs/keys.md should be what waferpair "
                      "--list-commands prints:\n" +
                      listed.out));
}

void TestProgram::itsSettingsAreThoseOfThePageAndTheSchema() {
  const auto contentOf = [](const char* path) {
    QFile file(QString::fromStdString(waferpair::test::sourceDir() + path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  };
  const Result listed = run({"--list-settings"});
  QCOMPARE(listed.code, 0);
  const QString page = contentOf("/docs/settings.md");
  QVERIFY2(listed.out.startsWith("## ") && page.mid(page.indexOf("## ")) == listed.out,
           qPrintable("The tables of docs/settings.md should be what waferpair --list-settings "
                      "prints:\n" +
                      listed.out));
  const Result schema = run({"--settings-schema"});
  QCOMPARE(schema.code, 0);
  QVERIFY2(contentOf("/resources/settings.schema.json") == schema.out,
           "resources/settings.schema.json should be what waferpair --settings-schema prints.");
}

QTEST_GUILESS_MAIN(TestProgram)
#include "test_program.moc"
