// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/thread_team.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace waferpair::tensor {
namespace {

using Clock = std::chrono::steady_clock;

// Long enough for the slowest stage of a decode step plus sampling, short enough not to be felt.
constexpr auto kSpin = std::chrono::microseconds(30);
constexpr int kPausesPerLook = 64;  // pauses between looks at the clock
constexpr int kYields = 4;          // turns given away before sleeping

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns once `value` is no longer `old`.
void awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto changed = [&] { return value.load(std::memory_order_acquire) != old; };
  if (changed()) return;
  const auto deadline = Clock::now() + kSpin;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (changed()) return;
      pause();
    }
  } while (Clock::now() < deadline);
  for (int i = 0; i < kYields; ++i) {
    sched_yield();
    if (changed()) return;
  }
  // Asleep, this core is free: the kernel can move the thread that is waited for onto it.
  value.wait(old, std::memory_order_acquire);
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

ThreadTeam::ThreadTeam(int threads, Options options) : size_(std::max(1, threads)) {
  workers_.reserve(static_cast<std::size_t>(size_ - 1));
  for (int i = 1; i < size_; ++i) {
    workers_.emplace_back([this, i] { work(i); });
    if (options.pin) pinTo(workers_.back(), i);
  }
}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_relaxed);  // published by the change of epoch
  change(epoch_, epoch_.load(std::memory_order_relaxed) + 1);
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::runErased(Erased call, void* function) {
  if (size_ == 1) return call(function, 0, 1);
  call_ = call;
  function_ = function;
  change(epoch_, epoch_.load(std::memory_order_relaxed) + 1);
  call(function, 0, size_);
  barrier();
}

void ThreadTeam::work(int thread) {
  // Starts from the first epoch, not the present one: a run() may have begun before this thread
  // did.
  for (std::uint32_t seen = 0;; ++seen) {
    awaitChange(epoch_, seen);
    if (stop_.load(std::memory_order_relaxed)) return;
    call_(function_, thread, size_);
    barrier();
  }
}

void ThreadTeam::barrier() {
  if (size_ == 1) return;
  // Cannot change between this load and this thread's arrival: that needs all threads to arrive.
  const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(size_)) {
    arrived_.store(0, std::memory_order_relaxed);  // nobody arrives again before the phase changes
    change(phase_, phase + 1);
  } else {
    awaitChange(phase_, phase);
  }
}

}  // namespace waferpair::tensor
