// SPDX-License-Identifier: GPL-3.0-or-later
// Plans by keys and mouse in the real window, of an endpoint that answers what it is told to, and
// misbehaves; and without a model.
#include <QApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include "editor/assist/hunks.h"
#include "editor/widget/code_editor.h"
#include "gui/kit/command_registry.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/command_box.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_list.h"
#include "gui/pairing/plan_meter.h"
#include "gui/pairing/plan_panel.h"
#include "gui/pairing/review_list.h"
#include "gui/pairing/step_detail.h"
#include "pairing/context/token_estimate.h"
#include "pairing/models/model_roster.h"
#include "pairing/plans/plan_json.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::chatBeginning;
using pairing::chatFinish;
using pairing::chatReply;
using pairing::chatText;
using pairing::ScriptedEndpoint;
using pairing::searchReplaceBlock;
using Then = ScriptedEndpoint::Then;

namespace {

constexpr char kTextA[] = "one\ntwo\nthree\nfour\nfive\nsix\n";
constexpr char kTextB[] = "b\n";

}  // namespace

class TestPlan : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    endpoint_ = std::make_unique<ScriptedEndpoint>();
    w_ = std::make_unique<WindowFixture>();
    w_->write("a.txt", kTextA);
    w_->write("b.txt", kTextB);
  }
  void cleanup() {
    w_.reset();
    endpoint_.reset();
  }

  // -- By hand

  void stepsAreWrittenAndEditedByKeys() {
    open(false);
    QVERIFY(plan()->input()->hasFocus());
    for (const char* text : {"first", "second", "third"}) {
      WindowFixture::type(text);
      WindowFixture::key(Qt::Key_Return);
    }
    QCOMPARE(texts(), "first|second|third");
    focusStep(1);
    WindowFixture::key(Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(texts(), "second|first|third");
    QCOMPARE(plan()->list()->currentRow(), 0);
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::type("reworded");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(texts(), "reworded|first|third");
    QCOMPARE(states(), "to-do to-do to-do");
    QTRY_VERIFY(plan()->list()->hasFocus());
    WindowFixture::key(Qt::Key_Down, Qt::AltModifier);
    WindowFixture::key(Qt::Key_Delete);
    QCOMPARE(states(), "to-do struck to-do");
    WindowFixture::key(Qt::Key_Delete);
    QCOMPARE(states(), "to-do to-do to-do");
    WindowFixture::key(Qt::Key_Space);
    QCOMPARE(states(), "to-do done to-do");
    WindowFixture::key(Qt::Key_Insert);
    WindowFixture::type("inserted");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(texts(), "first|inserted|reworded|third");
    QCOMPARE(w_->find<QLabel>("planCount")->text(), "1 of 4 done");
    QCOMPARE(w_->read("a.txt"), kTextA);

    // The keys of a reworded step are not the list's.
    focusStep(0);
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::type("a b");
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(texts(), "first|inserted|reworded|third");

    // It is there again after a crash.
    pairDock()->keepEverything();
    w_->drop();
    w_->openProject();
    showPlan();
    QTRY_COMPARE(texts(), "first|inserted|reworded|third");
    QCOMPARE(states(), "to-do to-do done to-do");
  }

  void withoutAModelTheSurfaceSaysWhatItIs() {
    open(false);
    const auto* text = w_->find<QLabel>("planNoModelText");
    QVERIFY(text->isVisible());
    QVERIFY2(text->text().startsWith("No model that follows instructions is chosen."),
             qPrintable(text->text()));
    QVERIFY(w_->find<QPushButton>("planChooseModel")->isVisible());
    QCOMPARE(plan()->list()->accessibleName(), "Steps of the plan");
  }

  void whatTheUserChangesInAStepIsTakenOutAndPutBack() {
    open(false);
    w_->openFile("a.txt");
    showPlan();
    WindowFixture::type("by hand");
    WindowFixture::key(Qt::Key_Return);
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(states(), "running");
    w_->document()->setFocus();
    w_->editor()->setSelection(0, 0);
    WindowFixture::type("0 ");
    focusStep(0);
    WindowFixture::key(Qt::Key_Space);
    QCOMPARE(states(), "done");
    QVERIFY(w_->find<QPushButton>("stepRestore")->isVisible());
    QVERIFY(click("stepRestore"));
    QCOMPARE(w_->editor()->text(), kTextA);
    QCOMPARE(states(), "to-do");
    QVERIFY(click("stepUndoRestore"));
    QCOMPARE(w_->editor()->text(), QByteArray("0 ") + kTextA);
    // The restore is an undo step of the text's, too.
    w_->document()->setFocus();
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), kTextA);
  }

  void theMeterTellsWhatWouldGoToTheModel() {
    open(true);
    const auto* meter = w_->find<PlanMeter>("planMeter");
    QVERIFY(meter->isVisible());
    WindowFixture::type("Look at b.txt");
    QTRY_COMPARE(meter->use().question, pairing::estimatedTokens(u"Look at b.txt"));
    QCOMPARE(meter->use().files, pairing::estimatedTokens(kTextB));
    QCOMPARE(meter->use().plan, 0);
    QCOMPARE(meter->use().limit, 32'000);
    plan()->input()->clear();
    addStep("Change a.txt");
    focusStep(0);
    // With nothing typed, it is what the chosen step would send.
    QTRY_COMPARE(meter->use().files, pairing::estimatedTokens(kTextA));
    QCOMPARE(meter->use().question, pairing::estimatedTokens(u"Change a.txt"));
    QVERIFY(meter->use().plan > meter->use().question);
    const QString text = meter->details();
    QVERIFY2(text.contains("Plan, and what its commands printed: "), qPrintable(text));
    QVERIFY(!text.contains("Earlier messages"));
  }

  void aCommandRunsOnTheUsersWord() {
    open(false);
    WindowFixture::type("$ cat a.txt");
    WindowFixture::key(Qt::Key_Return);
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(states(), "approval");
    auto* field = w_->find<QPlainTextEdit>("commandField");
    QVERIFY(field->isVisible());
    QCOMPARE(field->toPlainText(), "cat a.txt");
    QVERIFY(w_->find<QLabel>("commandHead")->text().contains(w_->project()));
    WindowFixture::key(Qt::Key_Return);  // leads to what waits
    QVERIFY(field->hasFocus());
    QCOMPARE(states(), "approval");
    WindowFixture::key(Qt::Key_End);
    WindowFixture::type(" b.txt");
    QTRY_VERIFY(w_->find<QPushButton>("commandRun")->isEnabled());  // its end was in sight
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(states(), "done", 20'000);
    QTRY_COMPARE(w_->find<QPlainTextEdit>("commandOutput")->toPlainText(),
                 QString::fromLatin1(kTextA) + kTextB);
    QCOMPARE(w_->find<QLabel>("commandStatus")->text(), "Ended with status 0");
  }

  // A tail behind blanks or empty lines: it comes into sight, and then there is rest.
  void aCommandsTailIsBroughtIntoSight_data() {
    QTest::addColumn<QString>("command");
    const QString tail = QStringLiteral("; echo tail");
    QTest::newRow("60 line ends") << "echo a" + QString(60, u'\n') + tail.mid(2);
    QTest::newRow("3,000 blanks") << "echo a" + QString(3000, u' ') + tail;
    QTest::newRow("200 blanks") << "echo a" + QString(200, u' ') + tail;
    QTest::newRow("60,000 letters") << "echo " + QString(60'000, u'a') + tail;
    QTest::newRow("600 lines") << QStringLiteral("echo a\n").repeated(600) + tail.mid(2);
  }
  void aCommandsTailIsBroughtIntoSight() {
    QFETCH(const QString, command);
    open(true);
    addStep("Do it");
    endpoint_->script(chatReply("```sh\n" + command.toUtf8() + "\n```\n"));
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), "approval");
    auto* field = w_->find<QPlainTextEdit>("commandField");
    QTRY_VERIFY(field->isVisible());
    QCOMPARE(field->toPlainText(), command);
    test::rest();
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(field->hasFocus());
    WindowFixture::key(Qt::Key_End, Qt::ControlModifier);
    QTRY_VERIFY(w_->find<QPushButton>("commandRun")->isEnabled());
    test::rest();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(states(), "done", 20'000);
    QVERIFY(w_->find<QPlainTextEdit>("commandOutput")->toPlainText().endsWith("tail\n"));
    QVERIFY(field->isReadOnly());
    test::rest();
  }

  void escStopsACommand() {
    open(false);
    WindowFixture::type("$ echo begun; sleep 1000");
    WindowFixture::key(Qt::Key_Return);
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(click("commandRun"));
    auto* output = w_->find<QPlainTextEdit>("commandOutput");
    QTRY_COMPARE_WITH_TIMEOUT(output->toPlainText(), "begun\n", 20'000);
    plan()->list()->setFocus();
    WindowFixture::key(Qt::Key_Escape);
    QTRY_COMPARE_WITH_TIMEOUT(states(), "failed", 20'000);
    QCOMPARE(w_->find<QLabel>("commandStatus")->text(), "Stopped");
    QCOMPARE(output->toPlainText(), "begun\n");
  }

  void unsavedTextsAreNamedBeforeACommandRuns() {
    open(false);
    w_->openFile("a.txt");
    w_->editor()->setSelection(0, 0);
    WindowFixture::type("x");
    showPlan();
    WindowFixture::type("$ cat a.txt");
    WindowFixture::key(Qt::Key_Return);
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(w_->find<QLabel>("commandUnsaved")->isVisible());
    QVERIFY(click("commandSaveAll"));
    QVERIFY(!w_->find<QLabel>("commandUnsaved")->isVisible());
    QCOMPARE(w_->read("a.txt"), QByteArray("x") + kTextA);
  }

  // -- By the model

  void thePlanIsWrittenAndItsRevisionMarkedAndUndone() {
    open(true);
    endpoint_->script(chatReply("- [ ] Change a.txt\n- [ ] Change b.txt\n"));
    WindowFixture::type("make it better");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(texts(), "Change a.txt|Change b.txt");
    QVERIFY(!w_->find<QWidget>("planRevision")->isVisible());
    QVERIFY(w_->find<QWidget>("planModel")->toolTip().contains("long work"));
    endpoint_->script(chatReply("- [ ] Change b.txt\n- [ ] Change a.txt\n- [ ] Run the tests\n"));
    plan()->input()->setFocus();
    WindowFixture::type("test it, too");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(texts(), "Change b.txt|Change a.txt|Run the tests");
    QVERIFY(w_->find<QWidget>("planRevision")->isVisible());
    QVERIFY(note(2).contains("added by the model"));
    QVERIFY(note(0).contains("moved by the model") != note(1).contains("moved by the model"));
    QVERIFY(click("planUndoRevision"));
    QCOMPARE(texts(), "Change a.txt|Change b.txt");
    QVERIFY(!w_->find<QWidget>("planRevision")->isVisible());
  }

  void aStepsChangesAreReviewedInOneListByKeys() {
    open(true);
    reviewTwoFiles();
    auto* tree = plan()->detail()->review()->tree();
    QVERIFY(tree->isVisible());
    // In a small window, too, each button says what it does.
    w_->window().resize(900, 600);
    showPlan();
    for (const char* name :
         {"reviewAccept", "reviewReject", "reviewAcceptAll", "reviewRejectAll"}) {
      const auto* button = plan()->findChild<QPushButton*>(QLatin1String(name));
      QTRY_VERIFY2(button->isVisible() && button->width() >= button->sizeHint().width(), name);
    }
    QCOMPARE(plan()->findChild<QLabel*>(QStringLiteral("reviewCount"))->text(),
             "4 changes in 3 files, 4 open");
    QCOMPARE(tree->model()->rowCount(), 3);
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(tree->hasFocus());
    WindowFixture::key(Qt::Key_Return, Qt::AltModifier);  // the first of a.txt
    QCOMPARE(w_->read("a.txt"), QByteArray(kTextA).replace("two", "2"));
    WindowFixture::key(Qt::Key_Backspace, Qt::AltModifier);  // the second of a.txt
    QCOMPARE(w_->read("a.txt"), QByteArray(kTextA).replace("two", "2"));
    QCOMPARE(plan()->findChild<QLabel*>(QStringLiteral("reviewCount"))->text(),
             "4 changes in 3 files, 2 open");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w_->read("b.txt"), "B\n");
    QCOMPARE(w_->read("new/c.txt"), "c\n");
    QCOMPARE(states(), "done");

    QVERIFY(click("stepRestore"));
    QCOMPARE(w_->read("a.txt"), kTextA);
    QCOMPARE(w_->read("b.txt"), kTextB);
    QVERIFY(!QFileInfo::exists(w_->path("new/c.txt")));
    QVERIFY(click("stepUndoRestore"));
    QCOMPARE(w_->read("a.txt"), QByteArray(kTextA).replace("two", "2"));
    QCOMPARE(w_->read("new/c.txt"), "c\n");
  }

  // Later steps are told of what earlier ones have on offer; nothing is in the files before it is
  // accepted.
  void allStepsRunUpToACommandAndAreAcceptedAtOnce() {
    open(true);
    addStep("Change a.txt");
    addStep("Change a.txt and b.txt");
    addStep("$ echo ready");
    addStep("Change b.txt");
    endpoint_->script(chatReply(searchReplaceBlock("a.txt", "two\n", "2\n")));
    endpoint_->script(chatReply(searchReplaceBlock("a.txt", "five\n", "5\n") +
                                searchReplaceBlock("b.txt", "b\n", "B\n")));
    QVERIFY(click("planRunAll"));
    QTRY_COMPARE(states(), "review review approval to-do");
    QVERIFY2(lastPrompt().contains("one\n2\nthree"), qPrintable(lastPrompt()));
    QCOMPARE(w_->find<QLabel>("planAllState")->text(),
             "“$ echo ready” ends in a command, which waits for your word.");
    QCOMPARE(w_->read("a.txt"), kTextA);
    QCOMPARE(w_->read("b.txt"), kTextB);
    if (qEnvironmentVariableIsSet("SHOTS")) w_->window().grab().save("/tmp/plan_all.png");
    QVERIFY(click("planAcceptAll"));
    QCOMPARE(w_->read("a.txt"), QByteArray(kTextA).replace("two", "2").replace("five", "5"));
    QCOMPARE(w_->read("b.txt"), "B\n");
    QCOMPARE(states(), "done done approval to-do");
    QVERIFY(!w_->find<QPushButton>("planAcceptAll")->isVisible());
    // Each step is taken back by itself as ever.
    focusStep(0);
    QVERIFY(click("stepRestore"));
    QCOMPARE(w_->read("a.txt"), kTextA);
    QCOMPARE(w_->read("b.txt"), kTextB);
  }

  void allStepsEndWhereAChangeHasNoPlace() {
    open(true);
    addStep("Change a.txt");
    addStep("Change a.txt again");
    addStep("Change b.txt");
    endpoint_->script(chatReply(searchReplaceBlock("a.txt", "two\n", "2\n")));
    // What the first step has on offer is not in the file, so this cannot be put beside it.
    endpoint_->script(chatReply(searchReplaceBlock("a.txt", "2\n", "II\n")));
    WindowFixture::trigger(w_->window(), "plan.runAll");
    QTRY_COMPARE(states(), "review failed to-do");
    QVERIFY2(w_->find<QLabel>("planAllState")->text().contains("without a place"),
             qPrintable(w_->find<QLabel>("planAllState")->text()));
    QCOMPARE(endpoint_->requests().size(), 2);
    QCOMPARE(w_->read("a.txt"), kTextA);
    WindowFixture::trigger(w_->window(), "plan.acceptAll");
    QCOMPARE(w_->read("a.txt"), QByteArray(kTextA).replace("two", "2"));
  }

  void escEndsAllSteps() {
    open(true);
    addStep("Change a.txt");
    addStep("Change b.txt");
    endpoint_->script(chatBeginning("I will"));
    QVERIFY(click("planRunAll"));
    QTRY_COMPARE(states(), "running to-do");
    QTRY_VERIFY(step(0).answer && !step(0).answer->text.isEmpty());
    plan()->list()->setFocus();
    WindowFixture::key(Qt::Key_Escape);
    QTRY_COMPARE(states(), "to-do to-do");
    QCOMPARE(endpoint_->requests().size(), 1);
    QVERIFY(!plan()->isRunning());
  }

  void aChangeIsOpenedAndDecidedAboutInTheText() {
    open(true);
    reviewTwoFiles();
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::key(Qt::Key_Return);  // opens the first of a.txt
    QTRY_VERIFY(w_->document() && w_->document()->title() == "a.txt");
    QCOMPARE(w_->document()->hunks()->offeredCount(), 2);
    QVERIFY(w_->editor()->hasFocus());
    QCOMPARE(w_->editor()->caretLine(), 1);
    WindowFixture::key(Qt::Key_Return, Qt::AltModifier);
    QCOMPARE(w_->editor()->text(), QByteArray(kTextA).replace("two", "2"));
    QCOMPARE(plan()->findChild<QLabel*>(QStringLiteral("reviewCount"))->text(),
             "4 changes in 3 files, 3 open");
    QCOMPARE(w_->document()->hunks()->offeredCount(), 1);
    // A hunk that is decided in the list is drawn no more.
    plan()->detail()->review()->tree()->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w_->document()->hunks()->offeredCount(), 0);
    QCOMPARE(w_->editor()->text(), QByteArray(kTextA).replace("two", "2").replace("five", "5"));
    QVERIFY(w_->document()->isModified());  // an open text is the user's to be saved
    QCOMPARE(states(), "done");
    w_->document()->setFocus();
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), QByteArray(kTextA).replace("two", "2"));
  }

  void unsavedTextWins() {
    open(true);
    w_->openFile("a.txt");
    w_->editor()->setSelection(0, 0);
    WindowFixture::type("typed ");
    showPlan();
    reviewTwoFiles();
    QVERIFY(lastPrompt().contains("typed one\ntwo"));
    plan()->detail()->review()->tree()->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(),
             QByteArray("typed ") + QByteArray(kTextA).replace("two", "2").replace("five", "5"));
    QCOMPARE(w_->read("a.txt"), kTextA);
    QVERIFY(click("stepRestore"));
    QCOMPARE(w_->editor()->text(), QByteArray("typed ") + kTextA);
  }

  void whereTheUserChangedTheLinesItIsSaidAndNothingTouched() {
    open(true);
    reviewTwoFiles();
    w_->write("a.txt", "other\n");
    plan()->detail()->review()->tree()->setFocus();
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(w_->read("a.txt"), "other\n");
    QCOMPARE(w_->read("b.txt"), "B\n");
    QVERIFY(w_->find<QWidget>("planProblem"));
    QCOMPARE(plan()->findChild<QLabel*>(QStringLiteral("reviewCount"))->text(),
             "4 changes in 3 files, 2 open");
    QCOMPARE(states(), "review");
  }

  void howFarItIsIsTold() {
    open(true);
    const auto* talk = w_->find<QLabel>("planTalk");
    endpoint_->script({{pairing::chatReading(512, 2048)}, Then::kStall});
    WindowFixture::type("make it better");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY2(talk->text().contains("tokens (25 %), "), qPrintable(talk->text()));
    QVERIFY2(talk->text().endsWith(" s. Esc stops."), qPrintable(talk->text()));
    endpoint_->say(pairing::chatReading(1024, 2048));
    QTRY_VERIFY2(talk->text().contains("tokens (50 %), "), qPrintable(talk->text()));
    endpoint_->goOn(chatReply("- [ ] Change a.txt\n").pieces);
    QTRY_COMPARE(texts(), "Change a.txt");
    // Of a step, too.
    endpoint_->script({{pairing::chatReading(512, 2048)}, Then::kStall});
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    const auto state = [this] {
      const auto* answer = plan()->detail()->findChild<MessageView*>();
      return answer ? answer->accessibleName() : QString();
    };
    QTRY_VERIFY2(state().contains("tokens (25 %), "), qPrintable(state()));
    endpoint_->say(chatText("I will"));
    QTRY_VERIFY2(state().contains(", Writing, "), qPrintable(state()));
    WindowFixture::key(Qt::Key_Escape);
    QTRY_VERIFY2(state().contains("interrupted"), qPrintable(state()));
    QVERIFY(step(0).answer->progress.isEmpty());
  }

  void escStopsAStepAtOnceAndKeepsWhatThereIs() {
    open(true);
    addStep("Change a.txt");
    endpoint_->script(chatBeginning("The first half"));
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(step(0).answer && step(0).answer->text == "The first half");
    QVERIFY(w_->find<QToolButton>("planStop")->isVisible());
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(states(), "to-do");
    QCOMPARE(step(0).answer->state, pairing::MessageState::kInterrupted);
    QTRY_COMPARE(endpoint_->openConnections(), 0);
    QVERIFY(plan()->detail()->findChild<MessageView*>()->accessibleName().contains("interrupted"));
  }

  void whatIsBeingRewordedOutlivesARevision() {
    open(true);
    addStep("Change a.txt");
    endpoint_->script(chatReply("- [ ] Before\n- [ ] Change a.txt\n"));
    QVERIFY(plan()->input()->isVisible());
    plan()->input()->setFocus();
    WindowFixture::type("one before");
    WindowFixture::key(Qt::Key_Return);
    focusStep(0);
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::type("Change b.txt");
    QTRY_COMPARE(texts(), "Before|Change a.txt");
    WindowFixture::type(", too");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(texts(), "Before|Change b.txt, too");
  }

  void whatIsSaidMeanwhileWaitsAndCanBeSentNow() {
    open(true);
    addStep("Change a.txt");
    endpoint_->script(chatBeginning("x"));
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(step(0).answer && !step(0).answer->text.isEmpty());
    plan()->input()->setFocus();
    WindowFixture::type("no, change b.txt");
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(plan()->hasQueued());
    QVERIFY(click("messageReword"));
    QCOMPARE(plan()->input()->toPlainText(), "no, change b.txt");
    WindowFixture::type("!");
    WindowFixture::key(Qt::Key_Return);
    QCOMPARE(plan()->plan()->talk.firstQueued()->text, "no, change b.txt!");
    endpoint_->script(chatReply("- [ ] Change b.txt\n"));
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(!plan()->isRunning());
    QVERIFY(texts().contains("Change b.txt"));
    QVERIFY(lastPrompt().endsWith("no, change b.txt!"));
  }

  void misbehavingEndpointsFailTheStepAndTheProgramGoesOn_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("piece");
    QTest::addColumn<int>("then");
    QTest::newRow("cut") << 200 << chatText("a.txt\\n<<<<<<< SEARCH\\none\\n") << int(Then::kCut);
    QTest::newRow("no JSON") << 200 << QByteArray("data: {broken\n\n") << int(Then::kEnd);
    QTest::newRow("too many requests") << 429 << QByteArray("{}") << int(Then::kEnd);
    QTest::newRow("prose") << 200 << chatText("Done!") + chatFinish("stop") << int(Then::kEnd);
  }

  void misbehavingEndpointsFailTheStepAndTheProgramGoesOn() {
    QFETCH(int, status);
    QFETCH(QByteArray, piece);
    QFETCH(int, then);
    open(true);
    addStep("Change a.txt");
    endpoint_->script({.pieces = {piece}, .then = Then(then), .status = status});
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), "failed");
    QVERIFY(w_->find<QLabel>("stepProblem")->isVisible());
    QVERIFY(!w_->find<QLabel>("stepProblem")->text().isEmpty());
    QCOMPARE(w_->read("a.txt"), kTextA);
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::type("another");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(texts(), "another");
  }

  void askAndPlanShareTheDock() {
    open(true);
    QVERIFY(plan()->isVisible());
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier);
    QVERIFY(!plan()->isVisible());
    QVERIFY(pairDock()->ask()->isVisible());
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(plan()->isVisible());
    QVERIFY(plan()->input()->hasFocus());
  }

 private:
  PairDock* pairDock() { return w_->parts().pairDock; }
  PlanPanel* plan() { return pairDock()->plan(); }
  const pairing::PlanStep& step(qsizetype index) { return plan()->plan()->steps.at(index); }
  QString texts() {
    QStringList texts;
    for (const pairing::PlanStep& each : plan()->plan()->steps) texts.append(each.text);
    return texts.join('|');
  }
  QString states() {
    QStringList states;
    for (const pairing::PlanStep& each : plan()->plan()->steps)
      states.append(pairing::nameOf(each.state));
    return states.join(' ');
  }
  QString note(int row) {
    return plan()->list()->model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
  }
  // A widget that was just shown has its place once the event that showed it is over.
  static bool click(const char* name) {
    QCoreApplication::processEvents();
    return WindowFixture::click(name);
  }
  QString lastPrompt() {
    return endpoint_->requests()
        .last()
        .body["messages"]
        .toArray()
        .last()
        .toObject()["content"]
        .toString();
  }
  void showPlan() {
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(plan()->isVisible());
  }
  // The project, and a model that is chosen for plans.
  void open(bool withModel) {
    w_->openProject();
    if (withModel) {
      pairing::ModelEntry entry;
      entry.id = entry.name = "deep";
      entry.address.base = endpoint_->base();
      entry.address.model = "deep";
      entry.contextTokens = 32'000;
      w_->parts().roster->setModels({entry});
      w_->parts().roster->setRole(pairing::ModelRoster::Role::kDeep, "deep");
    }
    showPlan();
  }
  void addStep(const QString& text) {
    QVERIFY(click("planAdd"));
    WindowFixture::type(text);
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(texts().endsWith(text));
  }
  void focusStep(int row) {
    plan()->list()->setFocus();
    plan()->list()->setCurrentIndex(plan()->list()->model()->index(row, 0));
  }
  // A step that wants two changes of a.txt, one of b.txt and a new file.
  void reviewTwoFiles() {
    addStep("Change a.txt and b.txt");
    endpoint_->script(chatReply(
        searchReplaceBlock("a.txt", "two\n", "2\n") + searchReplaceBlock("a.txt", "five\n", "5\n") +
        searchReplaceBlock("b.txt", "b\n", "B\n") + searchReplaceBlock("new/c.txt", "", "c\n")));
    focusStep(0);
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), "review");
  }

  std::unique_ptr<ScriptedEndpoint> endpoint_;
  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestPlan)
#include "test_plan.moc"
