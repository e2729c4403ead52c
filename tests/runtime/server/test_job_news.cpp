// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <boost/asio/io_context.hpp>
#include <string>
#include <thread>
#include <vector>

#include "runtime/server/core/job_news.h"

namespace waferpair::server {

class TestJobNews : public QObject {
  Q_OBJECT

  boost::asio::io_context context_{1};
  const Baton baton_{context_};
  std::vector<std::string> heard_;
  inference::JobCallbacks job_;

 private slots:
  void init() {
    context_.restart();
    heard_.clear();
    job_ = JobNews::relay(
        baton_, {.onText = [this](std::string text) { heard_.push_back(std::move(text)); },
                 .onDone =
                     [this](const inference::JobReport& report) {
                       heard_.push_back("done " + std::to_string(report.outputTokens));
                     },
                 .onBegin = [this] { heard_.emplace_back("begun"); }});
  }

  // poll() runs what is ready and waits for nothing.
  void theFirstTextWaitsForNothing() {
    job_.onBegin();
    context_.poll();
    context_.restart();
    job_.onText("a");
    context_.poll();
    QCOMPARE(heard_, (std::vector<std::string>{"begun", "a"}));
  }

  void nobodyIsWokenWhereTheBatonIsFree() {
    job_.onText("a");
    job_.onDone({});
    QCOMPARE(heard_, (std::vector<std::string>{"a", "done 0"}));
  }

  void whoHasTheBatonHearsNothingUntilHeIsDone() {
    const bool ran = baton_.tryRun([this] {
      job_.onText("a");
      job_.onText("b");
      QVERIFY(heard_.empty());
    });
    QVERIFY(ran && heard_.empty());
    context_.poll();
    QCOMPARE(heard_, std::vector<std::string>{"ab"});
  }

  void theEndWaitsForNothingAndComesLast() {
    job_.onText("a");
    context_.poll();
    context_.restart();
    job_.onText("b");
    inference::JobReport report;
    report.outputTokens = 2;
    job_.onDone(report);
    context_.poll();
    std::string text;
    for (std::size_t i = 0; i + 1 < heard_.size(); ++i) text += heard_[i];
    QCOMPARE(text, std::string("ab"));
    QCOMPARE(heard_.back(), std::string("done 2"));
    context_.run();  // nothing is told twice
    QCOMPARE(std::count(heard_.begin(), heard_.end(), "done 2"), 1);
  }

  void whatComesMeanwhileIsToldTogether() {
    for (int i = 0; i < 100; ++i) job_.onText("x");
    context_.run();
    QCOMPARE(heard_, (std::vector<std::string>{"x", std::string(99, 'x')}));
  }

  void aTextSoonAfterAnotherIsToldWithoutFurtherNews() {
    job_.onText("a");
    context_.poll();
    context_.restart();
    job_.onText("b");
    context_.run();
    QCOMPARE(heard_, (std::vector<std::string>{"a", "b"}));
  }

  // This is for the thread sanitizer above all.
  void aJobOnAnotherThreadIsHeardInOrder() {
    auto guard = boost::asio::make_work_guard(context_);
    std::string expected;
    for (int i = 0; i < 2000; ++i) expected += std::to_string(i) + " ";
    std::thread worker([&] {
      job_.onBegin();
      for (int i = 0; i < 2000; ++i) job_.onText(std::to_string(i) + " ");
      job_.onDone({});
      guard.reset();
    });
    context_.run();
    worker.join();
    QCOMPARE(heard_.front(), std::string("begun"));
    QCOMPARE(heard_.back(), std::string("done 0"));
    std::string text;
    for (std::size_t i = 1; i + 1 < heard_.size(); ++i) text += heard_[i];
    QCOMPARE(text, expected);
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestJobNews)
#include "test_job_news.moc"
