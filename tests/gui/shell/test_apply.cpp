// SPDX-License-Identifier: GPL-3.0-or-later
// `waferpair --apply FILE < ANSWER`, as a script starts it: no display, no settings.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/paths.h"

namespace {

struct Result {
  int code;
  QByteArray out;
  QString err;
};

Result apply(const QString& path, const QByteArray& answer) {
  QProcess program;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.remove("DISPLAY");
  environment.insert("QT_QPA_PLATFORM", "no-such-platform");
  program.setProcessEnvironment(environment);
  program.start(QString::fromStdString(waferpair::test::programDir() + "/waferpair"),
                {"--apply", path});
  program.write(answer);
  program.closeWriteChannel();
  program.waitForFinished(30'000);
  return {program.exitCode(), program.readAllStandardOutput(),
          QString::fromUtf8(program.readAllStandardError())};
}

QByteArray block(const QByteArray& path, const QByteArray& oldText, const QByteArray& newText) {
  return path + "\n```\n<<<<<<< SEARCH\n" + oldText + "=======\n" + newText +
         ">>>>>>> REPLACE\n```\n";
}

}  // namespace

class TestApply : public QObject {
  Q_OBJECT

  QString write(const QString& name, const QByteArray& bytes) {
    const QString path = folder_.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
    return path;
  }

  QTemporaryDir folder_;

 private Q_SLOTS:
  void allIsPlaced() {
    const QByteArray before = "class A:\r\n\tdef f(self):\r\n\t\treturn 1\r\n";
    const QString path = write("a.py", before);
    const Result result = apply(path, "Sure.\n\n" + block("a.py", "def f(self):\n    return 1\n",
                                                          "def f(self):\n    return 2\n"));
    QCOMPARE(result.err, QString());
    QCOMPARE(result.out, QByteArray("class A:\r\n\tdef f(self):\r\n\t\treturn 2\r\n"));
    QCOMPARE(result.code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
  }

  void diffsAndWholeFilesArePlaced() {
    const QString path = write("b.c", "int a;\nint b;\n");
    const Result diff =
        apply(path, "--- a/b.c\n+++ b/b.c\n@@ -1,2 +1,2 @@\n int a;\n-int b;\n+int c;\n");
    QCOMPARE(diff.out, QByteArray("int a;\nint c;\n"));
    QCOMPARE(diff.code, 0);
    const Result whole = apply(path, "```c\nint a;\nint z;\n```\n");
    QCOMPARE(whole.out, QByteArray("int a;\nint z;\n"));
    QCOMPARE(whole.code, 0);
  }

  // Nothing shows that a line is the file.
  void whatIsNotTheFileIsRefused() {
    const QString path = write("w.c", "int a;\nint b;\n");
    for (const char* answer :
         {"```c\nint z;\n```\n", "```sh\nmake w\n```\n", "```c\n// ...\n```\n"}) {
      const Result result = apply(path, answer);
      QCOMPARE(result.out, QByteArray("int a;\nint b;\n"));
      QVERIFY(!result.err.isEmpty());
      QCOMPARE(result.code, 1);
    }
  }

  void encodingsAreKept() {
    const QString path = write("latin.txt", "gr\xFC\xDF\nzwei\n");
    const Result result = apply(path, block("latin.txt", "zwei\n", "drei\n"));
    QCOMPARE(result.out, QByteArray("gr\xFC\xDF\ndrei\n"));
    QCOMPARE(result.code, 0);
  }

  // Where one change has no place none is made.
  void whatHasNoPlaceIsSaid() {
    const QString path = write("c.c", "int a;\nint b;\n");
    const Result result = apply(path, block("c.c", "int a;\n", "int x;\n") +
                                          block("c.c", "nowhere();\n", "copy_me();\n") +
                                          block("other.c", "int b;\n", "int y;\n"));
    QCOMPARE(result.out, QByteArray("int a;\nint b;\n"));
    QVERIFY2(result.err.contains("nowhere") && result.err.contains("copy_me();"),
             qPrintable(result.err));
    QVERIFY2(result.err.contains("other.c") && result.err.contains("int y;"),
             qPrintable(result.err));
    QCOMPARE(result.code, 1);
  }

  void badInputIsRefused() {
    const QString path = write("d.c", "int a;\n");
    const Result prose = apply(path, "I can't do that.\n");
    QCOMPARE(prose.code, 2);
    QCOMPARE(prose.out, QByteArray());
    QVERIFY(!prose.err.isEmpty());
    const Result binary = apply(write("e.bin", QByteArray("a\0b", 3)), block("", "a\n", "b\n"));
    QCOMPARE(binary.code, 2);
    QCOMPARE(binary.out, QByteArray());
    const Result folder = apply(folder_.path(), block("", "a\n", "b\n"));
    QCOMPARE(folder.code, 2);
  }

  void aNewFileIsMade() {
    const Result result = apply(folder_.filePath("new.c"), block("new.c", "", "int n;\n"));
    QCOMPARE(result.out, QByteArray("int n;\n"));
    QCOMPARE(result.code, 0);
    QVERIFY(!QFile::exists(folder_.filePath("new.c")));
  }
};

QTEST_GUILESS_MAIN(TestApply)
#include "test_apply.moc"
