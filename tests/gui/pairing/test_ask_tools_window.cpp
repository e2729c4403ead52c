// SPDX-License-Identifier: GPL-3.0-or-later
// A model that works on the project by itself, in the real window: what it looks at is shown, what
// it wants to change or run waits for the user.
#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "gui/automation/state.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/start_gate.h"
#include "gui/kit/theme.h"
#include "gui/pairing/agent_changes.h"
#include "gui/pairing/agent_question.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/message_view.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/transcript.h"
#include "gui/project/file_index.h"
#include "gui/store/settings.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::chatCall;
using pairing::chatFinish;
using pairing::chatReply;
using pairing::chatText;
using pairing::ScriptedEndpoint;
using pairing::sse;

namespace {

const char kBefore[] = "int placeHunk() {\n  return 1;\n}\n";
const char kAfter[] = "int placeHunk() {\n  return 2;\n}\n";
const QString kEdit =
    QStringLiteral(R"({"path":"src/a.cpp","old_text":"  return 1;\n","new_text":"  return 2;\n"})");

ScriptedEndpoint::Reply calling(const QString& name, const QString& arguments) {
  return {.pieces = {chatCall(0, "c1", name, arguments), chatFinish("tool_calls"), sse("[DONE]")}};
}

}  // namespace

class TestAskToolsWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    endpoint_ = std::make_unique<ScriptedEndpoint>();
    w_ = std::make_unique<WindowFixture>();
    w_->write("src/a.cpp", kBefore);
  }
  void cleanup() {
    w_.reset();
    endpoint_.reset();
  }

  void aModelLooksAndEachLookIsShown() {
    open();
    endpoint_->script({.pieces = {chatText("Let me look."),
                                  chatCall(0, "c1", "read_file", R"({"path":"src/a.cpp"})"),
                                  chatCall(1, "c2", "read_file", R"({"path":"../x"})"),
                                  chatFinish("tool_calls"), sse("[DONE]")}});
    endpoint_->script(chatReply("It is 1."));
    askFor("what is placeHunk?");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    const auto steps = view(1)->findChildren<QToolButton*>("agentStep");
    QCOMPARE(steps.size(), 2);
    QCOMPARE(steps[0]->text(), QStringLiteral("✓ Read src/a.cpp, lines 1 to 3"));
    QCOMPARE(steps[1]->text(), QStringLiteral("✗ Read ../x"));
    // Unfolded, a line has what the model was given, and leads to the file.
    const auto* details = view(1)->findChild<QLabel*>("agentStepDetails");
    QVERIFY(!details->isVisible());
    QTest::mouseClick(steps[0], Qt::LeftButton);
    QTRY_VERIFY(details->isVisible());
    QVERIFY(details->text().contains("return 1;"));
    auto* place = view(1)->findChild<QToolButton*>("agentStepPlace");
    QVERIFY(place && place->isVisible());
    QCOMPARE(place->text(), "Open a.cpp");
    QTest::mouseClick(place, Qt::LeftButton);
    QTRY_VERIFY(w_->parts().tabs->current());
    QTRY_COMPARE(w_->parts().tabs->current()->path(), w_->path("src/a.cpp"));
  }

  void aChangeIsOnOfferUntilItIsAccepted() {
    open();
    endpoint_->script(calling("edit_file", kEdit));
    endpoint_->script(calling("read_file", R"({"path":"src/a.cpp"})"));
    endpoint_->script(chatReply("Changed."));
    askFor("make it 2");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    // The model reads it as changed, and the file is as it was.
    const QJsonArray sent = endpoint_->requests().last().body["messages"].toArray();
    QVERIFY(sent.last()["content"].toString().contains("return 2;"));
    QCOMPARE(w_->read("src/a.cpp"), kBefore);
    QVERIFY(WindowFixture::click("agentReview"));
    QTRY_VERIFY(find("agentAccept"));
    QVERIFY(WindowFixture::click("agentAccept"));
    QTRY_COMPARE(w_->read("src/a.cpp"), kAfter);
    QTRY_VERIFY(!find("agentAcceptAll"));
    // It is a checkpoint.
    QVERIFY(WindowFixture::click("agentTakeBackAll"));
    QTRY_COMPARE(w_->read("src/a.cpp"), kBefore);
  }

  void aChangeIsRejected() {
    open();
    endpoint_->script(calling("edit_file", kEdit));
    endpoint_->script(chatReply("Changed."));
    askFor("make it 2");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(WindowFixture::click("agentRejectAll"));
    QTRY_VERIFY(!find("agentRejectAll"));
    QCOMPARE(w_->read("src/a.cpp"), kBefore);
    QVERIFY(!find("agentTakeBackAll"));
  }

  // What cannot be placed the model is told, and nothing is on offer.
  void aChangeThatFitsNowhereIsTheModelsToMend() {
    open();
    endpoint_->script(calling(
        "edit_file", R"({"path":"src/a.cpp","old_text":"no such line\n","new_text":"x\n"})"));
    endpoint_->script(
        calling("edit_file", R"({"path":"../x.cpp","old_text":"","new_text":"x\n"})"));
    endpoint_->script(chatReply("Well."));
    askFor("make it 2");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(view(1)->message().touched.isEmpty());
    for (const pairing::AgentStep& step : view(1)->message().steps)
      QCOMPARE(step.state, pairing::AgentStep::State::kFailed);
  }

  void aCommandRunsAsShownOnceItIsAgreedTo() {
    open();
    endpoint_->script(calling("run_command", R"({"command":"echo made > made.txt; echo done"})"));
    endpoint_->script(chatReply("It is made."));
    askFor("make it");
    QTRY_VERIFY(card()->isVisible());
    QVERIFY2(card()->text().contains("echo made > made.txt; echo done"),
             qPrintable(card()->text()));
    QVERIFY(!QFileInfo::exists(w_->path("made.txt")));
    QTRY_VERIFY(view(1)->message().progress.startsWith("Waiting for your word"));
    // The keyboard is on what changes nothing.
    QTRY_COMPARE(QApplication::focusWidget(), card()->findChild<QPushButton*>("agentOption2"));
    QTRY_VERIFY(card()->findChild<QPushButton*>("agentOption1")->isEnabled());
    WindowFixture::key(Qt::Key_1);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QCOMPARE(w_->read("made.txt"), "made\n");
    const QJsonArray sent = endpoint_->requests().last().body["messages"].toArray();
    QCOMPARE(sent.last()["content"].toString(), "done\nIt ended with exit code 0.");
  }

  void aCommandThatIsRefusedIsNotRun() {
    open();
    endpoint_->script(calling("run_command", R"({"command":"touch made.txt"})"));
    endpoint_->script(calling("run_command", "{\"command\":\"touch \\u202emade.txt\"}"));
    endpoint_->script(chatReply("Then not."));
    askFor("make it");
    QTRY_VERIFY(card()->isVisible());
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(!QFileInfo::exists(w_->path("made.txt")));
    // One with characters that nobody sees is not even asked about.
    const QJsonArray sent = endpoint_->requests().last().body["messages"].toArray();
    QVERIFY(sent.last()["content"].toString().contains("one does not see"));
  }

  void escEndsTheCommand() {
    open();
    endpoint_->script(calling("run_command", R"({"command":"echo begun; sleep 1000"})"));
    askFor("make it");
    QTRY_VERIFY(card()->isVisible());
    QTRY_VERIFY(card()->findChild<QPushButton*>("agentOption1")->isEnabled());
    WindowFixture::key(Qt::Key_1);
    QTRY_VERIFY(view(1)->message().steps.value(0).output.contains("begun"));
    WindowFixture::key(Qt::Key_Escape);
    QCOMPARE(states(), (QStringList{"sent", "interrupted"}));
    QCOMPARE(view(1)->message().steps[0].state, pairing::AgentStep::State::kCanceled);
    QCOMPARE(endpoint_->requests().size(), 1);
  }

  void withoutTrustThereAreNoCommands() {
    w_->trustNothing();
    open();
    endpoint_->script(chatReply("Well."));
    askFor("make it");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    QVERIFY(toolNames().contains("edit_file") && !toolNames().contains("run_command"));
  }

  void theSettingsSayWhatTheModelMay() {
    open();
    const auto set = [this](AskTools tools, bool acts) {
      Preferences wanted = w_->parts().settings->get();
      wanted.askTools = tools;
      wanted.askActions = acts;
      w_->parts().settings->set(wanted);
      endpoint_->script(chatReply("Well."));
      askFor("what?");
    };
    set(AskTools::kBySize, false);
    QTRY_COMPARE(states().last(), "complete");
    QVERIFY(toolNames().contains("read_file") && !toolNames().contains("edit_file"));
    set(AskTools::kOff, true);
    QTRY_COMPARE(states(), (QStringList{"sent", "complete", "sent", "complete"}));
    QVERIFY(toolNames().isEmpty());
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
    const QString name = pictures + "/tools-" + QTest::currentDataTag();
    open();
    Theme::instance().apply(theme);
    w_->window().resize(1100, 720);
    endpoint_->script({.pieces = {chatText("I look for where hunks are placed."),
                                  chatCall(0, "c1", "search_text", R"({"query":"placeHunk"})"),
                                  chatCall(1, "c2", "read_file", R"({"path":"src/a.cpp"})"),
                                  chatCall(2, "c3", "read_file", R"({"path":".env"})"),
                                  chatFinish("tool_calls"), sse("[DONE]")}});
    endpoint_->script(calling("edit_file", kEdit));
    endpoint_->script(chatReply("`placeHunk` is in `src/a.cpp:1`. I have put a change on offer."));
    askFor("where are hunks placed? make it 2");
    QTRY_COMPARE(states(), (QStringList{"sent", "complete"}));
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-folded.png"));
    const auto steps = view(1)->findChildren<QToolButton*>("agentStep");
    QTest::mouseClick(steps[1], Qt::LeftButton);
    QVERIFY(WindowFixture::click("agentReview"));
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-open.png"));
    endpoint_->script(calling("run_command", R"({"command":"make test"})"));
    askFor("test it");
    QTRY_VERIFY(card()->isVisible());
    test::rest();
    QVERIFY(w_->window().grab().save(name + "-command.png"));
  }

 private:
  void open() {
    w_->openProject();
    pairing::ModelEntry entry;
    entry.id = entry.name = "large";
    entry.address.base = endpoint_->base();
    entry.address.model = "large";
    entry.contextTokens = 32'768;
    w_->parts().roster->setModels({entry});
    w_->parts().roster->setRole(pairing::ModelRoster::Role::kFast, "large");
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
  }
  AskPanel* ask() { return w_->parts().pairDock->ask(); }
  AgentQuestionCard* card() { return ask()->agentQuestion(); }
  MessageView* view(qsizetype index) { return ask()->transcript()->views().value(index); }
  void askFor(const QString& question) {
    WindowFixture::trigger(w_->window(), "ask.ask");
    QTRY_VERIFY(ask()->input()->hasFocus());
    ask()->input()->setText(question);
    WindowFixture::key(Qt::Key_Return);
  }
  // One that is shown.
  QWidget* find(const char* name) {
    for (auto* button : w_->window().findChildren<QAbstractButton*>(QLatin1String(name)))
      if (button->isVisible()) return button;
    return nullptr;
  }
  QStringList toolNames() {
    QStringList names;
    for (const QJsonValue tool : endpoint_->requests().last().body["tools"].toArray())
      names.append(tool["function"]["name"].toString());
    return names;
  }
  QStringList states() {
    QStringList states;
    const QJsonObject state = programState(w_->window(), nullptr, false)["ask"].toObject();
    for (const QJsonValue& message : state["messages"].toArray())
      states.append(message.toObject()["state"].toString());
    return states;
  }

  std::unique_ptr<ScriptedEndpoint> endpoint_;
  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestAskToolsWindow)
#include "test_ask_tools_window.moc"
