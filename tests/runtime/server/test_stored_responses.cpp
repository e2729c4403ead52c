// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <boost/asio/io_context.hpp>

#include "runtime/server/core/stored_responses.h"

namespace waferpair::server {

namespace {

class Running : public LiveResponse {
 public:
  Json object() const override { return {{"status", "in_progress"}}; }
  void cancel() override { cancelled = true; }
  bool cancelled = false;
};

}  // namespace

class TestStoredResponses : public QObject {
  Q_OBJECT
 private slots:
  void aResponseIsHadFromItsBeginningOn() {
    StoredResponses responses(context_.get_executor());
    Running running;
    responses.begin("a", running);
    QCOMPARE(responses.find("a")["status"], Json("in_progress"));
    QCOMPARE(responses.underWay("a"), static_cast<LiveResponse*>(&running));
    QVERIFY(!responses.promptOf("a"));
    const ResponsePrompt prompt{.text = "int main", .messages = {}};
    responses.end("a", {{"status", "completed"}}, &prompt);
    QCOMPARE(responses.find("a")["status"], Json("completed"));
    QVERIFY(!responses.underWay("a"));
    QCOMPARE(responses.promptOf("a")->text, prompt.text);
    QVERIFY(responses.forget("a"));
    QVERIFY(responses.find("a").is_null());
    QVERIFY(!responses.forget("a"));
    QCOMPARE(responses.bytes(), std::size_t{0});
    responses.stop();
  }

  void theOldestMakeRoom() {
    StoredResponses responses(context_.get_executor());
    const ResponsePrompt prompt{std::string(StoredResponses::kMostBytes / 4, 'x'), {}};
    Running running;
    for (const char* id : {"a", "b", "c", "d"}) {
      responses.begin(id, running);
      responses.end(id, Json::object(), &prompt);
    }
    // Each is a little longer than its text.
    QVERIFY(!responses.promptOf("a"));
    QVERIFY(responses.promptOf("b") && responses.promptOf("d"));
    QVERIFY(responses.bytes() <= StoredResponses::kMostBytes);
    responses.stop();
    QVERIFY(!responses.promptOf("d"));
  }

  void lessMayBeKept() {
    StoredResponses responses(context_.get_executor());
    const ResponsePrompt prompt{std::string(1000, 'x'), {}};
    Running running;
    for (const char* id : {"a", "b"}) {
      responses.begin(id, running);
      responses.end(id, Json::object(), &prompt);
    }
    responses.limitTo(2000);
    QVERIFY(!responses.promptOf("a"));
    QVERIFY(responses.promptOf("b"));
    responses.begin("c", running);
    responses.end("c", Json::object(), &prompt);
    QVERIFY(!responses.promptOf("b"));
    QVERIFY(responses.promptOf("c"));
    responses.stop();
  }

  // Nothing that has ended, or been forgotten, holds on to who computed it.
  void theOwnerIsKeptUntilTheEnd() {
    StoredResponses responses(context_.get_executor());
    Running running;
    for (const bool ends : {true, false}) {
      auto owner = std::make_shared<int>(1);
      const std::weak_ptr<int> watched = owner;
      responses.begin("a", running, std::move(owner));
      QCOMPARE(responses.owned(), std::size_t{1});
      QVERIFY(!watched.expired());
      if (ends) responses.end("a", Json::object(), nullptr);
      if (!ends) responses.forget("a");
      QVERIFY(watched.expired());
      QCOMPARE(responses.owned(), std::size_t{0});
      responses.forget("a");
    }
    responses.stop();
  }

  void whoWaitsHearsTheEndOrThatThereIsNone() {
    StoredResponses responses(context_.get_executor());
    Running running;
    std::vector<Json> heard;
    const auto hear = [&](const Json& object) { heard.push_back(object); };
    responses.begin("a", running);
    responses.whenEnded("a", hear);
    responses.end("a", {{"status", "cancelled"}}, nullptr);
    responses.begin("b", running);
    responses.whenEnded("b", hear);
    responses.forget("b");
    QCOMPARE(heard, (std::vector<Json>{{{"status", "cancelled"}}, nullptr}));
    responses.stop();
  }

  // The server's context runs out of work.
  void nothingIsWaitedForAtTheEnd() {
    StoredResponses responses(context_.get_executor());
    Running running;
    responses.begin("a", running);
    responses.end("a", Json::object(), nullptr);
    responses.begin("b", running);
    responses.stop();
    QVERIFY(responses.find("a").is_null());
    responses.end("b", Json::object(), nullptr);
    QVERIFY(responses.find("b").is_null());
    context_.restart();
    context_.run();
  }

 private:
  boost::asio::io_context context_;
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestStoredResponses)
#include "test_stored_responses.moc"
