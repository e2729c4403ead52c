// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>
#include <set>

#include "runtime/inference/engine/job_queue.h"

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
  // The job whose turn it is, if one may have it.
  std::shared_ptr<QueuedJob> pick() {
    Turn turn;
    queue_.pick(1, turn);
    return turn.jobs.empty() ? nullptr : turn.jobs.front();
  }
  std::vector<std::shared_ptr<QueuedJob>> pick(int most) {
    Turn turn;
    queue_.pick(most, turn);
    return turn.jobs;
  }
  // Runs the job that is picked to its end.
  JobId runOne() {
    const auto job = pick();
    queue_.remove(job->id);
    return job->id;
  }

 private slots:
  void init() {
    queue_ = {};
    last_ = 0;
  }

  void whatGivesWayIsNoWorkThatIsShown() {
    const auto beside = std::make_shared<QueuedJob>();
    beside->id = ++last_;
    beside->givesWay = true;
    queue_.add(beside);
    QVERIFY(!queue_.empty() && !queue_.isAtWork());
    const auto other = background(1);
    QVERIFY(queue_.isAtWork());
    queue_.remove(other->id);
    QVERIFY(!queue_.isAtWork());
  }

  void anEmptyQueuePicksNothing() { QVERIFY(!pick()); }

  void aJobThatBeganGoesOn() {
    const auto first = background(1);
    QCOMPARE(pick(), first);
    background(2);
    QCOMPARE(pick(), first);
  }

  void interactivePreemptsBackgroundThatHasBegun() {
    const auto generation = background(1);
    QCOMPARE(pick(), generation);
    const auto completion = interactive(2);
    QCOMPARE(pick(), completion);
    queue_.remove(completion->id);
    QCOMPARE(pick(), generation);
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
        const auto job = pick();
        if (!job->cancelled) begun.push_back(job->id);
        queue_.remove(job->id);
      }
      QCOMPARE(foretold, begun);
    }
  }

  void noMoreOfAPriorityAreUnderWayThanMayShareAStep() {
    for (const int most : {1, 3}) {
      init();
      for (int i = 0; i < 5; ++i) background(i);
      for (int i = 0; i < 5; ++i) pick(most);
      for (int i = 0; i < 5; ++i) interactive(i, "d" + std::to_string(i));
      for (int i = 0; i < 5; ++i) pick(most);
      QCOMPARE(queue_.depth(), (QueueDepth{2 * most, 5 - most, 5 - most}));
    }
  }

  void jobsOfOnePriorityShareTheStep() {
    using Jobs = std::vector<std::shared_ptr<QueuedJob>>;
    const auto a = background(1), b = background(1), c = background(2);
    QCOMPARE(pick(2), (Jobs{a}));     // one begins in a turn
    QCOMPARE(pick(2), (Jobs{a, c}));  // clients take turns in beginning
    const auto d = interactive(3), e = interactive(4);
    pick(2);
    QCOMPARE(pick(2), (Jobs{d, e}));
    queue_.remove(d->id);
    QCOMPARE(pick(2), (Jobs{e}));
    queue_.remove(e->id);
    queue_.remove(a->id);
    QCOMPARE(pick(2), (Jobs{c, b}));
    QCOMPARE(pick(2), (Jobs{b, c}));  // from then on in order of arrival
  }

  void generationsGoOnHoweverManyCompletionsCome() {
    const auto generation = background(1);
    pick(4);
    int turns = 0, since = 0;
    for (int i = 0; i < 200; ++i) {
      interactive(2 + i % 5);
      const auto jobs = pick(4);
      since = jobs.front() == generation ? 0 : since + 1;
      turns += jobs.front() == generation;
      QVERIFY(since <= JobQueue::kInteractiveTurns);
      if (jobs.front() != generation) queue_.remove(jobs.front()->id);
    }
    QCOMPARE(turns, 200 / (JobQueue::kInteractiveTurns + 1));
  }

  void aGenerationHasEveryThirtySecondTurnAndNoOther() {
    const auto generation = background(1);
    pick();  // it has begun
    const auto completion = interactive(2);
    for (int i = 1; i <= 3 * (JobQueue::kInteractiveTurns + 1); ++i)
      QCOMPARE(pick(), i % 32 == 0 ? generation : completion);
  }

  // Turns count from when both could run.
  void turnsWithoutRivalsAreNotCounted() {
    const auto completion = interactive(2);
    for (int i = 0; i < 100; ++i) QCOMPARE(pick(), completion);
    const auto generation = background(1);
    for (int i = 1; i <= JobQueue::kInteractiveTurns; ++i) QCOMPARE(pick(), completion);
    QCOMPARE(pick(), generation);
  }

  void aHeldJobWaitsUntilAnotherHasEnded() {
    const auto a = background(1), b = background(2), c = background(3);
    pick(2);
    QCOMPARE(pick(2).size(), std::size_t{2});
    queue_.hold(b->id);
    QCOMPARE(pick(4), std::vector{a});  // nor does c begin
    const auto d = interactive(4);
    for (int i = 0; i <= JobQueue::kInteractiveTurns; ++i) QCOMPARE(pick(4).size(), std::size_t{1});
    queue_.hold(a->id);
    for (int i = 0; i < 100; ++i) QCOMPARE(pick(4), std::vector{d});
    queue_.remove(d->id);
    QCOMPARE(pick(4), (std::vector{a, b, c}));
  }

  void cancelledJobsAreAllNamedAtOnce() {
    const auto a = background(1), b = interactive(1), c = background(2);
    pick(4);
    queue_.cancelAllOf(1);
    Turn turn;
    queue_.pick(1, turn);
    QVERIFY(turn.cancelled);
    QCOMPARE(turn.jobs, (std::vector{a, b}));
    queue_.remove(a->id);
    queue_.remove(b->id);
    queue_.pick(1, turn);
    QVERIFY(!turn.cancelled);
    QCOMPARE(turn.jobs, std::vector{c});
  }

  void aClientWithManyJobsDoesNotKeepOthersWaiting() {
    std::vector<JobId> flood;
    for (int i = 0; i < 10; ++i) flood.push_back(background(1)->id);
    QCOMPARE(runOne(), flood[0]);
    const JobId other = background(2)->id;
    // At most one more of the flood comes, then the other client's.
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

  // What reads a document ahead gives way to what somebody waits for, and ends none of it.
  void readingAheadGivesWay() {
    const auto asked = interactive(1, "a.cpp");
    const auto ahead = add(1, Priority::kBackground, "a.cpp");
    QVERIFY(!asked->cancelled && !ahead->cancelled);
    const auto again = add(1, Priority::kBackground, "a.cpp");
    QVERIFY(!asked->cancelled && ahead->cancelled && !again->cancelled);
    const auto fresh = interactive(1, "a.cpp");
    QVERIFY(asked->cancelled && again->cancelled && !fresh->cancelled);
  }

  void cancelledJobsComeFirstAndAreNotBegun() {
    const auto running = interactive(1);
    pick();
    const auto victim = background(1);
    QVERIFY(queue_.cancel(victim->id));
    QCOMPARE(pick(), victim);
    QVERIFY(!victim->begun);
    queue_.remove(victim->id);
    QCOMPARE(pick(), running);
    QVERIFY(!queue_.cancel(victim->id));
  }

  void aChangedDocumentEndsOnlyWhatHasNotBegun() {
    const auto begun = interactive(1, "a.cpp");
    pick();
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
