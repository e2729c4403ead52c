// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as models write them. A row says what is read of one: its changes, prose and problems, a
// line each, with line ends as '/'.
#include <QtTest>
#include <random>

#include "pairing/answers/answer_reader.h"
#include "pairing/answers/code_fence.h"

using namespace waferpair::pairing;

namespace {

QString shown(const QByteArray& text) {
  return QString::fromUtf8(text).replace('\n', QLatin1Char('/'));
}

QString shown(const ProposedChange& change) {
  const QString at = change.hintLine < 0 ? QString() : QStringLiteral("@%1").arg(change.hintLine);
  const QString path = change.path.isEmpty() ? QStringLiteral("-") : change.path;
  switch (change.kind) {
    case ProposedChange::Kind::kReplace:
      return QStringLiteral("replace %1%2 [%3] [%4]")
          .arg(path, at, shown(change.oldText), shown(change.newText));
    case ProposedChange::Kind::kCode:
      return QStringLiteral("code %1 [%2]").arg(path, shown(change.newText));
    case ProposedChange::Kind::kCreate:
      return QStringLiteral("create %1 [%2]").arg(path, shown(change.newText));
    case ProposedChange::Kind::kDelete:
      return QStringLiteral("delete %1 [%2]").arg(path, shown(change.oldText));
    case ProposedChange::Kind::kRename:
      return QStringLiteral("rename %1 %2").arg(path, change.newPath);
  }
  return {};
}

QStringList shown(const Answer& answer) {
  QStringList lines;
  for (const auto& part : answer.parts) {
    if (const auto* prose = std::get_if<Prose>(&part)) {
      lines.append(QStringLiteral("say ") + shown(prose->text));
    } else {
      lines.append(shown(std::get<ProposedChange>(part)));
    }
  }
  for (const AnswerProblem& problem : answer.problems)
    lines.append(QStringLiteral("problem %1: %2").arg(problem.line).arg(problem.what));
  return lines;
}

constexpr auto kBlocks = AnswerFormat::kSearchReplace;
constexpr auto kWhole = AnswerFormat::kCode;
constexpr auto kDiff = AnswerFormat::kUnifiedDiff;
constexpr auto kPatch = AnswerFormat::kPatch;
constexpr auto kTools = AnswerFormat::kToolEdits;

}  // namespace

Q_DECLARE_METATYPE(waferpair::pairing::AnswerFormat)

class TestAnswers : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void answersAreRead_data();
  void answersAreRead();
  void cutsMakeNoDifference_data() { answersAreRead_data(); }
  void cutsMakeNoDifference();
  void whatIsCertainStays_data() { answersAreRead_data(); }
  void whatIsCertainStays();
  void theChangeUnderWayIsSeen();
  void longAnswersAreCut();
  void formatsAreGuessed();
  void namesAreTold_data();
  void namesAreTold();
};

