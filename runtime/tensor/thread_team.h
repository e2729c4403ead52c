// SPDX-License-Identifier: GPL-3.0-or-later
// A fixed set of threads that run one function together, stage by stage.
//
// Decoding a token takes a few hundred microseconds and dozens of barriers, so waiting spins at
// first: a barrier among running threads costs about a tenth of a microsecond. Spinning is bounded
// by time: then a waiter gives its core away, and at last sleeps, so that other programs on a busy
// machine delay a team but cannot starve it, and an idle team uses no CPU at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace waferpair::tensor {

class ThreadTeam {
 public:
  struct Options {
    bool pin =
        false;  // thread i stays on the i-th CPU the process may use; the caller is not pinned
  };

  // `threads` counts the caller of run() too: 1 starts none. Values below 1 are taken as 1.
  explicit ThreadTeam(int threads);
  ThreadTeam(int threads, Options options);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  int size() const { return size_; }

  // Calls f(thread, size()) once on each thread, the caller being thread 0, and returns when all
  // are done. One caller at a time; f must not throw and must not call run().
  template <typename F>
  void run(F&& f) {
    using Function = std::remove_reference_t<F>;
    runErased([](void* function, int thread,
                 int count) { (*static_cast<Function*>(function))(thread, count); },
              const_cast<void*>(static_cast<const void*>(&f)));
  }

  // Inside run(): returns when every thread of the team has called it equally often. What was
  // written before it is visible to all after it.
  void barrier();

 private:
  using Erased = void (*)(void* function, int thread, int count);
  void runErased(Erased call, void* function);
  void work(int thread);

  int size_;
  Erased call_ = nullptr;
  void* function_ = nullptr;
  // Each on its own cache line, as every thread polls it while others write its neighbours.
  alignas(64) std::atomic<std::uint32_t> epoch_{0};    // number of run() calls begun
  alignas(64) std::atomic<std::uint32_t> arrived_{0};  // threads waiting in barrier()
  alignas(64) std::atomic<std::uint32_t> phase_{0};    // barriers completed
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

}  // namespace waferpair::tensor
