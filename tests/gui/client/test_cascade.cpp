// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "gui/client/cascade.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_client.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/support/rest.h"
#include "tests/support/text_sync.h"

using namespace waferpair;
using namespace waferpair::gui;
using editor::CompletionEnd;
using waferpair::test::ScriptedServer;

class TestCascade : public QObject {
  Q_OBJECT
 private slots:
  void theLikelierIsTaken_data() {
    QTest::addColumn<ModelAnswer>("larger");
    QTest::addColumn<ModelAnswer>("first");
    QTest::addColumn<bool>("taken");
    using Answer = ModelAnswer;
    const auto row = [](const char* name, const Answer& larger, const Answer& first, bool taken) {
      QTest::newRow(name) << larger << first << taken;
    };
    const auto complete = CompletionEnd::kComplete, unsure = CompletionEnd::kUnsure;
    row("likelier", {"b", complete, 0.9}, {"a", complete, 0.8}, true);
    row("less likely", {"b", complete, 0.8}, {"a", complete, 0.9}, false);
    row("as likely", {"b", complete, 0.8}, {"a", complete, 0.8}, false);
    row("the same", {"a", complete, 0.9}, {"a", complete, 0.8}, false);
    row("the same but for blanks", {"a\n", complete, 0.9}, {"a", complete, 0.8}, false);
    row("less of it", {"a", unsure, 0.9}, {"a b", complete, 0.8}, false);
    row("more of one that was cut", {"a b", complete, 0.8}, {"a", unsure, 0.9}, true);
    row("more of one that had ended", {"a b", complete, 0.8}, {"a", complete, 0.9}, false);
    row("a gap", {"b", unsure, 0.8}, {"", unsure, {}}, true);
    row("the first failed", {"b", complete, 0.8}, {"a", CompletionEnd::kFailed, {}}, true);
    row("it failed", {"b", CompletionEnd::kFailed, {}}, {"a", complete, 0.1}, false);
    row("it was too late", {"b", CompletionEnd::kStale, 0.9}, {"a", complete, 0.1}, false);
    row("both failed", {"b", CompletionEnd::kFailed, {}}, {"", CompletionEnd::kFailed, {}}, false);
    row("nothing", {" \n", complete, 0.9}, {"", unsure, {}}, false);
    row("nothing is known", {"b", complete, {}}, {"a", complete, {}}, false);
  }
  void theLikelierIsTaken() {
    QFETCH(const ModelAnswer, larger);
    QFETCH(const ModelAnswer, first);
    QFETCH(bool, taken);
    QCOMPARE(takesOver(larger, first), taken);
  }