void TestAnswers::answersAreRead_data() {
  QTest::addColumn<AnswerFormat>("format");
  QTest::addColumn<QByteArray>("answer");
  QTest::addColumn<QStringList>("expected");
  const auto blocks = [](const char* name, const char* answer, const QStringList& expected) {
    QTest::newRow(name) << kBlocks << QByteArray(answer) << expected;
  };
  const auto whole = [](const char* name, const char* answer, const QStringList& expected) {
    QTest::newRow(name) << kWhole << QByteArray(answer) << expected;
  };
  const auto diff = [](const char* name, const char* answer, const QStringList& expected) {
    QTest::newRow(name) << kDiff << QByteArray(answer) << expected;
  };

  blocks("name before the fence",
         "Here.\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
         "Done.\n",
         {"say Here.//", "replace src/a.py [old/] [new/]", "say Done./"});
  blocks("name in the fence",
         "```\nsrc/a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n",
         {"replace src/a.py [old/] [new/]"});
  blocks("name behind the fence's signs",
         "```python src/a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n",
         {"replace src/a.py [old/] [new/]"});
  blocks("no fence", "**src/a.py**:\n<<<<< SEARCH\nold\n=====\nnew\n>>>>> REPLACE",
         {"replace src/a.py [old/] [new/]"});
  blocks("other spellings",
         "<<<<<<< search: a.c\nx\n=======\ny\n>>>>>>> replace\n<<<<<<< HEAD\np\n=======\nq\n"
         ">>>>>>> fixed\n",
         {"replace a.c [x/] [y/]", "replace a.c [p/] [q/]"});
  blocks("the line that it begins at",
         "a.c\n<<<<<<< SEARCH\n:start_line:12\n:end_line:12\n-------\nx\n=======\ny\n"
         ">>>>>>> REPLACE\n",
         {"replace a.c@11 [x/] [y/]"});
  blocks("between tags",
         "<path>src/a.c</path>\n<diff>\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n</diff>\n",
         {"replace src/a.c [x/] [y/]", "say </diff>/"});
  blocks("a divider twice", "a.c\n<<<<<<< SEARCH\nx\n=======\n=======\ny\n>>>>>>> REPLACE\n",
         {"replace a.c [x/] [y/]"});
  blocks("a divider before the last line",
         "a.c\n<<<<<<< SEARCH\nx\n=======\ny\n=======\n>>>>>>> REPLACE\n",
         {"replace a.c [x/] [y/]"});
  blocks("the last line is missing",
         "a.c\n```\n<<<<<<< SEARCH\nx\n=======\ny\n```\nb.c\n```\n<<<<<<< SEARCH\np\n=======\nq\n"
         "```\nDone.\n",
         {"replace a.c [x/] [y/]", "replace b.c [p/] [q/]", "say Done./"});
  blocks("nine signs", "a.c\n<<<<<<<<< SEARCH\nx\n=========\ny\n>>>>>>>>> REPLACE\n",
         {"replace a.c [x/] [y/]"});
  blocks("ten signs are text", "<<<<<<<<<< SEARCH\n", {"say <<<<<<<<<< SEARCH/"});
  blocks("dashes and pluses", "a.c\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n",
         {"replace a.c [x/] [y/]"});
  blocks("other words", "a.c\n<<<<<<< ORIGINAL\nx\n=======\ny\n>>>>>>> UPDATED\n",
         {"replace a.c [x/] [y/]"});
  blocks("no name", "<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n", {"replace - [x/] []"});
  blocks("the name of the block before",
         "a.c\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n\nAnd:\n"
         "<<<<<<< SEARCH\np\n=======\nq\n>>>>>>> REPLACE\nb.c\n<<<<<<< SEARCH\n1\n=======\n2\n"
         ">>>>>>> REPLACE\n",
         {"replace a.c [x/] [y/]", "say /And:/", "replace a.c [p/] [q/]", "replace b.c [1/] [2/]"});
  blocks("new file", "new/b.c\n```c\n<<<<<<< SEARCH\n=======\nint b;\n>>>>>>> REPLACE\n```\n",
         {"create new/b.c [int b;/]"});
  blocks("CRLF", "a.c\r\n<<<<<<< SEARCH\r\nx\r\n=======\r\ny\r\n>>>>>>> REPLACE\r\n",
         {"replace a.c [x/] [y/]"});
  blocks("underlines of another length",
         "a.md\n<<<<<<< SEARCH\nTitle\n=====\n=======\nTitles\n======\n>>>>>>> REPLACE\n",
         {"replace a.md [Title/=====/] [Titles/======/]"});
  blocks("another length between the texts", "a.c\n<<<<<<< SEARCH\nx\n=====\ny\n>>>>>>> REPLACE\n",
         {"replace a.c [x/] [y/]"});
  blocks("an indented line is text",
         "a.py\n<<<<<<< SEARCH\n  =======\n=======\nx\n>>>>>>> REPLACE\n",
         {"replace a.py [  =======/] [x/]"});
  blocks("two lines between",
         "a.md\n<<<<<<< SEARCH\nTitle\n=======\n=======\nTitles\n>>>>>>> REPLACE\n",
         {"problem 1: 2 lines of the block could be the one between its two texts."});
  blocks("no line between", "a.md\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n",
         {"problem 1: The block has no line \"=======\" between its two texts."});
  blocks("cut", "a.c\n<<<<<<< SEARCH\nx\n=======\ny\n",
         {"problem 1: The answer ends within the block that begins here: it is left out."});
  blocks("no end",
         "a.c\n<<<<<<< SEARCH\nx\n=======\n<<<<<<< SEARCH\np\n=======\nq\n"
         ">>>>>>> REPLACE\n",
         {"replace a.c [p/] [q/]", "problem 1: The block has no line \">>>>>>> REPLACE\"."});
  blocks("nothing changed", "a.c\n<<<<<<< SEARCH\nx\n=======\nx\n>>>>>>> REPLACE\n",
         {"problem 1: The block changes nothing."});
  blocks("prose with code", "Run\n```sh\nmake\n```\nand a.c\n",
         {"say Run/```sh/make/```/and a.c/"});
  blocks("empty", "", {});

  whole("name before the fence", "Sure.\n\n`src/a.py`:\n```python\nx = 1\n\ny = 2\n```\nBye\n",
        {"say Sure.//", "code src/a.py [x = 1//y = 2/]", "say Bye/"});
  whole("name behind the signs", "```python:src/a.py\nx\n```\n", {"code src/a.py [x/]"});
  whole("title", "```py title=\"src/my a.py\"\nx\n```\n```c file=b.c\ny\n```\n",
        {"code - [x/]", "code b.c [y/]"});
  whole("two files", "a.c\n```\nx\n```\nb.c\n~~~\ny\n~~~\n", {"code a.c [x/]", "code b.c [y/]"});
  whole("a fence in the file", "README.md\n```markdown\n# T\n```sh\nmake\n```\nend\n```\n",
        {"code README.md [# T/```sh/make/```/end/]"});
  whole("a longer fence", "README.md\n````\n```\nx\n```\n````\n", {"code README.md [```/x/```/]"});
  whole("the only block", "Here:\n```c\nx\n```\nThat is all.\n",
        {"say Here:/", "code - [x/]", "say That is all./"});
  whole("two blocks without names", "```c\nx\n```\nand\n```c\ny\n```\n",
        {"code - [x/]", "say and/", "code - [y/]"});
  whole("a command beside a file", "a.c\n```c\nx\n```\n```sh\nmake\n```\n",
        {"code a.c [x/]", "code - [make/]"});
  whole("lines of a file are quoted", "```12:40:src/a.c\nx\n```\n```sh\ny\n```\n",
        {"code - [x/]", "code - [y/]"});
  whole("an empty file", "a/__init__.py\n```\n```\n", {"code a/__init__.py []"});
  whole("cut", "a.c\n```c\nx\n",
        {"problem 1: The answer ends within the block that begins here: it is left out."});

  diff("git",
       "diff --git a/src/a.c b/src/a.c\nindex 1..2 100644\n--- a/src/a.c\n+++ b/src/a.c\n"
       "@@ -3,3 +3,4 @@ int f()\n a\n-b\n+B\n+C\n d\n",
       {"replace src/a.c@2 [a/b/d/] [a/B/C/d/]"});
  diff("two hunks in a fence",
       "So:\n```diff\n--- a.c\n+++ a.c\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-x\n+y\n```\nend\n",
       {"say So:/", "replace a.c@0 [a/] [b/]", "replace a.c@8 [x/] [y/]", "say end/"});
  diff("no numbers", "```diff\n--- a.c\n+++ a.c\n@@ ... @@\n a\n-b\n+c\n\n d\n@@\n-x\n```\n",
       {"replace a.c [a/b//d/] [a/c//d/]", "replace a.c [x/] []"});
  diff("wrong counts",
       "```diff\n--- a/a.c\n+++ b/a.c\n@@ -5,9 +5,9 @@\n a\n-b\n+c\n@@ -20,1 +20,1 @@\n "
       "x\n-y\n+z\n w\n"
       "```\n",
       {"replace a.c@4 [a/b/] [a/c/]", "replace a.c@19 [x/y/w/] [x/z/w/]"});
  diff("a removed line that looks like a header",
       "--- a/q.sql\n+++ b/q.sql\n@@ -1,3 +1,2 @@\n select\n--- a remark\n 1\n@@ -9,1 +8,1 @@\n"
       "--- x\n+++ y\n@@ -20 +20 @@\n-p\n+q\n",
       {"replace q.sql@0 [select/-- a remark/1/] [select/1/]", "replace q.sql@8 [-- x/] [++ y/]",
        "replace q.sql@19 [p/] [q/]"});
  diff("a header after a hunk with wrong counts",
       "```diff\n--- a/a.c\n+++ b/a.c\n@@ -1,7 +1,7 @@\n-p\n+q\n--- a/b.c\n+++ b/b.c\n@@ -1 +1 @@\n"
       "-x\n+y\n```\n",
       {"replace a.c@0 [p/] [q/]", "replace b.c@0 [x/] [y/]"});
  diff("lost blanks", "```diff\n--- a.c\n+++ a.c\n@@ -1,4 +1,4 @@\n {\n-  a\n+  b\n}\n\n```\n",
       {"replace a.c@0 [{/  a/}//] [{/  b/}//]"});
  diff("no end of line",
       "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
       {"replace a.c@0 [a/b] [a/b/]"});
  diff("new and deleted",
       "diff --git a/n.c b/n.c\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.c\n"
       "@@ -0,0 +1,2 @@\n+a\n+b\ndiff --git a/o.c b/o.c\ndeleted file mode 100644\nindex 1..0\n"
       "--- a/o.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
       {"create n.c [a/b/]", "delete o.c [a/]"});
  diff("new and deleted without a hunk",
       "diff --git a/n.c b/n.c\nnew file mode 100644\nindex 0..1\ndiff --git a/o.c b/o.c\n"
       "deleted file mode 100644\n",
       {"create n.c []", "delete o.c []"});
  diff("renamed",
       "diff --git a/o.c b/n.c\nsimilarity index 90%\nrename from o.c\nrename to n.c\n"
       "--- a/o.c\n+++ b/n.c\n@@ -1 +1 @@\n-a\n+b\n"
       "diff --git a/p.c b/q.c\nsimilarity index 100%\nrename from p.c\nrename to q.c\n",
       {"rename o.c n.c", "replace o.c@0 [a/] [b/]", "rename p.c q.c"});
  diff("quoted names",
       "--- \"a/fo\\303\\266 \\\"x\\\".c\"\n+++ \"b/fo\\303\\266 \\\"x\\\".c\"\n@@ -1 +1 "
       "@@\n-a\n+b\n",
       {QStringLiteral("replace fo\u00f6 \"x\".c@0 [a/] [b/]")});
  diff("times", "--- a.c.orig\t2024-01-01\n+++ a.c\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n",
       {"replace a.c@0 [a/] [b/]"});
  diff("the name before the fence", "`src/a.c`:\n```diff\n@@\n-a\n+b\n```\n",
       {"replace src/a.c [a/] [b/]"});
  diff("a list after a diff", "--- a.c\n+++ a.c\n@@ -1 +1 @@\n-a\n+b\n- one\n- two\n",
       {"replace a.c@0 [a/] [b/]", "say - one/- two/"});
  diff("an insertion without lines around it", "--- a.c\n+++ a.c\n@@ -5,0 +6 @@\n+b\n",
       {"replace a.c@5 [] [b/]"});
  diff("nothing changed", "--- a.c\n+++ a.c\n@@ -1 +1 @@\n a\n",
       {"problem 2: The hunk changes nothing."});
  diff("binary and mode",
       "diff --git a/p.png b/p.png\nindex 1..2\nBinary files a/p.png and b/p.png differ\n"
       "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
       {"problem 2: Copies, modes and binary files cannot be taken from a diff: \"Binary files "
        "a/p.png and b/p.png differ\"",
        "problem 5: Copies, modes and binary files cannot be taken from a diff: \"new mode "
        "100755\""});
  diff("a header alone", "--- a.c\n+++ a.c\n",
       {"problem 1: The file's header is followed by no hunk."});
  diff("a rule in prose", "a.c\n--- x\nb\n", {"say a.c/--- x/b/"});
  diff("no header at all", "So:\n```diff\n a\n-b\n+c\n```\n",
       {"say So:/", "replace - [a/b/] [a/c/]"});
  diff("a line instead of numbers", "```diff\n--- a.c\n+++ a.c\n@@ int f() {\n-b\n+c\n```\n",
       {"replace a.c [b/] [c/]"});
  const auto patch = [](const char* name, const char* answer, const QStringList& expected) {
    QTest::newRow(name) << kPatch << QByteArray(answer) << expected;
  };
  patch("a patch",
        "*** Begin Patch\n*** Update File: a.c\n@@ int f() {\n x\n-y\n+z\n@@\n-p\n+q\n"
        "*** Add File: b.c\n+int b;\n*** Delete File: c.c\n*** Update File: d.c\n*** Move to: e.c\n"
        "@@\n-1\n+2\n*** End of File\n*** End Patch\n",
        {"replace a.c [x/y/] [x/z/]", "replace a.c [p/] [q/]", "create b.c [int b;/]",
         "delete c.c []", "rename d.c e.c", "replace d.c [1/] [2/]"});
  patch("a patch that is cut", "*** Begin Patch\n*** Update File: a.c\n@@\n-y\n+z\n",
        {"problem 3: The patch has no line \"*** End Patch\": it may be cut."});
  patch("the end of a new file",
        "*** Begin Patch\n*** Add File: b.c\n+int b;\n*** End of File\n*** End Patch\n",
        {"create b.c [int b;/]"});
  patch("a new file that moves",
        "*** Begin Patch\n*** Add File: b.c\n+int b;\n*** Move to: c.c\n*** End Patch\n",
        {"create b.c [int b;/]", "problem 3: \"Move to\" stands behind no file that is updated."});
  const auto tools = [](const char* name, const char* answer, const QStringList& expected) {
    QTest::newRow(name) << kTools << QByteArray(answer) << expected;
  };
  tools("tags",
        "<edits>\n<old_text line=3>\nx\n</old_text>\n<new_text>\ny\n</new_text>\n</edits>\n",
        {"replace -@2 [x/] [y/]"});
  tools(
      "parameters",
      "<invoke name=\"Edit\">\n<parameter name=\"file_path\">a.c</parameter>\n"
      "<parameter name=\"old_string\">x</parameter>\n<parameter name=\"new_string\">y</parameter>\n"
      "</invoke>\n",
      {"replace a.c [x] [y]"});
  tools("JSON",
        "```json\n{\"file_path\": \"a.c\", \"old_string\": \"x\\n\", \"new_string\": "
        "\"y\\n\"}\n```\n",
        {"replace a.c [x/] [y/]"});
  tools("a tool that writes",
        "<write_to_file>\n<path>a.c</path>\n<content>\nx\n</content>\n</write_to_file>\n",
        {"code a.c [x/]"});
  tools("a patch in JSON",
        "{\"command\": [\"apply_patch\", \"*** Begin Patch\\n*** Update File: "
        "a.c\\n@@\\n-x\\n+y\\n*** "
        "End Patch\"]}\n",
        {"replace a.c [x/] [y/]"});
  diff("a mail", "--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n",
       {"replace a.c@0 [a/] [b/]", "say -- /2.39.5/"});
}

