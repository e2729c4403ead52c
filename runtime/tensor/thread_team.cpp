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
template <typename T>
Clock::duration awaitChange(const std::atomic<T>& value, T old) {
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

template <typename T>
void change(std::atomic<T>& value, T to) {
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
    : size_(std::max(1, threads)),
      options_(options),
      rest_(kLeastRest),
      state_(State{.stage = kOver}.packed()) {
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

std::uint64_t ThreadTeam::State::packed() const {
  return std::uint64_t{run} << 32 | std::uint32_t{stage} << 16 | count;
}
ThreadTeam::State ThreadTeam::State::of(std::uint64_t packed) {
  return {.run = static_cast<std::uint32_t>(packed >> 32),
          .stage = static_cast<std::uint16_t>(packed >> 16),
          .count = static_cast<std::uint16_t>(packed)};
}

// Returns how many threads have joined the run under way, the caller included.
int ThreadTeam::present() const {
  return static_cast<std::uint16_t>(roll_.load(std::memory_order_acquire));
}

void ThreadTeam::runErased(int stages, Erased call, void* function) {
  const auto start = size_ > 1 ? Clock::now() : Clock::time_point();
  if (size_ == 1 || start < resume_) {
    for (int stage = 0; stage < stages; ++stage) call(function, stage, 0, 1);
    return;
  }
  call_ = call;
  function_ = function;
  stages_ = stages;
  callRoll(stages, start);
  // The caller does as a worker does, and notes what the work would have taken it alone: of the
  // time so far, what it did not spend waiting, times the threads that shared it.
  const auto begun = Clock::now();
  auto since = begun;
  Clock::duration work{}, waited{};
  State state{.run = run_, .count = static_cast<std::uint16_t>(present())};
  change(state_, state.packed());
  const auto note = [&](Clock::time_point now) {
    work += (now - since - waited) * state.count;
    since = now;
    waited = {};
  };
  while (state.stage != kOver) {
    call(function, state.stage, 0, state.count);
    arrive(state);
    waited += awaitChange(state_, state.packed());
    const State next = State::of(state_.load(std::memory_order_acquire));
    if (next.stage == kOver || next.count != state.count) note(Clock::now());
    state = next;
  }
  judge(since - (stages == 1 ? start : begun), work);
}

// Opens the roll, wakes the workers, and gives those who are awake the time to come.
void ThreadTeam::callRoll(int stages, Clock::time_point start) {
  ++run_;
  state_.store(State{.run = run_}.packed(), std::memory_order_relaxed);  // published by the roll
  roll_.store(std::uint64_t{run_} << 32 | 1, std::memory_order_release);
  change(epoch_, run_);
  const auto complete = [this] { return present() == size_; };
  while (!spin(complete)) {
    if (options_.patient) {
      sched_yield();
    } else if (stages > 1 || Clock::now() - start > kRollWait) {
      return;  // who is late joins at the next stage, if there is one
    }
  }
}

void ThreadTeam::judge(Clock::duration total, Clock::duration work) {
  if (options_.patient) return;
  if (work >= total) {
    if (++goodRuns_ >= kRunsOfTrust) rest_ = kLeastRest;
    return;
  }
  goodRuns_ = 0;
  resume_ = Clock::now() + rest_;
  rest_ = std::min<Clock::duration>(2 * rest_, kMostRest);
}

void ThreadTeam::work() {
  std::uint32_t seen = 0;  // the roll may have been called before this thread ran
  for (;;) {
    awaitChange(epoch_, seen);
    seen = epoch_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    const std::uint64_t roll = roll_.fetch_add(1, std::memory_order_acq_rel);
    takePart(static_cast<std::uint32_t>(roll >> 32), static_cast<std::uint16_t>(roll));
  }
}

// Thread `thread` of a run: in each stage that counts it, until the run is over. If it has come for
// one that is over already it leaves at once.
void ThreadTeam::takePart(std::uint32_t run, int thread) {
  for (;;) {
    const std::uint64_t packed = state_.load(std::memory_order_acquire);
    const State state = State::of(packed);
    if (state.run != run || state.stage == kOver) return;
    // The number of a stage that counts this thread cannot change before it has arrived.
    if (thread < state.count) {
      call_(function_, state.stage, thread, state.count);
      arrive(state);
    }
    awaitChange(state_, packed);
  }
}

// The last to arrive opens the next stage, to all who have come by now.
void ThreadTeam::arrive(const State& state) {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != state.count) return;
  arrived_.store(0, std::memory_order_relaxed);  // nobody arrives again before the state changes
  State next{.run = state.run, .stage = kOver, .count = state.count};
  if (state.stage + 1 < stages_) {
    next.stage = static_cast<std::uint16_t>(state.stage + 1);
    next.count = static_cast<std::uint16_t>(present());
  }
  change(state_, next.packed());
}

}  // namespace waferpair::tensor
