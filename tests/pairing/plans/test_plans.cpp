// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/commands/capped_text.h"
#include "pairing/plans/agent_plan.h"
#include "pairing/plans/merge_plans.h"
#include "pairing/plans/plan_json.h"
#include "pairing/plans/plan_request.h"
#include "pairing/plans/plan_revision.h"
#include "pairing/plans/task_list.h"

using namespace waferpair::pairing;

namespace {

QVector<PlanStep> stepsOf(const QStringList& texts) {
  QVector<PlanStep> steps;
  for (const QString& text : texts) steps.append(PlanStep::make(text));
  return steps;
}

QStringList textsOf(const QVector<PlanStep>& steps) {
  QStringList texts;
  for (const PlanStep& step : steps)
    texts.append(step.text +
                 (step.state == StepState::kToDo ? "" : " (" + nameOf(step.state) + ")"));
  return texts;
}

QVector<TaskItem> itemsOf(const QStringList& texts) {
  QVector<TaskItem> items;
  for (const QString& text : texts) items.append({text, false, false});
  return items;
}

Plan wholePlan() {
  Plan plan = Plan::make();
  plan.talk.append(Message::Author::kUser, MessageState::kSent, "Do it");
  plan.steps = stepsOf({"one", "two"});
  PlanStep& step = plan.steps[0];
  step.state = StepState::kFailed;
  step.answer.emplace();
  step.answer->id = step.id;
  step.answer->author = Message::Author::kModel;
  step.answer->state = MessageState::kStreaming;
  step.answer->time = QDateTime::currentDateTimeUtc();
  step.answer->text = "half";
  step.changesId = "abc-1";
  step.leftOver = {"a: no place\nx"};
  step.command = "make -j \"2\"";
  step.runs = {{"make", "/p", "out\n", 2}, {"sleep 9", "/p", "", {}}};
  step.ranAt = QDateTime::fromMSecsSinceEpoch(1'700'000'000'123, Qt::UTC);
  step.problem = "it failed";
  plan.revision = PlanRevision{stepsOf({"before"}), plan.steps};
  plan.restored = {step.id};
  return plan;
}

}  // namespace

