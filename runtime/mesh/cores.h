// SPDX-License-Identifier: GPL-3.0-or-later
// The cores of a region: tasks, microthreads, the vector unit and SRAM. In each cycle a core does
// at most one step of one vector instruction: as many elements as its lanes take, or one wavelet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "runtime/mesh/fabric.h"
#include "runtime/mesh/prepare.h"
#include "runtime/mesh/program.h"
#include "runtime/mesh/recorder.h"

namespace waferpair::mesh {

// Cycles of one core. A core with nothing to run counts none of them.
struct CoreCounters {
  std::uint64_t busy = 0;          // computing, or in scalar code
  std::uint64_t waitWavelet = 0;   // stalled: no wavelet has come
  std::uint64_t outputFull = 0;    // stalled: the queue to the router is full
  std::uint64_t bankConflict = 0;  // stalled: two accesses to one SRAM bank
};

class Cores {
 public:
  // `program` is valid; it and `fabric` outlive the cores.
  Cores(const Program& program, Fabric& fabric);

  // Begins a cycle.
  void begin() {
    progressed_ = false;
    nextStep_ = kNever;
  }
  // PEs whose core has something to do.
  PeSet& awake() { return awake_; }
  // Lets a PE's core take one step. What nothing else can observe is done at once: of an
  // instruction that uses no fabric, many steps ahead of time.
  void step(int pe, std::uint32_t cycle) {
    if (!stepStream(pe, cycle)) stepAny(pe, cycle);
  }

  bool progressed() const { return progressed_; }  // in this cycle
  // Grows with whatever a core does but a step within a repetition, or waiting.
  std::uint64_t changes() const { return changes_; }
  // The next cycle in which a core that waits only for time to pass goes on.
  static constexpr std::uint32_t kNever = ~0u;
  std::uint32_t nextStep() const { return nextStep_; }
  std::uint32_t end() const;  // cycles until the last one was done
  // No task runs, and none that was activated is blocked.
  bool idle() const;

  std::uint8_t* sram(int pe) { return &sram_.get()[std::size_t(pe) * sramPitch_]; }
  const std::uint8_t* sram(int pe) const { return &sram_.get()[std::size_t(pe) * sramPitch_]; }
  // Swaps the SRAM with cores of the same region.
  void swapSram(Cores& other) { sram_.swap(other.sram_); }
  CoreCounters counters(int pe) const {
    CoreCounters counters = stalls_[pe].counters;
    counters.busy = cores_[pe].busy;
    return counters;
  }

  // The same as a cycle begins, with what a core that waits has waited so far.
  CoreCounters countersAt(int pe, std::uint32_t cycle) const {
    CoreCounters all = counters(pe);
    const Wait wait = cores_[pe].asleep;
    if (wait == Wait::None || cycle < stalls_[pe].asleepSince) return all;
    (wait == Wait::Output ? all.outputFull : all.waitWavelet) += cycle - stalls_[pe].asleepSince;
    return all;
  }

  // What a core did in this cycle, behind its step; `until` is when that ends if it is known.
  Doing doing(int pe, std::uint32_t cycle, std::uint32_t& until) const;

  // Adds lines that say what tasks and microthreads wait for, at most `most` of them.
  void explain(std::vector<std::string>& lines, std::size_t most) const;

 private:
  friend class Steady;
  static constexpr int kThreads = kMicrothreads + 1;  // 0 is the task, 1 to 8 the microthreads
  enum class Wait : std::uint8_t { None, Wavelet, Output };

