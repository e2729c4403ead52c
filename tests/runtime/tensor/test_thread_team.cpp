// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

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
  void whatWasWrittenBeforeABarrierIsSeenAfterIt();
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
    team.barrier();
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

// Each thread writes its cell in turn, and all read all cells: a barrier that let one through
// early, or published nothing, would show an old number (and a race under tsan).
void TestThreadTeam::whatWasWrittenBeforeABarrierIsSeenAfterIt() {
  constexpr int kThreads = 3, kRounds = 200;
  ThreadTeam team(kThreads, kPatient);
  std::vector<int> cells(kThreads);
  std::atomic<int> wrong{0};
  team.run([&](int thread, int count) {
    for (int round = 1; round <= kRounds; ++round) {
      cells[static_cast<std::size_t>(thread)] = round;
      team.barrier();
      for (int i = 0; i < count; ++i) {
        if (cells[static_cast<std::size_t>(i)] != round) ++wrong;
      }
      team.barrier();
    }
  });
  QCOMPARE(wrong.load(), 0);
}

// Left to itself a team may leave out threads that do not answer: the shares must still add up.
void TestThreadTeam::impatientRunsAreCompleteWhateverTheCount() {
  ThreadTeam team(4);
  constexpr int kRuns = 2000, kItems = 97;
  std::vector<int> done(kItems);
  for (int run = 1; run <= kRuns; ++run) {
    team.run([&](int thread, int count) {
      QVERIFY(count >= 1 && count <= 4 && thread < count);
      for (int i = kItems * thread / count; i < kItems * (thread + 1) / count; ++i) {
        ++done[static_cast<std::size_t>(i)];
      }
      team.barrier();
      for (int i = thread; i < kItems; i += count) {
        if (done[static_cast<std::size_t>(i)] != run) done[static_cast<std::size_t>(i)] = -kRuns;
      }
    });
  }
  QCOMPARE(done, std::vector<int>(kItems, kRuns));
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
