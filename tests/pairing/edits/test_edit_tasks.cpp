// SPDX-License-Identifier: GPL-3.0-or-later
// What an instruction is about, what a model is asked, and what is done without one.
#include <QtTest>

#include "pairing/edits/plain_edits.h"
#include "pairing/edits/target_lines.h"

using namespace waferpair;
using namespace waferpair::editor;
using namespace waferpair::pairing;

namespace {

constexpr char kCpp[] =
    "#include <a>\n"                 // 0
    "\n"                             // 1
    "class Box {\n"                  // 2
    " public:\n"                     // 3
    "  int size() const {\n"         // 4
    "    if (empty) {\n"             // 5
    "      return 0;\n"              // 6
    "    }\n"                        // 7
    "    return 1;\n"                // 8
    "  }\n"                          // 9
    "\n"                             // 10
    "  int count;\n"                 // 11
    "};\n"                           // 12
    "\n"                             // 13
    "static void longHead(int a,\n"  // 14
    "                     int b)\n"  // 15
    "{\n"                            // 16
    "  work(a, b);\n"                // 17
    "}\n"                            // 18
    "\n"                             // 19
    "int last;\n";                   // 20

constexpr char kPython[] =
    "import os\n"                // 0
    "\n"                         // 1
    "def one(a):\n"              // 2
    "    try:\n"                 // 3
    "        return a\n"         // 4
    "    except ValueError:\n"   // 5
    "        return None\n"      // 6
    "\n"                         // 7
    "    return 2\n"             // 8
    "\n"                         // 9
    "for each in os.environ:\n"  // 10
    "    print(each)\n";         // 11

QByteArray applied(const PlainTask& task, const PlainEdit& edit) {
  Snapshot text = task.text;
  for (const TextEdit& each : edit.edits) text = text.edited(each);
  return text.toByteArray();
}

PlainTask taskOf(const QByteArray& text, const QString& language = {}) {
  PlainTask task{Snapshot(text), language, {}, 0, 0};
  task.target = {0, task.text.lineCount()};
  return task;
}

QStringList titles(const QString& instruction, const PlainTask& task) {
  QStringList all;
  for (const PlainEdit& edit : plainEdits(instruction, task)) all += edit.title;
  return all;
}

}  // namespace

