// SPDX-License-Identifier: GPL-3.0-or-later
// What a model is asked for a command in words, and what its answers mean.
#include <QtTest>

#include "pairing/commands/command_words.h"

using namespace waferpair::pairing;

namespace {

QString read(const QString& answer) {
  const auto command = commandFromAnswer(answer);
  return command ? command->text : QStringLiteral("(none) ") + command.error().message();
}

class TestCommandWords : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void answersAreRead_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("command");
    const auto row = [](const char* name, const char* answer, const char* command) {
      QTest::newRow(name) << QString::fromUtf8(answer) << QString::fromUtf8(command);
    };
    row("plain", "ls -la\n", "ls -la");
    row("a fence", "```bash\nls -la\n```\n", "ls -la");
    row("prose around a fence", "You can use:\n\n```sh\nls -la\n```\nIt lists all files.\n",
        "ls -la");
    row("the first of two fences", "```\nls\n```\nor\n```\ndir\n```\n", "ls");
    row("a fence that does not end", "```bash\nls -la", "ls -la");
    row("a prompt's sign", "```console\n$ ls -la\ntotal 12\n```", "ls -la");
    row("prose without a fence", "Use this command:\n\nls -la\n\nIt lists all files.", "ls -la");
    row("marked as code", "`ls -la`", "ls -la");
    row("marked as strong", "**ls -la**", "ls -la");
    row("backticks of the shell", "echo `date` `id`", "echo `date` `id`");
    row("thoughts", "<think>\nls? rm?\n</think>\nls -la", "ls -la");
    row("a comment above", "```bash\n# lists all\nls -la\n```", "ls -la");
    row("a line that goes on", "find . \\\n  -name '*.o'", "find . -name '*.o'");
    row("CRLF", "```\r\nls -la\r\n```\r\n", "ls -la");
    row("two commands", "```\nmkdir build\ncd build\n```", "mkdir build && cd build");
    row("a tab", "printf 'a\tb'", "printf 'a b'");
    row("a bell and an escape", "ls\x07 -l\x1b[A", "ls -l[A");
    row("an override of direction", "ls \u202e-l", "ls -l");
  }
  void answersAreRead() {
    QFETCH(QString, answer);
    QFETCH(QString, command);
    QCOMPARE(read(answer), command);
  }

  // A line end would run what is before it.
  void scriptsAreRefused_data() {
    QTest::addColumn<QString>("answer");
    QTest::newRow("a loop") << "for f in *; do\n  echo $f\ndone";
    QTest::newRow("a condition") << "if true\nthen ls\nfi";
    QTest::newRow("a here document") << "cat <<END\nrm -rf x\nEND";
    QTest::newRow("an open quote") << "echo 'one\nrm -rf x'";
    QTest::newRow("an open pipe") << "ls |\nwc -l";
  }
  void scriptsAreRefused() {
    QFETCH(QString, answer);
    const auto command =
        commandFromAnswer(QStringLiteral("```\n") + answer + QStringLiteral("\n```"));
    QVERIFY(!command);
    QVERIFY2(command.error().message().contains("script of"),
             qPrintable(command.error().message()));
    QVERIFY(!command.error().remedy.isEmpty());
  }

  void whatTheModelSaysInsteadIsTold() {
    QVERIFY2(read("# There is no such device.").contains("There is no such device."),
             qPrintable(read("# There is no such device.")));
    QVERIFY(read("").startsWith("(none) The model answered with no command."));
    QVERIFY(read("```\n```").startsWith("(none) "));
    QVERIFY(read(QString(kMostOfCommandLine + 1, u'x')).startsWith("(none) "));
  }

  void whatWasChangedIsTold() {
    QCOMPARE(commandFromAnswer("ls")->note, QString());
    QVERIFY(commandFromAnswer("```\ncd a\nls\n```")->note.contains("2 lines"));
    QVERIFY(commandFromAnswer("l\u200bs")->note.contains("does not see"));
  }

  // No character of a line may press a key, run it, or show other than it is.
  void aTypedCommandIsOneLine() {
    const ReadCommand two = asCommandLine("echo a\nrm b\r\nrm c\u2028rm d");
    QCOMPARE(two.text, "echo a rm b rm c rm d");
    QVERIFY(!two.note.isEmpty());
    const ReadCommand keys =
        asCommandLine(QStringLiteral("echo \x03\x04\x1b[201~a\u009b"
                                     "b\x7f"));
    QCOMPARE(keys.text, "echo [201~ab");
    QVERIFY(!keys.note.isEmpty());
    QCOMPARE(asCommandLine("  ls -l ").text, "ls -l");
    QCOMPARE(asCommandLine("  ls -l ").note, QString());
    for (char16_t c = 0; c < 0x20; ++c) {
      const QString text = asCommandLine(QStringLiteral("a%1b").arg(QChar(c))).text;
      QVERIFY2(std::all_of(text.begin(), text.end(), [](QChar x) { return x >= u' '; }),
               qPrintable(QString::number(c)));
    }
  }

  void theModelIsToldWhereTheCommandIsWanted() {
    ContextItem output;
    output.kind = ContextItem::Kind::kTerminal;
    output.name = "output of make";
    output.text = "$ make\nmake: *** No targets.\n";
    const ModelRequest request = commandRequest(
        "build\n it", {"zsh", "Debian GNU/Linux 12 (bookworm)", "wafer", 2}, {output});
    const QString text = request.input.constLast().text;
    for (const char* part :
         {"Shell: zsh\n", "System: Debian GNU/Linux 12 (bookworm)\n", "Folder: wafer\n",
          "ended with status 2", "No targets.", "Write the command for this: build it"})
      QVERIFY2(text.contains(part), qPrintable(text));
    QVERIFY(request.instructions.contains("one command"));
    QVERIFY(request.mostOutputTokens.value_or(0) > 0);
    QVERIFY(
        !commandRequest("x", {"sh", "x", {}, {}}, {}).input.constLast().text.contains("status"));
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestCommandWords)
#include "test_command_words.moc"
