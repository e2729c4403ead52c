// SPDX-License-Identifier: GPL-3.0-or-later
// Models that look into the project for an answer, against an endpoint on a real socket that calls
// what it is told to, well and badly.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/ask/ask_session.h"
#include "pairing/tools/tool_turn.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/rest.h"

using namespace waferpair::pairing;
using Then = ScriptedEndpoint::Then;
using State = AgentStep::State;

namespace {

const QString kReadA = QStringLiteral(R"({"path":"src/a.cpp"})");
const QByteArray kToken = QByteArray("ghp_") + "0123456789abcdefghijABCDEFGHIJ012345";

ScriptedEndpoint::Reply calls(const QByteArrayList& pieces) {
  return {.pieces = pieces + QByteArrayList{chatFinish("tool_calls"), sse("[DONE]")}};
}

ScriptedEndpoint::Reply calling(const QString& name, const QString& arguments) {
  return calls({chatCall(0, "c1", name, arguments)});
}

class Window {
 public:
  Window() {
    write("src/a.cpp", "int placeHunk() {\n  return 1;\n}\n");
    write("README.md", "# Hunks\n");
    write(".env", "KEY=hidden\n");
    choose("large");
  }
  ~Window() { store.flush(); }

  void choose(const QString& id, qint64 parameters = -1, qint64 contextTokens = 32'768,
              Protocol protocol = Protocol::kChat) {
    ModelEntry entry;
    entry.protocol = protocol;
    entry.id = entry.name = entry.address.model = id;
    entry.address.base = endpoint.base();
    entry.parameters = parameters;
    entry.contextTokens = contextTokens;
    roster.setModels({entry});
    roster.setRole(ModelRoster::Role::kFast, id);
  }
  void write(const QString& file, const QByteArray& bytes) const {
    const QString path = folder.filePath(file);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes);
  }
  void open() {
    QSignalSpy changed(&session, &AskSession::threadsChanged);
    search.setProject(folder.path(), {".env", "README.md", "src/a.cpp"});
    session.setProject(folder.path());
    while (changed.size() < 2) QVERIFY(changed.wait());
    if (session.threads().isEmpty()) session.newThread();
    id = session.threads().constFirst().id;
  }
  const Thread& thread() const { return *session.find(id); }
  const Message& last() const { return thread().messages.last(); }
  void ask(const QString& question) {
    QVERIFY(session.ask(id, question));
    QTRY_VERIFY(!session.isRunning(id));
  }
  // The messages of a request, as "role: content".
  QStringList sent(qsizetype request) const {
    QStringList all;
    for (const QJsonValue each : endpoint.requests()[request].body["messages"].toArray()) {
      QString line = each["role"].toString() + QStringLiteral(": ") + each["content"].toString();
      for (const QJsonValue call : each["tool_calls"].toArray())
        line +=
            QStringLiteral(" [%1 %2]")
                .arg(call["function"]["name"].toString(), call["function"]["arguments"].toString());
      all.append(line);
    }
    all.removeFirst();  // the instructions
    return all;
  }
  bool hasTools(qsizetype request) const {
    return !endpoint.requests()[request].body["tools"].toArray().isEmpty();
  }

  QTemporaryDir folder;
  QTemporaryDir kept;
  ScriptedEndpoint endpoint;
  ModelRoster roster;
  ThreadStore store{kept.path()};
  AskSession::Surroundings at;
  ProjectSearch search{[this] { return at.open; }};
  ToolUse use = ToolUse::kBySize;
  AskSession session{{&store, &search, &roster, [this] { return at; }, nullptr,
                      [] { return false; }, nullptr, nullptr, [this] { return use; }}};
  QString id;
};

const QString kFileA =
    QStringLiteral("src/a.cpp, lines 1 to 3 of 3:\nint placeHunk() {\n  return 1;\n}");

}  // namespace

