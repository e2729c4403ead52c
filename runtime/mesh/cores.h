// SPDX-License-Identifier: GPL-3.0-or-later
// The cores of a region: tasks, microthreads, the vector unit and SRAM. In each cycle a core does
// at most one step of one vector instruction: as many elements as its lanes take, or one wavelet.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "runtime/mesh/fabric.h"
#include "runtime/mesh/program.h"

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

  // Lets every core that has something to do take one step.
  void step(std::uint32_t cycle);

  // PEs to look at in the next cycle.
  PeSet& awake() { return awake_; }
  bool progressed() const { return progressed_; }  // in the last step()
  bool timed() const { return timed_; }            // one waits only for time to pass
  std::uint32_t end() const { return end_; }       // cycles until the last one was done
  // No task runs, and none that was activated is blocked.
  bool idle() const;

  std::uint8_t* sram(int pe) { return &sram_.get()[std::size_t(pe) * sramPitch_]; }
  const std::uint8_t* sram(int pe) const { return &sram_.get()[std::size_t(pe) * sramPitch_]; }
  const CoreCounters& counters(int pe) const { return counters_[pe]; }

  // What tasks and microthreads wait for, in words, at most `most` of them.
  void explain(std::vector<std::string>& lines, std::size_t most) const;

 private:
  static constexpr int kThreads = kMicrothreads + 1;  // 0 is the task, 1 to 8 the microthreads
  enum class Wait : std::uint8_t { None, Wavelet, Output };

  // An instruction with what can be told in advance.
  struct Prepared {
    Instruction in;
    int task = 0, index = 0;  // where it stands
    int perCycle = 1;         // elements
    int inSlot = -1, outSlot = -1;
    int cycles = 1;        // of a step, conflicts aside
    bool inOrder = false;  // all elements go to one: each sees the one before
    bool mayConflict = false;
  };
  struct PreparedTask {
    std::vector<Prepared> code;
  };
  struct PreparedCode {
    std::vector<PreparedTask> tasks;
    std::array<std::int8_t, kMaxColours> firedBy;  // by slot: a task, -1
    std::uint32_t firing = 0;                      // slots that fire a task
    std::uint64_t controlled = 0;                  // tasks fired by control wavelets
  };
  struct Thread {
    const Prepared* op = nullptr;
    std::uint32_t done = 0, repeated = 0;
    bool issued = false;
  };
  struct Core {
    std::uint64_t active = 0, blocked = 0;  // tasks
    std::uint32_t busyUntil = 0;
    std::uint32_t asleepSince = 0;
    std::uint32_t firing = 0;  // data of the wavelet that fired the task
    std::int16_t task = -1;
    std::uint16_t next = 0;     // instruction of the task
    std::uint16_t running = 0;  // threads
    std::uint8_t nextThread = 0;
    Wait asleep = Wait::None;
  };
  struct Freed {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };

  void prepare(const Code& code, PreparedCode& prepared) const;
  void stepCore(int pe, std::uint32_t cycle);
  bool comingTo(int pe, std::uint32_t cycle) const;
  bool takeControl(int pe, std::uint32_t cycle);
  bool startTask(int pe, std::uint32_t cycle);
  bool fetch(int pe);
  Wait advance(int pe, int thread, std::uint32_t cycle);
  void finish(int pe, int thread);
  int conflicts(const Prepared& op, const Thread& thread, int n) const;
  void load(int pe, const Operand& operand, const Thread& thread, std::uint32_t index, int n,
            float* values) const;
  void execute(int pe, const Prepared& op, const Thread& thread, int n, std::uint32_t wavelet,
               std::uint32_t cycle);
  void charge(int pe, Wait wait, std::uint64_t cycles);

  const Program& program_;
  Fabric& fabric_;
  std::size_t sramPitch_;                        // from a PE's SRAM to the next one's
  std::unique_ptr<std::uint8_t[], Freed> sram_;  // zeroed lazily by the system
  std::vector<PreparedCode> codes_;
  std::vector<Core> cores_;
  std::vector<Thread> threads_;  // [pe][thread]
  std::vector<CoreCounters> counters_;
  PeSet awake_;
  bool progressed_ = false, timed_ = false;
  std::uint32_t end_ = 0;
};

}  // namespace waferpair::mesh