class TestEditTasks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theTargetIsTheFunctionAroundTheCaret_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");  // -1: the whole text
    QTest::newRow("within a block of it") << QByteArray(kCpp) << 6 << 4 << 9;
    QTest::newRow("its first line") << QByteArray(kCpp) << 4 << 4 << 9;
    QTest::newRow("its last line") << QByteArray(kCpp) << 9 << 4 << 9;
    QTest::newRow("a member") << QByteArray(kCpp) << 11 << 2 << 12;
    QTest::newRow("a head of several lines") << QByteArray(kCpp) << 17 << 14 << 18;
    QTest::newRow("outside") << QByteArray(kCpp) << 20 << 0 << -1;
    QTest::newRow("between") << QByteArray(kCpp) << 13 << 0 << -1;
    QTest::newRow("an import") << QByteArray(kCpp) << 0 << 0 << -1;
    QTest::newRow("Python, handler") << QByteArray(kPython) << 6 << 2 << 8;
    QTest::newRow("Python, blank line in it") << QByteArray(kPython) << 7 << 2 << 8;
    QTest::newRow("Python, no function") << QByteArray(kPython) << 11 << 10 << 11;
    QTest::newRow("empty") << QByteArray() << 0 << 0 << -1;
  }
  void theTargetIsTheFunctionAroundTheCaret() {
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(int, first);
    QFETCH(int, last);
    const Snapshot snapshot(text);
    const qint64 caret = snapshot.lineEnd(line);
    const Target target = targetAt(snapshot, caret, caret);
    if (last < 0) {
      QCOMPARE(target.kind, Target::Kind::kText);
      QCOMPARE(target.lines.first, 0);
      QCOMPARE(target.lines.count, snapshot.lineCount());
      return;
    }
    QCOMPARE(target.kind, Target::Kind::kBlock);
    QCOMPARE(target.lines.first, first);
    QCOMPARE(target.lines.end() - 1, last);
  }

  void aSelectionIsTheTargetWhicheverWayItWasMade() {
    const Snapshot text(kCpp);
    const LineRange expected{4, 3};
    for (const qint64 end : {text.lineStart(7), text.lineEnd(6), text.lineStart(6) + 1}) {
      QCOMPARE(targetAt(text, text.lineStart(4) + 2, end).lines, expected);
      QCOMPARE(targetAt(text, end, text.lineStart(4) + 2).lines, expected);
    }
  }

  void theModelIsShownTheLinesAndWhatIsAround() {
    EditTask task{QStringLiteral("make it shorter"),
                  QStringLiteral("src/box.h"),
                  QStringLiteral("C++"),
                  Snapshot(kCpp),
                  {4, 6}};
    const auto request = editRequest(task);
    QVERIFY(request);
    QVERIFY(request->instructions.contains(QStringLiteral("<<<<<<< SEARCH")));
    QCOMPARE(request->input.size(), 1);
    const QString prompt = request->input[0].text;
    QVERIFY2(prompt.startsWith(QStringLiteral("The file is src/box.h (C++).\n\nThis is the file:\n"
                                              "```\n#include <a>\n\nclass Box {\n public:\n"
                                              "  int size() const {\n")),
             qPrintable(prompt));
    const qsizetype target = prompt.indexOf(QStringLiteral(
        "```\n\nThe instruction is about lines 5 to 10:\n```\n  int size() const {\n"));
    QVERIFY2(target > 0, qPrintable(prompt));
    // What another instruction, and one about other lines, begins with is the same.
    task.instruction = QStringLiteral("make it longer");
    task.target = {12, 3};
    const QString other = editRequest(task)->input[0].text;
    QCOMPARE(other.first(target), prompt.first(target));
    QVERIFY(prompt.endsWith(QStringLiteral("\nThe instruction: make it shorter\n")));
  }

  void asMuchIsShownAsThereIsRoomFor() {
    QByteArray text;
    for (int i = 0; i < 100; ++i) text += "line " + QByteArray::number(1000 + i) + '\n';  // 10 each
    EditTask task{QStringLiteral("x"), QStringLiteral("a.txt"), {}, Snapshot(text), {50, 2}};
    const QString prompt = editRequest(task, 120)->input[0].text;
    QVERIFY2(prompt.contains(QStringLiteral("line 1046\n")), qPrintable(prompt));
    QVERIFY2(prompt.contains(QStringLiteral("line 1055\n")), qPrintable(prompt));
    QVERIFY(!prompt.contains(QStringLiteral("line 1045\n")));
    QVERIFY(!prompt.contains(QStringLiteral("line 1056\n")));
    // What one side has no use for is the other's.
    task.target = {0, 2};
    QVERIFY(editRequest(task, 120)->input[0].text.contains(QStringLiteral("line 1009\n```")));
    // Of a long text whole steps are shown, so that neighbors have the same.
    QByteArray all;
    for (int i = 0; i < 5000; ++i) all += "line " + QByteArray::number(10000 + i) + '\n';
    task.text = Snapshot(all);
    task.target = {1500, 5};
    const QString one = editRequest(task)->input[0].text;
    task.target = {1510, 3};
    const QString other = editRequest(task)->input[0].text;
    const qsizetype shown = one.indexOf(QStringLiteral("The instruction is about"));
    QVERIFY(one.contains(QStringLiteral("\nline 11200\n")) &&
            !one.contains(QStringLiteral("line 11199\n")));
    QCOMPARE(other.first(shown), one.first(shown));
    task.text = Snapshot(text);
    task.target = {0, 2};
    const auto refused = editRequest(task, 19);
    QVERIFY(!refused);
    QVERIFY(!refused.error().remedy.isEmpty());
    QCOMPARE(mostEditBytes(-1), kMostEditBytes);
    QCOMPARE(mostEditBytes(8192), 12'288);
  }

  void aFenceIsLongerThanAnyInTheText() {
    const EditTask task{
        QStringLiteral("x"), QStringLiteral("a.md"), {}, Snapshot("````\ncode\n````\n"), {0, 3}};
    QVERIFY(editRequest(task)->input[0].text.contains(
        QStringLiteral("\n`````\n````\ncode\n````\n`````\n")));
  }

  void instructionsThatNeedNoModel_data() {
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QString>("language");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char* instruction, const char* language, const QByteArray& before,
                        const QByteArray& after) {
      QTest::newRow(instruction) << QString::fromUtf8(instruction) << QString::fromUtf8(language)
                                 << before << after;
    };
    row("sort lines", "", "c\na\nb\n", "a\nb\nc\n");
    row("sort", "", "c\r\na\r\nb", "a\r\nb\r\nc");
    row("sort lines descending", "", "a\nc\nb\n", "c\nb\na\n");
    row("sort lines by number", "", "n10\nn9\nN2\n", "N2\nn9\nn10\n");
    row("reverse lines", "", "a\nb\nc\n", "c\nb\na\n");
    row("Remove duplicate lines", "", "a\nb\n\na\n\nb\n", "a\nb\n\n\n");
    row("remove trailing whitespace", "", "a \nb\t\n  c\n", "a\nb\n  c\n");
    row("delete empty lines", "", "a\n\n \nb\n", "a\nb\n");
    row("join lines", "", "a\n  b\n\nc\n", "a b c\n");
    row("make uppercase", "",
        "stra\xC3\x9F"
        "e",
        "STRASSE");
    row("title case", "", "hello", "Hello");
    row("to snake_case", "", "maxLineCount", "max_line_count");
    row("camel case", "", "max_line_count", "maxLineCount");
    row("pascal case", "", "httpServer", "HttpServer");
    row("kebab-case", "", "HTTPServer2", "http-server2");
    row("wrap in if x > 0", "C++", "  a();\n\n  b();\n",
        "  if (x > 0) {\n    a();\n\n    b();\n  }\n");
    row("wrap in if", "C", "a();\n", "if (true) {\n    a();\n}\n");
    row("wrap in try", "Python", "\tx()\n", "\ttry:\n\t\tx()\n\texcept Exception:\n\t\traise\n");
    row("surround with for i = 1, 3", "Lua", "x()\n", "for i = 1, 3 do\n    x()\nend\n");
    row("add include vector", "C++", "#pragma once\n\n#include <a>\n\nint b;\n",
        "#pragma once\n\n#include <a>\n#include <vector>\n\nint b;\n");
    row("include a/b.h", "C++", "int b;\n", "#include \"a/b.h\"\nint b;\n");
    row("import os", "Python", "#!/usr/bin/python\nimport sys\nx()\n",
        "#!/usr/bin/python\nimport sys\nimport os\nx()\n");
    row("import os", "Python", "from a import (\n    b,\n    c,\n)\n\nx()\n",
        "from a import (\n    b,\n    c,\n)\nimport os\n\nx()\n");
    row("import os", "Python", "from a import b, \\\n    c\nx()\n",
        "from a import b, \\\n    c\nimport os\nx()\n");
    row("import fs from 'fs'", "JavaScript", "import {\n  a,\n  b,\n} from 'ab';\n\nx();\n",
        "import {\n  a,\n  b,\n} from 'ab';\nimport fs from 'fs';\n\nx();\n");
    row("add use std::fs", "Rust", "use std::{\n    io,\n    env,\n};\n\nfn main() {}\n",
        "use std::{\n    io,\n    env,\n};\nuse std::fs;\n\nfn main() {}\n");
    row("import from os import path", "Python", "x()\n", "from os import path\nx()\n");
    row("add import fmt", "Go", "package main\n\nfunc a() {}\n",
        "package main\n\nimport \"fmt\"\nfunc a() {}\n");
    row("add use std::fs", "Rust", "use std::io;", "use std::io;\nuse std::fs;");
  }
  void instructionsThatNeedNoModel() {
    QFETCH(QString, instruction);
    QFETCH(QString, language);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const PlainTask task = taskOf(before, language);
    const QVector<PlainEdit> edits = plainEdits(instruction, task);
    QVERIFY2(!edits.isEmpty(), qPrintable(instruction));
    QVERIFY(!edits.first().title.isEmpty());
    QCOMPARE(applied(task, edits.first()), after);
  }

  void linesThatChangePlacesAreOneChange() {
    const PlainTask task = taskOf("a\nz\nc\ny\ne\nb\nz\n");
    const PlainEdit sort = plainEdits(QStringLiteral("sort lines"), task).first();
    QCOMPARE(sort.edits.size(), 1);
    QCOMPARE(sort.edits[0].start, 2);  // the first line stays
    QCOMPARE(applied(task, sort), QByteArray("a\nb\nc\ne\ny\nz\nz\n"));
    // Others can be taken one by one.
    const PlainTask blanks = taskOf("a \nb\nc \n");
    QCOMPARE(plainEdits(QStringLiteral("remove trailing blanks"), blanks).first().edits.size(), 2);
  }

  void onlyTheTargetChanges() {
    PlainTask task = taskOf("d\nc\nb\na\n");
    task.target = {1, 2};
    QCOMPARE(applied(task, plainEdits(QStringLiteral("sort lines"), task).first()),
             QByteArray("d\nb\nc\na\n"));
    task = taskOf("one two three");
    task.start = 4;
    task.end = 7;
    QCOMPARE(applied(task, plainEdits(QStringLiteral("upper case"), task).first()),
             QByteArray("one TWO three"));
    task.start = task.end = 10;  // a caret in a word
    QCOMPARE(applied(task, plainEdits(QStringLiteral("upper case"), task).first()),
             QByteArray("one two THREE"));
  }

  void aNameIsRenamedInTheLinesTheCodeOrEverywhere() {
    const QByteArray text =
        "int count;  // count them\nint f() {\n  return count + counter;\n}\n"
        "auto s = \"count\";\nint g(int total) {\n  return count;\n}\n";
    PlainTask task = taskOf(text, QStringLiteral("C++"));
    task.target = {1, 3};
    const auto renamed = plainEdits(QStringLiteral("rename count to sum"), task);
    QCOMPARE(renamed.size(), 3);
    QCOMPARE(renamed[0].title, QStringLiteral("Rename count to sum in these lines (1 place)"));
    QCOMPARE(applied(task, renamed[0]),
             QByteArray(text).replace("return count + ", "return sum + "));
    QCOMPARE(
        applied(task, renamed[1]),
        QByteArray(text).replace("int count;", "int sum;").replace("return count", "return sum"));
    QCOMPARE(applied(task, renamed[2]), QByteArray(text)
                                            .replace("int count;  // count", "int sum;  // sum")
                                            .replace("return count", "return sum")
                                            .replace("\"count\"", "\"sum\""));
    QVERIFY(plainEdits(QStringLiteral("Rename count as total"), task)[0].title.endsWith(
        QStringLiteral("a name that is there already")));
    QVERIFY(plainEdits(QStringLiteral("rename gone to sum"), task)[0].edits.isEmpty());
    QVERIFY(plainEdits(QStringLiteral("rename count"), task).isEmpty());
  }

  void whatIsThereAlreadyIsNoEdit() {
    const PlainTask task = taskOf("#include <a>\nb\n", QStringLiteral("C++"));
    QCOMPARE(plainEdits(QStringLiteral("add include a"), task).first().edits.size(), 0);
    const PlainTask sorted = taskOf("a\nb\n");
    QCOMPARE(plainEdits(QStringLiteral("sort lines"), sorted).first().edits.size(), 0);
  }

  void theyAreListedAsTheyAreTyped() {
    const PlainTask task = taskOf("x\n", QStringLiteral("Python"));
    QVERIFY(titles(QStringLiteral("s"), task).isEmpty());
    QCOMPARE(
        titles(QStringLiteral("so"), task),
        (QStringList{QStringLiteral("Sort the lines"), QStringLiteral("Sort the lines backwards"),
                     QStringLiteral("Sort the lines by their numbers")}));
    QCOMPARE(titles(QStringLiteral("wrap in w"), task),
             (QStringList{QStringLiteral("Wrap in while"), QStringLiteral("Wrap in with")}));
    QCOMPARE(titles(QStringLiteral("wrap in with open(x)"), task),
             QStringList{QStringLiteral("Wrap in with open(x)")});
    QVERIFY(titles(QStringLiteral("explain this function"), task).isEmpty());
    QVERIFY(titles(QStringLiteral("wrap in if"), taskOf("x\n")).isEmpty());  // no known language
    QVERIFY(plainInstructions(QStringLiteral("Python")).contains(QStringLiteral("wrap in try")));
  }
};

QTEST_GUILESS_MAIN(TestEditTasks)
#include "test_edit_tasks.moc"
