// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <thread>
#include <vector>

#include "runtime/tensor/thread_team.h"

namespace waferpair::tensor {

class TestThreadTeam : public QObject {
  Q_OBJECT

 private slots:
  void oneThreadRunsOnTheCaller();
  void everyThreadRunsOnce_data();
  void everyThreadRunsOnce();
  void whatAStageWroteIsSeenByTheNext();
  void aLateThreadJoinsAtTheNextStage();
  void impatientRunsAreCompleteWhateverTheCount();
  void idleTeamUsesNoCpu();
  void teamsComeAndGo();
};

constexpr ThreadTeam::Options kPatient{.pin = false, .patient = true};

double processCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void TestThreadTeam::oneThreadRunsOnTheCaller() {
  ThreadTeam team(0);
  QCOMPARE(team.size(), 1);
  std::thread::id ranOn;
  team.run([&](int thread, int count) {
    QCOMPARE(thread, 0);
    QCOMPARE(count, 1);
    ranOn = std::this_thread::get_id();
  });
  QCOMPARE(ranOn, std::this_thread::get_id());
}

void TestThreadTeam::everyThreadRunsOnce_data() {
  QTest::addColumn<int>("threads");
  for (const int threads : {2, 3, 8}) QTest::addRow("%d", threads) << threads;
}

void TestThreadTeam::everyThreadRunsOnce() {
  QFETCH(int, threads);
  ThreadTeam team(threads, kPatient);
  QCOMPARE(team.size(), threads);
  std::vector<int> calls(static_cast<std::size_t>(threads));
  constexpr int kRuns = 50;
  for (int i = 0; i < kRuns; ++i) {
    team.run([&](int thread, int count) {
      if (count == threads) ++calls[static_cast<std::size_t>(thread)];
    });
  }
  QCOMPARE(calls, std::vector<int>(static_cast<std::size_t>(threads), kRuns));
}

// Each thread writes its cell in turn, and all read all cells: a stage that began early, or saw
// nothing of the one before, would show an old number (and a race under tsan).
void TestThreadTeam::whatAStageWroteIsSeenByTheNext() {
  constexpr int kThreads = 3, kRounds = 200;
  ThreadTeam team(kThreads, kPatient);
  std::vector<int> cells(kThreads);
  std::atomic<int> wrong{0};
  team.run(2 * kRounds, [&](int stage, int thread, int count) {
    const int round = stage / 2;
    if (stage % 2 == 0) {
      cells[static_cast<std::size_t>(thread)] = round;
      return;
    }
    for (int i = 0; i < count; ++i) {
      if (cells[static_cast<std::size_t>(i)] != round) ++wrong;
    }
  });
  QCOMPARE(wrong.load(), 0);
}

// A team that has gone to sleep is not waited for, but takes part as soon as it is awake.
void TestThreadTeam::aLateThreadJoinsAtTheNextStage() {
  ThreadTeam team(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // past the spinning
  constexpr int kMost = 10000;
  std::vector<int> counts;
  std::atomic<int> others{0};
  bool together = false;  // of the caller alone, who decides whether there is more to wait for
  team.run(kMost, [&](int, int thread, int count) {
    if (thread != 0) {
      ++others;
      return;
    }
    counts.push_back(count);
    together = together || count == 2;
    if (!together) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  QCOMPARE(counts.size(), static_cast<std::size_t>(kMost));
  QVERIFY(std::ranges::is_sorted(counts));  // who has come stays
  QCOMPARE(counts.back(), 2);
  QCOMPARE(others.load(), static_cast<int>(std::ranges::count(counts, 2)));
}

// Left to itself a team may begin without threads that do not answer: the shares must still add up,
// whoever comes in between.
void TestThreadTeam::impatientRunsAreCompleteWhateverTheCount() {
  ThreadTeam team(4);
  constexpr int kRuns = 500, kStages = 6, kItems = 97;
  std::vector<int> done(kItems);
  for (int run = 0; run < kRuns; ++run) {
    team.run(kStages, [&](int stage, int thread, int count) {
      QVERIFY(count >= 1 && count <= 4 && thread < count);
      const auto mine = [&](int i) {  // whoever had the item in the stage before
        return stage % 2 == 0 ? i * count / kItems == thread : i % count == thread;
      };
      for (int i = 0; i < kItems; ++i) {
        int& item = done[static_cast<std::size_t>(i)];
        if (mine(i)) item = item == run * kStages + stage ? item + 1 : -kRuns * kStages;
      }
    });
  }
  QCOMPARE(done, std::vector<int>(kItems, kRuns * kStages));
}

void TestThreadTeam::idleTeamUsesNoCpu() {
  ThreadTeam team(4, kPatient);
  team.run([](int, int) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // past the spinning
  const double before = processCpuSeconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double used = processCpuSeconds() - before;
  QVERIFY2(used < 0.02, qPrintable(QString("%1 s of CPU in 0.3 s").arg(used)));
}

void TestThreadTeam::teamsComeAndGo() {
  std::atomic<int> calls{0};
  for (int i = 0; i < 50; ++i) {
    ThreadTeam unused(3);
    ThreadTeam team(3, kPatient);
    team.run([&](int, int) { ++calls; });
  }
  QCOMPARE(calls.load(), 150);
}

}  // namespace waferpair::tensor

QTEST_APPLESS_MAIN(waferpair::tensor::TestThreadTeam)
#include "test_thread_team.moc"
