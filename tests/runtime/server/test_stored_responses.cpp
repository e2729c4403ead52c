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
    responses.begin("a", running, "m");
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
    QCOMPARE(responses.bytes("m"), std::size_t{0});
    responses.stop();
  }

  void theOldestMakeRoom() {
    StoredResponses responses(context_.get_executor());
    constexpr std::size_t kMost = 4 << 20;
    responses.limit("m", kMost);
    const ResponsePrompt prompt{std::string(kMost / 4, 'x'), {}};
    Running running;
    for (const char* id : {"a", "b", "c", "d"}) {
      responses.begin(id, running, "m");
      responses.end(id, Json::object(), &prompt);
    }
    // Each is a little longer than its text.
    QVERIFY(!responses.promptOf("a"));
    QVERIFY(responses.promptOf("b") && responses.promptOf("d"));
    QVERIFY(responses.bytes("m") <= kMost);
    responses.stop();
    QVERIFY(!responses.promptOf("d"));
  }

  void lessMayBeKept() {
    StoredResponses responses(context_.get_executor());
    const ResponsePrompt prompt{std::string(1000, 'x'), {}};
    Running running;
    for (const char* id : {"a", "b"}) {
      responses.begin(id, running, "m");
      responses.end(id, Json::object(), &prompt);
    }
    responses.limit("m", 2000);
    QVERIFY(!responses.promptOf("a"));
    QVERIFY(responses.promptOf("b"));
    responses.begin("c", running, "m");
    responses.end("c", Json::object(), &prompt);
    QVERIFY(!responses.promptOf("b"));
    QVERIFY(responses.promptOf("c"));
    responses.stop();
  }

  // Each has memory of its own, and says what is taken of it.
  void modelsDoNotTakeFromOneAnother() {
    std::map<std::string, std::size_t> heard;
    StoredResponses responses(
        context_.get_executor(),
        [&](const std::string& model, std::size_t bytes) { heard[model] = bytes; });
    const ResponsePrompt prompt{std::string(1000, 'x'), {}};
    Running running;
    for (const char* id : {"a", "b", "c", "d"}) {
      responses.begin(id, running, *id < 'c' ? "m" : "n");
      responses.end(id, Json::object(), &prompt);
    }
    const std::size_t two = responses.bytes("m");
    QVERIFY(two > 2000);
    QCOMPARE(responses.bytes("n"), two);
    QCOMPARE(heard, (std::map<std::string, std::size_t>{{"m", two}, {"n", two}}));
    responses.shrink("n", two - 1);  // for once
    QVERIFY(responses.promptOf("a") && responses.promptOf("b"));
    QVERIFY(!responses.promptOf("c") && responses.promptOf("d"));
    QCOMPARE(heard["n"], two / 2);
    responses.begin("e", running, "n");
    responses.end("e", Json::object(), &prompt);
    QVERIFY(responses.promptOf("d") && responses.promptOf("e"));
    responses.forget("a");
    QCOMPARE(heard["m"], two / 2);
    QCOMPARE(responses.bytes("none"), std::size_t{0});
    responses.stop();
  }

  // Nothing that has ended, or been forgotten, holds on to who computed it.
  void theOwnerIsKeptUntilTheEnd() {
    StoredResponses responses(context_.get_executor());
    Running running;
    for (const bool ends : {true, false}) {
      auto owner = std::make_shared<int>(1);
      const std::weak_ptr<int> watched = owner;
      responses.begin("a", running, "m", std::move(owner));
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
    responses.begin("a", running, "m");
    responses.whenEnded("a", hear);
    responses.end("a", {{"status", "cancelled"}}, nullptr);
    responses.begin("b", running, "m");
    responses.whenEnded("b", hear);
    responses.forget("b");
    QCOMPARE(heard, (std::vector<Json>{{{"status", "cancelled"}}, nullptr}));
    responses.stop();
  }

  // The server's context runs out of work.
  void nothingIsWaitedForAtTheEnd() {
    StoredResponses responses(context_.get_executor());
    Running running;
    responses.begin("a", running, "m");
    responses.end("a", Json::object(), nullptr);
    responses.begin("b", running, "m");
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
