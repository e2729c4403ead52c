// SPDX-License-Identifier: GPL-3.0-or-later
// An agent asked by keys and mouse in the real window: what it asks is answered, what it changes is
// reviewed, and nothing that is not saved is lost.
#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

#include "editor/widget/code_editor.h"
#include "gui/automation/state.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/kit/picker_model.h"
#include "gui/kit/start_gate.h"
#include "gui/kit/theme.h"
#include "gui/pairing/agent_changes.h"
#include "gui/pairing/agent_question.h"
#include "gui/pairing/agent_work.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/context_meter.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/plan_list.h"
#include "gui/pairing/plan_panel.h"
#include "gui/pairing/transcript.h"
#include "gui/project/file_index.h"
#include "pairing/models/model_roster.h"
#include "pairing/plans/plan_json.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/support/paths.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::MessageState;
using pairing::ModelEntry;
using pairing::ModelRoster;

namespace {

const char kBefore[] = "def add(a, b):\n    return a - b\n";
const char kAfter[] = "def add(a, b):\n    return a + b\n";

QString scriptedAgentFile() {
  return QString::fromStdString(test::sourceDir()) +
         QStringLiteral("/tests/pairing/agents/scripted_agent.py");
}

ModelEntry scriptedAgent(const QString& start) {
  ModelEntry entry;
  entry.name = QStringLiteral("Scripted");
  entry.protocol = pairing::Protocol::kAgent;
  entry.agent = {QStringLiteral("python3"), {scriptedAgentFile(), start}, {}};
  entry.id = pairing::agentId(entry.agent);
  return entry;
}

}  // namespace

