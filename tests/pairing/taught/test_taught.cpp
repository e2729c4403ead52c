// SPDX-License-Identifier: GPL-3.0-or-later
// Models that were taught next edits: what each is asked, to the byte, what its answers change, and
// which model was taught what.
#include <QtTest>

#include "pairing/next_edit/edit_history.h"
#include "pairing/taught/taught_change.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

constexpr char kShop[] =
    "import math\n\n\ndef total(prices, rate):\n    whole = 0\n    for price in prices:\n"
    "        total += price\n    return total * rate\n\n\ndef main():\n    print(total([1, 2], "
    "3))\n";

// Somebody who has just renamed a name in line 5 of that, with the caret behind it.
EditQuestion shopQuestion() {
  EditQuestion question;
  question.path = "shop/bill.py";
  for (const QByteArray& line : QByteArray(kShop).split('\n')) question.lines += line;
  question.lines.removeLast();
  question.caretLine = 4;
  question.caretColumn = 9;
  question.edits = {{"shop/bill.py",
                     4,
                     {"    total = 0"},
                     {"    whole = 0"},
                     question.lines.mid(1, 3),
                     question.lines.mid(5, 3)}};
  return question;
}

EditPrompt promptOf(const QByteArrayList& lines, int firstLine = 0) {
  EditPrompt prompt;
  prompt.firstLine = firstLine;
  prompt.lines = lines;
  return prompt;
}

// "line -old +new", or "nothing".
QString told(const std::optional<TaughtChange>& change) {
  if (!change) return "nothing";
  QString text = QString::number(change->line);
  for (const QByteArray& line : change->before) text += " -" + QString::fromUtf8(line);
  for (const QByteArray& line : change->after) text += " +" + QString::fromUtf8(line);
  return text;
}

QString changeIn(const TaughtFormat& format, const EditPrompt& prompt, const QByteArray& answer,
                 bool isOver = true) {
  const auto rewrite = format.read(prompt, answer, isOver);
  return rewrite ? told(firstChange(prompt, *rewrite)) : QString("none");
}

}  // namespace

