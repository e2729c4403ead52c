// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/thread_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace waferpair::tensor {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Bridges the time between two decode steps (sampling, sending), and is too short to be felt.
constexpr auto kSpin = microseconds(50);
constexpr int kPausesPerLook = 64;  // pauses between looks at the clock: a microsecond or two
constexpr int kYields = 4;          // turns given away before sleeping
// Waking a sleeper takes 5 to 50 microseconds on an idle machine; later than that, it is busy.
constexpr auto kRollWait = microseconds(60);
// A time slice of the kernel is some milliseconds: shorter rests would find the same contention.
constexpr auto kLeastRest = milliseconds(2);
constexpr auto kMostRest = milliseconds(500);
constexpr int kRunsOfTrust = 64;  // good runs in a row after which rests are short again

constexpr std::uint32_t kClosed = 1u
                                  << 31;  // bit of roll_; the others count threads, caller included

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <typename Done>
bool spin(Done&& done) {
  for (int i = 0; i < kPausesPerLook; ++i) {
    if (done()) return true;
    pause();
  }
  return false;
}

// Returns once `value` is no longer `old`, and says how long that took: 0 if next to nothing.
Clock::duration awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto changed = [&] { return value.load(std::memory_order_acquire) != old; };
  if (spin(changed)) return {};
  const auto start = Clock::now();
  while (Clock::now() < start + kSpin) {
    if (spin(changed)) return Clock::now() - start;
  }
  for (int i = 0; i < kYields && !changed(); ++i) sched_yield();
  // Asleep, this core is free: the kernel can move the thread that is waited for onto it.
  value.wait(old, std::memory_order_acquire);
  return Clock::now() - start;
}

void change(std::atomic<std::uint32_t>& value, std::uint32_t to) {
  value.store(to, std::memory_order_release);
  value.notify_all();  // a load and no system call if nobody sleeps
}

void pinTo(std::thread& thread, int index) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || CPU_COUNT(&allowed) == 0) return;
  int skip = index % CPU_COUNT(&allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || skip-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(thread.native_handle(), sizeof(one), &one);
    return;
  }
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) : ThreadTeam(threads, Options()) {}

ThreadTeam::ThreadTeam(int threads, Options options)
    : size_(std::max(1, threads)), options_(options), rest_(kLeastRest), roll_(kClosed | 1) {
  workers_.reserve(static_cast<std::size_t>(size_ - 1));
  for (int i = 1; i < size_; ++i) {
    workers_.emplace_back([this] { work(); });
    if (options.pin) pinTo(workers_.back(), i);
  }
}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_relaxed);  // published by the change of epoch
  change(epoch_, epoch_.load(std::memory_order_relaxed) + 1);
  for (std::thread& worker : workers_) worker.join();
}

int ThreadTeam::count() const {
  return static_cast<int>(roll_.load(std::memory_order_relaxed) & ~kClosed);
}

void ThreadTeam::runErased(Erased call, void* function) {
  if (size_ == 1) return call(function, 0, 1);
  const auto start = Clock::now();
  if (start < resume_) {
    roll_.store(kClosed | 1, std::memory_order_relaxed);
    return call(function, 0, 1);
  }
  call_ = call;
  function_ = function;
  caller_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  waited_ = {};
  const int count = callRoll(start);
  call(function, 0, count);
  barrier();  // the workers are done with call_ and function_
  judge(Clock::now() - start, count);
}

// Opens the roll, wakes the workers, and closes it when all have joined or it is time to begin.
int ThreadTeam::callRoll(Clock::time_point now) {
  const auto complete = [this] { return count() == size_; };
  roll_.store(1, std::memory_order_release);
  change(epoch_, epoch_.load(std::memory_order_relaxed) + 1);
  while (!spin(complete)) {
    if (options_.patient) {
      sched_yield();
    } else if (Clock::now() - now > kRollWait) {
      break;
    }
  }
  const std::uint32_t joined = roll_.fetch_or(kClosed, std::memory_order_acq_rel);
  roll_.notify_all();
  return static_cast<int>(joined);
}

// Threads pay if the run took less than its work would have taken the caller alone: of the total,
// what it did not spend waiting, times the threads that shared it.
void ThreadTeam::judge(Clock::duration total, int count) {
  if (options_.patient) return;
  if (count > 1 && (total - waited_) * count > total) {
    if (++goodRuns_ >= kRunsOfTrust) rest_ = kLeastRest;
    return;
  }
  goodRuns_ = 0;
  resume_ = Clock::now() + rest_;
  rest_ = std::min<Clock::duration>(2 * rest_, kMostRest);
}

void ThreadTeam::work() {
  std::uint32_t seen =
      0;  // not the present epoch: a roll may have been called before this thread ran
  for (;;) {
    awaitChange(epoch_, seen);
    seen = epoch_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    const int thread = join();
    if (thread < 0) continue;  // too late: this run goes on without us
    call_(function_, thread, count());
    barrier();
  }
}

// This thread's number in the run, once the roll is closed; -1 if it was closed before.
int ThreadTeam::join() {
  std::uint32_t roll = roll_.load(std::memory_order_relaxed);
  do {
    if ((roll & kClosed) != 0) return -1;
  } while (!roll_.compare_exchange_weak(roll, roll + 1, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  const auto thread = static_cast<int>(roll);
  for (roll = roll + 1; (roll & kClosed) == 0; roll = roll_.load(std::memory_order_acquire)) {
    awaitChange(roll_, roll);
  }
  return thread;
}

void ThreadTeam::barrier() {
  const auto threads = static_cast<std::uint32_t>(count());
  if (threads == 1) return;
  // Cannot change between this load and this thread's arrival: that needs all threads to arrive.
  const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
    arrived_.store(0, std::memory_order_relaxed);  // nobody arrives again before the phase changes
    change(phase_, phase + 1);
    return;
  }
  const Clock::duration waited = awaitChange(phase_, phase);
  // A worker may still be here when the next run begins; no worker's id is ever a caller's.
  if (waited > Clock::duration::zero() &&
      std::this_thread::get_id() == caller_.load(std::memory_order_relaxed)) {
    waited_ += waited;
  }
}

}  // namespace waferpair::tensor
