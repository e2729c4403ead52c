// SPDX-License-Identifier: GPL-3.0-or-later
// A fixed set of threads that run one function together, stage by stage.
//
// Decoding a token takes a few hundred microseconds and dozens of barriers, so waiting spins at
// first: a barrier among running threads costs about a tenth of a microsecond. Spinning is bounded
// by time: then a waiter gives its core away, and at last sleeps, so an idle team uses no CPU.
//
// On a busy machine a thread may be off its core for many milliseconds, and each barrier would wait
// for it. So each run() first calls the roll: threads that do not answer at once are left out of
// that run, and where waiting for them took longer than working alone would have, the caller works
// alone for a while before it asks again.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace waferpair::tensor {

class ThreadTeam {
 public:
  struct Options {
    bool pin = false;      // worker i stays on the i-th CPU allowed; the caller is never pinned
    bool patient = false;  // every run() waits for all threads, however late: for tests
  };

  // `threads` counts the caller of run() too: 1 starts none. Values below 1 are taken as 1.
  explicit ThreadTeam(int threads);
  ThreadTeam(int threads, Options options);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  int size() const { return size_; }

  // Calls f(thread, count) once for each thread in 0..count-1, each on a thread of its own, the
  // caller being thread 0, and returns when all are done. count is at most size() and may differ
  // from run to run. One caller at a time; f must not throw and must not call run().
  template <typename F>
  void run(F&& f) {
    using Function = std::remove_reference_t<F>;
    const auto call = [](void* function, int thread, int count) {
      (*static_cast<Function*>(function))(thread, count);
    };
    runErased(call, const_cast<void*>(static_cast<const void*>(&f)));
  }

  // Inside run(): returns when all threads of this run have called it equally often. What was
  // written before it is visible to all after it.
  void barrier();

 private:
  using Clock = std::chrono::steady_clock;
  using Erased = void (*)(void* function, int thread, int count);
  void runErased(Erased call, void* function);
  int callRoll(Clock::time_point now);
  void judge(Clock::duration total, int count);
  void work();
  int join();
  int count() const;

  const int size_;
  const Options options_;
  std::vector<std::thread> workers_;

  // Of the run under way: written before the roll is opened, read by those who joined.
  Erased call_ = nullptr;
  void* function_ = nullptr;
  std::atomic<std::thread::id> caller_{};

  // The caller's alone.
  Clock::duration waited_{};    // in the barriers of this run
  Clock::duration rest_;        // how long to work alone after the next bad run
  Clock::time_point resume_{};  // before it, runs are alone
  int goodRuns_ = 0;            // since the last bad one

  // Each on its own cache line, as every thread polls it while others write its neighbours.
  alignas(64) std::atomic<std::uint32_t> epoch_{0};  // rolls called
  alignas(64) std::atomic<std::uint32_t> roll_;      // threads in the run, and whether it is closed
  alignas(64) std::atomic<std::uint32_t> arrived_{0};  // at the barrier under way
  alignas(64) std::atomic<std::uint32_t> phase_{0};    // barriers completed
  std::atomic<bool> stop_{false};
};

}  // namespace waferpair::tensor