  void init() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    server_ = std::make_unique<ScriptedServer>();
    client_ = std::make_unique<RuntimeClient>();
    service_ = std::make_unique<CompletionService>();
    sync_ = std::make_unique<test::TextSync>();
    sync_->subscribe(service_.get());
    service_->setClient(client_.get());
    service_->setLargerModel("/large.gguf");
    client_->connectTo(server_->endpoint());
    QTRY_VERIFY(client_->isReady());
    told_.clear();
    connect(service_.get(), &CompletionService::completionText, this,
            [this](quint64 id, const QByteArray& utf8) { tell("text", id, utf8); });
    connect(service_.get(), &CompletionService::completionFinished, this,
            [this](quint64 id, CompletionEnd end) {
              tell(service_->mayBeTakenOver(id) ? "first done" : "done", id,
                   QByteArray::number(static_cast<int>(end)));
            });
    connect(service_.get(), &CompletionService::completionTakenOver, this,
            [this](quint64 id, quint64 by, const QByteArray& utf8) {
              tell(by == 0 ? "stands" : by == larger() ? "taken" : "taken by whom?", id, utf8);
            });
    sync_->openText("/a.cpp", "C++", 1, "x");
  }
  void cleanup() {
    service_.reset();
    client_.reset();
    server_.reset();
  }

  void bothAreAskedAtOnce() {
    ask();
    const auto asked = server_->messagesOf("completion.create");
    QCOMPARE(asked.size(), 2);
    QVERIFY(!asked[0].contains("model") && !asked[0].contains("max_lines"));
    QCOMPARE(asked[1]["model"].toString(), QString("/large.gguf"));
    QCOMPARE(asked[1]["max_lines"].toInt(), 1);
    for (const char* field : {"uri", "version", "offset", "min_probability"})
      QCOMPARE(asked[0][field], asked[1][field]);
  }

  // What the two say in which order, and what is heard of it. "F" and "L" say a text, "f" and "l"
  // end with a probability of tenths, "!" fails.
  void answersComeInAnyOrder_data() {
    QTest::addColumn<QStringList>("script");
    QTest::addColumn<QStringList>("told");
    const auto row = [](const char* name, const QStringList& script, const QStringList& told) {
      QTest::newRow(name) << script << told;
    };
    row("the small one first", {"Fa", "f8", "Lb", "l9"}, {"text a", "first done 0", "taken b"});
    row("the large one first", {"Lb", "l9", "Fa", "f8"}, {"text a", "first done 0", "taken b"});
    row("side by side", {"Lb", "Fa", "Lc", "f8", "l9"}, {"text a", "first done 0", "taken bc"});
    row("less likely", {"Fa", "f9", "Lb", "l8"}, {"text a", "first done 0", "stands "});
    row("a gap", {"f0", "Lb", "l8"}, {"first done 0", "taken b"});
    row("nothing at all", {"f0", "l0"}, {"first done 0", "stands "});
    row("the large one fails", {"Fa", "f8", "l!"}, {"text a", "first done 0", "stands "});
    row("it fails at once", {"l!", "Fa", "f8"}, {"text a", "first done 0", "stands "});
    row("the small one fails", {"f!", "Lb", "l8"}, {"first done 4", "taken b"});
    row("both fail", {"f!", "l!"}, {"first done 4", "stands "});
    row("cancelled at once", {"x", "f8", "l9"}, {"done 2"});
    row("cancelled while the large one computes", {"Fa", "f8", "x", "Lb", "l9"},
        {"text a", "first done 0"});
    row("the connection breaks", {"Fa", "#"}, {"text a", "first done 4", "stands "});
    row("it breaks behind the small one", {"Fa", "f8", "#"}, {"text a", "first done 0", "stands "});
  }
  void answersComeInAnyOrder() {
    QFETCH(const QStringList, script);
    QFETCH(const QStringList, told);
    ask();
    for (const QString& line : script) {
      const QChar what = line.front();
      const quint64 id = what.toLower() == u'f' ? request_ : larger();
      if (what == u'x') {
        service_->cancelCompletion(request_);
      } else if (what == u'#') {
        service_->setClient(nullptr);
      } else if (what.isUpper()) {
        Q_EMIT client_->completionDelta({id, 1, 1, line.mid(1).toUtf8()});
      } else if (line.endsWith(u'!')) {
        Q_EMIT client_->serverError({"not_ready", {"No.", "None."}, id});
      } else {
        end(id, line.mid(1).toInt());
      }
    }
    QCOMPARE(told_, told);
    QVERIFY(!service_->mayBeTakenOver(request_));
    QVERIFY(!service_->isBusy());
  }

  void aCancelledRequestIsCancelledForBoth() {
    ask();
    service_->cancelCompletion(request_);
    QTRY_COMPARE(server_->messagesOf("completion.cancel").size(), 2);
  }

  void aDocumentThatIsClosedIsNobodysAnyMore() {
    ask();
    end(request_, 0);
    QCOMPARE(told_, QStringList("first done 0"));
    sync_->close("/a.cpp");
    QTRY_COMPARE(server_->messagesOf("completion.cancel").size(), 1);
    QCOMPARE(server_->messagesOf("completion.cancel")[0]["id"].toInteger(),
             static_cast<qint64>(larger()));
    QVERIFY(!service_->isBusy());
  }

  void bothReadAhead() {
    service_->readAhead("/a.cpp", 1, 1);
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 2);
    const auto asked = server_->messagesOf("completion.create");
    QVERIFY(asked[0]["ahead"].toBool() && asked[1]["ahead"].toBool());
    QCOMPARE(asked[1]["model"].toString(), QString("/large.gguf"));
  }

  void alternativesAndWhatFollowsAreTheFirstModels() {
    service_->requestCompletion(
        {.document = "/a.cpp", .version = 1, .offset = 1, .alternative = 1});
    service_->requestCompletion({.document = "/a.cpp", .version = 1, .offset = 1, .inserted = "y"});
    service_->setLargerModel({});
    service_->requestCompletion({"/a.cpp", 1, 1});
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 3);
    test::rest();
    QCOMPARE(server_->messagesOf("completion.create").size(), 3);
  }

 private:
  void ask() {
    request_ = service_->requestCompletion(
        {.document = "/a.cpp", .version = 1, .offset = 1, .leastProbability = 0.5});
    QVERIFY(service_->mayBeTakenOver(request_));
    QTRY_COMPARE(server_->messagesOf("completion.create").size(), 2);
  }
  quint64 larger() const {
    return static_cast<quint64>(
        server_->messagesOf("completion.create").value(1)["id"].toInteger());
  }
  void tell(const QString& what, quint64 id, const QByteArray& text) {
    QCOMPARE(id, request_);
    told_.append(what + u' ' + QString::fromUtf8(text));
  }
  // With a probability of so many tenths.
  void end(quint64 id, int tenths) {
    Q_EMIT client_->completionDone(
        {id, "end_of_text", tenths > 0 ? std::optional(tenths / 10.0) : std::nullopt, {}});
  }

  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeClient> client_;
  std::unique_ptr<test::TextSync> sync_;
  std::unique_ptr<CompletionService> service_;
  quint64 request_ = 0;
  QStringList told_;
};

QTEST_GUILESS_MAIN(TestCascade)
#include "test_cascade.moc"
