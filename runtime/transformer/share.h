// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the work of a stage among threads. Private to this room.
#pragma once

#include <algorithm>
#include <atomic>

namespace waferpair::transformer {

// Part `index` of `count` equal ones.
struct Share {
  int index = 0, count = 1;
};

// The place of one thread among those that run a stage.
struct Crew {
  int thread = 0, threads = 1;
  std::atomic<int>* taken = nullptr;  // shares of this stage that some thread has begun

  // Returns the thread's own share, where all threads have one.
  Share own() const { return {thread, threads}; }

  // The first piece of the stage's work that no thread has begun; it is this thread's then. Where
  // that is behind the last, there is none left.
  int next() const { return taken->fetch_add(1, std::memory_order_relaxed); }

  // Calls f(share) for this thread's part of work on so many rows. If there are many rows, threads
  // take small shares in turn, so that one that is disturbed or comes late does less; if there are
  // few, each thread has its own share, the same in every step, whose weights may still be in its
  // cache.
  template <typename F>
  void forEachShare(int rows, F&& f) const {
    constexpr int kRowsWorthTaking = 16, kMostEach = 4;
    const int each = std::clamp(rows / kRowsWorthTaking, 1, kMostEach);
    if (threads == 1 || each == 1) return f(own());
    const int count = threads * each;
    for (int index = next(); index < count; index = next()) f(Share{index, count});
  }
};

}  // namespace waferpair::transformer