void TestAnswers::answersAreRead() {
  QFETCH(AnswerFormat, format);
  QFETCH(QByteArray, answer);
  QFETCH(QStringList, expected);
  QCOMPARE(shown(readAnswer(format, answer)).join('\n'), expected.join('\n'));
}

void TestAnswers::cutsMakeNoDifference() {
  QFETCH(AnswerFormat, format);
  QFETCH(QByteArray, answer);
  const Answer whole = readAnswer(format, answer);
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    const auto reader = makeAnswerReader(format);
    const unsigned longest = round == 0 ? 1 : 1 + random() % 30;
    for (qsizetype at = 0; at < answer.size();) {
      const qsizetype size = std::min<qsizetype>(1 + random() % longest, answer.size() - at);
      reader->feed(QByteArrayView(answer).sliced(at, size));
      at += size;
    }
    reader->finish();
    QCOMPARE(shown(reader->answer()), shown(whole));
    QVERIFY(reader->answer() == whole);
  }
}

void TestAnswers::whatIsCertainStays() {
  QFETCH(AnswerFormat, format);
  QFETCH(QByteArray, answer);
  const Answer whole = readAnswer(format, answer);
  const auto reader = makeAnswerReader(format);
  for (const char byte : answer) {
    reader->feed({&byte, 1});
    const Answer& sofar = reader->answer();
    QVERIFY(sofar.parts.size() <= whole.parts.size());
    for (qsizetype i = 0; i < sofar.parts.size(); ++i) {
      const auto* prose = std::get_if<Prose>(&sofar.parts[i]);
      if (prose && i + 1 == sofar.parts.size()) {
        const auto* longer = std::get_if<Prose>(&whole.parts[i]);
        QVERIFY(longer && longer->text.startsWith(prose->text));
      } else {
        QVERIFY(sofar.parts[i] == whole.parts[i]);
      }
    }
  }
}

