// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "runtime/server/core/baton.h"

namespace waferpair::server {

class TestBaton : public QObject {
  Q_OBJECT

  boost::asio::io_context context_{1};
  const Baton baton_{context_};

 private slots:
  void init() { context_.restart(); }

  void nobodyHasItTwice() {
    bool inner = true, outer = baton_.tryRun([&] { inner = baton_.tryRun([] {}); });
    QVERIFY(outer && !inner);
    boost::asio::post(baton_.executor(), [&] { inner = baton_.tryRun([] {}); });
    inner = true;
    context_.run();
    QVERIFY(!inner);
    QVERIFY(baton_.tryRun([] {}));
  }

  void anotherThreadDoesNotWaitForIt() {
    bool taken = true;
    QVERIFY(baton_.tryRun([&] { std::thread([&] { taken = baton_.tryRun([] {}); }).join(); }));
    QVERIFY(!taken);
  }

  void whatIsDispatchedWithItRunsAtOnceWhatIsPostedDoesNot() {
    std::string order;
    boost::asio::post(baton_.executor(), [&] {
      boost::asio::post(baton_.executor(), [&] { order += 'c'; });
      boost::asio::dispatch(baton_.executor(), [&] { order += 'a'; });
      order += 'b';
    });
    QVERIFY(order.empty());
    context_.run();
    QCOMPARE(order, std::string("abc"));
  }

  // Handlers of what was made with the executor have it too.
  void timersWaitForIt() {
    bool had = false;
    boost::asio::steady_timer timer(baton_.executor(), std::chrono::milliseconds(1));
    timer.async_wait([&](boost::system::error_code) { had = !baton_.tryRun([] {}); });
    context_.run();
    QVERIFY(had);
  }

  // This is for the thread sanitizer above all.
  void threadsTakeTurns() {
    constexpr int kTimes = 20'000;
    int count = 0;  // guarded by the baton alone
    for (int i = 0; i < kTimes; ++i) boost::asio::post(baton_.executor(), [&] { ++count; });
    std::thread other([&] {
      for (int i = 0; i < kTimes;) i += baton_.tryRun([&] { ++count; });
    });
    context_.run();
    other.join();
    QCOMPARE(count, 2 * kTimes);
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestBaton)
#include "test_baton.moc"
