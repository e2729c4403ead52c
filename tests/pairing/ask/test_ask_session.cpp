// SPDX-License-Identifier: GPL-3.0-or-later
// Questions on their way to their answers, against an endpoint on a real socket.
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/ask/ask_session.h"
#include "pairing/context/token_estimate.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/rest.h"

using namespace waferpair::pairing;
using waferpair::editor::Snapshot;
using Then = ScriptedEndpoint::Then;

namespace {

QByteArray usageChunk(int input, int output) {
  return sse("{\"choices\":[],\"usage\":{\"prompt_tokens\":" + QByteArray::number(input) +
             ",\"completion_tokens\":" + QByteArray::number(output) + "}}");
}

ScriptedEndpoint::Reply answers(const QByteArray& text) {
  return {.pieces = {chatText(text), chatFinish("stop"), usageChunk(120, 7), sse("[DONE]")}};
}

// Begins and then says nothing.
ScriptedEndpoint::Reply begins(const QByteArray& text) {
  return {.pieces = {chatText(text)}, .then = Then::kStall};
}

QString lastInput(const ScriptedEndpoint::Request& request) {
  return request.body["messages"].toArray().last().toObject()["content"].toString();
}

QStringList roles(const ScriptedEndpoint::Request& request) {
  QStringList roles;
  for (const QJsonValue& message : request.body["messages"].toArray())
    roles.append(message.toObject()["role"].toString());
  return roles;
}

class Window {
 public:
  Window() { choose(8192); }
  ~Window() { store.flush(); }

  void choose(qint64 contextTokens) {
    ModelEntry entry;
    entry.id = entry.name = "small";
    entry.address.base = endpoint.base();
    entry.address.model = "small";
    entry.contextTokens = contextTokens;
    roster.setModels({entry});
    roster.setRole(ModelRoster::Role::kFast, "small");
  }
  void write(const QString& file, const QByteArray& bytes) const {
    QFile out(folder.filePath(file));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes);
  }
  // Opens the folder as a project, with these files in it.
  void open(const QStringList& files = {}) {
    QSignalSpy changed(&session, &AskSession::threadsChanged);
    search.setProject(folder.path(), files);
    session.setProject(folder.path());
    while (changed.size() < 2) QVERIFY(changed.wait());
    if (session.threads().isEmpty()) session.newThread();
    id = session.threads().constFirst().id;
  }
  const Thread& thread() const { return *session.find(id); }
  const Message& message(qsizetype index) const { return thread().messages[index]; }
  bool isOver() const { return !session.isRunning(id); }
  QByteArray onDisk() const {
    QDirIterator it(kept.path(), {id + ".json"}, QDir::Files, QDirIterator::Subdirectories);
    if (!it.hasNext()) return {};
    QFile file(it.next());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder;
  QTemporaryDir kept;
  ScriptedEndpoint endpoint;
  ModelRoster roster;
  ThreadStore store{kept.path()};
  AskSession::Surroundings at;
  ProjectSearch search{[this] { return at.open; }};
  bool brings = false;
  AskSession session{{&store, &search, &roster, [this] { return at; }, nullptr,
                      [] { return false; }, nullptr, [this] { return brings; }}};
  QString id;
};

}  // namespace