  struct Thread {
    const Prepared* op = nullptr;
    Progress at;
    std::uint32_t in = 0, out = 0;  // queues; 0: none
  };
  // The state of a core that every cycle needs, in one line of the host's cache.
  struct alignas(64) Core {
    Thread main;
    std::uint64_t active = 0, blocked = 0;  // tasks
    std::uint32_t busyUntil = 0;
    std::uint32_t busy = 0;                 // cycles
    std::uint32_t firing = 0;               // data of the wavelet that fired the task
    std::uint16_t next = 0;                 // instruction of the task
    std::uint16_t running = 0, issued = 0;  // threads; those that have paid their issue cycles
    std::int8_t task = -1;
    std::uint8_t nextThread = 0;
    Wait asleep = Wait::None;
    bool undisturbed = true;  // no control wavelet can reach it
    bool hasCode = false;
  };
  static_assert(sizeof(Core) == 64);
  struct Stalls {
    CoreCounters counters;  // but for `busy`
    std::uint32_t asleepSince = 0;
  };
  struct Freed {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  Thread& thread(int pe, int which) {
    return which == 0 ? cores_[pe].main : microthreads_[pe * kMicrothreads + which - 1];
  }
  const Thread& thread(int pe, int which) const {
    return const_cast<Cores*>(this)->thread(pe, which);
  }
  const PreparedCode& codeOf(int pe) const { return codes_[program_.codeOf[pe]]; }
  bool stepStream(int pe, std::uint32_t cycle);
  void stepAny(int pe, std::uint32_t cycle);
  bool comingTo(int pe, std::uint32_t cycle) const;
  bool takeControl(int pe, std::uint32_t cycle);
  bool startTask(int pe, std::uint32_t cycle);
  bool fetch(int pe);
  Wait advance(int pe, Thread& thread, int which, std::uint32_t cycle);
  void runAhead(int pe, std::uint32_t cycle);
  bool finished(int pe, Thread& thread, int which, int elements) {
    thread.at.done += elements;
    return thread.at.done >= thread.op->in.length && ended(pe, thread, which);
  }
  bool ended(int pe, Thread& thread, int which);
  void charge(int pe, Wait wait, std::uint64_t cycles);
  void waitUntil(std::uint32_t cycle) { nextStep_ = std::min(nextStep_, cycle); }

  const Program& program_;
  Fabric& fabric_;
  std::size_t sramPitch_;                        // from a PE's SRAM to the next one's
  std::unique_ptr<std::uint8_t[], Freed> sram_;  // zeroed lazily by the system
  std::vector<PreparedCode> codes_;
  std::vector<Core> cores_;
  std::vector<Thread> microthreads_;  // [pe][thread]
  std::vector<Stalls> stalls_;
  PeSet awake_;
  bool progressed_ = false;
  std::uint32_t nextStep_ = kNever;
  std::uint64_t changes_ = 0;
};

// The step of a core whose task alone streams wavelets. False, with nothing done, if it is not that
// simple.
inline bool Cores::stepStream(int pe, std::uint32_t cycle) {
  Core& core = cores_[pe];
  if (core.running != 1 || core.busyUntil > cycle || core.asleep != Wait::None) return false;
  Thread& thread = core.main;
  const Prepared& op = *thread.op;
  if (!op.streams || fabric_.controlArrived(pe) != 0) return false;
  std::uint32_t data = core.firing;
  if (thread.in != 0) {
    const Queue& queue = fabric_.queue(thread.in);
    if (queue.empty() || queue.head().ready() > cycle) return false;
    data = queue.head().data;
  }
  if (thread.out != 0 && !fabric_.queue(thread.out).hasRoom(cycle)) return false;
  if (thread.in != 0) fabric_.takePlain(thread.in, cycle);
  const auto n = static_cast<int>(op.elements(thread.at.done));
  const std::uint32_t result = op.step(op.in, sram(pe), thread.at, n, op.perCycle, data);
  ++core.busy;
  core.busyUntil = cycle + 1;
  core.nextThread = 1;
  progressed_ = true;
  const bool last = finished(pe, thread, 0, n);
  if (thread.out != 0) {
    fabric_.send(thread.out, result, false, last && op.in.to.advanceSwitch, cycle);
  }
  return true;
}

}  // namespace waferpair::mesh
