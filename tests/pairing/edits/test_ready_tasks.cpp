// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own tasks as their file has them, and the places that compilers and tests print.
#include <QtTest>

#include "pairing/edits/edit_request.h"
#include "pairing/edits/error_places.h"
#include "pairing/edits/ready_task.h"

using namespace waferpair::pairing;

namespace {

using Answer = ReadyTask::Answer;

QString placesIn(const QString& output) {
  QStringList found;
  for (const ErrorPlace& place : errorPlaces(output))
    found += QStringLiteral("%1|%2|%3|%4|%5")
                 .arg(place.path)
                 .arg(place.line)
                 .arg(place.column)
                 .arg(place.isError     ? QStringLiteral("error")
                      : place.isWarning ? QStringLiteral("warning")
                                        : QStringLiteral("-"),
                      place.message);
  return found.join(u'\n');
}

}  // namespace

class TestReadyTasks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFileOfTasksIsRead() {
    const ReadyTasks read = readReadyTasks(R"({"tasks": [
        {"name": " To  English ", "instruction": "Translate the comments."},
        {"name": "Why", "instruction": "Say why.", "answer": "text"}]})",
                                           QStringLiteral("t.json"));
    QCOMPARE(read.problems, QStringList());
    QCOMPARE(read.tasks, (QVector<ReadyTask>{
                             {QStringLiteral("To English"),
                              QStringLiteral("Translate the comments."), Answer::kChanges},
                             {QStringLiteral("Why"), QStringLiteral("Say why."), Answer::kText}}));
  }

  void whatIsWrongIsNamedAndTheRestIsThere_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("problem");
    QTest::addColumn<int>("tasks");
    QTest::newRow("no JSON") << QByteArray("{\"tasks\": [\n}")
                             << "t.json, line 2: object is missing after a comma. Correct "
                                "the file."
                             << 0;
    QTest::newRow("nothing at all")
        << QByteArray() << "t.json, line 1: illegal value. Correct the file." << 0;
    QTest::newRow("another form") << QByteArray("[]")
                                  << "t.json has no list \"tasks\". It has the form {\"tasks\": "
                                     "[...]}."
                                  << 0;
    const auto list = [](const QByteArray& first) {
      return "{\"tasks\": [" + first + ", {\"name\": \"a\", \"instruction\": \"b\"}]}";
    };
    QTest::newRow("a number") << list("7") << "t.json, task 1: It is no object." << 1;
    QTest::newRow("no name") << list(R"({"instruction": "b"})")
                             << "t.json, task 1: It has no \"name\"." << 1;
    QTest::newRow("no instruction") << list(R"({"name": "b", "instruction": " "})")
                                    << "t.json, task 1: It has no \"instruction\"." << 1;
    QTest::newRow("an unknown answer")
        << list(R"({"name": "b", "instruction": "c", "answer": "song"})")
        << "t.json, task 1: Its \"answer\" is neither \"changes\" nor \"text\"." << 1;
    QTest::newRow("a long name") << list("{\"name\": \"" + QByteArray(101, 'x') +
                                         "\", \"instruction\": \"c\"}")
                                 << "t.json, task 1: Its name has more than 100 letters." << 1;
  }

  void whatIsWrongIsNamedAndTheRestIsThere() {
    QFETCH(QByteArray, json);
    QFETCH(QString, problem);
    QFETCH(int, tasks);
    const ReadyTasks read = readReadyTasks(json, QStringLiteral("t.json"));
    QCOMPARE(read.problems, QStringList(problem));
    QCOMPARE(read.tasks.size(), tasks);
  }

  void placesAreFoundInWhatIsPrinted_data() {
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("places");
    QTest::newRow("GCC") << "In file included from a.h:1,\n"
                            "src/a.cpp:12:5: error: expected ';' before 'x'\n   12 |   int y x\n"
                         << "src/a.cpp|12|5|error|error: expected ';' before 'x'\n"
                            "a.h|1|0|-|In file included from a.h:1,";
    QTest::newRow("a warning comes behind an error")
        << "a.c:1:2: warning: unused error code\nb.c:3:4: error: no\n"
        << "b.c|3|4|error|error: no\na.c|1|2|warning|warning: unused error code";
    QTest::newRow("Python")
        << "Traceback (most recent call last):\n  File \"main.py\", line 3, in <module>\n    f()\n"
           "  File \"lib/f.py\", line 9, in f\n    return 1 / 0\nZeroDivisionError: division by "
           "zero\n"
        << "lib/f.py|9|0|error|ZeroDivisionError: division by zero\n"
           "main.py|3|0|error|ZeroDivisionError: division by zero";
    QTest::newRow("pytest") << "    assert f() == 2\nE   assert 1 == 2\n\ntests/test_f.py:4: "
                               "AssertionError\n"
                            << "tests/test_f.py|4|0|error|AssertionError";
    QTest::newRow("Rust") << "error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n"
                          << "src/main.rs|2|5|error|error[E0308]: mismatched types";
    QTest::newRow("a warning of Rust is not the error above it")
        << "error[E0308]: mismatched types\n --> src/main.rs:2:5\n  |\n\n"
           "warning: unused variable: `x`\n --> src/main.rs:7:9\n"
        << "src/main.rs|2|5|error|error[E0308]: mismatched types\n"
           "src/main.rs|7|9|warning|warning: unused variable: `x`";
    QTest::newRow("TypeScript") << "src/a.ts(3,7): error TS2322: Type 'x' is wrong.\n"
                                << "src/a.ts|3|7|error|error TS2322: Type 'x' is wrong.";
    QTest::newRow("Node") << "TypeError: f is not a function\n    at run (/p/a.js:10:3)\n"
                             "    at /p/b.js:2:1\n"
                          << "/p/a.js|10|3|error|TypeError: f is not a function\n"
                             "/p/b.js|2|1|error|TypeError: f is not a function";
    QTest::newRow("Java") << "Exception in thread \"main\" java.lang.Error: no\n"
                             "\tat com.example.Main.run(Main.java:7)\n"
                          << "Main.java|7|0|error|Exception in thread \"main\" java.lang.Error: no";
    QTest::newRow("Go") << "--- FAIL: TestF (0.00s)\n    f_test.go:8: got 1, want 2\n"
                        << "f_test.go|8|0|error|got 1, want 2";
    QTest::newRow("Qt Test") << "FAIL!  : Test::f() Compared values are not the same\n"
                                "   Loc: [../tests/test_f.cpp(42)]\n"
                             << "../tests/test_f.cpp|42|0|error|FAIL! : Test::f() Compared values "
                                "are not the same";
    QTest::newRow("make") << "Makefile:3: *** missing separator.  Stop.\n"
                          << "Makefile|3|0|error|*** missing separator. Stop.";
    QTest::newRow("colors") << "\x1b[1msrc/a.cpp:1:2: \x1b[31merror: \x1b[0mno\n"
                            << "src/a.cpp|1|2|error|error: no";
    QTest::newRow("within a sentence") << "please fix src/a.py:7, it fails"
                                       << "src/a.py|7|0|-|please fix src/a.py:7, it fails";
    QTest::newRow("no place") << "it took 12:30 h, see http://example.com:8080/x\n12:34:56 done\n"
                              << "";
    QTest::newRow("line 0 is none") << "a.c:0: error: no\n"
                                    << "";
  }

  void placesAreFoundInWhatIsPrinted() {
    QFETCH(QString, output);
    QFETCH(QString, places);
    QCOMPARE(placesIn(output), places);
  }

  void theExcerptHoldsWhatIsAround() {
    QString output = QStringLiteral("line\n").repeated(100) +
                     QStringLiteral("a.c:5:1: error: no\n    5 | x\n      | ^\n");
    const auto places = errorPlaces(output);
    QCOMPARE(places.size(), 1);
    QCOMPARE(places[0].excerpt, QStringLiteral("line\n").repeated(12) +
                                    QStringLiteral("a.c:5:1: error: no\n    5 | x\n      | ^"));
    // Endless lines cost nothing and say nothing.
    QCOMPARE(errorPlaces(QString(3'000'000, u'a') + QStringLiteral(":12")).size(), 0);
  }

  // Of a tool whose lines are known: nothing else counts, and a line may have several errors.
  void aToolsOwnFormsAreRead() {
    const QVector<QRegularExpression> forms{
        QRegularExpression("^(?<path>\\S+) (?<line>\\d+),(?<column>\\d+): (?<message>.*)$"),
        QRegularExpression("^in (?<path>\\S+) at (?<line>\\d+)$")};
    QStringList read;
    for (const ErrorPlace& place : errorPlaces("a.x 3,7: no\na.x 3,9: never\nb.c:5: error: c\n"
                                               "a.x 4,1: Warning: odd\nin c.x at 9\na.x 0,1: no\n"
                                               "a.x 3,7: no\n",
                                               forms))
      read.append(QStringLiteral("%1:%2:%3 %4 %5")
                      .arg(place.path)
                      .arg(place.line)
                      .arg(place.column)
                      .arg(place.message, place.isWarning ? "warning" : "error"));
    QCOMPARE(read, (QStringList{"a.x:3:7 no error", "a.x:3:9 never error",
                                "c.x:9:0 in c.x at 9 error", "a.x:4:1 Warning: odd warning"}));
  }

  void aPrintedPathMeansOneFile_data() {
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("meant");
    QTest::newRow("as it is") << "src/a.c"
                              << "src/a.c";
    QTest::newRow("absolute") << "/p/src/a.c"
                              << "src/a.c";
    QTest::newRow("from a build folder") << "../src/a.c"
                                         << "src/a.c";
    QTest::newRow("from another folder") << "b.c"
                                         << "lib/src/b.c";
    QTest::newRow("a copy elsewhere") << "/build/x/lib/src/b.c"
                                      << "lib/src/b.c";
    QTest::newRow("one of two") << "Main.java"
                                << "";
    QTest::newRow("nobody's") << "/usr/include/stdio.h"
                              << "";
    QTest::newRow("Windows") << "lib\\src\\b.c" << (QDir::separator() == u'/' ? "" : "lib/src/b.c");
  }

  void aPrintedPathMeansOneFile() {
    QFETCH(QString, printed);
    QFETCH(QString, meant);
    const QStringList files = {QStringLiteral("lib/src/b.c"), QStringLiteral("src/a.c"),
                               QStringLiteral("x/Main.java"), QStringLiteral("y/Main.java")};
    QCOMPARE(fileMeant(printed, QStringLiteral("/p"), files), meant);
  }

  void whatWasReportedGoesAlong() {
    EditTask task{QStringLiteral("Fix it"),
                  QStringLiteral("a.c"),
                  {},
                  waferpair::editor::Snapshot("x\n"),
                  {0, 1}};
    task.report = QStringLiteral("a.c:1: error: ```no```");
    const auto request = editRequest(task);
    QVERIFY(request);
    QVERIFY(request->input[0].text.contains(QStringLiteral(
        "This was reported:\n````\na.c:1: error: ```no```\n````\n\nThe instruction: Fix it")));
  }
};

QTEST_GUILESS_MAIN(TestReadyTasks)
#include "test_ready_tasks.moc"