class TestAskSession : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { w_ = std::make_unique<Window>(); }
  void cleanup() { w_.reset(); }

  void anAnswerStreamsIn() {
    w_->open();
    w_->endpoint.script({.pieces = {chatText("Because "), chatText("of **bytes**."),
                                    chatFinish("stop"), usageChunk(120, 7), sse("[DONE]")}});
    QVERIFY(w_->session.ask(w_->id, " why? \n"));
    QVERIFY(w_->session.isRunning(w_->id));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->thread().title, "why?");
    QCOMPARE(w_->thread().messages.size(), 2);
    QCOMPARE(w_->message(0).text, "why?");
    QCOMPARE(w_->message(1).text, "Because of **bytes**.");
    QCOMPARE(w_->message(1).state, MessageState::kComplete);
    const AnswerFigures& figures = w_->message(1).figures;
    QCOMPARE(figures.model, "small");
    QCOMPARE(figures.place,
             QStringLiteral("this computer, port %1").arg(w_->endpoint.base().port()));
    QCOMPARE(figures.usage.input, 120);
    QCOMPARE(figures.usage.output, 7);
    QVERIFY(figures.firstTokenMs);
    QCOMPARE(w_->endpoint.requests().size(), 1);
    QCOMPARE(lastInput(w_->endpoint.requests()[0]), "why?");
  }

  void contextGoesAlongUnaskedUnlessItIsStruck() {
    w_->brings = true;
    w_->write("draw.cpp", "// How large things are drawn.\nint scaleOf() {\n  return 2;\n}\n");
    w_->write("other.cpp", "int nothing;\n");
    w_->open({"draw.cpp", "other.cpp"});
    w_->at.front = {
        w_->folder.filePath("other.cpp"), "other.cpp", "C++", Snapshot("int typed;\n"), 0, 0, 1};
    const auto preview = [this] {
      std::optional<ContextPreview> told;
      w_->session.preview(w_->id, "how large are things drawn?", &w_->session,
                          [&told](const ContextPreview& each) { told = each; });
      while (!told) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
      return *told;
    };
    waferpair::test::rest({&w_->search});
    const ContextPreview before = preview();
    QVERIFY(before.use.files > 0);
    QCOMPARE(before.use.files, tokensOf(before.context));
    const auto passage = std::find_if(
        before.context.begin(), before.context.end(),
        [](const ContextItem& item) { return item.kind == ContextItem::Kind::kPassage; });
    QVERIFY(passage != before.context.end());
    QCOMPARE(passage->name, "draw.cpp:1-4");
    w_->endpoint.script(answers("Twice."));
    QVERIFY(w_->session.ask(w_->id, "how large are things drawn?"));
    QTRY_VERIFY(w_->isOver());
    QString asked = lastInput(w_->endpoint.requests()[0]);
    QVERIFY2(asked.contains("int scaleOf()") && asked.contains("int typed;"), qPrintable(asked));
    QVERIFY(asked.endsWith("how large are things drawn?"));

    // What the model has is not sent again, and what is struck does not go along.
    w_->session.newThread();
    w_->id = w_->session.threads().constFirst().id;
    w_->session.strike(w_->id, *passage, true);
    QVERIFY(preview().use.files < before.use.files);
    w_->endpoint.script(answers("Twice."));
    QVERIFY(w_->session.ask(w_->id, "how large are things drawn?"));
    QTRY_VERIFY(w_->isOver());
    asked = lastInput(w_->endpoint.requests()[1]);
    QVERIFY2(!asked.contains("int scaleOf()") && asked.contains("int typed;"), qPrintable(asked));
    // The next question has it again.
    w_->endpoint.script(answers("Twice."));
    QVERIFY(w_->session.ask(w_->id, "how large are things drawn?"));
    QTRY_VERIFY(w_->isOver());
    asked = lastInput(w_->endpoint.requests()[2]);
    QVERIFY2(asked.contains("int scaleOf()") && !asked.contains("int typed;"), qPrintable(asked));
    // No agent, no model: nothing changes without the wish.
    w_->brings = false;
    QCOMPARE(preview().use.files, 0);
  }

  void theQuestionIsOnDiskBeforeItIsSent() {
    w_->open();
    QTRY_VERIFY(w_->onDisk().isEmpty());
    QVERIFY(w_->session.ask(w_->id, "why so?"));
    QTRY_COMPARE(w_->endpoint.requests().size(), 1);
    QVERIFY(w_->onDisk().contains("why so?"));
  }

  // As after a kill: another store reads what is there.
  void aPartOfAnAnswerIsKeptAsItComes() {
    w_->open();
    w_->endpoint.script(begins("The first half"));
    QVERIFY(w_->session.ask(w_->id, "why?"));
    QTRY_VERIFY(w_->onDisk().contains("The first half"));
    ThreadStore other(w_->kept.path());
    QSignalSpy loaded(&other, &ThreadStore::loaded);
    other.load(w_->folder.path());
    QVERIFY(loaded.wait());
    const auto threads = loaded[0][0].value<QVector<Thread>>();
    QCOMPARE(threads.size(), 1);
    QCOMPARE(threads[0].messages[1].state, MessageState::kInterrupted);
    QCOMPARE(threads[0].messages[1].text, "The first half");
  }

  void stoppingKeepsWhatThereIs() {
    w_->open();
    w_->endpoint.script(begins("The first half"));
    QVERIFY(w_->session.ask(w_->id, "why?"));
    QTRY_COMPARE(w_->thread().messages.size(), 2);
    QTRY_COMPARE(w_->message(1).text, "The first half");
    w_->session.stop(w_->id);
    QVERIFY(w_->isOver());
    QCOMPARE(w_->message(1).state, MessageState::kInterrupted);
    QCOMPARE(w_->message(1).text, "The first half");
    QTRY_COMPARE(w_->endpoint.openConnections(), 0);
    QTRY_VERIFY(w_->onDisk().contains("interrupted"));

    // The model has what it wrote, and no word of ours: a small one would say that ever after.
    w_->endpoint.script(answers("Well."));
    QVERIFY(w_->session.ask(w_->id, "and?"));
    QTRY_VERIFY(w_->isOver());
    const auto& request = w_->endpoint.requests().last();
    QCOMPARE(roles(request), (QStringList{"system", "user", "assistant", "user"}));
    const QString told = request.body["messages"].toArray()[2].toObject()["content"].toString();
    QCOMPARE(told, "The first half");
  }

  void stoppingBeforeAnythingIsSent() {
    w_->open();
    QVERIFY(w_->session.ask(w_->id, "why?"));
    w_->session.stop(w_->id);
    QVERIFY(w_->isOver());
    QCOMPARE(w_->message(1).state, MessageState::kInterrupted);
    waferpair::test::rest({&w_->session});
    QCOMPARE(w_->endpoint.requests().size(), 0);
  }

  void aQuestionAskedMeanwhileWaits() {
    w_->open();
    w_->endpoint.script(begins("First"));
    QVERIFY(w_->session.ask(w_->id, "one"));
    QTRY_COMPARE(w_->thread().messages.size(), 2);
    QTRY_COMPARE(w_->message(1).text, "First");
    QVERIFY(w_->session.ask(w_->id, "two"));
    QVERIFY(w_->session.ask(w_->id, "three"));
    QCOMPARE(w_->message(2).state, MessageState::kQueued);
    QTRY_VERIFY(w_->onDisk().contains("three"));
    const QString two = w_->message(2).id;
    const QString three = w_->message(3).id;
    QVERIFY(w_->session.reword(w_->id, two, "two, reworded"));
    QCOMPARE(w_->message(2).text, "two, reworded");
    QCOMPARE(w_->session.withdraw(w_->id, three), "three");
    QCOMPARE(w_->thread().messages.size(), 3);
    QCOMPARE(w_->endpoint.requests().size(), 1);
    // What was sent is neither reworded nor withdrawn.
    QCOMPARE(w_->session.withdraw(w_->id, w_->message(0).id), "");

    // Stopped by the user, the answer takes nothing along.
    w_->session.stop(w_->id);
    waferpair::test::rest({&w_->session});
    QCOMPARE(w_->message(2).state, MessageState::kQueued);

    w_->endpoint.script(answers("Second"));
    w_->session.sendNow(w_->id, two);
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(2).state, MessageState::kSent);
    QCOMPARE(w_->message(3).text, "Second");
    QCOMPARE(lastInput(w_->endpoint.requests().last()), "two, reworded");
  }

  void whatWaitsIsSentWhenTheAnswerIsDone() {
    w_->open();
    w_->endpoint.script(answers("First"));
    w_->endpoint.script(answers("Second"));
    w_->endpoint.script(answers("Third"));
    QVERIFY(w_->session.ask(w_->id, "one"));
    QVERIFY(w_->session.ask(w_->id, "two"));
    QVERIFY(w_->session.ask(w_->id, "three"));
    QTRY_COMPARE(w_->thread().messages.size(), 6);
    QTRY_VERIFY(w_->isOver());
    QStringList texts;
    for (const Message& message : w_->thread().messages) texts.append(message.text);
    QCOMPARE(texts, (QStringList{"one", "First", "two", "Second", "three", "Third"}));
  }

  void sendingNowRedirectsTheAnswer() {
    w_->open();
    w_->endpoint.script(begins("A long way"));
    QVERIFY(w_->session.ask(w_->id, "one"));
    QTRY_COMPARE(w_->thread().messages.size(), 2);
    QTRY_COMPARE(w_->message(1).text, "A long way");
    QVERIFY(w_->session.ask(w_->id, "two"));
    QVERIFY(w_->session.ask(w_->id, "no: three"));
    w_->endpoint.script(answers("Third"));
    w_->endpoint.script(answers("Second"));
    // By a reference into the thread, which is changed meanwhile.
    w_->session.sendNow(w_->id, w_->message(3).id);
    QCOMPARE(w_->message(1).state, MessageState::kInterrupted);
    QTRY_COMPARE(w_->thread().messages.size(), 6);
    QTRY_VERIFY(w_->isOver());
    QStringList texts;
    for (const Message& message : w_->thread().messages) texts.append(message.text);
    QCOMPARE(texts, (QStringList{"one", "A long way", "no: three", "Third", "two", "Second"}));
    const auto& redirected = w_->endpoint.requests()[1];
    QCOMPARE(roles(redirected), (QStringList{"system", "user", "assistant", "user"}));
    QCOMPARE(lastInput(redirected), "no: three");
  }

  void failuresNameTheirRemedyAndLoseNothing_data() {
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("then");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, int status, const QByteArray& body, Then then,
                        const char* text) {
      QTest::newRow(name) << status << body << static_cast<int>(then) << text;
    };
    row("429", 429, "{\"error\":{\"message\":\"slow down\"}}", Then::kEnd, "");
    row("500", 500, "oops", Then::kEnd, "");
    row("cut", 200, chatText("Half"), Then::kCut, "Half");
    row("wrong JSON", 200, chatText("Half") + sse("{\"choices\": 12"), Then::kEnd, "Half");
    row("no end", 200, chatText("Half"), Then::kEnd, "Half");
  }
  void failuresNameTheirRemedyAndLoseNothing() {
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(int, then);
    QFETCH(QString, text);
    w_->open();
    w_->endpoint.script({.pieces = {body}, .then = static_cast<Then>(then), .status = status});
    QVERIFY(w_->session.ask(w_->id, "why?"));
    QVERIFY(w_->session.ask(w_->id, "and then?"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(1).state, MessageState::kFailed);
    QCOMPARE(w_->message(1).text, text);
    QVERIFY(!w_->message(1).problem.what.isEmpty() && !w_->message(1).problem.remedy.isEmpty());
    // What waits is not thrown after it.
    QCOMPARE(w_->message(2).state, MessageState::kQueued);
    QCOMPARE(w_->session.withdraw(w_->id, w_->message(2).id), "and then?");

    w_->endpoint.script(answers("Whole"));
    w_->session.askAgain(w_->id, w_->message(1).id);
    QTRY_COMPARE(w_->thread().messages.size(), 4);
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(2).text, "why?");
    QCOMPARE(w_->message(3).text, "Whole");
  }

  void largeQuestionsAndThoseThatFailedAreTheDeepModels() {
    ScriptedEndpoint other;
    ModelEntry deep;
    deep.id = deep.name = "large";
    deep.address.base = other.base();
    deep.address.model = "large";
    w_->roster.setModels({w_->roster.models().constFirst(), deep});
    w_->roster.setRole(ModelRoster::Role::kDeep, "large");
    w_->write("a.cpp", "int a;\n");
    w_->write("b.cpp", "int b;\n");
    w_->open({"a.cpp", "b.cpp"});
    QCOMPARE(w_->session.choice("what of @a.cpp?").model->id, "small");
    QCOMPARE(w_->session.choice("what of @a.cpp and @b.cpp?").model->id, "large");
    other.script(answers("Both"));
    QVERIFY(w_->session.ask(w_->id, "what of @a.cpp and @b.cpp?"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(1).figures.model, "large");

    w_->endpoint.script({.pieces = {"oops"}, .status = 500});
    QVERIFY(w_->session.ask(w_->id, "why?"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(3).state, MessageState::kFailed);
    QCOMPARE(w_->session.choice("why?").model->id, "large");
    QCOMPARE(w_->session.choice("what else?").model->id, "small");
    other.script(answers("Because"));
    w_->session.askAgain(w_->id, w_->message(3).id);
    QTRY_COMPARE(w_->thread().messages.size(), 6);
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(5).figures.model, "large");
    QCOMPARE(w_->message(5).text, "Because");
  }

  void aStalledEndpointIsStopped() {
    w_->open();
    w_->endpoint.script({.pieces = {}, .silent = true});
    QVERIFY(w_->session.ask(w_->id, "why?"));
    QTRY_COMPARE(w_->endpoint.requests().size(), 1);
    w_->session.stop(w_->id);
    QVERIFY(w_->isOver());
    QCOMPARE(w_->message(1).state, MessageState::kInterrupted);
    QTRY_COMPARE(w_->endpoint.openConnections(), 0);
  }

  void aSecretInAQuestionIsNotSent() {
    w_->open();
    const QString secret = QStringLiteral("-----BEGIN RSA PRIVATE ") + "KEY-----";
    const auto asked = w_->session.ask(w_->id, "what is " + secret);
    QVERIFY(!asked);
    QVERIFY2(asked.error().what.contains("a private key"), qPrintable(asked.error().what));
    QVERIFY(w_->thread().messages.isEmpty());
    w_->endpoint.script(begins("Well"));
    QVERIFY(w_->session.ask(w_->id, "what is it?"));
    QVERIFY(w_->session.ask(w_->id, "and this?"));
    QVERIFY(!w_->session.reword(w_->id, w_->thread().messages.last().id, secret));
    QCOMPARE(w_->thread().messages.last().text, "and this?");
  }

  void whatIsMentionedGoesAlongOnce() {
    w_->write("a.cpp", "int first;\n");
    w_->write(".env", "KEY=1\n");
    w_->open({"a.cpp"});
    for (int i = 0; i < 4; ++i) w_->endpoint.script(answers("Yes."));
    QVERIFY(w_->session.ask(w_->id, "is @a.cpp or @.env right?"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(lastInput(w_->endpoint.requests()[0]),
             "### a.cpp\n\n```\nint first;\n```\n\nis @a.cpp or @.env right?");
    QCOMPARE(w_->message(0).context.size(), 2);
    QCOMPARE(w_->message(0).context[1].outcome, ContextItem::Outcome::kLeftOut);
    QCOMPARE(w_->message(1).figures.contextTokens, 4);

    QVERIFY(w_->session.ask(w_->id, "is @a.cpp still?"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(lastInput(w_->endpoint.requests()[1]),
             "### a.cpp\n\nUnchanged since an earlier message.\n\nis @a.cpp still?");

    w_->at.open = {{w_->folder.filePath("a.cpp"), "a.cpp", Snapshot("int typed;\n")}};
    QVERIFY(w_->session.ask(w_->id, "and @a.cpp now?"));
    QTRY_VERIFY(w_->isOver());
    QVERIFY(lastInput(w_->endpoint.requests()[2]).contains("int typed;"));

    // Held back since: what was sent of it is not sent again.
    w_->write(".waferpairignore", "a.cpp\n");
    QVERIFY(w_->session.ask(w_->id, "and @a.cpp at last?"));
    QTRY_VERIFY(w_->isOver());
    const QByteArray sent = QJsonDocument(w_->endpoint.requests()[3].body).toJson();
    QVERIFY(!sent.contains("int first") && !sent.contains("int typed"));
  }

  void theEarliestMessagesGiveWay() {
    w_->choose(2048);
    w_->open();
    const QByteArray longText(1'400, 'x');  // some 400 tokens
    for (int i = 0; i < 4; ++i) {
      w_->endpoint.script(answers(QByteArray::number(i) + longText));
      QVERIFY(w_->session.ask(w_->id, QStringLiteral("question %1").arg(i)));
      QTRY_VERIFY(w_->isOver());
    }
    const auto& last = w_->endpoint.requests().last();
    QCOMPARE(lastInput(last), "question 3");
    const QByteArray sent = QJsonDocument(last.body).toJson();
    QVERIFY(!sent.contains("question 0"));
    QVERIFY(sent.contains("question 2"));

    const AskPlan plan = planAsk(w_->thread(), 8, "next", 2048);
    QVERIFY(plan.use.messagesLeftOut > 0);
    QVERIFY(plan.use.isLimitKnown);
    QCOMPARE(plan.use.answer, 512);
    QVERIFY(plan.use.used() + plan.budget + plan.use.answer <= 2048);
    QVERIFY(!planAsk(w_->thread(), 8, "next", -1).use.isLimitKnown);
    QCOMPARE(planAsk(w_->thread(), 8, "next", -1).use.limit, kAssumedContext);
  }

  void aPreviewSaysWhatWouldGoAlong() {
    w_->write("a.cpp", "int first;\n");
    w_->write(".env", "KEY=1\n");
    w_->open({"a.cpp"});
    ContextPreview told;
    bool isTold = false;
    w_->session.preview(w_->id, "@a.cpp @.env", this, [&](const ContextPreview& preview) {
      told = preview;
      isTold = true;
    });
    QTRY_VERIFY(isTold);
    QCOMPARE(told.context.size(), 2);
    QCOMPARE(told.use.files, 4);
    QCOMPARE(told.use.limit, 8192);
    QCOMPARE(told.use.history, 0);
    QCOMPARE(w_->endpoint.requests().size(), 0);
  }

  void withoutAModelTheProjectAnswers() {
    w_->roster.setModels({});
    w_->write("a.cpp", "int placeHunk() {\n  return 1;\n}\n");
    w_->write("b.cpp", "int other() {\n  return placeHunk();\n}\n");
    w_->open({"a.cpp", "b.cpp"});
    QVERIFY(!w_->session.choice("why?").endpoint);
    QVERIFY(w_->session.ask(w_->id, "what does placeHunk do?"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->message(1).author, Message::Author::kProject);
    QCOMPARE(w_->message(1).passages.size(), 2);
    QCOMPARE(w_->message(1).passages[0].path, "a.cpp");
    QCOMPARE(w_->message(1).passages[0].why, FoundPassage::Why::kDefines);
    QCOMPARE(w_->endpoint.requests().size(), 0);
    QTRY_VERIFY(w_->onDisk().contains("placeHunk()"));
  }

  void threadsComeAndGo() {
    w_->open();
    QCOMPARE(w_->session.newThread(), w_->id);  // it is empty still
    w_->endpoint.script(answers("One"));
    w_->endpoint.script(answers("Two"));
    QVERIFY(w_->session.ask(w_->id, "one"));
    QTRY_VERIFY(w_->isOver());
    const QString first = w_->id;
    w_->id = w_->session.newThread();
    QVERIFY(w_->id != first);
    QVERIFY(w_->session.ask(w_->id, "two"));
    QTRY_VERIFY(w_->isOver());
    QCOMPARE(w_->session.threads()[0].id, w_->id);
    w_->session.rename(first, " Renamed ");
    QCOMPARE(w_->session.find(first)->title, "Renamed");

    const Thread removed = w_->session.remove(first);
    w_->store.flush();
    QCOMPARE(w_->session.threads().size(), 1);
    w_->session.restore(removed);
    w_->store.flush();

    // As the next start of the program finds them.
    w_->session.setProject({});
    QVERIFY(!w_->session.find(first));
    w_->open();
    QTRY_COMPARE(w_->session.threads().size(), 2);
    QCOMPARE(w_->session.find(first)->title, "Renamed");
    QCOMPARE(w_->session.find(first)->messages.size(), 2);
  }

  void leavingTheProjectEndsItsAnswers() {
    w_->open();
    w_->endpoint.script(begins("Half"));
    QVERIFY(w_->session.ask(w_->id, "why?"));
    QTRY_COMPARE(w_->thread().messages.size(), 2);
    QTRY_COMPARE(w_->message(1).text, "Half");
    const QString id = w_->id;
    w_->session.setProject({});
    QTRY_COMPARE(w_->endpoint.openConnections(), 0);
    w_->open();
    QCOMPARE(w_->session.find(id)->messages[1].text, "Half");
    QCOMPARE(w_->session.find(id)->messages[1].state, MessageState::kInterrupted);
  }

 private:
  std::unique_ptr<Window> w_;
};

QTEST_GUILESS_MAIN(TestAskSession)
#include "test_ask_session.moc"
