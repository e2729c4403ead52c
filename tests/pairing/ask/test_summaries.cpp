// SPDX-License-Identifier: GPL-3.0-or-later
// Early messages of long threads and the summaries that models get for them.
#include <QJsonArray>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/ask/ask_session.h"
#include "pairing/context/token_estimate.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/support/rest.h"

using namespace waferpair::pairing;
using Author = Message::Author;

namespace {

constexpr qint64 kContext = 8'192;

// Questions and answers in turns, each answer of so many bytes.
Thread talk(int questions, int bytes) {
  Thread thread = Thread::make();
  for (int i = 0; i < questions; ++i) {
    thread.append(Author::kUser, MessageState::kSent, QStringLiteral("question %1").arg(i));
    thread.append(Author::kModel, MessageState::kComplete,
                  QStringLiteral("answer %1 ").arg(i) + QString(bytes, u'x'));
  }
  return thread;
}

ThreadSummary summaryUpTo(const Thread& thread, qsizetype count, const QString& text) {
  ThreadSummary summary;
  summary.upTo = thread.messages[count - 1].id;
  summary.text = text;
  summary.model = "small";
  summary.place = "this computer, port 8080";
  summary.time = QDateTime::fromMSecsSinceEpoch(1'700'000'000'000, Qt::UTC);
  summary.tokensBefore = 1'234;
  return summary;
}

QStringList contents(const ScriptedEndpoint::Request& request) {
  QStringList texts;
  for (const QJsonValue& message : request.body["messages"].toArray())
    texts.append(message.toObject()["content"].toString());
  return texts;
}

QString allOf(const ModelRequest& request) {
  QString all = request.instructions;
  for (const InputItem& item : request.input) all += u'\n' + item.text;
  return all;
}

// A session in an empty project, whose model has room for kContext tokens.
class Asking {
 public:
  Asking() {
    ModelEntry entry;
    entry.id = entry.name = "small";
    entry.address.base = endpoint.base();
    entry.address.model = "small";
    entry.contextTokens = kContext;
    roster.setModels({entry});
    roster.setRole(ModelRoster::Role::kFast, "small");
    QSignalSpy changed(&session, &AskSession::threadsChanged);
    search.setProject(folder.path(), {});
    session.setProject(folder.path());
    while (changed.size() < 2 && changed.wait()) {
    }
    id = session.newThread();
  }
  ~Asking() { store.flush(); }

  const Thread& thread() const { return *session.find(id); }
  // Asks, and waits for the answer.
  void ask(const QString& question, const ScriptedEndpoint::Reply& answer) {
    endpoint.script(answer);
    QVERIFY(session.ask(id, question));
    QTRY_VERIFY(!session.isRunning(id));
  }

  QTemporaryDir folder;
  QTemporaryDir kept;
  ScriptedEndpoint endpoint;
  ThreadStore store{kept.path()};
  ModelRoster roster;
  ProjectSearch search{[] { return QVector<OpenText>(); }};
  bool summarizes = true;
  AskSession session{{&store, &search, &roster, [] { return AskSession::Surroundings(); }, nullptr,
                      [this] { return summarizes; }}};
  QString id;
};

}  // namespace

