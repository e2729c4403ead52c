// SPDX-License-Identifier: GPL-3.0-or-later
// Real agents, as scripts/install_agents.sh fetches them, whose model is a script on this computer.
// Without them there is nothing to test, which is said.
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/agents/agents.h"
#include "pairing/changes/disk_texts.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

constexpr int kAgentTime = 60'000;  // ms; they are programs of 50 to 180 MB

QString inCheckout(const char* path) {
  return QString::fromStdString(test::sourceDir()) + QLatin1String(path);
}

}  // namespace

class TestAgentsLive : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    endpoint_.start("python3", {inCheckout("/tests/pairing/agents/model_endpoint.py")});
    QVERIFY(endpoint_.waitForReadyRead());
    port_ = endpoint_.readLine().trimmed();
    QVERIFY(port_.toInt() > 0);
  }
  void cleanupTestCase() {
    endpoint_.kill();
    endpoint_.waitForFinished();
  }

  void itWorksOnAProject_data() {
    QTest::addColumn<QString>("program");
    QTest::newRow("qwen") << "qwen";
    QTest::newRow("opencode") << "opencode";
  }
  void itWorksOnAProject() {
    QFETCH(QString, program);
    const QString file = inCheckout("/build/agents/node_modules/.bin/") + program;
    if (!QFileInfo::exists(file))
      QSKIP("scripts/install_agents.sh has not installed it: npm is missing, or cannot be reached");
    QTemporaryDir home;
    QTemporaryDir folder;
    const QString source = folder.filePath("a.py");
    write(source, "def add(a, b):\n    return a - b\n");
    DiskTexts texts;
    Agents agents;
    agents.setProject({folder.path(), &texts,
                       [](const QString& root) { return QDir(root).entryList(QDir::Files); }});
    const AgentCommand command = commandOf(program, file, home.path());
    QSignalSpy settled(&agents, &Agents::settled);

    // A message is answered.
    auto turn = agents.ask(command, program, "one", *ShownPrompt::of({{}, {}, {}, "Hello", {}}));
    finish(turn.get(), "");
    QCOMPARE(turn->text().trimmed(), "It works.");
    QTRY_COMPARE(settled.size(), 1);
    QVERIFY(changed(settled).isEmpty());

    // A refused edit changes nothing.
    turn = agents.ask(command, program, "one",
                      *ShownPrompt::of({{}, {}, {}, "DO:edit IN:" + source, {}}));
    QCOMPARE(finish(turn.get(), "reject_once"), 1);
    QTRY_COMPARE(settled.size(), 2);
    QVERIFY(changed(settled).isEmpty());

    // One that is allowed is found on the disk.
    turn = agents.ask(command, program, "two",
                      *ShownPrompt::of({{}, {}, {}, "DO:edit IN:" + source, {}}));
    QCOMPARE(finish(turn.get(), "allow_once"), 1);
    QTRY_COMPARE(settled.size(), 3);
    QCOMPARE(changed(settled), QStringList{"a.py"});
    const auto changes = settled.last()[1].value<QVector<DiskChange>>();
    QCOMPARE(changes[0].after.text.toByteArray(), "def add(a, b):\n    return a + b\n");

    // A command runs as it was shown.
    const QString made = folder.filePath("made.txt");
    turn = agents.ask(command, program, "two",
                      *ShownPrompt::of({{}, {}, {}, "DO:run IN:" + made, {}}));
    QCOMPARE(finish(turn.get(), "allow_once"), 1);
    QVERIFY2(command_.contains("echo made > " + made), qPrintable(command_));
    QTRY_COMPARE(settled.size(), 4);
    QCOMPARE(changed(settled), QStringList{"made.txt"});
  }

 private:
  static void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  static QStringList changed(const QSignalSpy& settled) {
    QStringList paths;
    for (const DiskChange& change : settled.last()[1].value<QVector<DiskChange>>())
      paths.append(change.path);
    return paths;
  }

  // As it is found and started, but for the model and a home of its own.
  AgentCommand commandOf(const QString& program, const QString& file, const QString& home) const {
    QProcessEnvironment path;
    path.insert("PATH", QFileInfo(file).path());
    AgentCommand command;
    for (const FoundAgent& agent : findAgents(path))
      if (QFileInfo(agent.command.program).fileName() == program) command = agent.command;
    const QString base = "http://127.0.0.1:" + QString::fromLatin1(port_) + "/v1";
    for (const char* folder :
         {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
      command.environment.append(QLatin1String(folder) + '=' + home);
    if (program == u"qwen") {
      command.environment +=
          {"OPENAI_BASE_URL=" + base, "OPENAI_API_KEY=x", "OPENAI_MODEL=scripted"};
      return command;
    }
    const QString config = home + "/opencode.json";
    const QJsonObject options{{"baseURL", base}, {"apiKey", "x"}};
    const QJsonObject models{{"scripted", QJsonObject{{"name", "scripted"}}}};
    const QJsonObject provider{{"npm", "@ai-sdk/openai-compatible"},
                               {"name", "local"},
                               {"options", options},
                               {"models", models}};
    const QJsonObject settings{{"model", "local/scripted"},
                               {"small_model", "local/scripted"},
                               {"autoupdate", false},
                               {"share", "disabled"},
                               {"provider", QJsonObject{{"local", provider}}}};
    write(config, QJsonDocument(settings).toJson());
    command.environment += {"OPENCODE_CONFIG=" + config, "OPENCODE_DISABLE_MODELS_FETCH=1"};
    return command;
  }

  // Waits for the answer, and answers the agent's questions by this kind; returns how many it
  // asked.
  int finish(AgentTurn* turn, const QString& kind) {
    int asked = 0;
    const auto answer = [&] {
      const AgentQuestion* question = turn->question();
      if (!question) return;
      ++asked;
      command_ = question->step.command;
      const auto wanted =
          kind == u"allow_once" ? AgentOption::Kind::kAllowOnce : AgentOption::Kind::kRejectOnce;
      QString id;
      for (const AgentOption& option : question->options)
        if (option.kind == wanted && id.isEmpty()) id = option.id;
      turn->answer(question->number, id);
    };
    connect(turn, &AgentTurn::progressed, this, answer);
    QString failure;
    connect(turn, &ModelReply::failed, this,
            [&failure](const ReplyFailure& told) { failure = told.message(); });
    const bool isOver = QTest::qWaitFor([turn] { return turn->isOver(); }, kAgentTime);
    turn->disconnect(this);
    if (!isOver || !failure.isEmpty()) {
      qWarning("%s", qPrintable(failure.isEmpty() ? QString("no answer") : failure));
      return -1;
    }
    return asked;
  }

  QProcess endpoint_;
  QByteArray port_;
  QString command_;  // of the last question
};

QTEST_GUILESS_MAIN(TestAgentsLive)
#include "test_agents_live.moc"