class TestAskTools : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<Window>();
    w_->open();
  }
  void cleanup() { w_.reset(); }

  void aModelLooksAndAnswers() {
    w_->endpoint.script(calls({chatText("Let me look."), chatCall(0, "c1", "read_file", kReadA)}));
    w_->endpoint.script(chatReply("It is 1."));
    w_->ask("what is it?");
    QCOMPARE(w_->last().state, MessageState::kComplete);
    QCOMPARE(w_->last().text, "Let me look.\n\nIt is 1.");
    QVERIFY(w_->hasTools(0));
    QCOMPARE(w_->sent(1),
             (QStringList{"user: what is it?", "assistant: Let me look. [read_file " + kReadA + "]",
                          "tool: " + kFileA}));
    QCOMPARE(w_->last().steps.size(), 1);
    const AgentStep& step = w_->last().steps[0];
    QCOMPARE(step.state, State::kDone);
    QCOMPARE(step.title, "Read src/a.cpp, lines 1 to 3");
    QCOMPARE(step.paths, QStringList{w_->folder.filePath("src/a.cpp")});
    QCOMPARE(step.output, kFileA);
    // The id under which the result came back is the call's.
    const QJsonArray messages = w_->endpoint.requests()[1].body["messages"].toArray();
    QCOMPARE(messages[2]["tool_calls"][0]["id"].toString(), "c1");
    QCOMPARE(messages[3]["tool_call_id"].toString(), "c1");
  }

  void callsThatComeTogetherInPiecesAreAnsweredInOrder() {
    w_->endpoint.script(
        calls({chatCall(0, "c1", "read_file", "{\"path\":"), chatCall(0, {}, {}, "\"src/a.cpp\"}"),
               chatCall(1, "c2", "search_text", R"({"query":"Hunks"})")}));
    w_->endpoint.script(chatReply("Both."));
    w_->ask("what?");
    QCOMPARE(w_->sent(1), (QStringList{"user: what?",
                                       "assistant:  [read_file " + kReadA +
                                           "] [search_text {\"query\":\"Hunks\"}]",
                                       "tool: " + kFileA, "tool: README.md:1: # Hunks\n"}));
  }

  // Whatever is wrong with a call the model is told, and goes on.
  void badCallsAreAnswered() {
    w_->endpoint.script(
        calls({chatCall(0, "", "read_file", "{\"path\": \"src/"),
               chatCall(1, "", "delete_everything", "{}"),
               chatCall(2, "same", "read_file", R"({"path":".env"})"),
               chatCall(3, "same", "read_file", R"({"path":"../x"})"), chatCall(4, "", "", "")}));
    w_->endpoint.script(chatReply("Well."));
    w_->ask("what?");
    QCOMPARE(w_->last().state, MessageState::kComplete);
    const QStringList sent = w_->sent(1);
    QCOMPARE(sent.size(), 7);
    // Servers refuse arguments that are no JSON; the model reads what it wrote in the result.
    QVERIFY2(sent[1].startsWith("assistant:  [read_file {}] [delete_everything {}]"),
             qPrintable(sent[1]));
    QVERIFY(sent[2].contains("no JSON object") && sent[2].contains("{\"path\": \"src/"));
    QVERIFY(sent[3].contains("There is no tool delete_everything. There are: read_file"));
    QVERIFY(sent[4].contains("kept from models") && !sent[4].contains("hidden"));
    QVERIFY(sent[5].contains("not in the project"));
    QVERIFY(sent[6].contains("There is no tool"));
    // Each result has an id of its own.
    QSet<QString> ids;
    for (const QJsonValue each : w_->endpoint.requests()[1].body["messages"].toArray())
      if (each["role"].toString() == u"tool") ids.insert(each["tool_call_id"].toString());
    QCOMPARE(ids.size(), 5);
    for (const AgentStep& step : w_->last().steps) QCOMPARE(step.state, State::kFailed);
  }

  void aModelThatOnlyLooksIsAskedToAnswer() {
    for (int i = 0; i <= ToolTurn::kMostRounds; ++i)
      w_->endpoint.script(
          calling("read_file", QString(R"({"path":"src/a.cpp","first_line":%1})").arg(i)));
    w_->ask("what?");
    QCOMPARE(w_->endpoint.requests().size(), ToolTurn::kMostRounds + 1);
    const QJsonObject last = w_->endpoint.requests().last().body;
    QCOMPARE(last["tool_choice"].toString(), "none");
    QVERIFY(!w_->endpoint.requests()[1].body.contains("tool_choice"));
    QVERIFY(w_->sent(ToolTurn::kMostRounds).last().endsWith("with what you know by now.]"));
    QCOMPARE(w_->last().state, MessageState::kFailed);
    QVERIFY(w_->last().problem.what.contains("gives no answer"));

    // And one that then answers has answered.
    for (int i = 0; i < ToolTurn::kMostRounds; ++i)
      w_->endpoint.script(calling("list_files", QString(R"({"pattern":"%1"})").arg(i)));
    w_->endpoint.script(chatReply("Now I know."));
    w_->ask("and now?");
    QCOMPARE(w_->last().text, "Now I know.");
    QCOMPARE(w_->last().steps.size(), ToolTurn::kMostRounds);
  }

  void tooManyCallsAtOnceAreNotAllRun() {
    QByteArrayList pieces;
    for (int i = 0; i < 20; ++i)
      pieces.append(
          chatCall(i, QString("c%1").arg(i), "search_text", QString(R"({"query":"%1"})").arg(i)));
    // It is not even waited for the end.
    w_->endpoint.script({.pieces = pieces, .then = Then::kStall});
    w_->endpoint.script(chatReply("Enough."));
    w_->ask("what?");
    QCOMPARE(w_->last().steps.size(), ToolTurn::kMostCalls);
    for (const AgentStep& step : w_->last().steps) QCOMPARE(step.state, State::kDone);
  }

  // Over the Responses API calls come one by one.
  void callsOverResponsesAreBounded() {
    w_->choose("large", -1, 32'768, Protocol::kResponses);
    QByteArrayList pieces;
    for (int i = 0; i < 20; ++i) {
      const QJsonObject item{{"type", "function_call"},
                             {"call_id", QString::number(i)},
                             {"name", "list_files"},
                             {"arguments", QString(R"({"pattern":"%1"})").arg(i)}};
      const QJsonObject event{{"type", "response.output_item.done"}, {"item", item}};
      pieces.append(sse(QJsonDocument(event).toJson(QJsonDocument::Compact)));
    }
    w_->endpoint.script({.pieces = pieces, .then = Then::kStall});
    w_->endpoint.script({.pieces = {sse(responseText("Enough.")), sse(responseCompleted())}});
    w_->ask("what?");
    QCOMPARE(w_->last().text, "Enough.");
    QCOMPARE(w_->last().steps.size(), ToolTurn::kMostCalls);
    const QJsonArray sent = w_->endpoint.requests().last().body["input"].toArray();
    QCOMPARE(sent.size(), 1 + 2 * ToolTurn::kMostCalls);
    QCOMPARE(sent.last()["type"].toString(), "function_call_output");
  }

  void theSameCallIsNotRunAgain() {
    w_->endpoint.script(calling("read_file", kReadA));
    w_->endpoint.script(calling("read_file", kReadA));
    w_->endpoint.script(chatReply("Yes."));
    w_->ask("what?");
    QVERIFY(w_->sent(2).last().contains("result stands above"));
    // Nothing new would come of it: it is asked to answer.
    QCOMPARE(w_->endpoint.requests().last().body["tool_choice"].toString(), "none");
  }

  void aServerWithoutToolsIsAskedWithoutThem() {
    w_->endpoint.script({.pieces = {R"({"error":{"message":"gemma does not support tools"}})"},
                         .status = 400,
                         .headers = {"Content-Type: application/json"}});
    w_->endpoint.script(chatReply("From memory."));
    w_->ask("what?");
    QCOMPARE(w_->last().state, MessageState::kComplete);
    QCOMPARE(w_->last().text, "From memory.");
    QVERIFY(w_->hasTools(0) && !w_->hasTools(1));
    QCOMPARE(w_->last().steps.size(), 1);
    QVERIFY(w_->last().steps[0].title.contains("takes no tools"));
    // It is remembered, and said once.
    w_->endpoint.script(chatReply("Again."));
    w_->ask("and?");
    QVERIFY(!w_->hasTools(2));
    QVERIFY(w_->last().steps.isEmpty());
  }

  void anotherRefusalIsToldAsEver() {
    w_->endpoint.script({.pieces = {R"({"error":{"message":"context too long"}})"},
                         .status = 400,
                         .headers = {"Content-Type: application/json"}});
    w_->ask("what?");
    QCOMPARE(w_->last().state, MessageState::kFailed);
    QVERIFY(w_->last().problem.what.contains("context too long"));
    QCOMPARE(w_->endpoint.requests().size(), 1);
  }

  void stoppingEndsTheRound_data() {
    QTest::addColumn<bool>("inSecond");
    QTest::newRow("while it calls") << false;
    QTest::newRow("while it answers") << true;
  }

  void stoppingEndsTheRound() {
    QFETCH(const bool, inSecond);
    if (inSecond) w_->endpoint.script(calling("read_file", kReadA));
    w_->endpoint.script({.pieces = {chatText("Half"), chatCall(0, "c", "read_file", kReadA)},
                         .then = Then::kStall});
    QVERIFY(w_->session.ask(w_->id, "what?"));
    QTRY_VERIFY(w_->last().text.endsWith("Half"));
    w_->session.stop(w_->id);
    QVERIFY(!w_->session.isRunning(w_->id));
    QCOMPARE(w_->last().state, MessageState::kInterrupted);
    QTRY_COMPARE(w_->endpoint.openConnections(), 0);
    waferpair::test::rest({&w_->session});
    QCOMPARE(w_->endpoint.requests().size(), inSecond ? 2 : 1);
    for (const AgentStep& step : w_->last().steps) QVERIFY(step.isOver());
  }

  // The next question has what was looked at, after a restart, too.
  void laterQuestionsHaveTheCalls() {
    w_->endpoint.script(calls({chatText("Look."), chatCall(0, "c1", "read_file", kReadA)}));
    w_->endpoint.script(chatReply("It is 1."));
    w_->ask("what?");
    const QStringList expected{"user: what?", "assistant: Look. [read_file " + kReadA + "]",
                               "tool: " + kFileA, "assistant: It is 1.", "user: and?"};
    w_->endpoint.script(chatReply("Yes."));
    w_->ask("and?");
    QCOMPARE(w_->sent(2), expected);

    w_->store.flush();
    w_->open();
    w_->endpoint.script(chatReply("Still."));
    w_->ask("still?");
    QCOMPARE(w_->sent(3), expected + QStringList({"assistant: Yes.", "user: still?"}));

    // A model without tools has the results with the question.
    w_->choose("small", 500'000'000);
    w_->endpoint.script(chatReply("Sure."));
    w_->ask("sure?");
    QVERIFY(!w_->hasTools(4));
    const QStringList sent = w_->sent(4);
    QVERIFY2(
        sent[0].startsWith("user: what?\n\n### Read src/a.cpp, lines 1 to 3\n\n```\nsrc/a.cpp"),
        qPrintable(sent[0]));
    QCOMPARE(sent[1], "assistant: Look.\n\nIt is 1.");

    // What has come to be kept from models goes to none.
    w_->write(".waferpairignore", "src/\n");
    w_->choose("large");
    w_->endpoint.script(chatReply("No."));
    w_->ask("now?");
    QCOMPARE(w_->sent(5)[2], "tool: [This is kept from you by now.]");
  }

  void aSecretInAResultIsKept() {
    w_->at.problems = {{w_->folder.filePath("src/a.cpp"), 1, "error: " + kToken}};
    w_->endpoint.script(calling("diagnostics", "{}"));
    w_->endpoint.script(chatReply("Well."));
    w_->ask("what?");
    QCOMPARE(w_->last().state, MessageState::kComplete);
    const QString result = w_->sent(1).last();
    QVERIFY2(result.contains("kept from models") && !result.contains(kToken), qPrintable(result));
  }

  // What is read never fills the context: results shrink, and then there are none.
  void theContextHasRoomForTheAnswer() {
    w_->choose("large", -1, 8'192);
    w_->write("src/a.cpp", QByteArray("int line;\n").repeated(5'000));
    for (int i = 0; i < ToolTurn::kMostRounds; ++i)
      w_->endpoint.script(
          calling("read_file", QString(R"({"path":"src/a.cpp","first_line":%1})").arg(i + 1)));
    w_->ask("what?");
    // The room ended it before the rounds did.
    QVERIFY(w_->endpoint.requests().size() < ToolTurn::kMostRounds);
    // Of the last, which has all the others.
    qint64 bytes = QJsonDocument(w_->endpoint.requests().last().body["tools"].toArray())
                       .toJson(QJsonDocument::Compact)
                       .size();
    const QJsonArray messages = w_->endpoint.requests().last().body["messages"].toArray();
    for (const QJsonValue each : messages)
      bytes += each["content"].toString().toUtf8().size() +
               QJsonDocument(each["tool_calls"].toArray()).toJson(QJsonDocument::Compact).size();
    const qint64 room = (8'192 - 2'048) * 7 / 2;  // a quarter is the answer's
    QVERIFY2(bytes < room, qPrintable(QString::number(bytes)));
    QCOMPARE(w_->endpoint.requests().last().body["tool_choice"].toString(), "none");
  }

  void toolsGoByTheModelAndTheSetting() {
    w_->choose("small", 500'000'000);
    w_->endpoint.script(chatReply("No."));
    w_->ask("one?");
    QVERIFY(!w_->hasTools(0));
    w_->use = ToolUse::kAlways;
    w_->endpoint.script(chatReply("No."));
    w_->ask("two?");
    QVERIFY(w_->hasTools(1));
    w_->choose("large");
    w_->use = ToolUse::kOff;
    w_->endpoint.script(chatReply("No."));
    w_->ask("three?");
    QVERIFY(!w_->hasTools(2));
  }

  void figuresAreOfAllRounds() {
    const auto usage = [](int input, int output) {
      return sse("{\"choices\":[],\"usage\":{\"prompt_tokens\":" + QByteArray::number(input) +
                 ",\"completion_tokens\":" + QByteArray::number(output) + "}}");
    };
    w_->endpoint.script(calls({chatCall(0, "c1", "read_file", kReadA), usage(100, 10)}));
    w_->endpoint.script(
        {.pieces = {chatText("It is 1."), chatFinish("stop"), usage(200, 5), sse("[DONE]")}});
    w_->ask("what?");
    QCOMPARE(w_->last().figures.usage.input, 300);
    QCOMPARE(w_->last().figures.usage.output, 15);
  }

 private:
  std::unique_ptr<Window> w_;
};

QTEST_GUILESS_MAIN(TestAskTools)
#include "test_ask_tools.moc"
