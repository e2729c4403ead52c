// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/cores.h"

#include <algorithm>
#include <bit>
#include <new>

namespace waferpair::mesh {

namespace {

// The PEs' memories would lie whole pages apart, and the same address of all of them in the same
// few lines of the host's caches.
constexpr std::size_t kStagger = std::size_t{3} * 64;

// Cycles by which a core is ahead of the others at most, but for one repetition. Bounded, as
// programs may have no end.
constexpr std::uint32_t kMostAhead = 1u << 14;

// Colors of which a core sends control wavelets.
std::uint32_t controlColors(const Program& program) {
  std::uint32_t colors = 0;
  for (const Code& code : program.codes) {
    for (const Task& task : code) {
      for (const Instruction& in : task.code) {
        if (in.to.isControl) colors |= 1u << in.to.color;
      }
    }
  }
  return colors;
}

}  // namespace

Cores::Cores(const Program& program, Fabric& fabric)
    : program_(program),
      fabric_(fabric),
      sramPitch_(program.config.sramBytes + kStagger),
      sram_(static_cast<std::uint8_t*>(std::calloc(program.config.peCount(), sramPitch_))),
      cores_(program.config.peCount()),
      microthreads_(std::size_t(program.config.peCount()) * kMicrothreads),
      stalls_(program.config.peCount()),
      awake_(program.config.peCount()) {
  if (!sram_) throw std::bad_alloc();
  for (const Code& code : program.codes) codes_.push_back(prepare(program.config, code, fabric));
  for (int pe = 0; pe < program.config.peCount(); ++pe) {
    const int code = program.codeOf[pe];
    if (code < 0) continue;
    Core& core = cores_[pe];
    core.hasCode = true;
    for (std::size_t id = 0; id < program.codes[code].size(); ++id) {
      const Task& task = program.codes[code][id];
      const std::uint64_t bit = std::uint64_t{1} << id;
      if (task.blocked) core.blocked |= bit;
      if (task.trigger == Task::Trigger::Start) core.active |= bit;
    }
    awake_.add(pe);
  }
  const std::uint32_t control = controlColors(program);
  for (const PlacedRoute& placed : program.routes) {
    for (int i = 0; i < placed.route.count; ++i) {
      const bool toCore = (placed.route.positions[i].to & only(Port::Ramp)) != 0;
      if (toCore && (control >> placed.color & 1)) cores_[placed.pe].undisturbed = false;
    }
  }
}

Doing Cores::doing(int pe, std::uint32_t cycle, std::uint32_t& until) const {
  const Core& core = cores_[pe];
  until = cycle + 1;
  if (!core.hasCode) return {};
  const auto of = [&](const Thread& thread, Doing::State state) {
    return Doing{state, static_cast<std::int16_t>(thread.op->task),
                 static_cast<std::int16_t>(thread.op->index)};
  };
  if (core.busyUntil > cycle) {
    until = core.busyUntil;
    return of(thread(pe, (core.nextThread + kThreads - 1) % kThreads), Doing::State::Busy);
  }
  if (core.running == 0) return {};
  const Thread& waits = thread(pe, std::countr_zero(static_cast<unsigned>(core.running)));
  const bool empty = waits.in != 0 && (fabric_.queue(waits.in).empty() ||
                                       fabric_.queue(waits.in).head().ready() > cycle);
  return of(waits, empty ? Doing::State::WaitsForWavelet : Doing::State::OutputFull);
}

std::uint32_t Cores::end() const {
  std::uint32_t end = 0;
  for (const Core& core : cores_) end = std::max(end, core.busyUntil);
  return end;
}

void Cores::charge(int pe, Wait wait, std::uint64_t cycles) {
  CoreCounters& counters = stalls_[pe].counters;
  (wait == Wait::Output ? counters.outputFull : counters.waitWavelet) += cycles;
}

// The last element of a repetition is done. True if it was the instruction's last one.
bool Cores::ended(int pe, Thread& thread, int which) {
  ++changes_;
  Core& core = cores_[pe];
  const Instruction& in = thread.op->in;
  thread.at.done = 0;
  core.issued &= static_cast<std::uint16_t>(~(1u << which));
  if (++thread.at.repeated < in.repeat) return false;
  core.running &= static_cast<std::uint16_t>(~(1u << which));
  if (in.then >= 0) core.active |= std::uint64_t{1} << in.then;
  if (which == 0 && ++core.next == codeOf(pe).tasks[core.task].size()) core.task = -1;
  return true;
}

inline Cores::Wait Cores::advance(int pe, Thread& thread, int which, std::uint32_t cycle) {
  Core& core = cores_[pe];
  const Prepared& op = *thread.op;
  if (op.local && core.undisturbed && core.running == 1) {
    runAhead(pe, cycle);
    return Wait::None;
  }
  std::uint32_t data = core.firing;
  if (thread.in != 0) {
    const Queue& queue = fabric_.queue(thread.in);
    if (queue.empty() || queue.head().ready() > cycle) return Wait::Wavelet;
    data = queue.head().data;
  }
  if (thread.out != 0 && !fabric_.queue(thread.out).hasRoom(cycle)) return Wait::Output;
  if (op.in.issue > 0 && !(core.issued >> which & 1)) {
    ++changes_;
    core.issued |= static_cast<std::uint16_t>(1u << which);
    core.busyUntil = cycle + op.in.issue;
    core.busy += op.in.issue;
    return Wait::None;
  }
  if (thread.in != 0) fabric_.take(thread.in, cycle);
  const auto n = static_cast<int>(op.elements(thread.at.done));
  const int extra = op.mayConflict ? conflicts(op.in, program_.config.sramBanks, thread.at, n) : 0;
  const std::uint32_t result = op.step(op.in, sram(pe), thread.at, n, op.perCycle, data);
  core.busy += op.cycles;
  if (extra > 0) stalls_[pe].counters.bankConflict += extra;
  core.busyUntil = cycle + op.cycles + extra;
  const bool last = finished(pe, thread, which, n);
  if (thread.out != 0) {
    const bool control = op.in.to.isControl;
    fabric_.send(thread.out, control ? op.in.to.control : result, control,
                 !control && last && op.in.to.advanceSwitch, cycle);
  }
  return Wait::None;
}

void Cores::stepAny(int pe, std::uint32_t cycle) {
  Core& core = cores_[pe];
  if (core.asleep != Wait::None) {
    charge(pe, core.asleep, cycle - stalls_[pe].asleepSince);
    core.asleep = Wait::None;
  }
  if (core.busyUntil > cycle) {
    waitUntil(core.busyUntil);
    return;
  }
  if (!core.hasCode) {  // only its router works
    awake_.remove(pe);
    return;
  }
  bool progress = false;
  Wait wait = Wait::None;
  if (core.running == 1 && fabric_.controlArrived(pe) == 0) {  // the task alone, as most often
    wait = advance(pe, core.main, 0, cycle);
    if (wait == Wait::None) {
      core.nextThread = 1;
      progressed_ = true;
      return;
    }
  } else {
    progress = takeControl(pe, cycle);
    // Tasks without vector instructions take no time, but only a few of them begin in a cycle.
    for (int begun = 0; begun < 4 && !(core.running & 1); ++begun) {
      if (core.task < 0) {
        if (!startTask(pe, cycle)) break;
        progress = true;
      }
      progress = fetch(pe) || progress;
      if (core.task >= 0) break;
    }
    const unsigned running = core.running, order = core.nextThread;
    // The turn begins with the thread after the one that had its turn last.
    unsigned left = (running >> order) | (running << (kThreads - order) & ((1u << kThreads) - 1));
    for (; left != 0; left &= left - 1) {
      const int which = static_cast<int>((std::countr_zero(left) + order) % kThreads);
      const Wait found = advance(pe, thread(pe, which), which, cycle);
      if (found == Wait::None) {
        if (progress) ++changes_;
        core.nextThread = static_cast<std::uint8_t>((which + 1) % kThreads);
        progressed_ = true;
        return;
      }
      if (wait == Wait::None) wait = found;
    }
  }
  if (progress) {
    ++changes_;
    progressed_ = true;
    return;
  }
  if (comingTo(pe, cycle)) {
    waitUntil(cycle + 1);
    if (core.running != 0) charge(pe, wait, 1);
    return;
  }
  core.asleep = wait;
  stalls_[pe].asleepSince = cycle;
  awake_.remove(pe);
}

// A wavelet is on the ramp to the core: the core cannot go to sleep before it is there.
bool Cores::comingTo(int pe, std::uint32_t cycle) const {
  for (std::uint32_t left = fabric_.arrived(pe); left != 0; left &= left - 1) {
    const Queue& queue = fabric_.queue(fabric_.toCore(pe, std::countr_zero(left)));
    if (queue.head().ready() > cycle) return true;
  }
  return false;
}

// Control wavelets that reach a core activate a task and take no time of the vector unit.
bool Cores::takeControl(int pe, std::uint32_t cycle) {
  bool took = false;
  if (fabric_.controlArrived(pe) == 0) return took;
  Core& core = cores_[pe];
  for (std::uint32_t left = fabric_.arrived(pe); left != 0; left &= left - 1) {
    const std::uint32_t id = fabric_.toCore(pe, std::countr_zero(left));
    const Queue& queue = fabric_.queue(id);
    while (!queue.empty() && queue.head().control() && queue.head().ready() <= cycle) {
      const int task = controlTask(queue.head().data);
      if (task >= 0) core.active |= std::uint64_t{1} << task & codeOf(pe).controlled;
      fabric_.take(id, cycle);
      took = true;
    }
  }
  return took;
}

bool Cores::startTask(int pe, std::uint32_t cycle) {
  Core& core = cores_[pe];
  const PreparedCode& code = codeOf(pe);
  std::uint64_t ready = core.active;
  for (std::uint32_t left = fabric_.arrived(pe) & code.firing; left != 0; left &= left - 1) {
    const int slot = std::countr_zero(left);
    const Wavelet& head = fabric_.queue(fabric_.toCore(pe, slot)).head();
    if (head.ready() <= cycle && !head.control()) {
      ready |= std::uint64_t{1} << code.firedBy[slot];
    }
  }
  ready &= ~core.blocked;
  if (ready == 0) return false;
  const int id = std::countr_zero(ready);
  const Task& task = program_.codes[program_.codeOf[pe]][id];
  if (task.trigger == Task::Trigger::Wavelet) {
    const std::uint32_t queue = fabric_.toCore(pe, fabric_.slotOf(task.color));
    core.firing = fabric_.queue(queue).head().data;
    fabric_.take(queue, cycle);
  }
  core.active &= ~(std::uint64_t{1} << id);
  core.task = static_cast<std::int8_t>(id);
  core.next = 0;
  return true;
}

// Runs what takes no time, up to the next vector instruction of the task itself. True if anything
// changed.
bool Cores::fetch(int pe) {
  Core& core = cores_[pe];
  const std::vector<Prepared>& task = codeOf(pe).tasks[core.task];
  bool changed = false;
  for (; core.next < task.size(); ++core.next, changed = true) {
    const Prepared& op = task[core.next];
    const std::uint64_t bit = std::uint64_t{1} << op.in.task;
    switch (op.in.code) {
      case Instruction::Code::Activate:
        core.active |= bit;
        break;
      case Instruction::Code::Block:
        core.blocked |= bit;
        break;
      case Instruction::Code::Unblock:
        core.blocked &= ~bit;
        break;
      case Instruction::Code::Vector: {
        const int which = op.in.thread + 1;
        if (core.running >> which & 1) return changed;  // that microthread is still at work
        thread(pe, which) = {.op = &op,
                             .at = {},
                             .in = op.inSlot < 0 ? 0 : fabric_.toCore(pe, op.inSlot),
                             .out = op.outSlot < 0 ? 0 : fabric_.fromCore(pe, op.outSlot)};
        core.running |= static_cast<std::uint16_t>(1u << which);
        if (which == 0) return true;
      }
    }
  }
  core.task = -1;
  return true;
}

// Takes steps of the task's instruction at once, up to its end: the core is busy as long as they
// would take, and until then nothing can look at it or its SRAM.
void Cores::runAhead(int pe, std::uint32_t cycle) {
  Core& core = cores_[pe];
  const Prepared& op = *core.main.op;
  const int banks = program_.config.sramBanks;
  ++changes_;
  std::uint32_t taken = 0;
  bool last = false, freeOfConflicts = false;
  while (!last && taken < kMostAhead) {
    if (op.in.issue > 0 && !(core.issued & 1)) {
      core.issued |= 1;
      core.busy += op.in.issue;
      taken += op.in.issue;
      continue;
    }
    const Progress at = core.main.at;
    if (at.done == 0 || !op.mayConflict) freeOfConflicts = !op.mayConflict;
    // Without conflicts all that is left of the repetition is done at once, else a step.
    const std::uint32_t left = std::min(op.in.length - at.done, kMostAhead * op.perCycle);
    const auto n = static_cast<int>(freeOfConflicts ? left : op.elements(at.done));
    const std::uint32_t steps = (n + op.perCycle - 1) / op.perCycle;
    int extra = 0;
    if (!freeOfConflicts) {
      extra = conflicts(op.in, banks, at, n);
      freeOfConflicts = op.steady && at.done == 0 && extra == 0;
      stalls_[pe].counters.bankConflict += extra;
    }
    op.step(op.in, sram(pe), at, n, op.perCycle, core.firing);
    core.busy += op.cycles * steps;
    taken += op.cycles * steps + extra;
    last = finished(pe, core.main, 0, n);
  }
  core.busyUntil = cycle + taken;
}

}  // namespace waferpair::mesh
