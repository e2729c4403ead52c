// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/shared_cores.h"

#include <algorithm>
#include <cassert>

namespace waferpair::inference {

void SharedCores::take(Priority priority) {
  base::MutexLock lock(mutex_);
  wait(priority, lock);
}

void SharedCores::pass(Priority priority) {
  if (waiting_.load(std::memory_order_relaxed) == 0) return;  // asked before each stage
  base::MutexLock lock(mutex_);
  assert(taken_);
  if (waiters_.empty()) return;
  const bool isSliceOver = Clock::now() - since_ >= kSlice;
  const bool isUrgent =
      priority == Priority::kBackground && !dueSlice_ && next().priority == Priority::kInteractive;
  // A completion in the midst of its step does not give way to an answer.
  const bool isEqual = next().priority == priority || dueSlice_;
  if (!isUrgent && !(isSliceOver && isEqual)) return;
  taken_ = false;
  free_.notify_all();
  wait(priority, lock);
}

void SharedCores::give() {
  const base::MutexLock lock(mutex_);
  assert(taken_);
  taken_ = false;
  if (!waiters_.empty()) free_.notify_all();
}

void SharedCores::wait(Priority priority, base::MutexLock& lock) {
  const std::uint64_t ticket = ++lastTicket_;
  waiters_.push_back({ticket, priority});
  waiting_ = static_cast<int>(waiters_.size());
  while (taken_ || next().ticket != ticket) free_.wait(lock.native());
  std::erase_if(waiters_, [ticket](const Waiter& waiter) { return waiter.ticket == ticket; });
  waiting_ = static_cast<int>(waiters_.size());
  taken_ = true;
  since_ = Clock::now();
  const auto waitsFor = [this](Priority wanted) WAFERPAIR_REQUIRES(mutex_) {
    return std::ranges::find(waiters_, wanted, &Waiter::priority) != waiters_.end();
  };
  dueSlice_ = priority == Priority::kBackground && waitsFor(Priority::kInteractive);
  const bool isAhead = priority == Priority::kInteractive && waitsFor(Priority::kBackground);
  interactiveTurns_ = isAhead ? interactiveTurns_ + 1 : 0;
}

// There is one.
const SharedCores::Waiter& SharedCores::next() const {
  const auto background = std::ranges::find(waiters_, Priority::kBackground, &Waiter::priority);
  const auto interactive = std::ranges::find(waiters_, Priority::kInteractive, &Waiter::priority);
  if (interactive == waiters_.end()) return *background;
  const bool isDue = background != waiters_.end() && interactiveTurns_ >= kInteractiveTurns;
  return isDue ? *background : *interactive;
}

}  // namespace waferpair::inference
