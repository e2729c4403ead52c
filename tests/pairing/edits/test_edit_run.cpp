// SPDX-License-Identifier: GPL-3.0-or-later
// An instruction answered by a model that streams, stalls, breaks off and strays from the format,
// while its text is edited.
#include <QtTest>

#include "editor/text/buffer.h"
#include "pairing/edits/edit_run.h"
#include "pairing/endpoints/chat_endpoint.h"
#include "tests/pairing/scripted_endpoint.h"

using namespace waferpair;
using namespace waferpair::editor;
using namespace waferpair::pairing;

namespace {

using Reply = ScriptedEndpoint::Reply;
using Then = ScriptedEndpoint::Then;

constexpr char kText[] =
    "int first() {\n  return 1;\n}\n\nint second() {\n  return 2;\n}\n\nint third() {\n"
    "  return 2;\n}\n";

QByteArray block(const QByteArray& from, const QByteArray& to) {
  return "<<<<<<< SEARCH\n" + from + "=======\n" + to + ">>>>>>> REPLACE\n";
}

// As the endpoint has it on the wire.
QByteArray said(QByteArray text) {
  return chatText(text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
}

// A text, its hunks, and a model that is asked about it.
struct Desk {
  explicit Desk(const QByteArray& text = kText) : buffer(Snapshot(text)) {
    address.base = server.base();
    address.model = QStringLiteral("scripted");
    QObject::connect(&buffer, &Buffer::edited, &hunks,
                     [this](const QVector<TextEdit>& edits) { hunks.follow(edits); });
    task.instruction = QStringLiteral("do it");
    task.path = QStringLiteral("src/a.cpp");
    task.text = buffer.snapshot();
    task.target = {0, buffer.snapshot().lineCount()};
  }

  void ask(const Reply& reply) {
    server.script(reply);
    endpoint = std::make_unique<ChatEndpoint>(address);
    run = std::make_unique<EditRun>(task, endpoint->send(*ShownRequest::of(*editRequest(task))),
                                    &hunks, [this] { return buffer.snapshot(); });
    QObject::connect(&buffer, &Buffer::edited, run.get(),
                     [this](const QVector<TextEdit>& edits) { run->follow(edits); });
  }
  void askAndWait(const QByteArray& answer) {
    ask({{said(answer), chatFinish("stop")}});
    QTRY_VERIFY(run->isOver());
  }
  void type(qint64 at, const QByteArray& text) {
    QVERIFY(buffer.apply(buffer.version(), {{at, at, text}}));
  }
  QByteArray text() const { return buffer.snapshot().toByteArray(); }
  QByteArray with(const QByteArray& from, const QByteArray& to) const {
    return QByteArray(kText).replace(from, to);
  }

  ScriptedEndpoint server;
  EndpointAddress address;
  Buffer buffer;
  Hunks hunks{[this](const QVector<TextEdit>& edits) {
    return buffer.apply(buffer.version(), edits).has_value();
  }};
  EditTask task;
  std::unique_ptr<ChatEndpoint> endpoint;
  std::unique_ptr<EditRun> run;
};

}  // namespace

class TestEditRun : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void blocksBecomeHunksAndAllOfThemOneStep() {
    Desk desk;
    desk.askAndWait("Here it is:\n" + block("  return 1;\n", "  return 10;\n") +
                    block("int second() {\n  return 2;\n", "int second() {\n  return 20;\n"));
    QCOMPARE(desk.run->state(), EditRun::State::kDone);
    QCOMPARE(desk.run->placedCount(), 2);
    QCOMPARE(desk.hunks.offeredCount(), 2);
    QVERIFY(desk.run->unplaced().isEmpty());
    QVERIFY(desk.run->remark().isEmpty());
    QCOMPARE(desk.text(), QByteArray(kText));
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("return 1;", "return 10;")
                              .replace("second() {\n  return 2;", "second() {\n  return 20;"));
    QVERIFY(desk.buffer.undo());
    QCOMPARE(desk.text(), QByteArray(kText));
  }

  void aNumberAloneDoesNotTellOneOfTwoPlaces() {
    Desk desk;
    desk.askAndWait("```diff\n@@ -10 +10 @@\n-  return 2;\n+  return 20;\n```\n");
    QCOMPARE(desk.run->placedCount(), 0);
    QCOMPARE(desk.run->unplaced().size(), 1);
    // With a hunk that shows it to be right it does.
    desk.askAndWait(
        "```diff\n@@ -2 +2 @@\n-  return 1;\n+  return 10;\n@@ -10 +10 @@\n-  return 2;\n"
        "+  return 20;\n```\n");
    QCOMPARE(desk.run->placedCount(), 2);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("return 1;", "return 10;")
                              .replace("third() {\n  return 2;", "third() {\n  return 20;"));
  }

  void signsThatTheTextHasNowhereAreNotOffered() {
    Desk desk;
    desk.askAndWait(block("  return 1;\n", "  // That\u2019s one.\n  return 1;\n"));
    QCOMPARE(desk.run->placedCount(), 0);
    QCOMPARE(desk.run->unplaced().size(), 1);
  }

  void aHunkIsThereBeforeTheAnswerIsOver() {
    Desk desk;
    desk.ask({{said(block("  return 1;\n", "  return 10;\n") + "<<<<<<< SEARCH\nint sec")},
              Then::kStall});
    QTRY_COMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(!desk.run->isOver());
    QCOMPARE(desk.run->state(), EditRun::State::kReading);
    QVERIFY(desk.run->timings().firstTokenMs.has_value());
    QTRY_COMPARE(desk.server.openConnections(), 1);

    // Stopped, it keeps what is whole; what is not counts for nothing.
    desk.run->stop();
    QCOMPARE(desk.run->state(), EditRun::State::kStopped);
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.run->unplaced().isEmpty());
    QVERIFY(desk.run->remark().isEmpty());
    QTRY_COMPARE(desk.server.openConnections(), 0);
  }

  // The block's lines are there before it is whole, over the text as it is by then.
  void aBlockIsSeenWhileItIsWritten() {
    Desk desk;
    const QByteArray begun =
        "<<<<<<< SEARCH\nint first() {\n  return 1;\n}\n=======\nint first() {\n  log();\n";
    desk.ask(chatBeginning(begun));
    QTRY_COMPARE(desk.run->partial().lines, 2);
    EditRun::Partial partial = desk.run->partial();
    QCOMPARE(partial.hunks.size(), 1);
    QCOMPARE(partial.hunks[0].text, QByteArray("  log();\n"));
    QCOMPARE(partial.hunks[0].range.start(), 14);
    QCOMPARE(desk.hunks.offeredCount(), 0);
    desk.type(0, "// typed\n");
    QCOMPARE(desk.run->partial().hunks.value(0).range.start(), 14 + 9);

    desk.server.goOn({said("  return 10;\n}\n>>>>>>> REPLACE\n"), chatFinish("stop")});
    QTRY_VERIFY(desk.run->isOver());
    QCOMPARE(desk.run->partial(), EditRun::Partial());
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), "// typed\n" + desk.with("  return 1;", "  log();\n  return 10;"));
  }

  // What is not whole is kept, and is no part of what can be accepted.
  void whatWasWrittenOfABlockOutlastsAStop_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("a block") << QByteArray(
        "<<<<<<< SEARCH\n  return 1;\n=======\n  return 10;\n  // mo");
    QTest::newRow("code in a fence") << QByteArray("```cpp\nint first() {\n  return 10;\n  // mo");
    QTest::newRow("a diff") << QByteArray(
        "```diff\n@@ -1,3 +1,3 @@\n int first() {\n-  return 1;\n+  return 10;\n+  // mo");
  }
  void whatWasWrittenOfABlockOutlastsAStop() {
    QFETCH(QByteArray, answer);
    Desk desk;
    desk.task.target = {0, 3};
    desk.ask(chatBeginning(answer));
    QTRY_VERIFY(!desk.run->partial().hunks.isEmpty());
    desk.run->stop();
    QCOMPARE(desk.run->state(), EditRun::State::kStopped);
    const EditRun::Partial kept = desk.run->partial();
    QCOMPARE(kept.hunks.size(), 1);
    QCOMPARE(kept.hunks[0].text, QByteArray("  return 10;\n"));
    QVERIFY(kept.text.endsWith("  return 10;\n"));
    QCOMPARE(desk.hunks.offeredCount(), 0);
    QVERIFY(!desk.hunks.acceptAll());
    QCOMPARE(desk.text(), QByteArray(kText));
  }

  // Behind the fence the answer goes on: what was drawn stays until all of it is there.
  void codeStaysInSightUntilTheAnswerIsOver() {
    Desk desk;
    desk.ask(chatBeginning("```cpp\nint first() {\n  return 10;\n}\n```\nThis returns"));
    QTRY_COMPARE(desk.run->partial().lines, 3);
    QCOMPARE(desk.run->partial().hunks.size(), 1);
    desk.server.goOn({said(" ten.\n"), chatFinish("stop")});
    QTRY_VERIFY(desk.run->isOver());
    QVERIFY(desk.run->partial().hunks.isEmpty());
    QCOMPARE(desk.hunks.offeredCount(), 1);
  }

  // Each letter of the answer by itself, with characters of two UTF-16 units among them.
  void anyPiecesMakeTheSameHunks() {
    Desk desk;
    const QString answer = QString::fromUtf8(block("  return 1;\n", "  return \"🙂é\";\n"));
    QByteArrayList pieces;
    for (const QChar c : answer) {
      const auto unit = QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
      pieces += chatText(unit.toLatin1());
    }
    pieces += chatFinish("stop");
    desk.ask({pieces});
    QTRY_VERIFY(desk.run->isOver());
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("return 1;", "return \"🙂é\";"));
  }

  void whatIsTypedMeanwhileMovesAHunkThatComesLater() {
    Desk desk;
    desk.ask({{said(block("  return 1;\n", "  return 10;\n"))}, Then::kStall});
    desk.type(0, "// typed\n");
    QTRY_COMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), "// typed\n" + desk.with("return 1;", "return 10;"));
  }

  void aHunkWhoseLinesChangedMeanwhileIsListedWithItsText() {
    Desk desk;
    desk.ask({{said(block("  return 1;\n", "  return 10;\n")), chatFinish("stop")}});
    desk.type(QByteArray(kText).indexOf("1;"), "7");
    QTRY_VERIFY(desk.run->isOver());
    QCOMPARE(desk.hunks.offeredCount(), 0);
    QCOMPARE(desk.run->unplaced().size(), 1);
    QCOMPARE(desk.run->unplaced()[0].newText, QByteArray("  return 10;\n"));
    QVERIFY(!desk.run->unplaced()[0].why.what.isEmpty());
    QCOMPARE(desk.text(), desk.with("return 1;", "return 71;"));  // as typed
  }

  // What was accepted of an answer is no edit that its later blocks are confused by.
  void acceptingOneLeavesThePlacesOfTheOthers() {
    Desk desk;
    desk.ask({{said(block("  return 1;\n", "  int a = 1;\n  return a;\n")),
               said(block("int third() {\n  return 2;\n", "int third() {\n  return 3;\n")),
               chatFinish("stop")}});
    connect(&desk.hunks, &Hunks::changed, &desk.hunks, [&desk] {
      if (desk.hunks.offeredCount() > 0 && desk.buffer.version() == 0) desk.hunks.accept(0);
    });
    QTRY_VERIFY(desk.run->isOver());
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("return 1;", "int a = 1;\n  return a;")
                              .replace("third() {\n  return 2;", "third() {\n  return 3;"));
  }

  void whatStandsTwiceIsTheOneOfTheLinesThatAreMeant() {
    Desk desk;
    desk.task.target = {8, 3};  // third()
    desk.askAndWait(block("  return 2;\n", "  return 3;\n"));
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("third() {\n  return 2;", "third() {\n  return 3;"));

    Desk whole;
    whole.askAndWait(block("  return 2;\n", "  return 3;\n"));
    QCOMPARE(whole.hunks.offeredCount(), 0);
    QVERIFY2(whole.run->unplaced().value(0).why.what.contains(u"2 times"),
             qPrintable(whole.run->unplaced().value(0).why.what));
  }

  void aDiffWillDo() {
    Desk desk;
    desk.askAndWait(
        "```diff\n--- a/src/a.cpp\n+++ b/src/a.cpp\n@@ -5,3 +5,3 @@\n int second() {\n"
        "-  return 2;\n+  return 4;\n }\n```\n");
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("second() {\n  return 2;", "second() {\n  return 4;"));
  }

  void aWholeFileWillDo() {
    Desk desk;
    const QByteArray made = desk.with("return 1;", "return 5;");
    desk.ask({{said("```cpp\n" + made + "```\n"), chatFinish("stop")}});
    // A line typed meanwhile is kept, and so is one typed where the file would change.
    desk.type(0, "// typed\n");
    QTRY_VERIFY(desk.run->isOver());
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), "// typed\n" + made);

    Desk typing;
    typing.ask({{said("```cpp\n" + made + "```\n"), chatFinish("stop")}});
    typing.type(QByteArray(kText).indexOf("1;"), "7");
    QTRY_VERIFY(typing.run->isOver());
    QCOMPARE(typing.hunks.offeredCount(), 0);
    QCOMPARE(typing.run->unplaced().size(), 1);
    QCOMPARE(typing.run->unplaced()[0].newText, QByteArray("  return 5;\n"));
    QCOMPARE(typing.text(), typing.with("return 1;", "return 71;"));
  }

  void theMeantLinesAloneWillDo() {
    Desk desk;
    desk.task.target = {4, 3};  // second()
    desk.askAndWait("```cpp\nint second() {\n  return 6;\n}\n```\n");
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("second() {\n  return 2;", "second() {\n  return 6;"));
  }

  // A function in a fence is that function, whichever of its lines were selected.
  void aFunctionTakesItsOwnPlace() {
    Desk desk;
    desk.task.target = {5, 1};  // in second()
    desk.askAndWait("```cpp\nint second() {\n  return 6;\n}\n```\n");
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("second() {\n  return 2;", "second() {\n  return 6;"));
  }

  void whatIsNotOfTheLinesIsRefused_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("another function") << QByteArray("```cpp\nint first() {\n  return 9;\n}\n```\n");
    QTest::newRow("a new function") << QByteArray("```cpp\nint fourth() {\n  return 4;\n}\n```\n");
    QTest::newRow("a command") << QByteArray("```sh\nmake second\n```\n");
    QTest::newRow("a placeholder")
        << QByteArray("```cpp\nint second() {\n  // ...\n  x();\n}\n```\n");
    QTest::newRow("a brace too few")
        << block("int second() {\n  return 2;\n}\n", "int second() {\n  return 2;\n");
    QTest::newRow("nothing else") << QByteArray("```cpp\nint second() {\n  return 2;\n}\n```\n");
  }
  void whatIsNotOfTheLinesIsRefused() {
    QFETCH(QByteArray, answer);
    Desk desk;
    desk.task.target = {4, 3};  // second()
    desk.askAndWait(answer);
    QCOMPARE(desk.hunks.offeredCount(), 0);
    QCOMPARE(desk.run->unplaced().size(), 1);
    QVERIFY(!desk.run->unplaced()[0].why.what.isEmpty());
  }

  // A brace that a later block closes: neither is on offer without the other.
  void whatWouldBreakTheTextWaits() {
    const QByteArray opens = block("  return 1;\n", "  if (a) {\n    return 1;\n");
    const QByteArray closes = block("int second() {\n", "int between() {}}\n\nint second() {\n");
    Desk desk;
    desk.ask({{said(opens)}, Then::kStall});
    QTRY_COMPARE(desk.run->state(), EditRun::State::kReading);
    QCOMPARE(desk.hunks.offeredCount(), 0);
    desk.run->stop();
    QCOMPARE(desk.hunks.offeredCount(), 0);
    QCOMPARE(desk.run->unplaced().size(), 1);

    Desk both;
    both.askAndWait(opens + closes);
    QCOMPARE(both.hunks.offeredCount(), 2);
    QVERIFY(both.run->unplaced().isEmpty());
  }

  // What is thought is no answer, also where only its end says that it was thought.
  void whatWasThoughtIsTakenBack() {
    Desk desk;
    desk.ask({{said("Perhaps:\n" + block("  return 1;\n", "  return 8;\n") + "</think>\n"),
               said(block("  return 1;\n", "  return 9;\n")), chatFinish("stop")}});
    QTRY_VERIFY(desk.run->isOver());
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), desk.with("return 1;", "return 9;"));
  }

  void anEmptyFileIsFilled() {
    Desk desk("");
    desk.askAndWait("<<<<<<< SEARCH\n=======\nprint(1)\n>>>>>>> REPLACE\n");
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), QByteArray("print(1)\n"));
  }

  void lineEndsAreThoseOfTheText() {
    Desk desk("a\r\nb\r\n");
    desk.askAndWait(block("a\n", "a\nc\n"));
    QVERIFY(desk.hunks.acceptAll());
    QCOMPARE(desk.text(), QByteArray("a\r\nc\r\nb\r\n"));
  }

  void whatIsNoChangeIsSaid() {
    Desk desk;
    desk.askAndWait("I cannot do that.");
    QCOMPARE(desk.run->state(), EditRun::State::kDone);
    QVERIFY2(desk.run->remark().contains(u"I cannot do that."), qPrintable(desk.run->remark()));

    Desk other;
    other.askAndWait("other.cpp\n" + block("  return 1;\n", "  return 10;\n"));
    QCOMPARE(other.hunks.offeredCount(), 0);
    QVERIFY(other.run->unplaced().value(0).why.what.contains(u"other.cpp"));

    Desk twice;
    twice.askAndWait(block("  return 1;\n}\n", "  return 10;\n}\n") +
                     block("  return 1;\n", "  return 11;\n"));
    QCOMPARE(twice.hunks.offeredCount(), 1);
    QCOMPARE(twice.hunks.hunks()[0].text, QByteArray("  return 10;\n"));
    QCOMPARE(twice.run->unplaced().size(), 1);
    QCOMPARE(twice.run->unplaced()[0].newText, QByteArray("  return 11;\n"));
  }

  void aBrokenAnswerKeepsWhatCame_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("cut");
    QTest::addColumn<int>("hunks");
    QTest::newRow("cut") << 200 << true << 1;
    QTest::newRow("busy") << 429 << false << 0;
    QTest::newRow("failed") << 500 << false << 0;
  }
  void aBrokenAnswerKeepsWhatCame() {
    QFETCH(int, status);
    QFETCH(bool, cut);
    QFETCH(int, hunks);
    Desk desk;
    Reply reply{{said(block("  return 1;\n", "  return 10;\n") + "<<<<<<< SEARCH\nint")},
                cut ? Then::kCut : Then::kEnd,
                status};
    desk.ask(reply);
    QTRY_VERIFY(desk.run->isOver());
    QCOMPARE(desk.run->state(), EditRun::State::kFailed);
    QVERIFY(desk.run->failure().has_value());
    QVERIFY(!desk.run->failure()->what.isEmpty());
    QVERIFY(!desk.run->failure()->remedy.isEmpty());
    QCOMPARE(desk.hunks.offeredCount(), hunks);
  }

  void anAnswerCutShortIsSaidToBe() {
    Desk desk;
    desk.ask({{said(block("  return 1;\n", "  return 10;\n") + "<<<<<<< SEARCH\nint"),
               chatFinish("length")}});
    QTRY_VERIFY(desk.run->isOver());
    QCOMPARE(desk.run->state(), EditRun::State::kDone);
    QCOMPARE(desk.hunks.offeredCount(), 1);
    QVERIFY(desk.run->remark().contains(u"cut short"));
  }

  void aHugeAnswerEnds() {
    Desk desk;
    QByteArrayList pieces{said(block("  return 1;\n", "  return 10;\n"))};
    const QByteArray megabyte = said(QByteArray(1 << 20, 'x') + '\n');
    for (int i = 0; i < 9; ++i) pieces += megabyte;
    desk.ask({pieces});
    QTRY_VERIFY_WITH_TIMEOUT(desk.run->isOver(), 30'000);
    QCOMPARE(desk.run->state(), EditRun::State::kFailed);
    QVERIFY(desk.run->failure()->what.contains(u"longer than"));
    QCOMPARE(desk.hunks.offeredCount(), 1);
  }
};

QTEST_GUILESS_MAIN(TestEditRun)
#include "test_edit_run.moc"