class TestTaught : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void modelsAreKnownByTheirNames_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("format");
    const auto row = [](const char* model, const char* format) {
      QTest::newRow(model) << QString(model) << QString(format);
    };
    row("sweep-next-edit-1.5b.q8_0.v2.gguf", "Sweep");
    row("sweepai/sweep-next-edit-v2-7B", "Sweep");
    row("Sweep Next Edit 0.5B", "Sweep");
    row("hf.co/bartowski/zed-industries_zeta-GGUF:Q4_K_M", "Zeta");
    row("zed-industries_zeta-Q4_K_M.gguf", "Zeta");
    row("zeta", "Zeta");
    row("zed-industries/zeta-2", "Zeta 2");
    row("zeta-2-Q8_0.gguf", "Zeta 2");
    row("zeta2", "Zeta 2");
    row("mradermacher/zeta-2.1-i1-GGUF", "Zeta 2.1");
    row("Zeta 2.1", "Zeta 2.1");
    row("zeta2.1-q4_k_m.gguf", "Zeta 2.1");
    row("zeta-3", "");
    row("waferpair-mini", "");
    row("Qwen2.5-Coder-7B-Instruct", "");
    row("sweeper-7b", "");
    row("theta-2", "");
    row("zetasql-1b", "");
    row("azeta", "");
  }
  void modelsAreKnownByTheirNames() {
    QFETCH(QString, model);
    QFETCH(QString, format);
    const TaughtFormat* found = taughtFormat({"model", model});
    QCOMPARE(found ? QString(found->name()) : QString(), format);
  }

  void aQuestionHasTheLinesAndTheEdits() {
    const QString id = "/project/src/a.py", other = "/project/.env";
    EditHistory history;
    editor::SyncedDocument text{id, "Python", 1, editor::Snapshot("a\nb\nc\nd\ne\nf\ng\nh\n")};
    editor::SyncedDocument secret{other, "", 1, editor::Snapshot("KEY=1\n")};
    history.opened(text);
    history.opened(secret);
    const editor::TextEdit change{4, 5, "C\nC2"};
    text.text = text.text.edited(change);
    history.changed(text, {change});
    history.endEdit();
    secret.text = secret.text.edited({4, 5, "2"});
    history.changed(secret, {{4, 5, "2"}});
    Situation now;
    now.root = "/project";
    now.edits = history.edits();
    for (const auto& one : {text, secret})
      now.texts.append({one.id, std::make_shared<CodeText>(one.text.toByteArray(),
                                                           languageFamily(one.language))});
    const EditQuestion question = editQuestion(now, 0, 3, 99, {id});
    QCOMPARE(question.path, QString("src/a.py"));
    QCOMPARE(question.firstLine, 0);
    QCOMPARE(question.lines, (QByteArrayList{"a", "b", "C", "C2", "d", "e", "f", "g", "h"}));
    QCOMPARE(question.caretLine, 3);
    QCOMPARE(question.caretColumn, 2);   // of the line that there is
    QCOMPARE(question.edits.size(), 1);  // without the file that no model may see
    QCOMPARE(unifiedHunk(question.edits.first()),
             QByteArray("@@ -1,6 +1,7 @@\n a\n b\n-c\n+C\n+C2\n d\n e\n f\n"));
    QCOMPARE(formerLines(question, 1, 6), (QByteArrayList{"b", "c", "d", "e"}));
    QCOMPARE(formerLines(question, 0, 9), (QByteArrayList{"a", "b", "c", "d", "e", "f", "g", "h"}));
  }

  void sweepIsAskedInItsOwnForm() {
    const auto prompt = sweepFormat().prompt(shopQuestion());
    QVERIFY(prompt);
    const QByteArray shop(kShop);
    const QByteArray former = QByteArray(shop).replace("whole = 0", "total = 0");
    const QByteArray
        around = "\n\ndef total(prices, rate):\n",
        below = "    for price in prices:\n        total += price\n    return total * rate\n";
    QCOMPARE(prompt->text, QByteArray("<|file_sep|>shop/bill.py.diff\noriginal:\n") + around +
                               "    total = 0\n" + below + "updated:\n" + around +
                               "    whole = 0\n" + below + "<|file_sep|>original/shop/bill.py\n" +
                               former + "<|file_sep|>current/shop/bill.py\n" + shop +
                               "<|file_sep|>updated/shop/bill.py\n");
    QCOMPARE(prompt->stop, (QStringList{"<|file_sep|>", "</s>"}));
    QCOMPARE(prompt->firstLine, 0);
    QCOMPARE(prompt->lines.size(), 12);
    QVERIFY(prompt->mostTokens > 128);
  }

  // Ten lines on either side, wherever the file ends.
  void sweepsWindowIsAsLargeAsItWasTaught() {
    EditQuestion question;
    question.path = "a.txt";
    question.firstLine = 100;
    for (int i = 0; i < 60; ++i) question.lines += QByteArray::number(i);
    question.caretLine = 30;
    auto prompt = sweepFormat().prompt(question);
    QCOMPARE(prompt->firstLine, 120);
    QCOMPARE(prompt->lines.first(), QByteArray("20"));
    QCOMPARE(prompt->lines.last(), QByteArray("40"));
    question.caretLine = 3;
    prompt = sweepFormat().prompt(question);
    QCOMPARE(prompt->firstLine, 100);
    QCOMPARE(prompt->lines.size(), 14);
    question.lines[3] = QByteArray(10'000, 'x');
    QVERIFY(!sweepFormat().prompt(question));
  }

  void zetaIsAskedInItsOwnForm() {
    const auto prompt = zetaFormat().prompt(shopQuestion());
    QVERIFY(prompt);
    QByteArray region(kShop);
    region.chop(1);
    region.replace("    whole = 0", "    whole<|user_cursor_is_here|> = 0");
    QCOMPARE(
        prompt->text,
        QByteArray(
            "### Instruction:\nYou are a code completion assistant and your task is to analyze "
            "user edits and then rewrite an excerpt that the user provides, suggesting the "
            "appropriate edits within the excerpt, taking into account the cursor location.\n\n"
            "### User Edits:\n\nUser edited shop/bill.py:\n```diff\n@@ -2,7 +2,7 @@\n \n \n"
            " def total(prices, rate):\n-    total = 0\n+    whole = 0\n     for price in prices:\n"
            "         total += price\n     return total * rate\n\n```\n\n### User Excerpt:\n\n"
            "```shop/bill.py\n<|start_of_file|>\n<|editable_region_start|>\n") +
            region + "\n<|editable_region_end|>\n```\n\n### Response:\n");
    QCOMPARE(prompt->stop, QStringList{"<|editable_region_end|>"});
  }

  void zeta2IsAskedInItsOwnForm() {
    const auto prompt = zeta2Format().prompt(shopQuestion());
    QVERIFY(prompt);
    QByteArray region(kShop);
    region.replace("    whole = 0", "    whole<|user_cursor|> = 0");
    QCOMPARE(prompt->text,
             QByteArray("<[fim-suffix]>\n<[fim-prefix]><filename>edit_history\n--- a/shop/bill.py\n"
                        "+++ b/shop/bill.py\n@@ -2,7 +2,7 @@\n \n \n def total(prices, rate):\n"
                        "-    total = 0\n+    whole = 0\n     for price in prices:\n"
                        "         total += price\n     return total * rate\n\n"
                        "<filename>shop/bill.py\n<<<<<<< CURRENT\n") +
                 region + "=======\n<[fim-middle]>");
    QCOMPARE(prompt->stop, QStringList{">>>>>>> UPDATED"});
  }

  // The region has room for so much; what is around it stands above it and behind the suffix mark.
  void zeta2ShowsWhatIsAroundTheRegion() {
    EditQuestion question;
    question.path = "a.txt";
    for (int i = 0; i < 100; ++i)
      question.lines += "line number " + QByteArray::number(100 + i) + " of a file";
    question.caretLine = 50;
    const auto prompt = zeta2Format().prompt(question);
    QVERIFY(prompt);
    const qsizetype bytes = question.lines.first().size() + 1;
    QCOMPARE(prompt->lines.size(), 1050 / bytes);
    QVERIFY(prompt->text.startsWith("<[fim-suffix]>line number "));
    const qsizetype start = prompt->text.indexOf("<<<<<<< CURRENT\n");
    const QByteArray above = prompt->text.left(start);
    QVERIFY(above.contains("<[fim-prefix]><filename>a.txt\nline number "));
    QVERIFY(above.endsWith(question.lines[prompt->firstLine - 1] + '\n'));
    QVERIFY(!above.contains("edit_history"));
  }

  void zeta21IsAskedInItsOwnForm() {
    EditQuestion question = shopQuestion();
    for (int i = 0; i < 6; ++i) question.lines += "    print(" + QByteArray::number(i) + ')';
    const auto prompt = zeta21Format().prompt(question);
    QVERIFY(prompt);
    const auto lines = [&](int from, int to) { return joinedLines(question.lines, {from, to}); };
    QByteArray first = lines(0, 10);
    first.replace("    whole = 0", "    whole<|user_cursor|> = 0");
    // Blocks end at blank lines, of which the second is behind enough lines.
    QCOMPARE(prompt->text,
             QByteArray("<[fim-suffix]>\n<[fim-prefix]><filename>edit_history\n--- a/shop/bill.py\n"
                        "+++ b/shop/bill.py\n") +
                 unifiedHunk(question.edits.first()) + "\n<filename>shop/bill.py\n<|marker_1|>" +
                 first + "<|marker_2|>" + lines(10, 18) + "<|marker_3|>\n<[fim-middle]>");
  }

  // What a model would read as the form's own marks is not sent at all.
  void whatHoldsTheMarksIsNotAsked() {
    const auto withLine = [](const QByteArray& line) {
      EditQuestion question = shopQuestion();
      question.lines[8] = line;
      return question;
    };
    QVERIFY(!sweepFormat().prompt(withLine("x = '<|file_sep|>'")));
    QVERIFY(!zetaFormat().prompt(withLine("<|editable_region_end|>")));
    QVERIFY(!zeta2Format().prompt(withLine("<[fim-middle]>")));
    QVERIFY(!zeta2Format().prompt(withLine("<<<<<<< CURRENT")));
    QVERIFY(!zeta2Format().prompt(withLine("=======")));
    QVERIFY(!zeta21Format().prompt(withLine("# <|marker_1|>")));
    EditQuestion edited = shopQuestion();
    edited.edits.first().before = {"<|file_sep|>"};
    QVERIFY(!sweepFormat().prompt(edited));
    EditQuestion named = shopQuestion();
    named.path = "a\n<|file_sep|>b";
    QVERIFY(!sweepFormat().prompt(named));
  }

  void theFirstChangeIsTold_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("isOver");
    QTest::addColumn<QString>("change");
    const auto row = [](const char* name, const char* answer, bool isOver, const char* change) {
      QTest::newRow(name) << QByteArray(answer) << isOver << QString(change);
    };
    row("the same", "a\nb\n\nc\nd\n", true, "nothing");
    row("without its end", "a\nb\n\nc\nd", true, "nothing");
    row("a blank line more at the end", "a\nb\n\nc\nd\n\n", true, "nothing");
    row("a line", "a\nB\n\nc\nd\n", true, "11 -b +B");
    row("the first of two", "A\nb\n\nc\nD\n", true, "10 -a +A");
    row("a line more", "a\nx\nb\n\nc\nd\n", true, "11 +x");
    row("a line less", "a\n\nc\nd\n", true, "11 -b");
    row("at the end", "a\nb\n\nc\nd\ne\n", true, "15 +e");
    row("CR LF", "a\r\nB\r\n\r\nc\r\nd\r\n", true, "11 -b +B");
    row("still copying", "a\nb\n", false, "nothing");
    row("a line that may go on", "a\nB", false, "nothing");
    row("not back yet", "a\nB\n\n", false, "nothing");
    row("back for two lines", "a\nB\n\nc\n", false, "11 -b +B");
    row("back behind a line less", "a\n\nc\n", false, "11 -b");
    row("back behind a line more", "x\na\nb\n", false, "10 +x");
    row("nothing at all", "", true, "10 -a -b - -c -d");
  }
  void theFirstChangeIsTold() {
    QFETCH(QByteArray, answer);
    QFETCH(bool, isOver);
    QFETCH(QString, change);
    const EditPrompt prompt = promptOf({"a", "b", "", "c", "d"}, 10);
    QCOMPARE(changeIn(sweepFormat(), prompt, answer, isOver), change);
  }

  // The change's own end is where what the model thought of it is asked.
  void theEndOfTheChangeIsKnown() {
    const EditPrompt prompt = promptOf({"a", "b", "c", "d"});
    const auto change = firstChange(prompt, *sweepFormat().read(prompt, "a\nBB\nc\nd\n", true));
    QVERIFY(change);
    QCOMPARE(change->end, 5);
  }

  void zetasAnswerIsTheRegion() {
    const EditPrompt prompt = promptOf({"a", "b", "c", "d"});
    const QByteArray start = "<|editable_region_start|>\n";
    QCOMPARE(changeIn(zetaFormat(), prompt, start + "a\nB<|user_cursor_is_here|>\nc\nd\n"),
             QString("1 -b +B"));
    QCOMPARE(changeIn(zetaFormat(), prompt,
                      start + "a\nb\nc\nD\n<|editable_region_end|>\nmore\n```\n", false),
             QString("3 -d +D"));
    QCOMPARE(changeIn(zetaFormat(), prompt, "I would rename b.", true), QString("none"));
    QCOMPARE(changeIn(zetaFormat(), prompt, "<|editable_reg", false), QString("nothing"));
  }

  void zeta2sAnswerIsTheOtherSide() {
    const EditPrompt prompt = promptOf({"a", "b", "c", "d"});
    QCOMPARE(changeIn(zeta2Format(), prompt, "a\nB<|user_cursor|>\nc\nd\n>>>>>>> UPDATED\n", false),
             QString("1 -b +B"));
    QCOMPARE(changeIn(zeta2Format(), prompt, "NO_EDITS\n"), QString("none"));
  }

  void zeta21sAnswerIsSomeBlocks() {
    QByteArrayList lines;
    for (int i = 0; i < 20; ++i) lines += i == 7 || i == 13 ? "" : QByteArray::number(i);
    const EditPrompt prompt = promptOf(lines, 100);
    // Blocks begin at lines 0, 8 and 14.
    QCOMPARE(changeIn(zeta21Format(), prompt, "<|marker_2|>8\n9\nten\n11\n12\n\n<|marker_3|>"),
             QString("110 -10 +ten"));
    QCOMPARE(changeIn(zeta21Format(), prompt,
                      "<|marker_2|>8\n9\n10\n11\n12\n\n<|marker_3|>14\n15\n16\n17\n18\n19\n20\n"
                      "<|marker_4|><[end▁of▁sentence]>"),
             QString("120 +20"));
    QCOMPARE(changeIn(zeta21Format(), prompt, "<|marker_2|><|marker_2|>"), QString("none"));
    QCOMPARE(changeIn(zeta21Format(), prompt, "<|marker_3|>x<|marker_2|>"), QString("none"));
    QCOMPARE(changeIn(zeta21Format(), prompt, "<|marker_2|>x<|marker_9|>"), QString("none"));
    QCOMPARE(changeIn(zeta21Format(), prompt, "<|marker_0|>x<|marker_2|>"), QString("none"));
    QCOMPARE(changeIn(zeta21Format(), prompt, "no mark"), QString("none"));
    // As it streams in, its own end is not known yet.
    QCOMPARE(changeIn(zeta21Format(), prompt, "<|marker_2|>8\nnine\n10\n11\n", false),
             QString("109 -9 +nine"));
    const QByteArray whole = "<|marker_2|>8\nnine\n10\n11\n12\n\n<|marker_3|>";
    const auto change = firstChange(prompt, *zeta21Format().read(prompt, whole, true));
    QCOMPARE(whole.left(change->end), QByteArray("<|marker_2|>8\nnine\n"));
  }

  void whatNobodyWantsIsIdle() {
    const QVector<LineEdit> edits = {{"a", 3, {"    total = 0"}, {"    whole = 0"}}};
    const auto idle = [&](int line, const QByteArrayList& before, const QByteArrayList& after) {
      return isIdle({line, before, after, 0}, edits);
    };
    QVERIFY(!idle(5, {"print(total)"}, {"print(whole)"}));
    QVERIFY(idle(5, {"print(total)"}, {"  print(total) "}));
    QVERIFY(idle(5, {"a"}, {"a", ""}));
    // It takes back what was just written.
    QVERIFY(idle(3, {"    whole = 0"}, {"    total = 0"}));
    QVERIFY(idle(2, {"def f():", "    whole = 0"}, {"def f(x):", "    total = 0"}));
    QVERIFY(!idle(3, {"    whole = 0"}, {"    whole = 1"}));
    QVERIFY(idle(9, {}, QByteArrayList(30, "x")));
  }
};

QTEST_GUILESS_MAIN(TestTaught)
#include "test_taught.moc"
