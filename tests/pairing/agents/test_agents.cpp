// SPDX-License-Identifier: GPL-3.0-or-later
// Agents asked through pipes: a scripted one, which does as it is told and misbehaves.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/agents/agents.h"
#include "pairing/changes/disk_texts.h"
#include "tests/support/paths.h"
#include "tests/support/process_state.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

AgentCommand scripted(const QString& start) {
  const QString agent = QString::fromStdString(test::sourceDir()) +
                        QStringLiteral("/tests/pairing/agents/scripted_agent.py");
  return {QStringLiteral("python3"), {agent, start}, {}};
}

class Project {
 public:
  Project() {
    write("a.py", "def add(a, b):\n    return a - b\n");
    agents.setProject({folder.path(), &texts, [this](const QString& root) {
                         QStringList files;
                         QDirIterator it(root, QDir::Files | QDir::Hidden,
                                         QDirIterator::Subdirectories);
                         while (it.hasNext()) files.append(it.next().mid(root.size() + 1));
                         return files;
                       }});
  }
  void write(const QString& name, const QByteArray& bytes) const {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  QByteArray read(const QString& name) const {
    QFile file(folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  // Asks, and answers each question of the agent with the option of this id.
  void ask(const QString& text, const QString& start = "well", const QString& option = "yes",
           AgentPrompt prompt = {}) {
    turn.reset();
    end.reset();
    failure.reset();
    questions.clear();
    prompt.text = text;
    turn = agents.ask(scripted(start), "Scripted", conversation, *ShownPrompt::of(prompt));
    QObject::connect(turn.get(), &ModelReply::finished, turn.get(),
                     [this](ReplyDone done) { end = done.reason; });
    QObject::connect(turn.get(), &ModelReply::failed, turn.get(),
                     [this](const ReplyFailure& told) { failure = told; });
    QObject::connect(turn.get(), &AgentTurn::progressed, turn.get(), [this, option] {
      const AgentQuestion* question = turn->question();
      if (!question || (!questions.isEmpty() && questions.last().number == question->number))
        return;
      questions.append(*question);
      if (option != "wait") turn->answer(question->number, option);
    });
  }
  bool isOver() const { return end || failure; }

  QTemporaryDir folder;
  DiskTexts texts;
  Agents agents;
  QString conversation = "one";
  std::unique_ptr<AgentTurn> turn;
  std::optional<ReplyDone::Reason> end;
  std::optional<ReplyFailure> failure;
  QVector<AgentQuestion> questions;
};

}  // namespace

class TestAgents : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { p_ = std::make_unique<Project>(); }
  void cleanup() { p_.reset(); }

  void anAnswerStreamsIn() {
    p_->ask("hello DO:say");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->end, ReplyDone::Reason::kComplete);
    QCOMPARE(p_->turn->text(), "It **works**.");
    QCOMPARE(p_->turn->session(), "session-1");
    QCOMPARE(p_->turn->activity().context(), (AgentContext{1200, 200000}));
    QCOMPARE(p_->turn->usage(), (TokenUsage{120, 20, 7, -1}));
    // The second question goes to the same process and session.
    p_->ask("DO:say");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->session(), "session-1");
    p_->conversation = "two";
    p_->ask("DO:say");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->session(), "session-2");
  }

  void whatGoesAlongIsEmbedded() {
    const QString path = p_->folder.filePath("a.py");
    p_->ask("DO:echo", "well", "yes", {{}, "before", "since", {}, {{path, "a.py", "unsaved"}}});
    QTRY_VERIFY(p_->isOver());
    const QJsonArray blocks = QJsonDocument::fromJson(p_->turn->text().toUtf8()).array();
    QCOMPARE(blocks.size(), 3);
    QVERIFY(blocks[0][u"text"].toString().contains("before"));
    QCOMPARE(blocks[1][u"text"].toString(), "DO:echo");
    QCOMPARE(blocks[2][u"resource"][u"uri"].toString(), QUrl::fromLocalFile(path).toString());
    QCOMPARE(blocks[2][u"resource"][u"text"].toString(), "unsaved");
    // Now it knows what was said before, but not what others said since.
    p_->ask("DO:echo", "well", "yes", {"session-1", "before", "since", {}, {}});
    QTRY_VERIFY(p_->isOver());
    QVERIFY(p_->turn->text().contains("since") && !p_->turn->text().contains("before"));
  }

  void anAgentWithoutEmbeddingGetsText() {
    p_->ask("DO:echo", "poor", "yes", {{}, {}, {}, {}, {{"/x/a.py", "a.py", "unsaved"}}});
    QTRY_VERIFY(p_->isOver());
    const QJsonArray blocks = QJsonDocument::fromJson(p_->turn->text().toUtf8()).array();
    QCOMPARE(blocks[1][u"text"].toString(), "a.py:\n\nunsaved");
  }

  void aSessionIsLoaded() {
    p_->ask("DO:say", "loads", "yes", {"old-session", "before", {}, {}, {}});
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->session(), "old-session");
    QCOMPARE(p_->turn->text(), "It **works**.");  // what it replays is known here
  }

  void anEditIsAskedForAndSeen() {
    QSignalSpy settled(&p_->agents, &Agents::settled);
    p_->ask("DO:edit");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->questions.size(), 1);
    const AgentQuestion& question = p_->questions[0];
    QCOMPARE(question.step.title, "Edit a.py");
    QCOMPARE(question.step.diffs.size(), 1);
    QCOMPARE(question.step.diffs[0].after, "a + b");
    QCOMPARE(question.options.size(), 3);
    QCOMPARE(question.safest(), 2);
    QCOMPARE(p_->turn->activity().steps().size(), 1);
    QCOMPARE(p_->turn->activity().steps()[0].state, AgentStep::State::kDone);
    QTRY_COMPARE(settled.size(), 1);
    QCOMPARE(settled[0][0].toInt(), p_->turn->number());
    const auto changes = settled[0][1].value<QVector<DiskChange>>();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[0].path, "a.py");
    QCOMPARE(changes[0].before.text.toByteArray(), "def add(a, b):\n    return a - b\n");
    QCOMPARE(changes[0].after.text.toByteArray(), "def add(a, b):\n    return a + b\n");
    QCOMPARE(changes[1].path, "new.py");
    QVERIFY(!changes[1].before.exists && changes[1].after.exists);
  }

  void aRefusalChangesNothing_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("told");
    QTest::newRow("no") << "no"
                        << "Then not: {\"optionId\": \"no\", \"outcome\": \"selected\"}";
    QTest::newRow("none") << ""
                          << "Then not: {\"outcome\": \"cancelled\"}";
  }
  void aRefusalChangesNothing() {
    QFETCH(QString, option);
    QFETCH(QString, told);
    QSignalSpy settled(&p_->agents, &Agents::settled);
    p_->ask("DO:edit", "well", option);
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), told);
    QTRY_COMPARE(settled.size(), 1);
    QVERIFY(settled[0][1].value<QVector<DiskChange>>().isEmpty());
    QCOMPARE(p_->turn->activity().steps()[0].state, AgentStep::State::kCanceled);
  }

  void aCommandIsShownWhole() {
    p_->ask("DO:run");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->questions[0].step.command, "make test");
    QCOMPARE(p_->questions[0].step.folder, p_->folder.path());
    QCOMPARE(p_->turn->activity().steps()[0].output, "ok 1\nok 2\n");
    p_->ask("DO:run", "well", "no");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->end, ReplyDone::Reason::kCanceled);
  }

  void aPlanIsReplacedWhole() {
    p_->ask("DO:plan");
    QTRY_VERIFY(p_->isOver());
    using State = AgentPlanEntry::State;
    QCOMPARE(p_->turn->activity().plan(),
             (QVector<AgentPlanEntry>{{"Read a.py", State::kDone}, {"Fix it", State::kRunning}}));
  }

  void whatTheUserSavesMeanwhileIsNoWorkOfTheAgents() {
    QSignalSpy settled(&p_->agents, &Agents::settled);
    p_->write("mine.py", "1\n");
    p_->ask("DO:edit", "well", "wait");
    QTRY_COMPARE(p_->questions.size(), 1);
    p_->write("mine.py", "2\n");
    p_->agents.noteSaved(p_->folder.filePath("mine.py"));
    p_->turn->answer(p_->questions[0].number, "no");
    QTRY_COMPARE(settled.size(), 1);
    QVERIFY(settled[0][1].value<QVector<DiskChange>>().isEmpty());
  }

  void filesAreReadAndWrittenThroughTheClient() {
    p_->ask("DO:client-edit");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "Written.");
    QCOMPARE(p_->read("a.py"), "def add(a, b):\n    return a + b\n");
    p_->ask("DO:lines");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "    return a + b\n");
  }

  void secretsAndWhatLiesOutsideAreRefused() {
    p_->write(".env", "KEY=1\n");
    QTemporaryDir outside;
    QVERIFY(QFile::link(outside.path(), p_->folder.filePath("link")));
    p_->ask("DO:forbidden");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "-32603 -32603 -32603 -32603 -32603 -32002 -32601 -32002");
    QVERIFY(QDir(outside.path()).isEmpty());
  }

  void stoppingIsAtOnceAndTheAgentIsToldToo() {
    p_->ask("DO:hang");
    QTRY_COMPARE(p_->turn->text(), "The first half");
    p_->turn->cancel();
    QCOMPARE(p_->end, ReplyDone::Reason::kCanceled);
    QCOMPARE(p_->turn->activity().steps()[0].state, AgentStep::State::kCanceled);
    // The next question waits until the agent has stopped, and goes to the same one.
    p_->ask("DO:say");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "It **works**.");
    QCOMPARE(p_->turn->session(), "session-1");
  }

  void anAgentThatDoesNotStopIsEnded() {
    p_->agents.setPatience({std::chrono::seconds(60), std::chrono::milliseconds(100)});
    p_->ask("DO:stubborn");
    QTRY_COMPARE(p_->turn->text(), "The first half");
    QSignalSpy settled(&p_->agents, &Agents::settled);
    p_->turn->cancel();
    QTRY_COMPARE(settled.size(), 1);
    p_->ask("DO:say");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "It **works**.");
  }

  void whatACanceledTurnHasStartedEndsWithIt() {
    p_->ask("DO:fork");
    QTRY_VERIFY(!p_->turn->text().isEmpty());
    const qint64 pid = p_->turn->text().toLongLong();
    QVERIFY(isAlive(pid));
    p_->turn->cancel();
    QTRY_VERIFY(!isAlive(pid));
    p_->ask("DO:say");  // the agent itself lives on
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->session(), "session-1");
  }

  void whatAnAgentHasStartedEndsWithTheProject() {
    p_->ask("DO:fork", "stays");
    QTRY_VERIFY(!p_->turn->text().isEmpty());
    const qint64 pid = p_->turn->text().toLongLong();
    QVERIFY(isAlive(pid));
    p_->turn.reset();
    p_->agents.setProject({});
    QTRY_VERIFY(!isAlive(pid));
  }

  void itsDeathSaysWhatItWrote() {
    p_->ask("DO:die");
    QTRY_VERIFY(p_->isOver());
    QVERIFY(p_->failure);
    QVERIFY2(p_->failure->what.contains("status 5") && p_->failure->what.contains("out of luck"),
             qPrintable(p_->failure->what));
    QCOMPARE(p_->turn->text(), "The first half");
    p_->ask("DO:say");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "It **works**.");
  }

  void whatCannotBeginSaysWhy_data() {
    QTest::addColumn<QString>("start");
    QTest::addColumn<QString>("part");
    QTest::newRow("exit") << "exit"
                          << "no such configuration";
    QTest::newRow("silent") << "silent"
                            << "not answered";
    QTest::newRow("version") << "version"
                             << "version 9";
  }
  void whatCannotBeginSaysWhy() {
    QFETCH(QString, start);
    QFETCH(QString, part);
    p_->agents.setPatience({std::chrono::milliseconds(start == "silent" ? 300 : 60'000), {}});
    p_->ask("DO:say", start);
    QTRY_VERIFY(p_->isOver());
    QVERIFY(p_->failure);
    QVERIFY2(p_->failure->what.contains(part), qPrintable(p_->failure->what));
  }

  void aProgramThatIsNotThere() {
    p_->turn = p_->agents.ask({"/no/such/program", {}, {}}, "Nobody", "one", *ShownPrompt::of({}));
    QSignalSpy failed(p_->turn.get(), &ModelReply::failed);
    QVERIFY(failed.wait());
    QVERIFY(failed[0][0].value<ReplyFailure>().what.contains("/no/such/program"));
  }

  void aLoginIsAskedFor() {
    p_->ask("DO:say", "login", "key");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->questions.size(), 1);
    QCOMPARE(p_->questions[0].options[0].name, "API key");
    QCOMPARE(p_->questions[0].safest(), -1);
    QCOMPARE(p_->turn->text(), "It **works**.");
  }
  void noLoginIsAFailure() {
    p_->ask("DO:say", "login", "");
    QTRY_VERIFY(p_->isOver());
    QVERIFY(p_->failure && p_->failure->what.contains("logged in"));
  }

  void garbageIsPassedOver() {
    p_->ask("DO:garbage");
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "Still here.");
  }

  void whatIsNoConversationEnds_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("part");
    QTest::newRow("huge") << "huge"
                          << "32 MiB";
    QTest::newRow("flood") << "flood"
                           << "not of the Agent Client Protocol";
  }
  void whatIsNoConversationEnds() {
    QFETCH(QString, word);
    QFETCH(QString, part);
    p_->ask("DO:" + word);
    QTRY_VERIFY_WITH_TIMEOUT(p_->isOver(), 20'000);
    QVERIFY(p_->failure);
    QVERIFY2(p_->failure->what.contains(part), qPrintable(p_->failure->what));
  }

  void aQuestionIsWithdrawn() {
    p_->ask("DO:withdraw", "well", "wait");
    QTRY_COMPARE(p_->questions.size(), 1);
    QTRY_VERIFY(p_->isOver());
    QVERIFY(!p_->turn->question());
    QCOMPARE(p_->turn->text(), "Never mind.");
  }

  void oneThatCanBeSteeredIs() {
    p_->ask("DO:steer", "steers");
    QTRY_COMPARE(p_->turn->text(), "One way.");
    QVERIFY(p_->turn->canSteer());
    p_->turn->steer(*ShownText::of("the other"));
    QTRY_VERIFY(p_->isOver());
    QCOMPARE(p_->turn->text(), "One way.Or rather: the other");
    p_->ask("DO:hang");
    QTRY_COMPARE(p_->turn->text(), "The first half");
    QVERIFY(!p_->turn->canSteer());
  }

  void theEnvironmentIsWithoutSecrets() {
    qputenv("WAFERPAIR_SECRET", "1");
    qputenv("SOME_TOKEN", "2");
    qputenv("PGPASSWORD", "5");
    qputenv("DATABASE_URL", "postgres://db/shop");
    // By what it holds, whatever it is called.
    qputenv("STORE", QByteArray("gh") + "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    qputenv("OPENAI_API_KEY", "3");
    AgentCommand command = scripted("well");
    command.environment = {"OPENAI_API_KEY", "MINE=4"};
    p_->turn = p_->agents.ask(command, "Scripted", "one",
                              *ShownPrompt::of({{}, {}, {}, "DO:environment", {}}));
    QSignalSpy finished(p_->turn.get(), &ModelReply::finished);
    QVERIFY(finished.wait());
    QCOMPARE(p_->turn->text(),
             "NO_BROWSER=1 WAFERPAIR_SECRET=- SOME_TOKEN=- PGPASSWORD=- DATABASE_URL=- STORE=- "
             "OPENAI_API_KEY=3 MINE=4");
    for (const char* name : {"WAFERPAIR_SECRET", "SOME_TOKEN", "PGPASSWORD", "DATABASE_URL",
                             "STORE", "OPENAI_API_KEY"})
      qunsetenv(name);
  }

  // These are the recorded messages of six agents; the fuzz target begins from the same files.
  void recordedAgentsAreUnderstood_data() {
    QTest::addColumn<int>("steps");
    QTest::addColumn<QString>("text");
    QTest::newRow("claude-0.49.0") << 4 << "Hello from";
    QTest::newRow("codex-0.16.0-permissions") << 7 << "Hello from the";
    QTest::newRow("codex-2.6.0-permissions") << 4 << "The tool answered:";
    QTest::newRow("codex-2.6.0-plan-cancel-modes-errors") << 2 << "The tool answered:";
    QTest::newRow("codex-2.6.0-steering-planmode") << 2 << "Hello from the";
    QTest::newRow("gemini-0.61.0") << 4 << "Hello from the";
    QTest::newRow("opencode-1.18.33") << 4 << "Hello from the";
    QTest::newRow("qwen-0.15.10") << 4 << "Hello from the";
  }
  void recordedAgentsAreUnderstood() {
    QFETCH(int, steps);
    QFETCH(QString, text);
    QFile file(QString::fromStdString(test::sourceDir()) +
               "/tests/fuzz/seeds/fuzz_agent_messages/" + QTest::currentDataTag());
    QVERIFY(file.open(QIODevice::ReadOnly));
    AgentActivity activity;
    QString told;
    int asked = 0;
    programs::JsonRpc rpc(programs::Framing::kLines, QStringLiteral("Agent Client Protocol"));
    connect(&rpc, &programs::JsonRpc::requested, this,
            [&](const QJsonValue& id, const QString& method, const QJsonObject& params) {
              rpc.respond(id, QJsonValue());
              if (method != u"session/request_permission") return;
              ++asked;
              const auto step = activity.takeStep(params[u"toolCall"].toObject());
              QVERIFY(step && !step->title.isEmpty());
            });
    connect(&rpc, &programs::JsonRpc::notified, this,
            [&](const QString&, const QJsonObject& params) {
              told += activity.take(params[u"update"].toObject()).text;
            });
    rpc.take(file.readAll());
    QCOMPARE(activity.steps().size(), steps);
    QCOMPARE(told.simplified(), text);
    QVERIFY(asked > 0 || !activity.plan().isEmpty() || activity.context().used > 0);
  }

  void commandsAreTyped() {
    const auto command = agentCommandFrom("MODE=1 my-agent --acp \"a b\"");
    QVERIFY(command);
    QCOMPARE(command->program, "my-agent");
    QCOMPARE(command->arguments, (QStringList{"--acp", "a b"}));
    QCOMPARE(command->environment, QStringList{"MODE=1"});
    QCOMPARE(command->text(), "my-agent --acp \"a b\"");
    QVERIFY(!agentCommandFrom(" ") && !agentCommandFrom("MODE=1"));
    QVERIFY(!agentCommandFrom("MY_KEY=1 my-agent"));
    const auto again = agentCommandFrom(command->text());
    QCOMPARE(again->arguments, command->arguments);
  }

  void knownAgentsAreFound() {
    QTemporaryDir bin;
    for (const char* name : {"opencode", "qwen", "claude-code-acp"}) {
      QFile file(bin.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    }
    QProcessEnvironment environment;
    QVERIFY(findAgents(environment).isEmpty());
    environment.insert("PATH", bin.path());
    const QVector<FoundAgent> found = findAgents(environment);
    QCOMPARE(found.size(), 3);
    QCOMPARE(found[0].name, "Claude");
    QCOMPARE(found[1].command.program, bin.filePath("qwen"));
    QCOMPARE(found[1].command.arguments, QStringList{"--acp"});
    QCOMPARE(found[2].maker, "the provider that opencode is set up for");
  }

 private:
  std::unique_ptr<Project> p_;
};

QTEST_GUILESS_MAIN(TestAgents)
#include "test_agents.moc"