class TestPlans : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // -- Lists

  void listsAreReadAsModelsWriteThem_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("items");
    const QStringList two{"first", "second"};
    QTest::newRow("boxes") << "- [ ] first\n- [ ] second\n" << two;
    QTest::newRow("with prose") << "Sure!\n\n- [ ] first\n- [ ] second\n\nThat is all." << two;
    QTest::newRow("numbers") << "1. first\n2) second" << two;
    QTest::newRow("bullets") << "* first\n+ second\n" << two;
    QTest::newRow("CRLF") << "- [ ] first\r\n- [ ] second\r\n" << two;
    QTest::newRow("numbered boxes") << "1. [ ] first\n2. [] second" << two;
    QTest::newRow("fenced") << "```markdown\n- [ ] first\n- [ ] second\n```\n" << two;
    QTest::newRow("bold") << "1. **first**\n2. ** second **" << two;
    QTest::newRow("details below")
        << "1. first\n   - a detail\n   - another\n2. second\n   - more" << two;
    QTest::newRow("remarks among boxes") << "- note\n- [ ] first\n- [ ] second" << two;
    QTest::newRow("goes on") << "- [ ] first,\n  which goes on\n\n  not this\n- [ ] second"
                             << QStringList{"first, which goes on", "second"};
    QTest::newRow("code is no list") << "- [ ] first\n```\n- [ ] no step\n```\n- [ ] second" << two;
    QTest::newRow("indented boxes") << "- [ ] first\n    - [ ] second" << two;
    QTest::newRow("prose only") << "I would first look - and then leap.\n---\n" << QStringList();
    QTest::newRow("empty boxes") << "- [ ]\n- [ ] \n-\n" << QStringList();
  }

  void listsAreReadAsModelsWriteThem() {
    QFETCH(QString, text);
    QFETCH(QStringList, items);
    QStringList read;
    for (const TaskItem& item : readTaskList(text).items) read.append(item.text);
    QCOMPARE(read, items);
  }

  void statesAndTitleAreRead() {
    const TaskList list =
        readTaskList(u"# The plan #\n- [x] a\n- [X] b\n- [ ] ~~c~~\n- [ ] **~~d~~**\n- [ ] `e`");
    QCOMPARE(list.title, "The plan");
    QCOMPARE(list.items, (QVector<TaskItem>{{"a", true, false},
                                            {"b", true, false},
                                            {"c", false, true},
                                            {"d", false, true},
                                            {"`e`", false, false}}));
  }

  void whatIsWrittenIsRead() {
    QVector<PlanStep> steps = stepsOf({"a\n  b", "c", "d"});
    steps[1].state = StepState::kDone;
    steps[2].state = StepState::kStruck;
    const QString text = writeTaskList("Title", steps);
    QCOMPARE(text, "# Title\n\n- [ ] a b\n- [x] c\n- [ ] ~~d~~\n");
    QCOMPARE(readTaskList(text).items,
             (QVector<TaskItem>{{"a b", false, false}, {"c", true, false}, {"d", false, true}}));
  }

  void hugeListsAreCut() {
    const QString text = QStringLiteral("- [ ] %1\n").arg(QString(5000, 'x')).repeated(300);
    const auto items = readTaskList(text).items;
    QCOMPARE(items.size(), kMostTasks);
    QCOMPARE(items[0].text.size(), kLongestTask);
  }

  // -- Revisions

  void aRevisionIsMarkedStepByStep() {
    const auto before = stepsOf(
        {"Read the file a.cpp", "Change the parser of b.cpp", "Run the tests", "Write the page"});
    const auto after = revised(before, itemsOf({"Run the tests", "Read the file a.cpp",
                                                "Change the whole parser of b.cpp", "Say thanks"}));
    QCOMPARE(textsOf(after),
             (QStringList{"Run the tests", "Write the page (struck)", "Read the file a.cpp",
                          "Change the whole parser of b.cpp", "Say thanks"}));
    const auto marks = marksOf({before, after});
    QCOMPARE(marks.value(before[0].id), StepMarks());
    QCOMPARE(marks.value(before[1].id), StepMarks(StepMark::kReworded));
    QVERIFY(marks.value(before[2].id).testFlag(StepMark::kMoved));
    QVERIFY(marks.value(before[3].id).testFlag(StepMark::kStruck));
    QCOMPARE(marks.value(after.last().id), StepMarks(StepMark::kAdded));
    QCOMPARE(withoutRevision(after, {before, after}), before);
  }

  void whatWasBegunStaysAsItIs() {
    auto before = stepsOf({"a done one", "a running one", "an open one"});
    before[0].state = StepState::kDone;
    before[1].state = StepState::kRunning;
    const auto after =
        revised(before, itemsOf({"a running one, reworded", "something else entirely"}));
    QCOMPARE(textsOf(after), (QStringList{"a done one (done)", "a running one (running)",
                                          "an open one (struck)", "something else entirely"}));
    QCOMPARE(after[0], before[0]);
    QCOMPARE(after[1], before[1]);
  }

  void anAgentsPlanGoesOnBesideTheUser() {
    using State = AgentPlanEntry::State;
    Plan plan = Plan::make();
    AgentPlan told;
    QVERIFY(told.takeInto(&plan, {{"Read", State::kRunning}, {"Fix  it", State::kPending}}, false));
    QCOMPARE(textsOf(plan.steps), (QStringList{"Read (running)", "Fix it"}));
    QVERIFY(!told.takeInto(&plan, {{"Read", State::kRunning}, {"Fix it", State::kPending}}, false));
    const QString readId = plan.steps[0].id;
    // A step of the user's, other words and a step that is struck stay through the agent's news.
    plan.steps.insert(1, PlanStep::make("Mine"));
    plan.steps[2].text = "Mend it";
    plan.steps[2].state = StepState::kStruck;
    QVERIFY(told.takeInto(&plan,
                          {{"Read", State::kDone},
                           {"Fix it", State::kRunning},
                           {"Test it", State::kPending},
                           {"Test it", State::kPending}},
                          false));
    QCOMPARE(textsOf(plan.steps),
             (QStringList{"Read (done)", "Mine", "Mend it (struck)", "Test it", "Test it"}));
    QCOMPARE(plan.steps[0].id, readId);
    // What it drops is struck, what it says in other words is the same step, and what it had begun
    // when it ended is to do.
    QVERIFY(
        told.takeInto(&plan, {{"Read", State::kDone}, {"Test it well", State::kRunning}}, true));
    QCOMPARE(textsOf(plan.steps), (QStringList{"Read (done)", "Mine", "Mend it (struck)",
                                               "Test it well", "Test it (struck)"}));
  }

  void whatTheUserDidSinceOutlivesTheUndoing() {
    const auto before = stepsOf({"one", "two", "three"});
    auto after = revised(before, itemsOf({"one", "zwei", "four", "five"}));
    const PlanRevision revision{before, after};
    for (PlanStep& step : after) {
      if (step.text == "one") step.text = "one, by the user";
      if (step.text == "four") step.state = StepState::kDone;
    }
    after.append(PlanStep::make("the user's"));
    const QStringList texts = textsOf(withoutRevision(after, revision));
    QCOMPARE(texts.filter("three"), QStringList{"three"});
    QCOMPARE(texts.filter("two"), QStringList{"two"});
    QVERIFY(texts.contains("one, by the user"));
    QVERIFY(texts.contains("four (done)"));
    QVERIFY(texts.contains("the user's"));
    QVERIFY(!texts.contains("five") && !texts.contains("zwei"));
  }

  // -- Files

  void aPlanIsReadAsItWasWritten() {
    const Plan plan = wholePlan();
    const auto read = planFromJson(planToJson(plan));
    QVERIFY2(read.has_value(), read ? "" : qPrintable(read.error().what));
    QCOMPARE(planToJson(*read), planToJson(plan));
    QCOMPARE(read->steps, plan.steps);
    QVERIFY(*read == plan);
  }

  void aDamagedPlanIsRefusedWhereverItIsCut() {
    const QByteArray json = planToJson(wholePlan()).trimmed();
    for (qsizetype size = 0; size < json.size(); ++size) QVERIFY(!planFromJson(json.first(size)));
    QVERIFY(!planFromJson(QByteArray(json).replace("\"abc-1\"", "\"../../x\"")));
    QVERIFY(!planFromJson(QByteArray(json).replace("\"failed\",\"text\"", "\"no\",\"text\"")));
  }

  void twoWindowsLoseNothingOfEachOther() {
    Plan base = Plan::make();
    base.steps = stepsOf({"one", "two", "three"});
    Plan ours = base, theirs = base;
    ours.steps[0].text = "one, ours";
    ours.steps[2].text = "three, ours";
    ours.steps.append(PlanStep::make("our own"));
    theirs.steps[1].state = StepState::kDone;
    theirs.steps[2].text = "three, theirs";
    theirs.steps.insert(1, PlanStep::make("their own"));
    QCOMPARE(textsOf(mergedPlan(base, ours, theirs).steps),
             (QStringList{"one, ours", "their own", "two (done)", "three, ours", "our own"}));
  }

  void whatRanComesNoFurther() {
    Plan plan = wholePlan();
    plan.steps[1].state = StepState::kRunning;
    endRuns(&plan);
    QCOMPARE(plan.steps[0].answer->state, MessageState::kInterrupted);
    QCOMPARE(plan.steps[0].state, StepState::kFailed);
    QCOMPARE(plan.steps[1].state, StepState::kToDo);
    QVERIFY(!plan.steps[1].problem.isEmpty());
  }

  // -- Requests

  void commandsAreFoundInAnswers_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("command");
    QTest::newRow("one") << "Run:\n```sh\nmake test\n```\nDone."
                         << "make test";
    QTest::newRow("several lines") << "```bash\ncd a\nmake\n```"
                                   << "cd a\nmake";
    QTest::newRow("two blocks") << "```sh\na\n```\n```SHELL\nb\n```"
                                << "a\nb";
    QTest::newRow("prompts") << "```console\n$ make\n$ make test\n```"
                             << "make\nmake test";
    QTest::newRow("another language") << "```python\nimport os\n```"
                                      << "";
    QTest::newRow("no fence") << "make test"
                              << "";
    QTest::newRow("not closed") << "```sh\nrm -rf x"
                                << "";
    QTest::newRow("changes of a script")
        << "a.sh\n```sh\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```"
        << "";
  }

  void commandsAreFoundInAnswers() {
    QFETCH(QString, answer);
    QFETCH(QString, command);
    QCOMPARE(commandIn(answer), command);
  }

  void filesThatATextNamesGoAlong() {
    const QStringList files{"src/a.cpp", "src/b.cpp", "test/b.cpp", "Makefile"};
    QCOMPARE(withMentions("Change a.cpp, ./src/b.cpp and the Makefile.", files, {}),
             "Change a.cpp, ./src/b.cpp and the Makefile. @src/a.cpp @src/b.cpp @Makefile");
    QCOMPARE(withMentions("b.cpp or none.cpp", files, {"with blank.txt"}),
             "b.cpp or none.cpp @\"with blank.txt\"");
  }

  void requestsHoldPlanStepAndOutputs() {
    Plan plan = wholePlan();
    plan.talk.title = "The goal";
    const QString step = stepRequest(plan, plan.steps[1], {}).input[0].text;
    QVERIFY2(step.startsWith("The plan:\n\n# The goal\n\n- [ ] one\n- [ ] two\n\n"),
             qPrintable(step));
    QVERIFY(step.contains("exit status 2") && step.contains("it was stopped"));
    QVERIFY(step.endsWith("Carry out this step: two"));
    const QString revision = planRequest(plan, "less", {}).input[0].text;
    QVERIFY(revision.endsWith("Change the plan: less"));
    plan.steps.clear();
    QCOMPARE(planRequest(plan, "more", {}).input[0].text, "Plan this: more");
  }

  void outputsWithSecretsStayHere() {
    Plan plan = wholePlan();
    plan.steps[0].runs[0].output =
        "-----BEGIN RSA PRIVATE "
        "KEY-----\nAAAA\n";
    const QString text = stepRequest(plan, plan.steps[1], {}).input[0].text;
    QVERIFY(!text.contains("PRIVATE KEY"));
    QVERIFY(text.contains("[the output is kept from you]"));
  }

  // -- Output

  void terminalsSequencesAreDropped_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("colors") << QByteArray("\x1b[1;31mred\x1b[0m\n") << "red\n";
    QTest::newRow("title") << QByteArray("\x1b]0;title\x07text") << "text";
    QTest::newRow("link") << QByteArray("\x1b]8;;http://x\x1b\\text") << "text";
    QTest::newRow("charset") << QByteArray("\x1b(Btext") << "text";
    QTest::newRow("CRLF") << QByteArray("a\r\nb\rc") << "a\nb\nc";
    QTest::newRow("bells") << QByteArray("a\x07\bb\tc") << "ab\tc";
    QTest::newRow("no UTF-8") << QByteArray("a\xff") << QStringLiteral("a\uFFFD");
  }

  void terminalsSequencesAreDropped() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    CappedText whole, pieces;
    whole.feed(bytes);
    for (const char byte : bytes) pieces.feed(QByteArrayView(&byte, 1));
    QCOMPARE(whole.text(), text);
    QCOMPARE(pieces.text(), text);
  }

  void ofALongOutputBeginningAndEndAreKept() {
    CappedText text;
    text.feed("the beginning\n");
    for (int i = 0; i < 2'000; ++i) text.feed(QByteArray(1'000, 'x'));
    text.feed("\nthe end\n");
    const QString kept = text.text();
    QVERIFY(kept.size() < CappedText::kHead + 2 * CappedText::kTail + 100);
    QVERIFY(kept.startsWith("the beginning\n") && kept.endsWith("\nthe end\n"));
    const qsizetype all = 14 + 2'000'000 + 9;
    const QString note = kept.section('[', 1).section(']', 0, 0);
    const qsizetype dropped = QLocale().toLongLong(note.section(' ', 0, 0));
    QCOMPARE(kept.size() - note.size() - 4 + dropped, all);
  }
};

QTEST_GUILESS_MAIN(TestPlans)
#include "test_plans.moc"
