// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that a small model wrote anew: what is offered of its answers, and what is not.
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include "pairing/edits/edit_asking.h"
#include "pairing/edits/rewrite.h"
#include "pairing/edits/rewrite_request.h"
#include "pairing/edits/target_lines.h"
#include "pairing/edits/wishes.h"
#include "tests/pairing/recorded_endpoint.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::editor;
using namespace waferpair::pairing;

namespace {

constexpr char kPython[] =
    "import os\n"
    "\n"
    "\n"
    "class Box:\n"
    "    def size(self) -> int:\n"
    "        \"\"\"How many there are.\"\"\"\n"
    "        total = 0\n"
    "        for item in self.items:\n"
    "            total += item.count  # each\n"
    "        return total\n"
    "\n"
    "    def clear(self) -> None:\n"
    "        self.items.clear()\n";

constexpr char kCpp[] =
    "#include <string>\n"
    "\n"
    "int first(int a) {\n"
    "  // One more.\n"
    "  return a + 1;\n"
    "}\n"
    "\n"
    "int second(int b) { return b; }\n";

constexpr char kScript[] =
    "'use strict';\n"
    "\n"
    "exports.twice = function twice(value) {\n"
    "  var made = value * 2;\n"
    "  return made;\n"
    "};\n"
    "\n"
    "define(exports, 'one', function one() {\n"
    "  return 1;\n"
    "});\n";

EditTask taskAt(const QString& path, const QByteArray& text, const char* line,
                const QString& instruction) {
  const Snapshot snapshot(text);
  const qint64 caret = text.indexOf(line);
  return {instruction, path, {}, snapshot, targetAt(snapshot, caret, caret).lines, {}};
}

QByteArray made(const EditTask& task, const QByteArray& code) {
  const auto result = rewritten(task, code);
  return result ? result->toByteArray() : QByteArray();
}

QString whyNot(const EditTask& task, const QByteArray& code) {
  const auto result = rewritten(task, code);
  return result ? QString() : result.error().what;
}

EditTask python(const QString& instruction) {
  return taskAt(QStringLiteral("box.py"), kPython, "    def size", instruction);
}

EditTask cpp(const QString& instruction) {
  return taskAt(QStringLiteral("a.cpp"), kCpp, "int first", instruction);
}

}  // namespace