void TestAnswers::theChangeUnderWayIsSeen() {
  const auto reader = makeAnswerReader(kBlocks);
  const auto now = [&] { return reader->underWay() ? shown(*reader->underWay()) : QString(); };
  reader->feed("a.c\n");
  QCOMPARE(now(), QString());
  reader->feed("<<<<<<< SEARCH\nx\ny");
  QCOMPARE(now(), QStringLiteral("replace a.c [x/] []"));
  reader->feed("\n=======\nz\nw");
  QCOMPARE(now(), QStringLiteral("replace a.c [x/y/] [z/]"));
  QVERIFY(reader->answer().parts.isEmpty());
  reader->feed("\n>>>>>>> REPLACE\n");
  QCOMPARE(now(), QString());
  QCOMPARE(shown(reader->answer()), QStringList("replace a.c [x/y/] [z/w/]"));

  const auto diff = makeAnswerReader(kDiff);
  diff->feed("--- a/a.c\n+++ b/a.c\n@@ -4,2 +4,2 @@\n p\n-q\n+r");
  QCOMPARE(shown(*diff->underWay()), QStringLiteral("replace a.c@3 [p/q/] [p/]"));

  const auto whole = makeAnswerReader(kWhole);
  whole->feed("```c\nx\ny");
  QCOMPARE(shown(*whole->underWay()), QStringLiteral("code - [x/]"));
}

