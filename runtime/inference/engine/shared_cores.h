// SPDX-License-Identifier: GPL-3.0-or-later
// Shares this computer's cores between the engines of one process: each has a team of threads as
// large as the machine, and two teams at once would spend their time waiting for each other. One
// engine computes at a time, and the step of a background job is left between two of its stages, so
// that a completion waits for a part of a step and never for an answer.
//
// Who is next: completions before background jobs, but after kInteractiveTurns in a row one that
// waits in the background has a slice; among equals who came first. A step that is longer than a
// slice gives way to its equals after each slice, so that they share the time and not the steps.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/inference/engine/job_queue.h"

namespace waferpair::inference {

class SharedCores {
 public:
  static constexpr std::chrono::milliseconds kSlice{5};
  static constexpr int kInteractiveTurns = JobQueue::kInteractiveTurns;

  // Waits for the cores; they are held until give(). One thread takes them once at a time.
  void take(Priority priority);
  // Called by who holds them, between two stages: gives them to another whose turn it is, if there
  // is one, and takes them again. `priority` is as they were taken.
  void pass(Priority priority);
  void give();

  // The number of those that wait.
  int waiting() const { return waiting_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiter {
    std::uint64_t ticket = 0;
    Priority priority = Priority::kBackground;
  };

  void wait(Priority priority, base::MutexLock& lock) WAFERPAIR_REQUIRES(mutex_);
  const Waiter& next() const WAFERPAIR_REQUIRES(mutex_);

  base::Mutex mutex_;
  std::condition_variable free_;
  std::vector<Waiter> waiters_ WAFERPAIR_GUARDED_BY(mutex_);  // in order of arrival
  std::uint64_t lastTicket_ WAFERPAIR_GUARDED_BY(mutex_) = 0;
  bool taken_ WAFERPAIR_GUARDED_BY(mutex_) = false;
  Clock::time_point since_ WAFERPAIR_GUARDED_BY(mutex_);   // when they were taken
  bool dueSlice_ WAFERPAIR_GUARDED_BY(mutex_) = false;     // in front of interactive ones
  int interactiveTurns_ WAFERPAIR_GUARDED_BY(mutex_) = 0;  // in a row, while others wait
  std::atomic<int> waiting_ = 0;                           // waiters_.size()
};

}  // namespace waferpair::inference