class TestSummaries : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aShortThreadIsLeftAlone() {
    QVERIFY(!planSummary(talk(3, 400), kContext, SummaryWish::kWhenLong));
    // By the user's wish all but the last question and its answer.
    const auto asked = planSummary(talk(3, 400), kContext, SummaryWish::kAsked);
    QVERIFY(asked);
    QCOMPARE(asked->end, 4);
    QVERIFY(!planSummary(talk(1, 4'000), kContext, SummaryWish::kAsked));
    QVERIFY(!planSummary(Thread::make(), kContext, SummaryWish::kAsked));
  }

  // The earlier messages have room for about 3,000 of the 8,192 tokens.
  void aLongThreadKeepsItsLastTwoQuestions() {
    const Thread thread = talk(6, 1'400);
    const auto plan = planSummary(thread, kContext, SummaryWish::kWhenLong);
    QVERIFY(plan);
    QCOMPARE(plan->end, 8);
    qint64 tokens = 0;
    for (int i = 0; i < 8; ++i) tokens += estimatedTokens(thread.messages[i].text);
    QCOMPARE(plan->tokens, tokens);
    // A larger context has room for all.
    QVERIFY(!planSummary(thread, 65'536, SummaryWish::kWhenLong));
  }

  void whatWasSummarizedIsSummarizedFurther() {
    Thread thread = talk(8, 1'400);
    thread.summary = summaryUpTo(thread, 4, "It was about bytes.");
    const auto plan = planSummary(thread, kContext, SummaryWish::kWhenLong);
    QVERIFY(plan);
    QCOMPARE(plan->end, 12);
    const QString all = allOf(summaryRequest(thread, *plan, kContext, {}));
    QVERIFY(all.contains("It was about bytes."));
    QVERIFY(!all.contains("question 1"));  // that is in the summary
    QVERIFY(all.contains("User: question 2"));
    QVERIFY(all.contains("Assistant: answer 5"));
    QVERIFY(!all.contains("question 6"));
    QVERIFY(all.indexOf("question 2") < all.indexOf("question 3"));
  }

  // However long the messages are, the request fits.
  void messagesAreCutToFit() {
    const Thread thread = talk(4, 60'000);
    const auto plan = planSummary(thread, kContext, SummaryWish::kAsked);
    QVERIFY(plan);
    const ModelRequest request = summaryRequest(thread, *plan, kContext, {});
    QVERIFY(request.mostOutputTokens);
    QCOMPARE(*request.mostOutputTokens, 512);
    QVERIFY(estimatedTokens(allOf(request)) + *request.mostOutputTokens <= kContext);
    QVERIFY(allOf(request).contains("[The rest of this message is left out.]"));
    QVERIFY(allOf(request).contains("question 2"));
  }

  void whatIsHeldBackIsNotSummarized() {
    Thread thread = talk(3, 100);
    ContextItem item;
    item.name = item.path = "plans.txt";
    item.text = "the-hidden-text";
    thread.messages[0].context = {item};
    const auto plan = planSummary(thread, kContext, SummaryWish::kAsked);
    QVERIFY(allOf(summaryRequest(thread, *plan, kContext, {})).contains("the-hidden-text"));
    QVERIFY(
        !allOf(summaryRequest(thread, *plan, kContext, {"plans.txt"})).contains("the-hidden-text"));
  }

  void anAnswerThatIsNoSummaryIsRefused() {
    const Thread thread = talk(3, 100);
    const SummaryPlan plan{4, 60};
    QVERIFY(!summaryFrom(thread, plan, " \n"));
    QVERIFY(!summaryFrom(thread, plan, QString(1'000, u'y')));
    const auto summary = summaryFrom(thread, plan, "\nShort.\n");
    QVERIFY(summary);
    QCOMPARE(summary->text, "Short.");
    QCOMPARE(summary->upTo, thread.messages[3].id);
    QCOMPARE(summary->tokensBefore, 60);
  }

  // It goes along in place of the messages that it stands for.
  void aSummaryIsSentInTheirPlace() {
    Thread thread = talk(6, 2'000);
    const Message question = thread.append(Author::kUser, MessageState::kSent, "and now?");
    const AskPlan whole = planAsk(thread, 12, question.text, kContext);
    QVERIFY(whole.use.messagesLeftOut > 0);
    QCOMPARE(whole.use.summary, 0);

    thread.summary = summaryUpTo(thread, 8, "It was about bytes.");
    const AskPlan plan = planAsk(thread, 12, question.text, kContext);
    QVERIFY(plan.hasSummary);
    QCOMPARE(plan.history, (QVector<qsizetype>{8, 9, 10, 11}));
    QCOMPARE(plan.use.messagesSummarized, 8);
    QCOMPARE(plan.use.messagesLeftOut, 0);
    QVERIFY(plan.use.summary >= estimatedTokens(QStringView(u"It was about bytes.")));
    const ModelRequest request = askRequest(thread, plan, question, {});
    QCOMPARE(request.input.first().kind, InputItem::Kind::kUser);
    QVERIFY(request.input.first().text.contains("It was about bytes."));
    QVERIFY(!allOf(request).contains("answer 3"));
    QVERIFY(allOf(request).contains("answer 4"));
    // Templates want user and assistant to take turns.
    for (qsizetype i = 1; i < request.input.size(); ++i)
      QVERIFY(request.input[i].kind != request.input[i - 1].kind);
  }

  // One that does not fit into another model's context is not sent.
  void aSummaryThatIsTooLongIsNotSent() {
    Thread thread = talk(3, 100);
    thread.summary = summaryUpTo(thread, 4, QString(20'000, u's'));
    const AskPlan plan = planAsk(thread, 6, "and now?", kContext);
    QVERIFY(!plan.hasSummary);
    QCOMPARE(plan.history.size(), 6);
  }

  // -- In a session

  void aLongThreadIsSummarizedInTheBackground() {
    Asking asking;
    AskSession& session = asking.session;
    ScriptedEndpoint& endpoint = asking.endpoint;
    const QString id = asking.id;
    // The last of its answers makes it long.
    for (int i = 0; i < 5; ++i) {
      endpoint.script(chatReply("answer " + QByteArray::number(i) + ' ' + QByteArray(1'700, 'x')));
      if (i == 4) endpoint.script(chatReply("It was about bytes."));
      QVERIFY(session.ask(id, QStringLiteral("question %1").arg(i)));
      QTRY_VERIFY(!session.isRunning(id));
    }
    QTRY_VERIFY(asking.thread().summary);
    QCOMPARE(session.summarizingUpTo(id), QString());
    const ThreadSummary summary = *asking.thread().summary;
    QCOMPARE(summary.text, "It was about bytes.");
    QCOMPARE(summary.model, "small");
    QCOMPARE(asking.thread().summarized(), 6);
    QCOMPARE(asking.thread().messages.size(), 10);  // they are all there

    asking.ask("why?", chatReply("By bytes."));
    const QString sent = contents(endpoint.requests().last()).join('\n');
    QVERIFY(sent.contains("It was about bytes."));
    QVERIFY(!sent.contains("question 2"));
    QVERIFY(sent.contains("question 3"));

    // It is there after a restart.
    asking.store.flush();
    ThreadStore again(asking.kept.path());
    QSignalSpy loaded(&again, &ThreadStore::loaded);
    again.load(asking.folder.path());
    QVERIFY(loaded.wait());
    QCOMPARE(loaded[0][0].value<QVector<Thread>>()[0].summary->text, "It was about bytes.");

    // The user wants them whole, and no other summary.
    session.sendWhole(id);
    QVERIFY(!asking.thread().summary);
    const auto before = endpoint.requests().size();
    asking.ask("and so?", chatReply("answer"));
    waferpair::test::rest({&session});
    QCOMPARE(endpoint.requests().size(), before + 1);
    QVERIFY(session.summarizingUpTo(id).isEmpty());

    // By the user's wish there is one again.
    endpoint.script(chatReply("Bytes, again."));
    QVERIFY(session.summarize(id));
    QVERIFY(!session.summarizingUpTo(id).isEmpty());
    QTRY_VERIFY(asking.thread().summary);
    QCOMPARE(asking.thread().summary->text, "Bytes, again.");
    QCOMPARE(asking.thread().summarized(), 12);
  }

  void whereTheUserWantsNoneNoneIsMadeUnasked() {
    Asking asking;
    asking.summarizes = false;
    for (int i = 0; i < 6; ++i)
      asking.ask(QStringLiteral("question %1").arg(i), chatReply(QByteArray(1'700, 'x')));
    QVERIFY(asking.session.summarizingUpTo(asking.id).isEmpty());
    waferpair::test::rest({&asking.session});
    QCOMPARE(asking.endpoint.requests().size(), 6);
  }

  // A question has the model for itself.
  void aQuestionStopsTheSummary() {
    Asking asking;
    for (int i = 0; i < 2; ++i)
      asking.ask(QStringLiteral("question %1").arg(i), chatReply("answer"));
    asking.endpoint.script(chatBeginning("It was"));
    QVERIFY(asking.session.summarize(asking.id));
    QTRY_COMPARE(asking.endpoint.requests().size(), 3);
    asking.endpoint.script(chatReply("At once."));
    QVERIFY(asking.session.ask(asking.id, "now?"));
    QCOMPARE(asking.session.summarizingUpTo(asking.id), QString());
    QTRY_VERIFY(!asking.session.isRunning(asking.id));
    QCOMPARE(asking.thread().messages.last().text, "At once.");
    QVERIFY(!asking.thread().summary);
  }

  void aSummaryThatFailsIsSaidAndTriedAgainOnce() {
    Asking asking;
    for (int i = 0; i < 7; ++i) {
      asking.endpoint.script(chatReply(QByteArray(1'700, 'x')));
      if (i == 4 || i == 5) asking.endpoint.script({.pieces = {"{}"}, .status = 500});
      QVERIFY(asking.session.ask(asking.id, QStringLiteral("question %1").arg(i)));
      QTRY_VERIFY(!asking.session.isRunning(asking.id) &&
                  asking.session.summarizingUpTo(asking.id).isEmpty());
    }
    QCOMPARE(asking.endpoint.requests().size(), 7 + 2);
    QVERIFY(!asking.session.summaryProblem(asking.id).what.isEmpty());
    QVERIFY(!asking.thread().summary);
  }
};

QTEST_GUILESS_MAIN(TestSummaries)
#include "test_summaries.moc"
