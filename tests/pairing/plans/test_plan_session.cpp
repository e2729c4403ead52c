// SPDX-License-Identifier: GPL-3.0-or-later
// Plans at work, against an endpoint on a real socket, with files and commands that are real.
#include <QDirIterator>
#include <QJsonArray>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/changes/disk_texts.h"
#include "pairing/plans/plan_json.h"
#include "pairing/plans/plan_session.h"
#include "pairing/plans/task_list.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/process_state.h"

using namespace waferpair::pairing;
using waferpair::isAlive;
using waferpair::editor::Snapshot;
using Then = ScriptedEndpoint::Then;

namespace {

QString sent(const ScriptedEndpoint::Request& request) {
  return request.body["messages"].toArray().last().toObject()["content"].toString();
}

// The files that outlive the program.
struct Disk {
  QTemporaryDir folder, kept;

  void write(const QString& file, const QByteArray& bytes) const {
    QFile out(folder.filePath(file));
    QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
  }
  QByteArray read(const QString& file) const {
    QFile in(folder.filePath(file));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray("(none)");
  }
};

struct Desk {
  explicit Desk(Disk* on) : disk(on) {}

  void choose() {
    ModelEntry entry;
    entry.id = entry.name = "deep";
    entry.address.base = endpoint.base();
    entry.address.model = "deep";
    entry.contextTokens = 32'000;
    roster.setModels({entry});
    roster.setRole(ModelRoster::Role::kDeep, "deep");
  }
  void open(const QStringList& files = {}) {
    QSignalSpy changed(&session, &PlanSession::plansChanged);
    search.setProject(disk->folder.path(), files);
    session.setProject(disk->folder.path());
    while (changed.size() < 2) QVERIFY(changed.wait());
    if (session.plans().isEmpty()) session.newPlan();
    id = session.plans().constFirst().id();
  }
  void add(const QStringList& texts) {
    for (const QString& text : texts) session.addStep(id, plan().steps.size(), text);
  }
  const Plan& plan() const { return *session.find(id); }
  const PlanStep& step(qsizetype index) const { return plan().steps.at(index); }
  QString stepId(qsizetype index) const { return step(index).id; }
  QString states() const {
    QStringList states;
    for (const PlanStep& each : plan().steps) states.append(nameOf(each.state));
    return states.join(' ');
  }
  QString texts() const {
    QStringList texts;
    for (const PlanStep& each : plan().steps) texts.append(each.text);
    return texts.join('|');
  }
  void run(qsizetype index) {
    const auto begun = session.run(id, stepId(index));
    QVERIFY2(begun.has_value(), begun ? "" : qPrintable(begun.error().message()));
  }
  // Runs the step, which the model answers so, to the end of the answer.
  void carryOut(qsizetype index, const QByteArray& answer) {
    endpoint.script(chatReply(answer));
    run(index);
    QTRY_VERIFY(!session.isRunning(id));
  }
  // Has the command of the step run, to its end.
  void approve(qsizetype index, const QString& command) {
    session.approve(id, stepId(index), command);
    QTRY_VERIFY_WITH_TIMEOUT(!session.isRunning(id), 20'000);
  }
  ChangeReview* review(qsizetype index) { return session.review(id, stepId(index)); }

  Disk* disk;
  ScriptedEndpoint endpoint;
  ModelRoster roster;
  PlanStore store{disk->kept.filePath("plans")};
  ChangeStore changes{disk->kept.filePath("changes")};
  DiskTexts texts_;
  PlanSession::Surroundings at;
  ProjectSearch search{[this] { return at.open; }};
  PlanSession session{{&store, &changes, &texts_, &search, &roster, [this] { return at; }}};
  QString id;
};

}  // namespace

class TestPlanSession : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    disk_ = std::make_unique<Disk>();
    disk_->write("a.txt", "one\ntwo\nthree\n");
    disk_->write("b.txt", "b\n");
    d_ = std::make_unique<Desk>(disk_.get());
  }
  void cleanup() {
    d_.reset();
    disk_.reset();
  }

  // -- By hand

  void stepsAreEditedAndKept() {
    d_->open();
    d_->add({"one", "two", "three"});
    d_->session.move(d_->id, d_->stepId(2), 0);
    d_->session.reword(d_->id, d_->stepId(1), " first ");
    d_->session.strike(d_->id, d_->stepId(2), true);
    d_->session.setDone(d_->id, d_->stepId(0), true);
    d_->session.addStep(d_->id, 1, "between");
    d_->session.addStep(d_->id, 1, "  ");
    QCOMPARE(d_->texts(), "three|between|first|two");
    QCOMPARE(d_->states(), "done to-do to-do struck");
    QCOMPARE(d_->plan().talk.title, "first");
    d_ = std::make_unique<Desk>(disk_.get());
    d_->open();
    QCOMPARE(d_->texts(), "three|between|first|two");
    QCOMPARE(d_->states(), "done to-do to-do struck");
    QCOMPARE(d_->plan().next()->text, "between");
  }

  void aPlanIsRemovedAndBroughtBack() {
    d_->open();
    d_->add({"one"});
    const Plan removed = d_->session.remove(d_->id);
    QVERIFY(!d_->session.find(d_->id));
    d_->session.bringBack(removed);
    d_ = std::make_unique<Desk>(disk_.get());
    d_->open();
    QCOMPARE(d_->texts(), "one");
  }

  void withoutAModelWhatTheUserChangesIsTheStepsAndCanBeTakenOut() {
    d_->open();
    d_->add({"change a.txt"});
    d_->at.open = {{disk_->folder.filePath("a.txt"), "a.txt", Snapshot("one\ntwo\nthree\n")},
                   {disk_->folder.filePath("b.txt"), "b.txt", Snapshot("b\n")}};
    d_->run(0);
    QCOMPARE(d_->states(), "running");
    QVERIFY(d_->session.isByHand(d_->id));
    disk_->write("a.txt", "one\n2\nthree\n");
    d_->session.setDone(d_->id, d_->stepId(0), true);
    QCOMPARE(d_->states(), "done");
    QCOMPARE(d_->review(0)->set().files.size(), 1);
    QCOMPARE(d_->review(0)->set().openCount(), 0);
    disk_->write("b.txt", "b, later\n");
    QVERIFY(d_->session.canRestore(d_->id, d_->stepId(0)));
    QVERIFY(d_->session.restoreBefore(d_->id, d_->stepId(0)).isEmpty());
    QCOMPARE(disk_->read("a.txt"), "one\ntwo\nthree\n");
    QCOMPARE(disk_->read("b.txt"), "b, later\n");
    QCOMPARE(d_->states(), "to-do");
    QVERIFY(d_->session.undoRestore(d_->id).isEmpty());
    QCOMPARE(disk_->read("a.txt"), "one\n2\nthree\n");
    QCOMPARE(d_->states(), "done");
    QVERIFY(!d_->session.say(d_->id, "plan this"));
  }

  // -- By the model

  void theModelWritesThePlanAndRevisesIt() {
    d_->choose();
    d_->open({"a.txt"});
    d_->endpoint.script(chatReply("- [ ] Change a.txt\n- [ ] Run the tests\n"));
    QVERIFY(d_->session.say(d_->id, "Make a.txt better"));
    QTRY_VERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->texts(), "Change a.txt|Run the tests");
    QVERIFY(!d_->plan().revision);
    QVERIFY(sent(d_->endpoint.requests()[0]).contains("one\ntwo\nthree"));
    QCOMPARE(d_->plan().talk.messages.size(), 2);

    d_->endpoint.script(chatReply("- [ ] Change a.txt\n- [ ] Change b.txt\n- [ ] Run the tests\n"));
    QVERIFY(d_->session.say(d_->id, "b.txt, too"));
    QTRY_VERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->texts(), "Change a.txt|Change b.txt|Run the tests");
    QVERIFY(d_->plan().revision.has_value());
    d_ = std::make_unique<Desk>(disk_.get());
    d_->open();
    QVERIFY(d_->plan().revision.has_value());
    d_->session.undoRevision(d_->id);
    QCOMPARE(d_->texts(), "Change a.txt|Run the tests");
    QVERIFY(!d_->plan().revision);
  }

  void anAnswerWithoutAListFailsAndChangesNothing_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("then");
    QTest::addColumn<int>("status");
    QTest::newRow("prose") << QByteArray("I would rather not.") << int(Then::kEnd) << 200;
    QTest::newRow("cut") << QByteArray("- [ ] half a li") << int(Then::kCut) << 200;
    QTest::newRow("refused") << QByteArray("- [ ] x") << int(Then::kEnd) << 500;
  }

  void anAnswerWithoutAListFailsAndChangesNothing() {
    QFETCH(QByteArray, answer);
    QFETCH(int, then);
    QFETCH(int, status);
    d_->choose();
    d_->open();
    d_->add({"mine"});
    ScriptedEndpoint::Reply reply = chatReply(answer);
    if (Then(then) == Then::kCut) reply = {.pieces = {chatText(answer)}, .then = Then::kCut};
    reply.status = status;
    d_->endpoint.script(reply);
    QVERIFY(d_->session.say(d_->id, "plan this"));
    QTRY_VERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->texts(), "mine");
    QCOMPARE(d_->plan().talk.messages.last().state, MessageState::kFailed);
    QVERIFY(!d_->plan().talk.messages.last().problem.what.isEmpty());
  }

  // A small model counts on for ever: nobody waits for that.
  void aPlanThatDoesNotEndIsCut() {
    d_->choose();
    d_->open();
    const auto most = static_cast<int>(kMostNewSteps);
    QByteArrayList lines;
    for (int i = 1; i <= most + 5; ++i)
      lines.append("- [ ] Write file " + QByteArray::number(i) + ".txt\n");
    ScriptedEndpoint::Reply endless{.pieces = {}, .then = Then::kStall};
    for (QByteArray line : lines.first(most + 1))
      endless.pieces.append(chatText(line.replace("\n", "\\n")));
    d_->endpoint.script(endless);
    QVERIFY(d_->session.say(d_->id, "plan this"));
    QTRY_VERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->plan().steps.size(), kMostNewSteps);
    QCOMPARE(d_->plan().steps.last().text, QStringLiteral("Write file %1.txt").arg(most));
    QCOMPARE(d_->plan().talk.messages.last().state, MessageState::kComplete);
    QVERIFY(d_->plan().talk.messages.last().problem.what.contains(QString::number(most)));

    // A list of what is there and some more comes whole.
    d_->endpoint.script(chatReply(lines.join()));
    QVERIFY(d_->session.say(d_->id, "five more"));
    QTRY_VERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->plan().steps.size(), kMostNewSteps + 5);
    QVERIFY(d_->plan().talk.messages.last().problem.what.isEmpty());
  }

  void aStepEndsInChangesOfSeveralFiles() {
    d_->choose();
    d_->open({"a.txt", "b.txt"});
    d_->add({"Change a.txt and b.txt"});
    d_->carryOut(0, searchReplaceBlock("a.txt", "two\n", "2\n") +
                        searchReplaceBlock("b.txt", "b\n", "B\n") +
                        searchReplaceBlock("c.txt", "", "new\n") +
                        searchReplaceBlock("a.txt", "nowhere\n", "x\n") +
                        searchReplaceBlock("../out.txt", "", "x\n"));
    QCOMPARE(d_->states(), "review");
    QCOMPARE(d_->step(0).leftOver.size(), 2);
    QVERIFY2(d_->step(0).leftOver[1].startsWith("../out.txt: "),
             qPrintable(d_->step(0).leftOver[1]));
    const QString prompt = sent(d_->endpoint.requests()[0]);
    QVERIFY(prompt.contains("one\ntwo\nthree") && prompt.endsWith("Change a.txt and b.txt"));
    QCOMPARE(disk_->read("a.txt"), "one\ntwo\nthree\n");

    // The choice outlives the program.
    QVERIFY(d_->review(0)->accept({0, 0}).isEmpty());
    d_ = std::make_unique<Desk>(disk_.get());
    d_->open();
    QCOMPARE(d_->states(), "review");
    QCOMPARE(d_->review(0)->set().openCount(), 2);
    QVERIFY(d_->review(0)->acceptAll().isEmpty());
    QCOMPARE(d_->states(), "done");
    QCOMPARE(disk_->read("a.txt") + disk_->read("b.txt") + disk_->read("c.txt"),
             "one\n2\nthree\nB\nnew\n");
    QVERIFY(d_->session.restoreBefore(d_->id, d_->stepId(0)).isEmpty());
    QCOMPARE(disk_->read("a.txt") + disk_->read("b.txt") + disk_->read("c.txt"),
             "one\ntwo\nthree\nb\n(none)");
  }

  void restoringBeforeAStepTakesOutTheLaterOnes() {
    d_->choose();
    d_->open({"a.txt"});
    d_->add({"first", "second", "third"});
    const QList<QByteArray> lines{"one\n", "two\n", "three\n"};
    for (qsizetype i = 0; i < 3; ++i) {
      d_->carryOut(i, searchReplaceBlock("a.txt", lines[i], lines[i].toUpper()));
      QVERIFY(d_->review(i)->acceptAll().isEmpty());
    }
    QCOMPARE(disk_->read("a.txt"), "ONE\nTWO\nTHREE\n");
    QCOMPARE(d_->states(), "done done done");
    QVERIFY(d_->session.restoreBefore(d_->id, d_->stepId(1)).isEmpty());
    QCOMPARE(disk_->read("a.txt"), "ONE\ntwo\nthree\n");
    QCOMPARE(d_->states(), "done to-do to-do");
    QVERIFY(d_->session.undoRestore(d_->id).isEmpty());
    QCOMPARE(disk_->read("a.txt"), "ONE\nTWO\nTHREE\n");
    QCOMPARE(d_->states(), "done done done");
  }

  void allRejectedIsToBeDoneAgain() {
    d_->choose();
    d_->open({"a.txt"});
    d_->add({"first"});
    d_->carryOut(0, searchReplaceBlock("a.txt", "two\n", "2\n"));
    QVERIFY(d_->review(0)->rejectAll().isEmpty());
    QCOMPARE(d_->states(), "to-do");
    QCOMPARE(disk_->read("a.txt"), "one\ntwo\nthree\n");
  }

  void nonsenseFailsTheStep() {
    d_->choose();
    d_->open();
    d_->add({"first"});
    d_->carryOut(0, "I did it!");
    QCOMPARE(d_->states(), "failed");
    QVERIFY(!d_->step(0).problem.isEmpty());
    QCOMPARE(d_->step(0).answer->text, "I did it!");
    d_->endpoint.script({.pieces = {"data: {broken\n\n"}});
    d_->run(0);
    QTRY_COMPARE(d_->states(), "failed");
  }

  void aStoppedStepKeepsWhatThereIs() {
    d_->choose();
    d_->open({"a.txt"});
    d_->add({"first"});
    d_->endpoint.script(chatBeginning(searchReplaceBlock("a.txt", "two\n", "2\n")));
    d_->run(0);
    QTRY_VERIFY(d_->step(0).answer && !d_->step(0).answer->text.isEmpty());
    QVERIFY(d_->session.stop(d_->id));
    QVERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->states(), "to-do");
    QCOMPARE(d_->step(0).answer->state, MessageState::kInterrupted);
    QVERIFY(d_->step(0).answer->text.contains("SEARCH"));
    QTRY_COMPARE(d_->endpoint.openConnections(), 0);
    QVERIFY(!d_->session.stop(d_->id));
  }

  void aPlanIsEditedWhileAStepRuns() {
    d_->choose();
    d_->open({"a.txt"});
    d_->add({"first", "second"});
    d_->endpoint.script(chatBeginning("x"));
    d_->run(0);
    QTRY_VERIFY(d_->step(0).answer && !d_->step(0).answer->text.isEmpty());
    d_->session.move(d_->id, d_->stepId(0), 1);
    d_->session.reword(d_->id, d_->stepId(0), "second, reworded");
    d_->add({"third"});
    QVERIFY(!d_->session.run(d_->id, d_->stepId(2)));
    QCOMPARE(d_->states(), "to-do running to-do");
    d_->session.strike(d_->id, d_->stepId(1), true);
    QVERIFY(!d_->session.isRunning(d_->id));
    QCOMPARE(d_->states(), "to-do struck to-do");
  }

  void aMessageWaitsIsRewordedAndSentNow() {
    d_->choose();
    d_->open();
    d_->add({"first"});
    d_->endpoint.script(chatBeginning("x"));
    d_->run(0);
    QTRY_VERIFY(d_->step(0).answer && !d_->step(0).answer->text.isEmpty());
    QVERIFY(d_->session.say(d_->id, "one more step"));
    QVERIFY(d_->session.say(d_->id, "never mind"));
    const QString first = d_->plan().talk.messages[0].id;
    QCOMPARE(d_->plan().talk.messages[0].state, MessageState::kQueued);
    QCOMPARE(d_->session.withdraw(d_->id, d_->plan().talk.messages[1].id), "never mind");
    QVERIFY(d_->session.rewordMessage(d_->id, first, "two more steps"));
    d_->endpoint.script(chatReply("- [ ] first\n- [ ] second\n- [ ] third\n"));
    d_->session.sendNow(d_->id, first);
    QTRY_COMPARE(d_->texts(), "first|second|third");
    QVERIFY(sent(d_->endpoint.requests().last()).endsWith("Change the plan: two more steps"));
    QCOMPARE(d_->states(), "to-do to-do to-do");
  }

  void aMessageThatWaitsGoesWhenTheStepIsOver() {
    d_->choose();
    d_->open({"a.txt"});
    d_->add({"first"});
    d_->endpoint.script(chatReply(searchReplaceBlock("a.txt", "two\n", "2\n")));
    d_->run(0);
    d_->endpoint.script(chatReply("- [ ] second\n"));
    QVERIFY(d_->session.say(d_->id, "and a second"));
    QTRY_COMPARE(d_->texts(), "first|second");
    QCOMPARE(d_->states(), "review to-do");
  }

  void secretsAreNotSent() {
    d_->choose();
    d_->open();
    d_->add(
        {"use -----BEGIN RSA PRIVATE "
         "KEY-----"});
    QVERIFY(!d_->session.run(d_->id, d_->stepId(0)));
    QVERIFY(!d_->session.say(d_->id,
                             "use -----BEGIN RSA PRIVATE "
                             "KEY-----"));
    QCOMPARE(d_->endpoint.requests().size(), 0);
    QCOMPARE(d_->states(), "to-do");
  }

  // -- Commands

  void aCommandGetsNoSecretsOfTheEnvironment() {
    qputenv("PGPASSWORD", "5");
    qputenv("WAFERPAIR_SECRET", "6");
    qputenv("PGHOST", "db");
    CommandRun run("echo \"$PGPASSWORD|$WAFERPAIR_SECRET|$PGHOST|$TERM\"", disk_->folder.path());
    QSignalSpy finished(&run, &CommandRun::finished);
    QVERIFY(finished.wait());
    QCOMPARE(run.record().output, "||db|dumb\n");
    for (const char* name : {"PGPASSWORD", "WAFERPAIR_SECRET", "PGHOST"}) qunsetenv(name);
  }

  void aCommandRunsOnlyWhenApprovedAndItsOutputGoesAlong() {
    d_->choose();
    d_->open();
    d_->add({"look", "go on"});
    d_->carryOut(0, "```sh\ntouch ran; pwd; cat; echo err >&2\n```\n");
    QCOMPARE(d_->states(), "approval to-do");
    QCOMPARE(d_->step(0).command, "touch ran; pwd; cat; echo err >&2");
    QCOMPARE(disk_->read("ran"), "(none)");
    d_->approve(0, "touch other; pwd; cat; echo \"$TERM\" 'err' >&2");
    QCOMPARE(d_->states(), "done to-do");
    QCOMPARE(disk_->read("ran"), "(none)");
    QCOMPARE(disk_->read("other"), "");
    const CommandRecord& ran = d_->step(0).runs.last();
    QCOMPARE(ran.output, QFileInfo(disk_->folder.path()).canonicalFilePath() + "\ndumb err\n");
    QCOMPARE(ran.exitCode, 0);
    d_->carryOut(1, "x");
    QVERIFY(sent(d_->endpoint.requests().last()).contains("dumb err"));
  }

  void aCommandThatFailsSaysSo() {
    d_->open();
    d_->add({"$ exit 3"});
    d_->run(0);
    QCOMPARE(d_->states(), "approval");
    d_->approve(0, d_->step(0).command);
    QCOMPARE(d_->states(), "failed");
    QCOMPARE(d_->step(0).runs.last().exitCode, 3);
    QCOMPARE(d_->step(0).problem, "The command ended with status 3.");
  }

  void aDeclinedCommandDoesNotRun() {
    d_->open();
    d_->add({"$ touch ran"});
    d_->run(0);
    d_->session.decline(d_->id, d_->stepId(0));
    QCOMPARE(d_->states(), "to-do");
    QCOMPARE(disk_->read("ran"), "(none)");
  }

  void whatACommandStartedEndsWithIt_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("isStopped");
    QTest::newRow("stopped") << "echo $$ > pid; sleep 1000 & echo $! >> pid; wait" << true;
    QTest::newRow("stopped, deaf") << "trap '' TERM; echo $$ > pid; sleep 1000 & echo $! >> pid; "
                                      "while :; do sleep 0.1; done"
                                   << true;
    QTest::newRow("ended") << "echo $$ > pid; sleep 1000 & echo $! >> pid" << false;
  }

  void whatACommandStartedEndsWithIt() {
    QFETCH(QString, command);
    QFETCH(bool, isStopped);
    d_->open();
    d_->add({"$ x"});
    d_->run(0);
    d_->session.approve(d_->id, d_->stepId(0), command);
    QTRY_COMPARE(disk_->read("pid").count('\n'), 2);
    if (isStopped) QVERIFY(d_->session.stop(d_->id));
    QTRY_VERIFY_WITH_TIMEOUT(!d_->session.isRunning(d_->id), 20'000);
    QCOMPARE(d_->states(), isStopped ? "failed" : "done");
    for (const QByteArray& pid : disk_->read("pid").trimmed().split('\n'))
      QTRY_VERIFY(!isAlive(pid.toLongLong()));
    if (isStopped) QVERIFY(!d_->step(0).runs.last().exitCode);
  }

  void theProgramsEndEndsTheCommand() {
    d_->open();
    d_->add({"$ x"});
    d_->run(0);
    d_->session.approve(d_->id, d_->stepId(0), "echo $$ > pid; sleep 1000 & echo $! >> pid; wait");
    QTRY_COMPARE(disk_->read("pid").count('\n'), 2);
    d_ = std::make_unique<Desk>(disk_.get());
    for (const QByteArray& pid : disk_->read("pid").trimmed().split('\n'))
      QTRY_VERIFY(!isAlive(pid.toLongLong()));
    d_->open();
    QCOMPARE(d_->states(), "to-do");
    QVERIFY(!d_->step(0).problem.isEmpty());
  }

  void aHugeOutputIsCappedAndTheProgramGoesOn() {
    d_->open();
    d_->add({"$ x"});
    d_->run(0);
    d_->approve(0, "head -c 30000000 /dev/zero | tr '\\0' 'x'; echo; echo end");
    const QString output = d_->step(0).runs.last().output;
    QVERIFY(output.size() < 1'000'000);
    QVERIFY(output.endsWith("\nend\n"));
  }

 private:
  std::unique_ptr<Disk> disk_;
  std::unique_ptr<Desk> d_;
};

QTEST_GUILESS_MAIN(TestPlanSession)
#include "test_plan_session.moc"
