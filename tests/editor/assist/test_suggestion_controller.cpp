// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "tests/editor/editor_test.h"
#include "tests/editor/suggesting_editor.h"
#include "tests/support/rest.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using State = SuggestionController::State;

namespace {

// An editor wired to a scripted provider, its document open.
struct Desk {
  explicit Desk(const QByteArray& textWithCaret, const QString& path = u"/project/a.cpp"_s)
      : editor(editorAt(textWithCaret)), suggesting(editor.get(), &provider, &provider) {
    suggesting.open(path);
  }
  GhostText* ghost() { return editor->ghost(); }
  // The request that follows typing is sent when the burst of key events is over.
  void settle() { waferpair::test::dealWithEvents(); }
  // The request that the key makes, and the whole answer.
  void suggest(const QByteArray& text) {
    controller.requestNow();
    const RequestId id = last();
    provider.say(id, text);
    provider.end(id);
  }
  void next() { QTest::keyClick(editor.get(), Qt::Key_BracketRight, Qt::AltModifier); }
  void previous() { QTest::keyClick(editor.get(), Qt::Key_BracketLeft, Qt::AltModifier); }
  RequestId last() const { return provider.requests.isEmpty() ? 0 : provider.requests.last().id; }

  std::unique_ptr<CodeEditor> editor;
  ScriptedProvider provider;
  SuggestingEditor suggesting;
  SuggestionController& controller = suggesting.controller;
};

}  // namespace