class TestAskAgent : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->write("a.py", kBefore);
  }
  void cleanup() { w_.reset(); }

  void anAgentAnswers() {
    open();
    QTRY_COMPARE(ask()->modelText(), "Scripted, an agent on this computer");
    askFor("DO:say");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QCOMPARE(text(1), "It **works**.");
    QTRY_COMPARE(ask()->meter()->use().history, 1200);
    QCOMPARE(ask()->meter()->use().limit, 200000);
    QVERIFY(notes(1).contains("120 tokens sent"));
  }

  // It takes orders from the project's files, some of which name programs.
  void anAgentWaitsForTrust() {
    w_->trustNothing();
    open();
    askFor("DO:say");
    QTRY_COMPARE(states(), (QStringList{"sent", "failed"}));
    QTRY_VERIFY(w_->parts().notices->find("trust"));
    QVERIFY(w_->parts().notices->find("trust")->text().contains("the agent Scripted"));
    QVERIFY(WindowFixture::click("trustFolder"));
    askFor("DO:say");
    QTRY_COMPARE(states(), (QStringList{"sent", "failed", "sent", "complete"}));
  }

  // It ends at once, with what it has started; its answer says why.
  // What an agent is at is said, and not that it writes.
  void anAgentThatIsStartedIsSaidToBe() {
    open("silent");
    askFor("DO:say");
    QTRY_VERIFY(view(1) && view(1)->accessibleName().contains("Starting Scripted, "));
    WindowFixture::key(Qt::Key_Escape);
    QTRY_COMPARE(states(), (QStringList{"sent", "interrupted"}));
  }

  void anAgentIsStoppedWhenTrustIsTakenBack() {
    open();
    askFor("DO:hang");
    QTRY_VERIFY(view(1) && view(1)->findChild<QToolButton*>("agentStep"));
    QTRY_VERIFY(view(1)->message().progress.startsWith("Working, "));
    w_->parts().gate->restrictFolder(w_->project());
    const Banner* asked = w_->parts().notices->find("trustStop");
    QVERIFY(asked && asked->text().contains("the agent Scripted"));
    QCOMPARE(states(), (QStringList{"sent", "streaming"}));
    QVERIFY(WindowFixture::click("trustStopAll"));
    QTRY_COMPARE(states(), (QStringList{"sent", "failed"}));
    QTRY_VERIFY(w_->parts().notices->find("trustStopped"));
    QVERIFY2(view(1)->message().problem.what.contains("Trust in this folder was taken back"),
             qPrintable(view(1)->message().problem.what));
  }

  void itsQuestionIsShownWholeAndAnsweredByKey() {
    open();
    askFor("DO:edit");
    QTRY_VERIFY(card()->isVisible());
    const QString shown = card()->text();
    QVERIFY2(shown.startsWith("Scripted asks: Edit a.py\n-a - b\n+a + b"), qPrintable(shown));
    // The narrowest of what can be granted is the first, however the agent has them.
    QVERIFY(shown.endsWith("Yes, once\nAlways\nNo"));
    // The keyboard is on what changes nothing.
    QTRY_COMPARE(QApplication::focusWidget(), card()->findChild<QPushButton*>("agentOption3"));
    QCOMPARE(w_->read("a.py"), kBefore);
    // Consent counts from when all of it was in sight.
    QTRY_VERIFY(card()->findChild<QPushButton*>("agentOption1")->isEnabled());
    WindowFixture::key(Qt::Key_1);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(!card()->isVisible());
    QVERIFY(ask()->input()->hasFocus());
    QCOMPARE(w_->read("a.py"), kAfter);
    const auto* step = view(1)->findChild<QToolButton*>("agentStep");
    QCOMPARE(step->text(), QStringLiteral("✓ Edit a.py"));
  }

  void returnRefuses() {
    open();
    askFor("DO:edit");
    QTRY_VERIFY(card()->isVisible());
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(text(1).startsWith("Then not"));
    QCOMPARE(w_->read("a.py"), kBefore);
    QVERIFY(view(1)->message().touched.isEmpty());
  }

  void aCommandRunsOnlyAsApproved() {
    open();
    askFor("DO:run");
    QTRY_VERIFY(card()->isVisible());
    QVERIFY(card()->text().contains("make test"));
    QCOMPARE(programState(w_->window(), nullptr, false)["ask"][u"agent_asks"].toString(),
             card()->text());
    QVERIFY(WindowFixture::click("agentOption1"));
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    auto* step = view(1)->findChild<QToolButton*>("agentStep");
    const auto* details = view(1)->findChild<QLabel*>("agentStepDetails");
    QVERIFY(!details->isVisible());
    QTest::mouseClick(step, Qt::LeftButton);
    QVERIFY(details->isVisible());
    QVERIFY(details->text().startsWith("$ make test\n") && details->text().endsWith("ok 1\nok 2"));
  }

  void escStopsAtOnce() {
    open();
    askFor("DO:hang");
    QTRY_COMPARE(text(1), "The first half");
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(states(), (QStringList{"sent", "interrupted"}));
    QCOMPARE(text(1), "The first half");
    QCOMPARE(view(1)->message().steps.value(0).state, pairing::AgentStep::State::kCanceled);
    askFor("DO:say");
    QTRY_COMPARE(states(), (QStringList{"sent", "interrupted", "sent", "complete"}));
  }
  void escOnAQuestionStopsTheAnswer() {
    open();
    askFor("DO:edit");
    QTRY_VERIFY(card()->isVisible());
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(states(), (QStringList{"sent", "interrupted"}));
    QVERIFY(!card()->isVisible());
    QCOMPARE(w_->read("a.py"), kBefore);
  }

  void whatItChangedIsTakenBackAndPutBack() {
    open();
    allowEdit();
    QCOMPARE(w_->read("new.py"), "made = True\n");
    QVERIFY(WindowFixture::click("agentTakeBackAll"));
    QTRY_COMPARE(w_->read("a.py"), kBefore);
    QVERIFY(!QFileInfo::exists(w_->path("new.py")));
    QTRY_VERIFY(find("agentPutBack"));
    QVERIFY(WindowFixture::click("agentPutBack"));
    QTRY_COMPARE(w_->read("a.py"), kAfter);
    QCOMPARE(w_->read("new.py"), "made = True\n");
    QTRY_VERIFY(find("agentKeepAll"));
    QVERIFY(WindowFixture::click("agentKeepAll"));
    QTRY_VERIFY(!find("agentKeepAll"));
    QCOMPARE(w_->read("a.py"), kAfter);
  }

  void oneHunkIsTakenBack() {
    open();
    allowEdit();
    QVERIFY(WindowFixture::click("agentReview"));
    QTRY_VERIFY(find("agentTakeBack"));
    QVERIFY(WindowFixture::click("agentTakeBack"));
    QTRY_COMPARE(w_->read("a.py"), kBefore);
    QCOMPARE(w_->read("new.py"), "made = True\n");
    QTRY_VERIFY(find("agentKeep"));
  }

  void anOpenTextFollowsAndIsSaved() {
    open();
    w_->openFile("a.py");
    allowEdit();
    QTRY_COMPARE(w_->editor()->text(), kAfter);
    QVERIFY(!w_->document()->isModified());
    QVERIFY(WindowFixture::click("agentTakeBackAll"));
    QTRY_COMPARE(w_->editor()->text(), kBefore);
    QVERIFY(!w_->document()->isModified());
    QCOMPARE(w_->read("a.py"), kBefore);
  }

  void whatCanBeTakenBackOutlivesTheProgram() {
    open();
    allowEdit();
    QVERIFY(w_->close());
    open();
    focusInput();
    QTRY_VERIFY(find("agentTakeBackAll"));
    QCOMPARE(view(1)->findChild<QToolButton*>("agentStep")->text(), QStringLiteral("✓ Edit a.py"));
    QVERIFY(WindowFixture::click("agentTakeBackAll"));
    QTRY_COMPARE(w_->read("a.py"), kBefore);
  }

  // -- Texts that are not saved

  void unsavedTextIsSentAlong() {
    openWithUnsaved();
    askFor("DO:echo");
    QVERIFY(states().isEmpty());
    QTRY_VERIFY(find("askSendAlong"));
    QVERIFY(find("askSendAlong")->hasFocus());
    WindowFixture::key(Qt::Key_Space);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(text(1).contains("# mine"));
    QVERIFY(w_->document()->isModified());
    QCOMPARE(w_->read("a.py"), kBefore);
  }
  void unsavedTextIsSavedAndSent() {
    openWithUnsaved();
    askFor("DO:say");
    QVERIFY(WindowFixture::click("askSaveAndSend"));
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(!w_->document()->isModified());
    QCOMPARE(w_->read("a.py"), QByteArray("# mine\n") + kBefore);
    QVERIFY(view(1)->message().touched.isEmpty());
  }
  void secretTextIsNotSentAlong() {
    w_->write(".env", "A=1\n");
    open();
    w_->openFile(".env");
    WindowFixture::type("B=2 ");
    askFor("DO:echo");
    QVERIFY(WindowFixture::click("askSendAlong"));
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(!text(1).contains("B=2"));
  }

  void unsavedTextIsMerged_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("on the disk") << "edit";
    QTest::newRow("through the client") << "client-edit";
    QTest::newRow("both") << "both-edit";
  }
  void unsavedTextIsMerged() {
    QFETCH(QString, how);
    openWithUnsaved();
    askFor("DO:" + how);
    QVERIFY(WindowFixture::click("askSendAlong"));
    if (how == "edit") {
      QTRY_VERIFY(card()->isVisible());
      QVERIFY(WindowFixture::click("agentOption1"));
    }
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QTRY_COMPARE(w_->editor()->text(), QByteArray("# mine\n") + kAfter);
    QVERIFY(w_->document()->isModified());
    // It can be saved without a word.
    QTRY_VERIFY(how == "client-edit" || !view(1)->message().touched.isEmpty());
    QVERIFY(w_->document()->save());
    QCOMPARE(w_->read("a.py"), QByteArray("# mine\n") + kAfter);
  }
  void whatContradictsItIsAskedAbout() {
    open();
    w_->openFile("a.py");
    w_->editor()->replaceRange(0, w_->editor()->length(), "def add(a, b):\n    return b - a\n");
    askFor("DO:edit");
    QVERIFY(WindowFixture::click("askSendAlong"));
    QTRY_VERIFY(card()->isVisible());
    QVERIFY(WindowFixture::click("agentOption1"));
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QTRY_VERIFY(find("keepMine"));
    QCOMPARE(w_->editor()->text(), "def add(a, b):\n    return b - a\n");
    QCOMPARE(w_->read("a.py"), kAfter);
  }

  // -- Steering

  void oneThatCanBeSteeredGoesOn() {
    open("steers");
    askFor("DO:steer");
    QTRY_COMPARE(text(1), "One way.");
    askFor("the other");
    QCOMPARE(states(), (QStringList{"sent", "streaming", "queued"}));
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete", "sent", "complete"}));
    QCOMPARE(text(3), "Or rather: the other");
  }
  void oneThatCannotIsStoppedAndAskedAnew() {
    open();
    askFor("DO:hang");
    QTRY_COMPARE(text(1), "The first half");
    askFor("DO:say");
    WindowFixture::key(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(states(), (QStringList{"sent", "interrupted", "sent", "complete"}));
  }

  void itsDeathIsTold() {
    open();
    askFor("DO:die");
    QTRY_COMPARE(states(), (QStringList{"sent", "failed"}));
    QVERIFY2(notes(1).contains("out of luck") && notes(1).contains("Ask again"),
             qPrintable(notes(1)));
    QCOMPARE(text(1), "The first half");
  }

  void itsPlanIsAList() {
    open();
    askFor("DO:plan");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QCOMPARE(view(1)->findChild<QLabel*>("agentPlan")->text(),
             QStringLiteral("☑ Read a.py\n▸ Fix it"));
    // It becomes a plan of the user's, with what is done in it done.
    QTest::mouseClick(view(1)->findChild<QPushButton*>("agentPlanAdopt"), Qt::LeftButton);
    const PairDock* dock = w_->parts().pairDock;
    QCOMPARE(dock->page(), PairDock::Page::kPlan);
    const pairing::Plan* plan = dock->plan()->plan();
    QCOMPARE(plan->talk.title, "DO:plan");
    QCOMPARE(plan->steps.size(), 2);
    QCOMPARE(plan->steps[0].text, "Read a.py");
    QCOMPARE(plan->steps[0].state, pairing::StepState::kDone);
    QCOMPARE(plan->steps[1].text, "Fix it");
    QCOMPARE(plan->steps[1].state, pairing::StepState::kToDo);
    QVERIFY(dock->plan()->list()->hasFocus());
  }

  void anAdoptedPlanFollowsItsWork() {
    using pairing::StepState;
    open();
    askFor("DO:replan");
    QTRY_VERIFY(view(1) && view(1)->findChild<QPushButton*>("agentPlanAdopt"));
    QTRY_VERIFY(view(1)->findChild<QPushButton*>("agentPlanAdopt")->isVisible());
    QTest::mouseClick(view(1)->findChild<QPushButton*>("agentPlanAdopt"), Qt::LeftButton);
    PairDock* dock = w_->parts().pairDock;
    const PlanPanel* panel = dock->plan();
    const auto steps = [&] {
      QStringList lines;
      for (const pairing::PlanStep& step : panel->plan()->steps)
        lines.append(step.text + ' ' + pairing::nameOf(step.state));
      return lines;
    };
    QCOMPARE(steps(), (QStringList{"Read a.py running", "Fix it to-do"}));
    QVERIFY(panel->findChild<QLabel*>("planTalk")->text().contains("An agent works on this plan"));
    QVERIFY(!panel->findChild<QPushButton*>("stepRun")->isEnabled());
    // The user's word for a step stays, and the agent's news come to it.
    panel->list()->setCurrentIndex(panel->list()->model()->index(1, 0));
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::type("Mend it");
    WindowFixture::key(Qt::Key_Return);
    QFile go(w_->path("go"));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_COMPARE(steps(), (QStringList{"Read a.py done", "Mend it running", "Test it to-do"}));
    // It runs nothing beside the agent.
    panel->list()->setCurrentIndex(panel->list()->model()->index(2, 0));
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(panel->findChild<QLabel*>("bannerText"));
    QVERIFY(panel->findChild<QLabel*>("bannerText")->text().contains("stop it in Ask"));
    // What the agent had begun when it ended is to be done.
    dock->showPage(PairDock::Page::kAsk);
    dock->ask()->enter({});
    WindowFixture::key(Qt::Key_Escape);
    QTRY_COMPARE(steps(), (QStringList{"Read a.py done", "Mend it to-do", "Test it to-do"}));
    QVERIFY(panel->findChild<QPushButton*>("stepRun")->isEnabled());
    // The button leads to the same plan again.
    QTest::mouseClick(view(1)->findChild<QPushButton*>("agentPlanAdopt"), Qt::LeftButton);
    QCOMPARE(steps(), (QStringList{"Read a.py done", "Mend it to-do", "Test it to-do"}));
  }

  // -- Choosing one

  void oneOnThePathIsOfferedAndStartedOnlyWhenAgreed() {
    QTemporaryDir bin;
    const QString program = bin.filePath("qwen");
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\ntouch " + w_->path("started").toUtf8() + "\nexec python3 " +
                 scriptedAgentFile().toUtf8() + " well\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", bin.path().toUtf8() + ':' + path);
    w_->openProject();
    WindowFixture::trigger(w_->window(), "model.choose-pair");
    choose("Qwen");
    choose("Deep");
    auto* box = waitForBox();
    QVERIFY(box);
    QVERIFY2(box->informativeText().contains(program + " --acp") &&
                 box->informativeText().contains("Alibaba"),
             qPrintable(box->informativeText()));
    QTest::keyClick(box, Qt::Key_Return);  // the default changes nothing
    QTRY_VERIFY(!roster()->inRole(ModelRoster::Role::kDeep));
    WindowFixture::trigger(w_->window(), "model.choose-pair");
    choose("Qwen");
    choose("Deep, Asked First");
    box = waitForBox();
    QVERIFY(box);
    QTest::mouseClick(box->findChild<QPushButton*>("agree"), Qt::LeftButton);
    QTRY_VERIFY(roster()->inRole(ModelRoster::Role::kDeep));
    QVERIFY(!QFileInfo::exists(w_->path("started")));
    focusInput();
    QTRY_COMPARE(ask()->modelText(), "Qwen, an agent on this computer");
    askFor("DO:say");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(QFileInfo::exists(w_->path("started")));
    // It stays chosen, and agreed to.
    QVERIFY(w_->close());
    w_->openProject();
    QTRY_VERIFY(roster()->inRole(ModelRoster::Role::kDeep));
    QVERIFY(roster()->choose(pairing::Work::kQuestion).isAgent);
    QVERIFY(!roster()->choose(pairing::Work::kLargeEdit).model);
    qputenv("PATH", path);
  }

  // Pictures for whoever wants to look: WAFERPAIR_PICTURES names a folder.
  void itLooksAsItShould_data() {
    QTest::addColumn<ThemeKind>("theme");
    QTest::newRow("dark") << ThemeKind::kDark;
    QTest::newRow("light") << ThemeKind::kLight;
  }
  void itLooksAsItShould() {
    const QString pictures = qEnvironmentVariable("WAFERPAIR_PICTURES");
    if (pictures.isEmpty()) QSKIP("WAFERPAIR_PICTURES names no folder");
    QFETCH(ThemeKind, theme);
    const QString name = pictures + "/agent-" + QTest::currentDataTag();
    openWithUnsaved();
    Theme::instance().apply(theme);
    w_->window().resize(900, 600);
    askFor("DO:edit and say what you did");
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-unsaved.png"));
    QVERIFY(WindowFixture::click("askSaveAndSend"));
    QTRY_VERIFY(card()->isVisible());
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-question.png"));
    QVERIFY(WindowFixture::click("agentOption1"));
    QTRY_VERIFY(find("agentTakeBackAll"));
    QVERIFY(WindowFixture::click("agentReview"));
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-changes.png"));
    askFor("DO:run the tests, DO:run");
    QTRY_VERIFY(card()->isVisible());
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-command.png"));
  }

  void whatLiesElsewhereIsSaid_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("isElsewhere");
    QTest::newRow("in the project") << "src/main.cpp" << false;
    QTest::newRow("above it") << "../../home/keys" << true;
    QTest::newRow("around it") << "src/../../other/main.cpp" << true;
    QTest::newRow("absolute") << "/etc/passwd" << true;
    QTest::newRow("by a link") << "link/passwd" << true;
  }
  void whatLiesElsewhereIsSaid() {
    QFETCH(QString, path);
    QFETCH(bool, isElsewhere);
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("src"));
    QVERIFY(QFile::link("/etc", folder.filePath("link")));
    AgentQuestionCard card(nullptr);
    const auto* warning = card.findChild<QLabel*>("agentQuestionWarning");
    const QString text = "Outside of the project: " + path;
    for (const char* what : {"diff", "read", "folder"}) {
      pairing::AgentQuestion question;
      question.number = what[0];
      if (what == QByteArray("diff")) question.step.diffs = {{path, {}, "a"}};
      if (what == QByteArray("read")) question.step.paths = {path, path};
      if (what == QByteArray("folder")) question.step.command = "ls", question.step.folder = path;
      card.show("Agent", question, folder.path());
      QCOMPARE(!warning->isHidden(), isElsewhere);
      if (isElsewhere) QCOMPARE(warning->text(), text);
    }
  }

 private:
  AskPanel* ask() { return w_->parts().pairDock->ask(); }
  AgentQuestionCard* card() { return ask()->agentQuestion(); }
  ModelRoster* roster() { return w_->parts().roster; }
  MessageView* view(qsizetype index) { return ask()->transcript()->views().value(index); }
  QString notes(qsizetype index) { return view(index)->findChild<QLabel*>("messageNotes")->text(); }
  QString text(qsizetype index) { return ask()->thread()->messages.value(index).text; }
  // One that is shown.
  QWidget* find(const char* name) {
    for (auto* button : w_->window().findChildren<QAbstractButton*>(QLatin1String(name)))
      if (button->isVisible()) return button;
    return nullptr;
  }
  QStringList states() {
    static const char* const names[] = {"queued",   "sent",        "streaming",
                                        "complete", "interrupted", "failed"};
    QStringList all;
    for (const pairing::Message& message : ask()->thread()->messages)
      all.append(names[static_cast<int>(message.state)]);
    return all;
  }
  void open(const QString& start = "well") {
    w_->openProject();
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
    const ModelEntry agent = scriptedAgent(start);
    roster()->setAgreedAgents({agent.id});
    roster()->setModels({agent});
    roster()->setRole(ModelRoster::Role::kDeep, agent.id);
  }
  void openWithUnsaved() {
    open();
    w_->openFile("a.py");
    WindowFixture::type("# mine");
    WindowFixture::key(Qt::Key_Return);
    QVERIFY(w_->document()->isModified());
  }
  void focusInput() {
    WindowFixture::key(Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(ask()->input()->hasFocus());
  }
  void askFor(const QString& question) {
    focusInput();
    WindowFixture::type(question);
    WindowFixture::key(Qt::Key_Return);
  }
  void allowEdit() {
    askFor("DO:edit");
    QTRY_VERIFY(card()->isVisible());
    QVERIFY(WindowFixture::click("agentOption1"));
    QTRY_VERIFY(find("agentTakeBackAll"));
  }
  // Goes down to the row with this title and takes it.
  void choose(const QString& title) {
    auto* input = w_->find<QLineEdit>("pickerInput");
    const auto* list = w_->find<QListView>("pickerList");
    QTRY_VERIFY(input->isVisible());
    const auto isThere = [&] {
      for (int i = 0; i < list->model()->rowCount(); ++i)
        if (list->model()->index(i, 0).data().toString().endsWith(title)) return true;
      return false;
    };
    QTRY_VERIFY(isThere());
    for (int i = 0; i < list->model()->rowCount(); ++i) {
      const QModelIndex at = list->currentIndex();
      if (at.data().toString().mid(at.data(PickerModel::kTitleStartRole).toInt()) == title) break;
      QTest::keyClick(input, Qt::Key_Down);
    }
    QTest::keyClick(input, Qt::Key_Return);
  }
  static QMessageBox* waitForBox() {
    QMessageBox* box = nullptr;
    std::ignore = QTest::qWaitFor([&box] {
      for (QWidget* each : QApplication::topLevelWidgets())
        if (each->objectName() == "agreeToAgent" && each->isVisible())
          box = qobject_cast<QMessageBox*>(each);
      return box != nullptr;
    });
    return box;
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestAskAgent)
#include "test_ask_agent.moc"