void TestAnswers::longAnswersAreCut() {
  const auto reader = makeAnswerReader(kBlocks);
  const QByteArray line = QByteArray(1023, 'x') + '\n';
  for (qint64 i = 0; i < AnswerReader::kMostBytes / 1024; ++i) reader->feed(line);
  reader->feed("a.c\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n");
  reader->feed(line);
  reader->finish();
  QVERIFY(reader->answer().changes().isEmpty());
  QCOMPARE(reader->answer().problems.size(), 1);
  QCOMPARE(reader->answer().problems[0].what,
           QStringLiteral("The answer is longer than 16 MiB: the rest is not read."));
}

void TestAnswers::formatsAreGuessed() {
  QCOMPARE(guessAnswerFormat("a\n```\n<<<<<<< SEARCH\n"), kBlocks);
  QCOMPARE(guessAnswerFormat("a\r\n```diff\r\n@@ -1 +1 @@\r\n"), kDiff);
  QCOMPARE(guessAnswerFormat("diff --git a/x b/x"), kDiff);
  QCOMPARE(guessAnswerFormat("x\n```c\ny\n```\n"), kWhole);
  QCOMPARE(guessAnswerFormat("I can't."), std::nullopt);
  QCOMPARE(guessAnswerFormat("@@counter = 1\n"), std::nullopt);
}

void TestAnswers::namesAreTold_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("name");
  const auto row = [](const char* line, const char* name) {
    QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(name);
  };
  row("src/a.py", "src/a.py");
  row("  a.py  ", "a.py");
  row("### `src/a.py`:", "src/a.py");
  row("**a.py:**", "a.py");
  row("1. src/a.py", "src/a.py");
  row("File: `my file.py`", "my file.py");
  row("Makefile", "Makefile");
  row(".gitignore", ".gitignore");
  row("src/Makefile", "src/Makefile");
  row("Done", "");
  row("Done.", "");
  row("First:", "");
  row("`parse`", "");
  row("see a.py", "");
  row("a.py()", "");
  row("https://example.com/a.py", "");
  row("1.5", "");
  row("src/", "");
  row("```", "");
}

void TestAnswers::namesAreTold() {
  QFETCH(QString, line);
  QFETCH(QString, name);
  QCOMPARE(fileNameIn(line.toUtf8()), name);
}

QTEST_GUILESS_MAIN(TestAnswers)
#include "test_answers.moc"
