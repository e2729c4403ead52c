// SPDX-License-Identifier: GPL-3.0-or-later
// A fixed set of threads that run the stages of a piece of work together.
//
// Decoding a token takes a few hundred microseconds and dozens of stages, so waiting for the others
// at the end of each spins at first: among running threads that costs about a tenth of a
// microsecond. Spinning is bounded by time: then a waiter gives its core away, and at last sleeps,
// so an idle team uses no CPU.
//
// On a busy machine a thread may be off its core for many milliseconds, and each stage would wait
// for it. So a run begins with the threads that are there, and a later one joins at the next stage.
// If waiting for the others took longer than working alone would have, the caller works alone for a
// while before it asks again.
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

  // Calls f(stage, thread, count) for each stage in 0..stages-1 and each thread in 0..count-1, each
  // thread on one of its own, the caller being thread 0, and returns when all are done. A stage
  // begins when all threads have done the one before, and sees what they wrote. count is at most
  // size(), may differ from run to run, and may grow from stage to stage. stages is 1 to
  // kMostStages. One caller at a time; f must not throw and must not call run().
  static constexpr int kMostStages = 0xfffe;
  template <typename F>
  void run(int stages, F&& f) {
    using Function = std::remove_reference_t<F>;
    const auto call = [](void* function, int stage, int thread, int count) {
      (*static_cast<Function*>(function))(stage, thread, count);
    };
    runErased(stages, call, const_cast<void*>(static_cast<const void*>(&f)));
  }
  // f(thread, count): a run of one stage, which nobody can join late.
  template <typename F>
  void run(F&& f) {
    run(1, [&f](int, int thread, int count) { f(thread, count); });
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Erased = void (*)(void* function, int stage, int thread, int count);

  // The state of a run packed into one number, so that it is read as a whole.
  struct State {
    std::uint32_t run = 0;
    std::uint16_t stage = 0;  // kOver: all are done
    std::uint16_t count = 0;  // threads in this stage; 0: the run has not begun
    std::uint64_t packed() const;
    static State of(std::uint64_t packed);
  };
  static constexpr std::uint16_t kOver = 0xffff;

  void runErased(int stages, Erased call, void* function);
  void callRoll(int stages, Clock::time_point start);
  void judge(Clock::duration total, Clock::duration work);
  void work();
  void takePart(std::uint32_t run, int thread);
  void arrive(const State& state);
  int present() const;

  const int size_;
  const Options options_;
  std::vector<std::thread> workers_;

  // The run under way: written before the roll is opened, read by those who take part.
  Erased call_ = nullptr;
  void* function_ = nullptr;
  int stages_ = 0;

  // The caller's alone.
  std::uint32_t run_ = 0;
  Clock::duration rest_;        // how long to work alone after the next bad run
  Clock::time_point resume_{};  // before it, runs are alone
  int goodRuns_ = 0;            // since the last bad one

  // Each has its own cache line, as every thread polls it while others write its neighbors.
  alignas(64) std::atomic<std::uint32_t> epoch_{0};    // rolls called
  alignas(64) std::atomic<std::uint64_t> roll_{0};     // a run, and how many have come for it
  alignas(64) std::atomic<std::uint32_t> arrived_{0};  // at the end of the stage under way
  alignas(64) std::atomic<std::uint64_t> state_;
  std::atomic<bool> stop_{false};
};

}  // namespace waferpair::tensor