class TestRewrite : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aMethodTakesItsPlaceIndented() {
    const QByteArray code =
        "def size(self) -> int:\n"
        "    \"\"\"How many there are.\"\"\"\n"
        "    return sum(item.count for item in self.items)  # each\n";
    const QByteArray text = made(python(QStringLiteral("replace the loop by sum")), code);
    QVERIFY2(text.contains("    def size(self) -> int:\n"
                           "        \"\"\"How many there are.\"\"\"\n"
                           "        return sum(item.count for item in self.items)  # each\n"
                           "\n"
                           "    def clear(self) -> None:\n"),
             text.constData());
    QVERIFY(text.startsWith("import os\n\n\nclass Box:\n"));
  }

  void commentsThatWereDroppedComeBack() {
    const QByteArray code =
        "def size(self) -> int:\n"
        "    total = 1\n"
        "    for item in self.items:\n"
        "        total += item.count\n"
        "    return total\n";
    const QByteArray expected = QByteArray(kPython).replace("total = 0", "total = 1");
    QCOMPARE(made(python(QStringLiteral("begin with 1")), code), expected);
    const QByteArray bare = "int first(int a) {\n  return a + 2;\n}\n";
    QCOMPARE(whyNot(cpp(QStringLiteral("add 2")), bare), QString());
  }

  void importsGoToTheHeadIfTheyAreUsed() {
    const QByteArray code =
        "import logging\n"
        "import json\n"
        "\n"
        "def size(self) -> int:\n"
        "    \"\"\"How many there are.\"\"\"\n"
        "    total = 0\n"
        "    for item in self.items:\n"
        "        total += item.count  # each\n"
        "    logging.debug(total)\n"
        "    return total\n";
    const QByteArray text = made(python(QStringLiteral("log total with logging.debug")), code);
    QVERIFY2(text.startsWith("import os\nimport logging\n\n\nclass Box:\n"), text.constData());
    QVERIFY(text.contains("        logging.debug(total)\n"));
    // One that was forgotten, where the name tells.
    const QByteArray forgotten = QByteArray(code).replace("import logging\n", "");
    QCOMPARE(made(python(QStringLiteral("log total with logging.debug")), forgotten), text);
    const QByteArray assert =
        "int first(int a) {\n  // One more.\n  assert(a > 0);\n  return a + 1;\n}\n";
    const QByteArray with = made(cpp(QStringLiteral("assert that a is positive")), assert);
    QVERIFY2(with.contains("assert(a > 0);") && with.contains("#include <assert.h>\n"),
             with.constData());
  }

  void whatIsNoAnswerIsRefused_data() {
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char* name, const char* instruction, const QByteArray& code) {
      QTest::newRow(name) << QString::fromLatin1(instruction) << code;
    };
    row("unchanged", "make it shorter",
        "int first(int a) {\n    // One more.\n    return a + 1;\n}\n");
    row("another function of the file", "make it shorter", "int second(int b) { return 2; }\n");
    row("a function of nobody", "make it shorter", "int area(int width) {\n  return width;\n}\n");
    row("no code", "make it shorter", "  \n");
    row("a brace too few", "add 2",
        "int first(int a) {\n  // One more.\n  if (a) {\n  return a + 2;\n}\n");
    row("lines left out", "add 2", "int first(int a) {\n  // ... existing code ...\n}\n");
    row("another head", "add 2", "int first() {\n  // One more.\n  return 3;\n}\n");
    row("not renamed", "rename a to count",
        "int first(int a) {\n  // One more.\n  return a + 2;\n}\n");
    row("thrown unasked", "a must never be negative",
        "int first(int a) {\n  // One more.\n  if (a < 0) throw 1;\n  return a + 1;\n}\n");
    row("not thrown", "throw a std::invalid_argument if a is negative",
        "int first(int a) {\n  // One more.\n  if (a < 0) return 0;\n  return a + 1;\n}\n");
    row("something dropped", "also log a", "int first(int a) {\n  log(a);\n}\n");
  }
  void whatIsNoAnswerIsRefused() {
    QFETCH(QString, instruction);
    QFETCH(QByteArray, code);
    QVERIFY(!whyNot(cpp(instruction), code).isEmpty());
  }

  void aWishIsSeenWhereItIsPlain_data() {
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<bool>("isMet");
    const auto row = [](const char* instruction, const QByteArray& before, const QByteArray& after,
                        bool isMet) {
      QTest::addRow("%s: %s", instruction, after.constData())
          << QString::fromLatin1(instruction) << before << after << isMet;
    };
    row("use const instead of var", "var a = 1;\nvar b = 2;", "const a = 1;\nconst b = 2;", true);
    row("use const instead of var", "var a = 1;\nvar b = 2;", "const a = 1;\nvar b = 2;", false);
    row("use const instead of var", "var a = 1;", "let a = 1;", false);
    row("use a set instead of a list", "a = list(b)", "a = {*b}", true);
    row("use f-strings instead of format", "'{}'.format(a)", "f'{a}'", true);
    row("convert the for loop to a while loop", "for (;;) {}", "while (true) {}", true);
    row("convert the for loop to a while loop", "for (;;) {}", "for (;;) { x(); }", false);
    row("convert name to lower case", "return name;", "return name.toLowerCase();", true);
    row("change timeout to 30", "timeout = 10", "timeout = 30", true);
    row("rename the parameter len to length", "int f(int len)", "int f(int length)", true);
    row("rename the parameter len to length", "int f(int len)", "int f(int len2)", false);
    row("raise a ValueError if a is 0", "f(a)", "if a == 0:\n    raise ValueError(a)\nf(a)", true);
    row("raise a ValueError if a is 0", "f(a)", "if a == 0:\n    return\nf(a)", false);
    row("raise a ValueError if a is 0", "f(a)", "if a == 0:\n    raise KeyError(a)\nf(a)", false);
    row("say it for JavaScript users", "f(a)", "f(a, b)", true);
    row("a must never be empty", "f(a)", "if not a:\n    raise ValueError(a)\nf(a)", false);
    row("return 0 if a is negative, too", "if (a == 0) return 0;", "if (a <= 0) return 0;", true);
    row("return 0 if a is negative, too", "if (a == 0) return 0;", "if (a < 0) return 0;", false);
    row("call max_size first", "f(a)", "max_size()\nf(a)", true);
    row("call max_size first", "f(a)", "size()\nf(a)", false);
  }
  void aWishIsSeenWhereItIsPlain() {
    QFETCH(QString, instruction);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const bool isPython =
        !before.contains(';') && !before.contains('{') && !before.contains("int ");
    const LanguageFamily& family =
        familyOfFile(isPython ? QStringLiteral("a.py") : QStringLiteral("a.js"));
    const QString unmet = unmetWish(instruction, {before, after, family});
    QFETCH(bool, isMet);
    QVERIFY2(unmet.isEmpty() == isMet, qPrintable(unmet));
  }

  void aLocalThatIsNoLongerSetIsSeen() {
    const QByteArray code =
        "def size(self) -> int:\n"
        "    \"\"\"How many there are.\"\"\"\n"
        "    return sum([total for item in self.items])  # each\n";
    QVERIFY(!whyNot(python(QStringLiteral("use sum")), code).isEmpty());
  }

  void aNameThatNothingDefinesIsSeen_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("isKnown");
    QTest::newRow("its own") << QByteArray("count = 2\nreturn count") << true;
    QTest::newRow("of the file") << QByteArray("return os.getpid()") << true;
    QTest::newRow("Python's") << QByteArray("return sorted(self.items)") << true;
    QTest::newRow("of a loop") << QByteArray("return [a + b for a, b in self.items]") << true;
    QTest::newRow("of a function within")
        << QByteArray("return max(self.items, key=lambda x: x.count)") << true;
    QTest::newRow("a module that is added") << QByteArray("return math.floor(2)") << true;
    QTest::newRow("a member") << QByteArray("return self.anything") << true;
    QTest::newRow("none") << QByteArray("return context.count") << false;
    QTest::newRow("a function of nobody") << QByteArray("return count_all(self.items)") << false;
  }
  void aNameThatNothingDefinesIsSeen() {
    QFETCH(QByteArray, body);
    QFETCH(bool, isKnown);
    const QByteArray code = "def size(self) -> int:\n    \"\"\"How many there are.\"\"\"\n    " +
                            body.replace("\n", "\n    ") + "  # each\n";
    const QString why = whyNot(python(QStringLiteral("do it otherwise")), code);
    QVERIFY2(why.isEmpty() == isKnown, qPrintable(why));
  }

  void aVariableMayHoldTheFunction() {
    const EditTask task = taskAt(QStringLiteral("a.js"), kScript, "exports.twice",
                                 QStringLiteral("make it an arrow function"));
    const QByteArray arrow =
        "exports.twice = (value) => {\n  var made = value * 2;\n  return made;\n};\n";
    QVERIFY2(made(task, arrow).contains(arrow), qPrintable(whyNot(task, arrow)));
    // Its owner is a part of it.
    QVERIFY(!whyNot(task, "const twice = (value) => value * 2;\n").isEmpty());
  }

  void aCallAroundAFunctionStays() {
    const EditTask task =
        taskAt(QStringLiteral("a.js"), kScript, "define(", QStringLiteral("return 2"));
    const QByteArray good = "define(exports, 'one', function one() {\n  return 2;\n});\n";
    QVERIFY2(made(task, good).endsWith(good), qPrintable(whyNot(task, good)));
    QVERIFY(!whyNot(task, "function one() {\n  return 2;\n}\n").isEmpty());
    QVERIFY(!whyNot(task, "const define = (exports, 'one', function one() {\n  return 2;\n});\n")
                 .isEmpty());
  }

  void aFunctionMayBeRenamedWhereThatWasTold() {
    const QByteArray code = "int plusOne(int a) {\n  // One more.\n  return a + 1;\n}\n";
    QVERIFY(made(cpp(QStringLiteral("rename first to plusOne")), code).contains("int plusOne("));
    QVERIFY(!whyNot(cpp(QStringLiteral("make it shorter")), code).isEmpty());
  }

  void theInstructionAndExamplesStayOutside() {
    const QByteArray code =
        "int first(int a) {\n  // add 2\n  // One more.\n  return a + 2;\n}\n"
        "\n"
        "int main() {\n  return first(1);\n}\n";
    QCOMPARE(made(cpp(QStringLiteral("add 2")), code), QByteArray(kCpp).replace("a + 1", "a + 2"));
  }

  void lineEndsAreTheFiles() {
    const QByteArray text = QByteArray(kCpp).replace("\n", "\r\n");
    const EditTask task =
        taskAt(QStringLiteral("a.cpp"), text, "int first", QStringLiteral("add 2"));
    const QByteArray code = "int first(int a) {\n  // One more.\n  return a + 2;\n}\n";
    QCOMPARE(made(task, code), QByteArray(text).replace("a + 1", "a + 2"));
  }

  void theRequestHasTheLinesAloneAndTheInstructionLast() {
    EditTask task = python(QStringLiteral("begin with 1"));
    task.language = QStringLiteral("Python");
    const auto request = rewriteRequest(task);
    QVERIFY(request);
    const QString prompt = request->input[0].text;
    QVERIFY2(prompt.contains(QStringLiteral("```python\ndef size(self) -> int:\n    \"\"\"How")),
             qPrintable(prompt));
    QVERIFY(!prompt.contains(QStringLiteral("import os")));
    QVERIFY(request->mostOutputTokens > 0 && *request->mostOutputTokens < 1000);
    // With another instruction it begins as it did.
    task.instruction = QStringLiteral("do nothing");
    const QString other = rewriteRequest(task)->input[0].text;
    const qsizetype at = prompt.indexOf(QStringLiteral("begin with 1"));
    QCOMPARE(other.first(at), prompt.first(at));
    QVERIFY(at > prompt.indexOf(QStringLiteral("return total")));
    QVERIFY(!rewriteRequest(task, 10));
  }

  // Answers of Qwen2.5-Coder-0.5B-Instruct (Q4_K_M) to instructions about functions of click
  // (BSD-3-Clause), LevelDB (BSD-3-Clause) and Express (MIT).
  void answersOfARealModel_data() {
    QTest::addColumn<QJsonObject>("edit");
    QFile file(QString::fromStdString(test::sourceDir()) +
               QStringLiteral("/tests/pairing/edits/recorded_edits.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray edits = QJsonDocument::fromJson(file.readAll()).array();
    QVERIFY(edits.size() >= 20);
    for (const QJsonValue edit : edits)
      QTest::newRow(qPrintable(edit[u"name"].toString())) << edit.toObject();
  }
  void answersOfARealModel() {
    QFETCH(QJsonObject, edit);
    const QByteArray text = edit[u"text"].toString().toUtf8();
    EditTask task = taskAt(edit[u"path"].toString(), text, edit[u"at"].toString().toUtf8(),
                           edit[u"instruction"].toString());
    RecordedEndpoint endpoint({edit[u"answer"].toString()});
    Snapshot now(text);
    Hunks hunks([&now](const QVector<TextEdit>& edits) {
      for (const TextEdit& one : edits) now = now.replaced(one.start, one.end, one.text);
      return true;
    });
    hunks.offer({QStringLiteral("a"), {}, {}});
    const auto run =
        askForEdit(task, {&endpoint, {}, EditForm::kRewrite}, &hunks, [&now] { return now; });
    QVERIFY(run);
    QTRY_VERIFY((*run)->isOver());
    hunks.acceptAll();
    const QJsonValue becomes = edit[u"becomes"];
    const QString shown = QString::fromUtf8(now.toByteArray());
    if (becomes.isString()) {
      QCOMPARE(shown, becomes.toString());
    } else {
      QCOMPARE(shown, QString::fromUtf8(text));
      QVERIFY((*run)->attempts() > 1);
    }
  }

  void itIsAskedAgainAndThenSaysThatItCouldNot() {
    const EditTask task = cpp(QStringLiteral("add 2"));
    const QString same =
        QStringLiteral("```cpp\nint first(int a) {\n  // One more.\n  return a + 1;\n}\n```\n");
    Hunks hunks([](const QVector<TextEdit>&) { return true; });
    const auto asked = [&](RecordedEndpoint* endpoint) {
      hunks.offer({QStringLiteral("a"), {}, {}});
      auto run = askForEdit(task, {endpoint, {}, EditForm::kRewrite}, &hunks,
                            [&task] { return task.text; });
      Q_ASSERT(run);
      return std::move(*run);
    };
    RecordedEndpoint never({same, same, same, same});
    auto run = asked(&never);
    QTRY_VERIFY(run->isOver());
    QCOMPARE(run->state(), EditRun::State::kDone);
    QCOMPARE(never.requests().size(), 2);
    QVERIFY(!never.requests()[0].temperature);
    QCOMPARE(never.requests()[1].temperature, 0.7);
    // In other words, behind an example.
    QCOMPARE(never.requests()[1].input.size(), 3);
    QVERIFY(never.requests()[1].input[2].text.contains(QStringLiteral("add 2")));
    QCOMPARE(hunks.offeredCount(), 0);
    QVERIFY2(run->remark().startsWith(QStringLiteral("The model could not do it.")),
             qPrintable(run->remark()));

    // Code that is the example is none of the file's.
    RecordedEndpoint echo(
        {same, QStringLiteral("```python\ndef area(width, height):\n    return 1\n```")});
    run = asked(&echo);
    QTRY_VERIFY(run->isOver());
    QCOMPARE(hunks.offeredCount(), 0);

    RecordedEndpoint second({same, QString(same).replace(u'1', u'2')});
    run = asked(&second);
    QTRY_VERIFY(run->isOver());
    QCOMPARE(second.requests().size(), 2);
    QCOMPARE(hunks.offeredCount(), 1);
    QVERIFY(run->remark().isEmpty());

    // A model that is gone meanwhile is not asked.
    RecordedEndpoint gone({same});
    hunks.offer({QStringLiteral("a"), {}, {}});
    auto lost = askForEdit(task, {&gone, [] { return nullptr; }, EditForm::kRewrite}, &hunks,
                           [&task] { return task.text; });
    QTRY_VERIFY((*lost)->isOver());
    QCOMPARE(gone.requests().size(), 1);
    QVERIFY(!(*lost)->remark().isEmpty());
  }

  void whatIsReadAheadIsHowTheRequestBegins() {
    EditTask task = cpp(QStringLiteral("add 2"));
    RecordedEndpoint endpoint({});
    const EditModel model{&endpoint, {}, EditForm::kRewrite};
    Hunks hunks([](const QVector<TextEdit>&) { return true; });
    const auto run = askForEdit(task, model, &hunks, [&task] { return task.text; });
    task.instruction.clear();
    const auto ahead = readAhead(task, model);
    QVERIFY(ahead);
    const QString whole = endpoint.requests()[0].input[0].text;
    const QString begun = endpoint.requests()[1].input[0].text;
    const qsizetype at = whole.indexOf(QStringLiteral("add 2"));
    QCOMPARE(begun.first(at), whole.first(at));
    QCOMPARE(endpoint.requests()[1].mostOutputTokens, 1);
  }
};

QTEST_GUILESS_MAIN(TestRewrite)
#include "test_rewrite.moc"
