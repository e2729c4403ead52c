// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own clients of public protocols, with the real waferd behind them: a tiny random
// model, whose template has tools.
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/endpoints/chat_endpoint.h"
#include "pairing/endpoints/responses_endpoint.h"
#include "pairing/endpoints/text_endpoint.h"
#include "pairing/taught/taught_change.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;
using namespace waferpair::pairing;

namespace {

constexpr const char* kToolTemplate =
    "{{'<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>'}} <tools> <tool_call>";

// All of a reply, once it is over.
struct WholeReply {
  QString text;
  QVector<ToolCall> calls;
  std::optional<ReplyDone::Reason> reason;
  QString failure;
  qint64 outputTokens = -1;
};

WholeReply wait(std::unique_ptr<ModelReply> reply) {
  WholeReply whole;
  QObject::connect(reply.get(), &ModelReply::toolCalled,
                   [&](const ToolCall& call) { whole.calls.append(call); });
  QObject::connect(reply.get(), &ModelReply::finished,
                   [&](ReplyDone done) { whole.reason = done.reason; });
  QObject::connect(reply.get(), &ModelReply::failed,
                   [&](const ReplyFailure& why) { whole.failure = why.what; });
  if (!QTest::qWaitFor([&] { return reply->isOver(); }, 60'000)) qFatal("no end");
  whole.text = reply->text();
  whole.outputTokens = reply->usage().output;
  return whole;
}

ModelRequest ask(const QString& text) {
  ModelRequest request;
  request.instructions = "Be brief.";
  request.input = {{InputItem::Kind::kUser, text, {}}};
  request.mostOutputTokens = 24;
  return request;
}

}  // namespace

class TestWaferdEndpoint : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QProcess server_;
  EndpointAddress address_;

  std::unique_ptr<Endpoint> endpoint(bool chat) const {
    if (chat) return std::make_unique<ChatEndpoint>(address_);
    return std::make_unique<ResponsesEndpoint>(address_, ResponsesEndpoint::Transport::kEvents);
  }

 private slots:
  void initTestCase() {
    const QString model = folder_.filePath("tiny.gguf");
    auto writer = test::makeTinyModel({.contextLength = 2048, .seed = 7});
    writer.addString("tokenizer.chat_template", kToolTemplate);
    QVERIFY(writer.write(model.toStdString()));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_RUNTIME_DIR", folder_.path());
    server_.setProcessEnvironment(environment);
    server_.start(QString::fromStdString(test::programDir()) + "/waferd",
                  {"--threads", "1", "--model", model});
    QVERIFY2(server_.waitForReadyRead(60'000), qPrintable(server_.errorString()));
    const QJsonObject listening = QJsonDocument::fromJson(server_.readLine()).object();
    QFile token(listening["token_file"].toString());
    QVERIFY(token.open(QIODevice::ReadOnly));
    address_ = {.base = QStringLiteral("http://127.0.0.1:%1/v1").arg(listening["port"].toInt()),
                .key = token.readAll().trimmed(),
                .model = "tiny"};
    // Until the model has been loaded requests are refused.
    QVERIFY(QTest::qWaitFor(
        [this] {
          return wait(endpoint(true)->send(*ShownRequest::of(ask("Hi")))).reason.has_value();
        },
        60'000));
  }
  void cleanupTestCase() {
    server_.terminate();
    QVERIFY(server_.waitForFinished(60'000));
  }

  void bothProtocolsGiveTheSameText() {
    const WholeReply chat = wait(endpoint(true)->send(*ShownRequest::of(ask("Hi"))));
    const WholeReply responses = wait(endpoint(false)->send(*ShownRequest::of(ask("Hi"))));
    QVERIFY2(chat.failure.isEmpty() && responses.failure.isEmpty(), qPrintable(chat.failure));
    QVERIFY(!chat.text.isEmpty());
    QCOMPARE(responses.text, chat.text);
    QCOMPARE(chat.reason, std::optional(ReplyDone::Reason::kLength));
    QCOMPARE(responses.reason, chat.reason);
    QCOMPARE(chat.outputTokens, 24);
    QCOMPARE(responses.outputTokens, 24);
  }

  // A random model says nothing of use in any form, and that is what is made of it.
  void taughtModelsAreAskedAndTellHowSureTheyAre() {
    EditQuestion question;
    question.path = "a.py";
    question.lines = {"def f(x):", "    return x", "", "print(f(1))"};
    question.caretLine = 1;
    for (const TaughtFormat* format :
         {&sweepFormat(), &zetaFormat(), &zeta2Format(), &zeta21Format()}) {
      const auto prompt = format->prompt(question);
      QVERIFY(prompt);
      TextEndpoint endpoint(address_);
      auto reply = endpoint.send(*Shown<TextRequest>::of({prompt->text, prompt->stop, 48}));
      QString failure;
      QObject::connect(reply.get(), &ModelReply::failed,
                       [&](const ReplyFailure& why) { failure = why.message(); });
      QVERIFY(QTest::qWaitFor([&] { return reply->isOver(); }, 60'000));
      QVERIFY2(failure.isEmpty(), qPrintable(failure));
      QVERIFY(!reply->text().isEmpty());
      const auto some = reply->probability(1), all = reply->probability(reply->text().size());
      QVERIFY(some && all);
      QVERIFY(*some > 0 && *some < 1 && *all > 0 && *all < *some);
      QVERIFY(!reply->probability(reply->text().size() + 1));
      const auto rewrite = format->read(*prompt, reply->text().toUtf8(), true);
      if (rewrite) firstChange(*prompt, *rewrite);
    }
  }

  // A conversation with a call and its result is read, and tools are offered.
  void toolsAndTheirResultsAreTaken() {
    ModelRequest request = ask("Hi");
    request.tools = {{"now", "Tells the time.", QJsonObject{{"type", "object"}}}};
    const ToolCall call{"call_1", "now", "{}"};
    request.input.append({InputItem::Kind::kToolCall, {}, call});
    request.input.append({InputItem::Kind::kToolOutput, "9:00", call});
    const WholeReply chat = wait(endpoint(true)->send(*ShownRequest::of(request)));
    const WholeReply responses = wait(endpoint(false)->send(*ShownRequest::of(request)));
    QVERIFY2(chat.failure.isEmpty(), qPrintable(chat.failure));
    QVERIFY2(responses.failure.isEmpty(), qPrintable(responses.failure));
    QCOMPARE(responses.text, chat.text);
    QCOMPARE(responses.calls.size(), chat.calls.size());
  }

  void whatIsRefusedIsSaid() {
    for (const bool chat : {true, false}) {
      const WholeReply reply =
          wait(endpoint(chat)->send(*ShownRequest::of(ask(QString(9000, 'x')))));
      QVERIFY(!reply.reason);
      QVERIFY2(reply.failure.contains("2048"), qPrintable(reply.failure));
    }
  }
};

QTEST_GUILESS_MAIN(TestWaferdEndpoint)
#include "test_waferd_endpoint.moc"