class TestSuggestionController : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void typingAsksAtTheVersionAndPlaceOfTheCaret() {
    Desk desk("int |\n");
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 1);
    const auto& request = desk.provider.requests[0];
    QCOMPARE(request.offset, 5);
    QCOMPARE(request.version, desk.editor->version());
    QCOMPARE(request.version, desk.provider.versions[request.document]);
    QCOMPARE(desk.provider.mirrors[request.document], desk.editor->text());
    QCOMPARE(desk.controller.state(), State::kWaiting);
  }

  void aBurstOfKeysAsksOnce() {
    Desk desk("|\n");
    for (const char c : QByteArray("abc")) {
      QKeyEvent press(QEvent::KeyPress, Qt::Key_A, {}, QString(QLatin1Char(c)));
      QCoreApplication::sendEvent(desk.editor.get(), &press);
    }
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 1);
    QCOMPARE(desk.provider.requests[0].offset, 3);
  }

  void movingAloneAsksNothingButTheKeyDoes() {
    Desk desk("ab |cd\n");
    QTest::keyClick(desk.editor.get(), Qt::Key_Left);
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 0);
    QTest::keyClick(desk.editor.get(), Qt::Key_Backslash, Qt::AltModifier);
    QCOMPARE(desk.provider.requests.size(), 1);
  }

  void undoAndPasteAskNothing() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.editor->undo();
    replaceAll(desk.editor.get(), "other\n");
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 1);
  }

  void inTheMiddleOfAWordNothingIsAskedUnlessByHand() {
    Desk desk("foo|bar\n");
    QTest::keyClick(desk.editor.get(), 'x');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 0);
    desk.controller.requestNow();
    QCOMPARE(desk.provider.requests.size(), 1);
  }

  void whatComesByItselfMustBeSureAndWhatIsAskedForNeedNot() {
    Desk desk("int |\n");
    desk.controller.setLeastProbability(0.4);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.controller.requestNow();
    QCOMPARE(desk.provider.requests.size(), 2);
    QCOMPARE(desk.provider.requests[0].leastProbability, 0.4);
    QCOMPARE(desk.provider.requests[1].leastProbability, 0.0);
  }

  void moreIsAskedForWhereAWordBegins() {
    Desk desk("int a;|\n");
    desk.controller.setLeastProbability(0.75);
    const auto askedAfter = [&desk](Qt::Key key, const QString& text) {
      QTest::sendKeyEvent(QTest::Click, desk.editor.get(), key, text, Qt::NoModifier);
      desk.settle();
      return desk.provider.requests.last().leastProbability;
    };
    QCOMPARE(askedAfter(Qt::Key_Return, u"\r"_s), 0.85);
    QCOMPARE(askedAfter(Qt::Key_B, u"b"_s), 0.75);
    QCOMPARE(askedAfter(Qt::Key_Period, u"."_s), 0.85);
    QCOMPARE(askedAfter(Qt::Key_C, u"c"_s), 0.75);
    QCOMPARE(askedAfter(Qt::Key_ParenLeft, u"("_s), 0.8);
    desk.controller.requestNow();
    QCOMPARE(desk.provider.requests.last().leastProbability, 0.0);
  }

  // Not another word at each key: until the word is over only something surer takes the place of
  // what was contradicted.
  void whatIsContradictedIsFollowedBySomethingSurerOnly() {
    Desk desk("int |\n");
    desk.controller.setLeastProbability(0.75);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QCOMPARE(desk.provider.requests.last().leastProbability, 0.75);
    desk.provider.say(desk.last(), "lpha = 1");
    QVERIFY(desk.ghost()->isShown());
    for (const char key : {'b', 'c'}) {
      QTest::keyClick(desk.editor.get(), key);
      desk.settle();
      QVERIFY(!desk.ghost()->isShown());
      QCOMPARE(desk.provider.requests.last().leastProbability, 0.9);
    }
    // The next word is another matter.
    QTest::keyClick(desk.editor.get(), ' ');
    desk.settle();
    QTest::keyClick(desk.editor.get(), 'd');
    desk.settle();
    QCOMPARE(desk.provider.requests.last().leastProbability, 0.75);
  }

  void whatWasNeverShownContradictsNothing() {
    Desk desk("int |\n");
    desk.controller.setLeastProbability(0.75);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.provider.say(desk.last(), "x");  // too little to be shown
    QVERIFY(!desk.ghost()->isShown());
    QTest::keyClick(desk.editor.get(), 'b');
    desk.settle();
    QCOMPARE(desk.provider.requests.last().leastProbability, 0.75);
  }

  void whatWasDismissedIsFollowedBySomethingSurerOnly() {
    Desk desk("int |\n");
    desk.controller.setLeastProbability(0.75);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.provider.say(desk.last(), "lpha = 1");
    QTest::keyClick(desk.editor.get(), Qt::Key_Escape);
    QTest::keyClick(desk.editor.get(), 'l');
    desk.settle();
    QCOMPARE(desk.provider.requests.last().leastProbability, 0.9);
  }

  void littleIsShownOnceItEndsTheLineOrThereIsMore() {
    Desk desk("f(|\n");
    desk.controller.setLeastProbability(0.75);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.provider.say(desk.last(), ", b");
    waferpair::test::rest({&desk.controller});
    QVERIFY(!desk.ghost()->isShown());
    QCOMPARE(desk.controller.state(), State::kWaiting);
    desk.provider.say(desk.last(), ");");
    QTRY_COMPARE(desk.ghost()->remaining(), QByteArray(", b);"));

    QTest::keyClick(desk.editor.get(), '+');
    desk.settle();
    desk.provider.say(desk.last(), "b)");
    waferpair::test::rest({&desk.controller});
    QVERIFY(!desk.ghost()->isShown());
    desk.provider.end(desk.last());  // its line ends here
    QCOMPARE(desk.ghost()->remaining(), QByteArray("b)"));
  }

  void tooLittleIsNotShownButWhenAskedFor() {
    Desk desk("f(|\n");
    desk.controller.setLeastProbability(0.75);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.provider.say(desk.last(), ", ");
    desk.provider.say(desk.last(), "b");
    desk.provider.end(desk.last(), CompletionEnd::kUnsure);
    QVERIFY(!desk.ghost()->isShown());
    QCOMPARE(desk.controller.state(), State::kIdle);
    QTest::keyClick(desk.editor.get(), Qt::Key_Backslash, Qt::AltModifier);
    QCOMPARE(desk.provider.requests.size(), 2);
    desk.provider.say(desk.last(), ")");
    desk.provider.end(desk.last(), CompletionEnd::kUnsure);
    QCOMPARE(desk.ghost()->remaining(), QByteArray(")"));
  }

  // The rest of a suggestion may become as short as it will.
  void typingThroughGoesOnToTheLastLetter() {
    Desk desk("|\n");
    desk.controller.setLeastProbability(0.75);
    QTest::keyClick(desk.editor.get(), 'r');
    desk.settle();
    desk.provider.say(desk.last(), "eturn");
    desk.provider.end(desk.last(), CompletionEnd::kUnsure);
    for (const char key : QByteArray("etur")) {
      QVERIFY(desk.ghost()->isShown());
      QTest::keyClick(desk.editor.get(), key);
      desk.settle();
    }
    QCOMPARE(desk.ghost()->remaining(), QByteArray("n"));
    QCOMPARE(desk.provider.requests.size(), 1);
  }

  // A model that reads for long computes for nobody then.
  void escEndsWhatIsAskedFor() {
    Desk desk("int |\n");
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QCOMPARE(desk.controller.state(), State::kWaiting);
    QTest::keyClick(desk.editor.get(), Qt::Key_Escape);
    QVERIFY(desk.provider.cancelled.contains(desk.last()));
    QCOMPARE(desk.controller.state(), State::kIdle);
    // The next key asks anew.
    QTest::keyClick(desk.editor.get(), ' ');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 2);
  }

  void whereTheCaretRestsTheTextIsReadAhead() {
    Desk desk("int |\n");
    QTRY_COMPARE(desk.provider.readAt.size(), 1);  // it was opened
    QCOMPARE(desk.provider.readAt.last(), std::pair(desk.editor->version(), qint64{4}));
    QTest::keyClick(desk.editor.get(), Qt::Key_Left);
    QTRY_COMPARE(desk.provider.readAt.size(), 2);
    QCOMPARE(desk.provider.readAt.last().second, 3);
    // A request reads by itself; what it had no time for is read behind it.
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QCOMPARE(desk.controller.state(), State::kWaiting);
    desk.controller.cameToFront();
    desk.provider.say(desk.last(), "b");
    QCOMPARE(desk.provider.readAt.size(), 2);
    desk.provider.end(desk.last());
    QTRY_COMPARE(desk.provider.readAt.size(), 3);
    QCOMPARE(desk.provider.readAt.last(), std::pair(desk.editor->version(), qint64{4}));
  }

  void streamedTextIsShownAndOnlyGrows() {
    Desk desk("int |\n");
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QSignalSpy shown(&desk.controller, &SuggestionController::firstGhostShown);
    desk.provider.say(desk.last(), " = ");
    desk.provider.say(desk.last(), "1");
    desk.provider.say(desk.last(), ";\nint b");
    QVERIFY(desk.ghost()->isShown());  // the first piece at once
    QTRY_COMPARE(desk.ghost()->remaining(), QByteArray(" = 1;\nint b"));
    QCOMPARE(desk.controller.state(), State::kGrowing);
    QTRY_COMPARE(shown.size(), 1);
    QVERIFY(shown[0][0].toDouble() > 0);
    desk.provider.end(desk.last());
    QCOMPARE(desk.controller.state(), State::kShowing);
    QCOMPARE(desk.ghost()->remaining(), QByteArray(" = 1;\nint b"));
    QCOMPARE(desk.editor->text(), QByteArray("int a\n"));
  }

  void manyPiecesWithinAFrameAreOneChangeOfTheGhost() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.provider.say(desk.last(), "0");
    for (int i = 1; i < 200; ++i) desk.provider.say(desk.last(), "+" + QByteArray::number(i));
    QCOMPARE(desk.ghost()->remaining(), QByteArray("0"));
    QTRY_VERIFY(desk.ghost()->remaining().endsWith("+199"));
  }

  void typingThroughAsksNothingAndChangesNothingShown() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    desk.provider.say(desk.last(), "oo(bar);");
    desk.provider.end(desk.last());
    for (const char c : QByteArray("oo(ba")) {
      const QByteArray before = desk.ghost()->remaining();
      QTest::keyClick(desk.editor.get(), c);
      desk.settle();
      QCOMPARE(desk.ghost()->remaining(), before.mid(1));
    }
    QCOMPARE(desk.provider.requests.size(), 1);
    QTest::keyClick(desk.editor.get(), Qt::Key_Backspace);
    desk.settle();
    QCOMPARE(desk.ghost()->remaining(), QByteArray("ar);"));
    QCOMPARE(desk.provider.requests.size(), 1);
    QVERIFY(desk.provider.cancelled.isEmpty());
  }

  void typingSomethingElseCancelsAndAsksAgain() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    const RequestId first = desk.last();
    desk.provider.say(first, "oo");
    QTest::keyClick(desk.editor.get(), 'x');
    QVERIFY(!desk.ghost()->isShown());
    desk.settle();
    QCOMPARE(desk.provider.cancelled, QVector<RequestId>{first});
    QCOMPARE(desk.provider.requests.size(), 2);
    desk.provider.say(first, "late");  // whatever still comes for it
    QVERIFY(!desk.ghost()->isShown());
  }

  // Typed before any text came: the answer is moved to where it belongs now.
  void aLateAnswerThatFitsWhatWasTypedIsRebased() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    const RequestId first = desk.last();
    QTest::keyClick(desk.editor.get(), 'o');
    desk.settle();
    const RequestId second = desk.last();
    QVERIFY(second != first);
    QVERIFY(desk.provider.cancelled.isEmpty());
    desk.provider.say(first, "oo();");
    QCOMPARE(desk.ghost()->remaining(), QByteArray("o();"));
    QCOMPARE(desk.provider.cancelled, QVector<RequestId>{second});
    desk.provider.say(second, "other");
    waferpair::test::rest({&desk.controller});
    QCOMPARE(desk.ghost()->remaining(), QByteArray("o();"));
  }

  void aLateAnswerThatDoesNotFitIsDropped() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    const RequestId first = desk.last();
    QTest::keyClick(desk.editor.get(), 'x');
    desk.settle();
    desk.provider.say(first, "oo();");
    QVERIFY(!desk.ghost()->isShown());
    QCOMPARE(desk.provider.cancelled, QVector<RequestId>{first});
    desk.provider.say(desk.last(), "yz");
    QCOMPARE(desk.ghost()->remaining(), QByteArray("yz"));
  }

  void atMostTwoRequestsAreOutstanding() {
    Desk desk("|\n");
    for (const char c : QByteArray("abcdef")) {
      QTest::keyClick(desk.editor.get(), c);
      desk.settle();
    }
    QCOMPARE(desk.provider.requests.size(), 6);
    QCOMPARE(desk.provider.cancelled.size(), 4);
    QVERIFY(!desk.provider.cancelled.contains(desk.provider.requests.first().id));
    QVERIFY(!desk.provider.cancelled.contains(desk.last()));
  }

  void acceptingInAStreamGoesOnBehindIt() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    QSignalSpy accepted(&desk.controller, &SuggestionController::accepted);
    desk.provider.say(desk.last(), "oo");
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    desk.provider.say(desk.last(), "bar");
    QTRY_COMPARE(desk.ghost()->remaining(), QByteArray("bar"));
    QCOMPARE(desk.editor->text(), QByteArray("foo\n"));
    QCOMPARE(accepted.size(), 1);
    QCOMPARE(accepted[0][0].toLongLong(), 1);
    QCOMPARE(accepted[0][1].toByteArray(), QByteArray("oo"));
    QCOMPARE(desk.provider.requests.size(), 1);
  }

  void acceptedToItsEndTheNextIsAskedFor() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    desk.provider.say(desk.last(), "oo");
    desk.provider.end(desk.last());
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 2);
    QCOMPARE(desk.provider.requests.last().offset, 3);
    QCOMPARE(desk.provider.mirrors.begin().value(), QByteArray("foo\n"));
  }

  void escDismissesAndCancels() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    desk.provider.say(desk.last(), "oo");
    QSignalSpy dismissed(&desk.controller, &SuggestionController::dismissed);
    QTest::keyClick(desk.editor.get(), Qt::Key_Escape);
    QCOMPARE(dismissed.size(), 1);
    QCOMPARE(desk.provider.cancelled, QVector<RequestId>{desk.last()});
    QCOMPARE(desk.controller.state(), State::kIdle);
    desk.provider.say(desk.last(), "bar");
    QVERIFY(!desk.ghost()->isShown());
  }

  void movingAwayCancels() {
    Desk desk("a\n|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    QTest::keyClick(desk.editor.get(), Qt::Key_Up);
    QCOMPARE(desk.provider.cancelled, QVector<RequestId>{desk.last()});
    desk.provider.say(desk.last(), "oo");
    QVERIFY(!desk.ghost()->isShown());
  }

  void whatRepeatsTheSuffixIsNotShownAndEndsTheStream() {
    Desk desk("  foo(|)\n  next();\n");
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    desk.provider.say(desk.last(), ", b)");
    QTRY_COMPARE(desk.ghost()->remaining(), QByteArray(", b"));
    desk.provider.say(desk.last(), "\n  next();\n");
    QTRY_COMPARE(desk.provider.cancelled, QVector<RequestId>{desk.last()});
    QCOMPARE(desk.ghost()->remaining(), QByteArray(", b"));
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("  foo(a, b)\n  next();\n"));
  }

  void suggestionsGetTheDocumentsLineEnds() {
    Desk desk("a;\r\n|\r\n");
    QTest::keyClick(desk.editor.get(), 'b');
    desk.settle();
    desk.provider.say(desk.last(), ";\nc;");
    desk.provider.end(desk.last());
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("a;\r\nb;\r\nc;\r\n"));
  }

  void silenceHasAReason() {
    Desk desk("|\n");
    desk.provider.setReason(u"model loading"_s);
    QCOMPARE(desk.controller.state(), State::kSilent);
    QCOMPARE(desk.controller.reason(), u"model loading"_s);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 0);
    QCOMPARE(desk.controller.state(), State::kSilent);
    desk.provider.setReason({});
    QCOMPARE(desk.controller.state(), State::kIdle);
    desk.controller.setOff(u"suggestions are off"_s);
    QCOMPARE(desk.controller.state(), State::kSilent);
    QTest::keyClick(desk.editor.get(), 'b');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 0);
    QCOMPARE(desk.provider.mirrors.begin().value(), QByteArray("ab\n"));
    desk.controller.setOff({});
    QTest::keyClick(desk.editor.get(), 'c');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 1);
  }

  void heldBackOnlyTheKeyAsks() {
    Desk desk("|\n");
    desk.controller.setHeldBack(u"snoozed"_s);
    QCOMPARE(desk.controller.state(), State::kSilent);
    QCOMPARE(desk.controller.reason(), u"snoozed"_s);
    QTest::keyClick(desk.editor.get(), 'a');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 0);
    QTest::keyClick(desk.editor.get(), Qt::Key_Backslash, Qt::AltModifier);
    QCOMPARE(desk.provider.requests.size(), 1);
    desk.provider.say(desk.last(), "bc");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("bc"));
    QCOMPARE(desk.controller.state(), State::kShowing);
    // Accepted, it is over: nothing comes by itself.
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    desk.settle();
    QCOMPARE(desk.editor->text(), QByteArray("abc\n"));
    QCOMPARE(desk.provider.requests.size(), 1);
    QCOMPARE(desk.controller.reason(), u"snoozed"_s);
    desk.controller.setHeldBack({});
    QTest::keyClick(desk.editor.get(), 'd');
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 2);
    desk.provider.say(desk.last(), "ef");
    QTRY_VERIFY(desk.ghost()->isShown());
    desk.controller.setHeldBack(u"snoozed"_s);
    QVERIFY(!desk.ghost()->isShown());
    QCOMPARE(desk.provider.cancelled.last(), desk.last());
  }

  // -- Alternatives

  void alternativesAreFetchedWhenAskedForAndGoneThrough() {
    Desk desk("x = |\n");
    desk.suggest("one();");
    QCOMPARE(desk.provider.requests.size(), 1);
    QSignalSpy cleared(desk.ghost(), &GhostText::cleared);
    desk.next();
    QCOMPARE(desk.provider.requests.size(), 2);
    QCOMPARE(desk.provider.requests[1].alternative, 1);
    QCOMPARE(desk.provider.requests[1].offset, 4);
    QCOMPARE(desk.provider.requests[1].leastProbability, 0.0);
    QCOMPARE(desk.ghost()->note(), u"1 of 1…"_s);
    // The ghost stands still until the next one is whole.
    desk.provider.say(desk.last(), "two");
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    desk.provider.say(desk.last(), "();");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("two();"));
    QCOMPARE(desk.ghost()->note(), u"2 of 2…"_s);
    QCOMPARE(desk.provider.requests.size(), 3);
    QCOMPARE(desk.provider.requests[2].alternative, 2);
    desk.provider.say(desk.last(), "three");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("two();"));
    QCOMPARE(desk.ghost()->note(), u"2 of 3"_s);
    for (const char* shown : {"three", "one();", "two();"}) {
      desk.next();
      QCOMPARE(desk.ghost()->remaining(), QByteArray(shown));
    }
    desk.previous();
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    QCOMPARE(desk.ghost()->note(), u"1 of 3"_s);
    desk.previous();
    QCOMPARE(desk.ghost()->remaining(), QByteArray("three"));
    QCOMPARE(desk.provider.requests.size(), 3);
    QCOMPARE(cleared.size(), 0);
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("x = three\n"));
  }

  // What is sure enough to come by itself may be the beginning of a line only.
  void theWholeOfWhatWasCutIsTheFirstAlternative() {
    Desk desk("x |\n");
    QTest::keyClick(desk.editor.get(), '=');
    desk.settle();
    desk.provider.say(desk.last(), " one(");
    desk.provider.end(desk.last(), CompletionEnd::kUnsure);
    QCOMPARE(desk.ghost()->remaining(), QByteArray(" one("));
    desk.next();
    QCOMPARE(desk.provider.requests.last().alternative, 0);
    QCOMPARE(desk.provider.requests.last().leastProbability, 0.0);
    desk.provider.say(desk.last(), " one(1);");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray(" one(1);"));
    QCOMPARE(desk.provider.requests.last().alternative, 1);
    desk.provider.say(desk.last(), " two();");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->note(), u"2 of 3"_s);
    desk.next();
    QCOMPARE(desk.ghost()->remaining(), QByteArray(" two();"));
  }

  void theKeyIsNobodysWithoutASuggestion() {
    Desk desk("x = |\n");
    desk.next();
    QCOMPARE(desk.provider.requests.size(), 0);
    QCOMPARE(desk.editor->text(), QByteArray("x = \n"));
  }

  void whatSaysTheSameOrNothingIsNoAlternative() {
    Desk desk("x = |\n");
    desk.suggest("one();");
    desk.next();
    desk.provider.say(desk.last(), "one();");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->note(), u"1 of 1…"_s);
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->note(), u"1 of 1"_s);
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    QCOMPARE(desk.provider.requests.size(), 3);
    desk.next();
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    QCOMPARE(desk.provider.requests.size(), 3);
  }

  void backFromTheFirstIsTheLastOnceAllAreThere() {
    Desk desk("x = |\n");
    desk.suggest("one();");
    desk.previous();
    desk.provider.say(desk.last(), "two();");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    desk.provider.say(desk.last(), "three();");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("three();"));
    QCOMPARE(desk.ghost()->note(), u"3 of 3"_s);
  }

  void anAlternativeWaitsForTheEndOfWhatStillComes() {
    Desk desk("x = |\n");
    desk.controller.requestNow();
    const RequestId first = desk.last();
    desk.provider.say(first, "one");
    desk.next();
    QCOMPARE(desk.provider.requests.size(), 1);
    desk.provider.say(first, "();");
    desk.provider.end(first);
    QCOMPARE(desk.provider.requests.size(), 2);
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
  }

  void typingGoesOnWithTheOneThatIsShown() {
    Desk desk("x = |\n");
    desk.suggest("one();");
    desk.next();
    desk.provider.say(desk.last(), "other();");
    desk.provider.end(desk.last());
    desk.provider.say(desk.last(), "once");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->note(), u"2 of 3"_s);
    QTest::keyClick(desk.editor.get(), 'o');
    QCOMPARE(desk.ghost()->note(), u"2 of 3"_s);
    QTest::keyClick(desk.editor.get(), 't');
    QCOMPARE(desk.ghost()->remaining(), QByteArray("her();"));
    QCOMPARE(desk.ghost()->note(), u"1 of 1"_s);
    // By word and by line as any other.
    QTest::keyClick(desk.editor.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(desk.editor->text(), QByteArray("x = other\n"));
    QTest::keyClick(desk.editor.get(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(desk.editor->text(), QByteArray("x = other();\n"));
  }

  void whatIsFetchedForAnotherTextIsDropped() {
    Desk desk("x = |\n");
    desk.suggest("one();");
    desk.next();
    const RequestId second = desk.last();
    QTest::keyClick(desk.editor.get(), 'z');
    QVERIFY(!desk.ghost()->isShown());
    QVERIFY(desk.provider.cancelled.contains(second));
    desk.provider.say(second, "two();");
    desk.provider.end(second);
    QVERIFY(!desk.ghost()->isShown());
  }

  // -- What follows is asked for ahead

  void acceptingDoesNotWaitForWhatFollows() {
    Desk desk("x = |\n");
    desk.provider.asksAhead = true;
    desk.suggest("one();");
    QCOMPARE(desk.provider.requests.size(), 2);
    QCOMPARE(desk.provider.requests[1].inserted, QByteArray("one();"));
    QCOMPARE(desk.provider.requests[1].offset, 4);
    QCOMPARE(desk.provider.requests[1].version, desk.editor->version());
    desk.provider.say(desk.last(), "\ny = two();");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.ghost()->remaining(), QByteArray("\ny = two();"));
    // The one after that.
    QCOMPARE(desk.provider.requests.size(), 3);
    QCOMPARE(desk.provider.requests[2].inserted, QByteArray("\ny = two();"));
    QCOMPARE(desk.provider.requests[2].offset, 10);
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 3);
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("x = one();\ny = two();\n"));
    QVERIFY(!desk.ghost()->isShown());
    desk.provider.say(desk.last(), "\nz = three();");
    QTRY_COMPARE(desk.ghost()->remaining(), QByteArray("\nz = three();"));
  }

  void whatFollowsIsThereAfterWordsLettersAndEditsAbove() {
    Desk desk("above\nx = |\n");
    desk.provider.asksAhead = true;
    desk.suggest("one()");
    desk.provider.say(desk.last(), ";\n// two");
    desk.provider.end(desk.last());
    QTest::keyClick(desk.editor.get(), Qt::Key_Right, Qt::ControlModifier);
    desk.editor->replaceRange(0, 0, "more ");
    QTest::keyClicks(desk.editor.get(), "(");
    QCOMPARE(desk.ghost()->remaining(), QByteArray(")"));
    QTest::keyClicks(desk.editor.get(), ")");
    QCOMPARE(desk.ghost()->remaining(), QByteArray(";\n// two"));
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("more above\nx = one();\n// two\n"));
  }

  void whereAskingAheadFailedItIsAskedForThen() {
    Desk desk("x = |\n");
    desk.provider.asksAhead = true;
    desk.suggest("one();");
    desk.provider.say(desk.last(), " // th");
    desk.provider.end(desk.last(), CompletionEnd::kStale);
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 3);
    QCOMPARE(desk.provider.requests[2].inserted, QByteArray());
    QCOMPARE(desk.provider.requests[2].offset, 10);
  }

  void typingSomethingElseCancelsWhatWouldFollow() {
    Desk desk("x = |\n");
    desk.provider.asksAhead = true;
    desk.suggest("one();");
    const RequestId ahead = desk.last();
    QTest::keyClick(desk.editor.get(), 'z');
    QVERIFY(desk.provider.cancelled.contains(ahead));
    desk.provider.say(ahead, "late");
    QVERIFY(!desk.ghost()->isShown());
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 3);
    QCOMPARE(desk.provider.requests[2].inserted, QByteArray());
  }

  void whatWouldFollowMustBeAsSureAsWhatComesByItself() {
    Desk desk("x = |\n");
    desk.provider.asksAhead = true;
    desk.controller.setLeastProbability(0.4);
    desk.suggest("{\n  item.");
    QCOMPARE(desk.provider.requests[1].leastProbability, 0.64);
    // Too little of it: nothing is shown, and nothing is asked for again.
    desk.provider.say(desk.last(), "x");
    desk.provider.end(desk.last(), CompletionEnd::kUnsure);
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    desk.settle();
    QVERIFY(!desk.ghost()->isShown());
    QCOMPARE(desk.provider.requests.size(), 2);
  }

  void nothingIsAskedAheadWhereItCostsOrMayNotBeShown() {
    Desk desk("x = |\n");
    desk.suggest("one();");
    QCOMPARE(desk.provider.requests.size(), 1);
    desk.provider.asksAhead = true;
    desk.controller.setHeldBack(u"snoozed"_s);
    desk.suggest("one();");
    QCOMPARE(desk.provider.requests.size(), 2);
    Desk middle("x = |word\n");
    middle.provider.asksAhead = true;
    middle.suggest("one + ");
    QCOMPARE(middle.provider.requests.size(), 1);
  }

  void alternativesComeBeforeWhatFollows() {
    Desk desk("x = |\n");
    desk.provider.asksAhead = true;
    desk.suggest("one();");
    const RequestId ahead = desk.last();
    desk.next();
    QVERIFY(desk.provider.cancelled.contains(ahead));
    desk.provider.say(desk.last(), "two();");
    desk.provider.end(desk.last());
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->note(), u"2 of 2"_s);
    QCOMPARE(desk.provider.requests.last().inserted, QByteArray("two();"));
    desk.provider.say(desk.last(), " // then");
    desk.provider.end(desk.last());
    // Another is shown: what follows that one is another matter.
    desk.next();
    QCOMPARE(desk.ghost()->remaining(), QByteArray("one();"));
    QCOMPARE(desk.provider.requests.last().inserted, QByteArray("one();"));
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QVERIFY(!desk.ghost()->isShown());
  }

  void aBinaryFileIsNeverSent() {
    QTemporaryDir dir;
    QFile out(dir.filePath(u"a.bin"_s));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray("a\0b", 3));
    out.close();
    Desk desk("|\n");
    QCOMPARE(desk.provider.mirrors.size(), 1);
    QVERIFY(desk.editor->load(*TextFile::open(out.fileName())).has_value());
    QVERIFY(desk.provider.mirrors.isEmpty());
    QCOMPARE(desk.controller.state(), State::kSilent);
    QVERIFY(desk.controller.reason().contains(u"binary"_s));
  }

  void theMirrorFollowsResetsAndCloses() {
    Desk desk("one|\n");
    QTest::keyClick(desk.editor.get(), 'x');
    desk.editor->setText("two\n");
    QCOMPARE(desk.provider.mirrors.begin().value(), QByteArray("two\n"));
    desk.editor->setLanguage(u"Python"_s);
    QCOMPARE(desk.provider.languages.begin().value(), u"Python"_s);
    desk.suggesting.close();
    QVERIFY(desk.provider.mirrors.isEmpty());
    QTest::keyClick(desk.editor.get(), 'y');
    desk.settle();
    QVERIFY(desk.provider.requests.isEmpty());
  }

  void failureLeavesWhatIsShown() {
    Desk desk("|\n");
    QTest::keyClick(desk.editor.get(), 'f');
    desk.settle();
    desk.provider.say(desk.last(), "oo");
    desk.provider.end(desk.last(), CompletionEnd::kFailed);
    QCOMPARE(desk.ghost()->remaining(), QByteArray("oo"));
    QTest::keyClick(desk.editor.get(), 'o');
    QTest::keyClick(desk.editor.get(), 'x');
    desk.settle();
    desk.provider.end(desk.last(), CompletionEnd::kFailed);
    QCOMPARE(desk.controller.state(), State::kIdle);
  }

  // -- A larger model that is at the same request

  void theLargerModelsLineTakesThePlaceOfWhatIsShown() {
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.suggest("alpha = 1;");
    const RequestId first = desk.last();
    QCOMPARE(desk.ghost()->remaining(), QByteArray("alpha = 1;"));
    QCOMPARE(desk.controller.state(), State::kGrowing);
    desk.provider.takeOver(first, 900, "beta = 2;");
    QCOMPARE(desk.ghost()->remaining(), QByteArray("beta = 2;"));
    QCOMPARE(desk.controller.state(), State::kShowing);
    QCOMPARE(desk.controller.shownSource().request, RequestId{900});
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    QCOMPARE(desk.editor->text(), QByteArray("int beta = 2;\n"));
  }

  void whatStandsIsCompleteWithTheLargerModelsWord() {
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.suggest("alpha = 1;");
    desk.provider.takeOver(desk.last(), 0);
    QCOMPARE(desk.ghost()->remaining(), QByteArray("alpha = 1;"));
    QCOMPARE(desk.controller.state(), State::kShowing);
  }

  // Rows: what the first model said, what was typed before the larger one's line came, that, and
  // what is shown then.
  void theLargerModelsLineMeetsWhatWasTyped_data() {
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("typed");
    QTest::addColumn<QByteArray>("larger");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("it fills the gap")
        << QByteArray() << QByteArray() << QByteArray("beta = 2;") << QByteArray("beta = 2;");
    QTest::newRow("typed along with both") << QByteArray("back();") << QByteArray("ba")
                                           << QByteArray("base = 2;") << QByteArray("se = 2;");
    QTest::newRow("typed along with the first") << QByteArray("back();") << QByteArray("bac")
                                                << QByteArray("base = 2;") << QByteArray("k();");
    QTest::newRow("typed beyond it") << QByteArray("base = 2;") << QByteArray("base")
                                     << QByteArray("base") << QByteArray(" = 2;");
    QTest::newRow("all of it typed")
        << QByteArray("ba") << QByteArray("ba") << QByteArray("base = 2;") << QByteArray();
  }
  void theLargerModelsLineMeetsWhatWasTyped() {
    QFETCH(const QByteArray, first);
    QFETCH(const QByteArray, typed);
    QFETCH(const QByteArray, larger);
    QFETCH(const QByteArray, shown);
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.suggest(first);
    const RequestId id = desk.last();
    for (const char key : typed) QTest::keyClick(desk.editor.get(), key);
    desk.settle();
    desk.provider.takeOver(id, 900, larger);
    QCOMPARE(desk.ghost()->isShown() ? desk.ghost()->remaining() : QByteArray(), shown);
    QCOMPARE(desk.editor->text(), "int " + typed + "\n");
  }

  // Nobody waits for the larger model where the next one can be asked for.
  void whoHasTypedAllOfASuggestionAsksForTheNext() {
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.suggest("a;");
    const RequestId first = desk.last();
    QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
    desk.settle();
    QCOMPARE(desk.provider.requests.size(), 2);
    QVERIFY(desk.provider.cancelled.contains(first));
    desk.provider.takeOver(first, 900, "late;");
    QVERIFY(!desk.ghost()->isShown());
  }

  void whatIsDismissedDoesNotComeBack() {
    for (const bool saysSomething : {true, false}) {
      Desk desk("int |\n");
      desk.provider.hasLarger = true;
      desk.suggest(saysSomething ? "alpha;" : "");
      const RequestId first = desk.last();
      QTest::keyClick(desk.editor.get(), Qt::Key_Escape);
      QVERIFY(desk.provider.cancelled.contains(first));
      desk.provider.takeOver(first, 900, "beta;");
      QVERIFY(!desk.ghost()->isShown());
      QCOMPARE(desk.controller.state(), State::kIdle);
    }
  }

  // Alternatives that the user looks at stand still.
  void aChosenAlternativeStays() {
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.suggest("alpha;");
    const RequestId first = desk.last();
    desk.next();
    desk.provider.say(desk.last(), "gamma;");
    desk.provider.end(desk.last());
    QCOMPARE(desk.ghost()->remaining(), QByteArray("gamma;"));
    desk.provider.takeOver(first, 900, "beta;");
    QCOMPARE(desk.ghost()->remaining(), QByteArray("gamma;"));
  }

  // The first model fails, or what it says is no good here; the larger one is still at it.
  void theLargerModelFillsInForOneThatFails() {
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.controller.requestNow();
    const RequestId first = desk.last();
    desk.provider.end(first, CompletionEnd::kFailed);
    QCOMPARE(desk.controller.state(), State::kWaiting);
    desk.provider.takeOver(first, 900, "beta;");
    QCOMPARE(desk.ghost()->remaining(), QByteArray("beta;"));
  }

  void aGapThatNobodyFillsIsOne() {
    Desk desk("int |\n");
    desk.provider.hasLarger = true;
    desk.suggest("");
    QCOMPARE(desk.controller.state(), State::kWaiting);
    desk.provider.takeOver(desk.last(), 0);
    QCOMPARE(desk.controller.state(), State::kIdle);
    QVERIFY(!desk.ghost()->isShown());
  }

  // A user and a server at random speeds: the text must be what was typed and accepted, the mirror
  // equal to it, and the ghost always what could follow the caret.
  void randomTypingAgainstARandomServerKeepsEverythingInStep_data() {
    QTest::addColumn<bool>("hasLarger");
    QTest::newRow("one model") << false;
    QTest::newRow("two models") << true;
  }
  void randomTypingAgainstARandomServerKeepsEverythingInStep() {
    QFETCH(bool, hasLarger);
    Desk desk("int main() {|\n}\n");
    desk.provider.hasLarger = hasLarger;
    std::mt19937 random(5);
    QHash<RequestId, QByteArray> left;
    qsizetype answered = 0;
    QByteArray lastGhost;
    for (int step = 0; step < 2000; ++step) {
      while (answered < desk.provider.requests.size()) {
        left[desk.provider.requests[answered].id] = "abc(abc);\n  aabb = c;\nca";
        ++answered;
      }
      switch (random() % 8) {
        case 0:
        case 1:
          QTest::keyClick(desk.editor.get(), "abc("[random() % 4]);
          break;
        case 2:
          QTest::keyClick(desk.editor.get(),
                          random() % 2 == 0 ? Qt::Key_Backspace : Qt::Key_Return);
          break;
        case 3:
          QTest::keyClick(desk.editor.get(), Qt::Key_Tab);
          break;
        case 4:
          QTest::keyClick(desk.editor.get(), random() % 2 == 0 ? Qt::Key_Right : Qt::Key_Down,
                          Qt::ControlModifier);
          break;
        case 5:
          if (random() % 4 == 0) QTest::keyClick(desk.editor.get(), Qt::Key_Escape);
          break;
        default:
          for (auto it = left.begin(); it != left.end(); ++it) {
            if (it->isEmpty() || desk.provider.cancelled.contains(it.key())) continue;
            const auto piece = static_cast<qsizetype>(1 + random() % 6);
            desk.provider.say(it.key(), it->left(piece));
            it->remove(0, piece);
            if (it->isEmpty()) desk.provider.end(it.key());
          }
          if (desk.provider.hasLarger && random() % 2 == 0 && desk.last() > 0)
            desk.provider.takeOver(desk.last(), 100'000 + desk.last(), "abca(b);\naa");
      }
      if (random() % 3 == 0) QCoreApplication::processEvents();
      if (step % 100 == 0) waferpair::test::dealWithEvents();
      desk.editor->flushEdits();
      QCOMPARE(desk.provider.mirrors.begin().value(), desk.editor->text());
      if (desk.ghost()->isShown()) {
        QCOMPARE(desk.ghost()->position(), desk.editor->caret());
        QVERIFY(!desk.ghost()->remaining().isEmpty());
      }
      if (desk.editor->length() > 3000) replaceAll(desk.editor.get(), "int main() {\n}\n");
    }
    QVERIFY(desk.provider.requests.size() > 100);
  }
};

QTEST_MAIN(TestSuggestionController)
#include "test_suggestion_controller.moc"
