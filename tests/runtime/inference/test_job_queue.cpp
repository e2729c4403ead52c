// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>
#include <set>

#include "runtime/inference/job_queue.h"

namespace waferpair::inference {

class TestJobQueue : public QObject {
  Q_OBJECT

  JobQueue queue_;
  JobId last_ = 0;

  std::shared_ptr<QueuedJob> add(ClientId client, Priority priority, std::string document = {}) {
    auto job = std::make_shared<QueuedJob>();
    job->id = ++last_;
    job->client = client;
    job->priority = priority;
    job->document = std::move(document);
    queue_.add(job);
    return job;
  }
  std::shared_ptr<QueuedJob> background(ClientId client) {
    return add(client, Priority::kBackground);
  }
  std::shared_ptr<QueuedJob> interactive(ClientId client, std::string document = {}) {
    return add(client, Priority::kInteractive, std::move(document));
  }
  // Runs the job that is picked to its end.
  JobId runOne() {
    const auto job = queue_.pick();
    queue_.remove(job->id);
    return job->id;
  }

 private slots:
  void init() {
    queue_ = {};
    last_ = 0;
  }

  void anEmptyQueuePicksNothing() { QVERIFY(!queue_.pick()); }

  void aJobThatBeganGoesOn() {
    const auto first = background(1);
    QCOMPARE(queue_.pick(), first);
    background(2);
    QCOMPARE(queue_.pick(), first);
  }

  void interactivePreemptsBackgroundThatHasBegun() {
    const auto generation = background(1);
    QCOMPARE(queue_.pick(), generation);
    const auto completion = interactive(2);
    QCOMPARE(queue_.pick(), completion);
    queue_.remove(completion->id);
    QCOMPARE(queue_.pick(), generation);
  }

  void theOrderOfThoseThatWaitIsTheOneTheyBeginIn() {
    std::mt19937 random(3);
    for (int trial = 0; trial < 200; ++trial) {
      init();
      const int jobs = 1 + static_cast<int>(random() % 12);
      for (int i = 0; i < jobs; ++i) {
        const ClientId client = random() % 4;
        const auto job = random() % 3 == 0 ? interactive(client) : background(client);
        if (random() % 8 == 0) queue_.cancel(job->id);
        if (random() % 4 == 0) runOne();
      }
      std::vector<JobId> foretold;
      for (const auto& job : queue_.waiting()) foretold.push_back(job->id);
      std::vector<JobId> begun;
      while (!queue_.empty()) {
        const auto job = queue_.pick();
        if (!job->cancelled) begun.push_back(job->id);
        queue_.remove(job->id);
      }
      QCOMPARE(foretold, begun);
    }
  }

  void atMostOneOfEachPriorityIsUnderWay() {
    for (int i = 0; i < 5; ++i) {
      background(i);
      queue_.pick();
      interactive(i, "d" + std::to_string(i));
      queue_.pick();
    }
    QCOMPARE(queue_.depth(), (QueueDepth{2, 4, 4}));
  }

  void aClientWithManyJobsDoesNotKeepOthersWaiting() {
    std::vector<JobId> flood;
    for (int i = 0; i < 10; ++i) flood.push_back(background(1)->id);
    QCOMPARE(runOne(), flood[0]);
    const JobId other = background(2)->id;
    // At most one more of the flood, then the other client's.
    if (const JobId next = runOne(); next != other) {
      QCOMPARE(next, flood[1]);
      QCOMPARE(runOne(), other);
    }
  }

  void clientsTakeTurns() {
    std::map<JobId, ClientId> owner;
    for (int i = 0; i < 6; ++i)
      for (const ClientId client : {1, 2, 3}) owner[background(client)->id] = client;
    std::vector<ClientId> order;
    for (int i = 0; i < 18; ++i) order.push_back(owner.at(runOne()));
    for (int i = 0; i + 3 <= 18; i += 3) {
      const std::set<ClientId> clients(order.begin() + i, order.begin() + i + 3);
      QCOMPARE(clients.size(), size_t{3});
    }
  }

  void ofOneClientTheOldestComesFirst() {
    const JobId a = background(1)->id, b = background(1)->id;
    QCOMPARE(runOne(), a);
    QCOMPARE(runOne(), b);
  }

  void aNewerJobOfTheSameDocumentCancelsTheOlder() {
    const auto old = interactive(1, "a.cpp");
    const auto elsewhere = interactive(1, "b.cpp");
    const auto otherClient = interactive(2, "a.cpp");
    const auto fresh = interactive(1, "a.cpp");
    QVERIFY(old->cancelled && !old->stale);
    QVERIFY(!elsewhere->cancelled && !otherClient->cancelled && !fresh->cancelled);
  }

  void cancelledJobsComeFirstAndAreNotBegun() {
    const auto running = interactive(1);
    queue_.pick();
    const auto victim = background(1);
    QVERIFY(queue_.cancel(victim->id));
    QCOMPARE(queue_.pick(), victim);
    QVERIFY(!victim->begun);
    queue_.remove(victim->id);
    QCOMPARE(queue_.pick(), running);
    QVERIFY(!queue_.cancel(victim->id));
  }

  void aChangedDocumentEndsOnlyWhatHasNotBegun() {
    const auto begun = interactive(1, "a.cpp");
    queue_.pick();
    queue_.cancelUnbegun(1, "a.cpp");
    QVERIFY(!begun->cancelled);
    queue_.remove(begun->id);
    const auto waiting = interactive(1, "a.cpp");
    queue_.cancelUnbegun(2, "a.cpp");
    QVERIFY(!waiting->cancelled);
    queue_.cancelUnbegun(1, "a.cpp");
    QVERIFY(waiting->cancelled && waiting->stale);
  }

  void aClientThatLeavesTakesItsJobsAlong() {
    const auto mine = background(1), other = background(2);
    queue_.cancelAllOf(1);
    QVERIFY(mine->cancelled && !other->cancelled);
    queue_.cancelAll();
    QVERIFY(other->cancelled);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestJobQueue)
#include "test_job_queue.moc"
