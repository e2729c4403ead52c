// SPDX-License-Identifier: GPL-3.0-or-later
// Tests who has the computer's cores next. Each of the others waits on a thread of its own.
#include <QtTest>
#include <functional>
#include <thread>
#include <vector>

#include "runtime/inference/engine/shared_cores.h"

namespace waferpair::inference {

class TestSharedCores : public QObject {
  Q_OBJECT

  SharedCores cores_;
  base::Mutex mutex_;
  std::string order_;  // who had them
  std::vector<std::thread> threads_;

  void note(char who) {
    const base::MutexLock lock(mutex_);
    order_ += who;
  }
  // Returns once it waits.
  void wait(Priority priority, char who) {
    const int before = cores_.waiting();
    threads_.emplace_back([this, priority, who] {
      cores_.take(priority);
      note(who);
      cores_.give();
    });
    while (cores_.waiting() == before) std::this_thread::yield();
  }
  std::string order() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    return std::exchange(order_, {});
  }

 private slots:
  void completionsGoFirstAndEqualsInOrder() {
    cores_.take(Priority::kBackground);
    wait(Priority::kBackground, 'b');
    wait(Priority::kInteractive, 'i');
    wait(Priority::kBackground, 'c');
    wait(Priority::kInteractive, 'j');
    cores_.give();
    QCOMPARE(order(), std::string("ijbc"));
  }

  void anAnswerIsLeftBetweenTwoStagesForACompletion() {
    cores_.take(Priority::kBackground);
    cores_.pass(Priority::kBackground);  // nobody waits
    wait(Priority::kInteractive, 'i');
    cores_.pass(Priority::kBackground);
    note('b');
    cores_.give();
    QCOMPARE(order(), std::string("ib"));
  }

  void aCompletionIsNotLeftForAnAnswer() {
    cores_.take(Priority::kInteractive);
    wait(Priority::kBackground, 'b');
    const auto end = std::chrono::steady_clock::now() + 2 * SharedCores::kSlice;
    while (std::chrono::steady_clock::now() < end) cores_.pass(Priority::kInteractive);
    note('i');
    cores_.give();
    QCOMPARE(order(), std::string("ib"));
  }

  void equalsShareTheTime() {
    cores_.take(Priority::kBackground);
    wait(Priority::kBackground, 'b');
    while (cores_.waiting() > 0) cores_.pass(Priority::kBackground);
    note('a');
    cores_.give();
    QCOMPARE(order(), std::string("ba"));
  }

  void anAnswerIsNotPutOffForever() {
    cores_.take(Priority::kInteractive);
    wait(Priority::kBackground, 'b');
    for (int turn = 0; turn < SharedCores::kInteractiveTurns + 1; ++turn)
      wait(Priority::kInteractive, 'i');
    cores_.give();
    const std::string had = order();
    QCOMPARE(had.size(), static_cast<std::size_t>(SharedCores::kInteractiveTurns) + 2);
    QCOMPARE(had.find('b'), static_cast<std::size_t>(SharedCores::kInteractiveTurns));
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestSharedCores)
#include "test_shared_cores.moc"
