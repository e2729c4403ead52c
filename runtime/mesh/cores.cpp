// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/cores.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "runtime/mesh/arithmetic.h"
#include "runtime/tensor/half.h"

namespace waferpair::mesh {

namespace {

using Kind = Operand::Kind;

// The PEs' memories would lie whole pages apart, and the same address of all of them in the same
// few lines of the host's caches.
constexpr std::size_t kStagger = 3 * 64;

template <typename T>
T read(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float fromWavelet(std::uint32_t data, Type type, int element) {
  if (type == Type::F32) return std::bit_cast<float>(data);
  return tensor::toFloat(static_cast<tensor::Half>(data >> 16 * (element % 2)));
}

bool moves(const Operand& operand) { return operand.kind == Kind::Memory && operand.stride != 0; }

// Of an element of a valid descriptor. What is negative on the way wraps round and comes back.
std::uint32_t firstByte(const Operand& o, std::uint32_t repetition, std::uint32_t index) {
  return o.address + static_cast<std::uint32_t>(o.step) * repetition +
         static_cast<std::uint32_t>(o.stride * bytesOf(o.type)) * index;
}

bool sameMemory(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.address == b.address && a.stride == b.stride && a.step == b.step;
}

}  // namespace

Cores::Cores(const Program& program, Fabric& fabric)
    : program_(program),
      fabric_(fabric),
      sramPitch_(program.config.sramBytes + kStagger),
      sram_(static_cast<std::uint8_t*>(std::calloc(program.config.peCount(), sramPitch_))),
      codes_(program.codes.size()),
      cores_(program.config.peCount()),
      threads_(std::size_t(program.config.peCount()) * kThreads),
      counters_(program.config.peCount()),
      awake_(program.config.peCount()) {
  if (!sram_) throw std::bad_alloc();
  for (std::size_t i = 0; i < codes_.size(); ++i) prepare(program.codes[i], codes_[i]);
  for (int pe = 0; pe < program.config.peCount(); ++pe) {
    const int code = program.codeOf[pe];
    if (code < 0) continue;
    Core& core = cores_[pe];
    for (std::size_t id = 0; id < program.codes[code].size(); ++id) {
      const Task& task = program.codes[code][id];
      const std::uint64_t bit = std::uint64_t{1} << id;
      if (task.blocked) core.blocked |= bit;
      if (task.trigger == Task::Trigger::Start) core.active |= bit;
    }
    awake_.add(pe);
  }
}

void Cores::prepare(const Code& code, PreparedCode& prepared) const {
  const Config& config = program_.config;
  prepared.firedBy.fill(-1);
  for (std::size_t id = 0; id < code.size(); ++id) {
    const Task& task = code[id];
    if (task.trigger == Task::Trigger::Wavelet) {
      const int slot = fabric_.slotOf(task.colour);
      prepared.firedBy[slot] = static_cast<std::int8_t>(id);
      prepared.firing |= 1u << slot;
    }
    if (task.trigger == Task::Trigger::Control) prepared.controlled |= std::uint64_t{1} << id;
    PreparedTask& list = prepared.tasks.emplace_back();
    for (std::size_t i = 0; i < task.code.size(); ++i) {
      Prepared op{.in = task.code[i], .task = static_cast<int>(id), .index = static_cast<int>(i)};
      const Instruction& in = op.in;
      int lanes = config.lanes, streams = 0;
      bool fabric = false, strided = false;
      for (const Operand* o : {&in.to, &in.a, &in.b}) {
        if (o->kind == Kind::None) continue;
        if (o->type == Type::F32) lanes = std::min(lanes, config.lanes / 2);
        if (moves(*o)) {
          strided = strided || o->stride != 1;
          if (o == &in.to || !sameMemory(*o, in.to)) ++streams;
        }
      }
      op.inOrder = in.to.kind == Kind::Memory && in.to.stride == 0;
      if (op.inOrder) lanes = 1;
      for (const Operand* o : {&in.to, &in.a, &in.b}) {
        if (o->kind != Kind::FabricIn && o->kind != Kind::FabricOut) continue;
        fabric = true;
        lanes = elementsPerWavelet(o->type);
        (o == &in.to ? op.outSlot : op.inSlot) = fabric_.slotOf(o->colour);
      }
      op.perCycle = lanes;
      op.mayConflict = strided || (streams > 1 && !fabric);
      if (in.op >= Op::Exp) {
        op.cycles = config.specialCycles * (fabric ? lanes : 1);
        if (!fabric) op.perCycle = 1;
      }
      list.code.push_back(op);
    }
  }
}

void Cores::step(std::uint32_t cycle) {
  progressed_ = timed_ = false;
  awake_.forEach([&](int pe) { stepCore(pe, cycle); });
}

void Cores::charge(int pe, Wait wait, std::uint64_t cycles) {
  CoreCounters& counters = counters_[pe];
  (wait == Wait::Output ? counters.outputFull : counters.waitWavelet) += cycles;
}

void Cores::stepCore(int pe, std::uint32_t cycle) {
  Core& core = cores_[pe];
  if (program_.codeOf[pe] < 0) {  // only its router works
    awake_.remove(pe);
    return;
  }
  if (core.asleep != Wait::None) {
    charge(pe, core.asleep, cycle - core.asleepSince);
    core.asleep = Wait::None;
  }
  if (core.busyUntil > cycle) {
    timed_ = true;
    return;
  }
  bool progress = takeControl(pe, cycle);
  // Tasks without vector instructions take no time, but only a few of them begin in a cycle.
  for (int begun = 0; begun < 4 && !(core.running & 1); ++begun) {
    if (core.task < 0) {
      if (!startTask(pe, cycle)) break;
      progress = true;
    }
    if (fetch(pe)) progress = true;
    if (core.task >= 0) break;
  }
  Wait wait = Wait::None;
  const unsigned running = core.running, order = core.nextThread;
  // From the thread after the one that had its turn last.
  unsigned left = (running >> order) | (running << (kThreads - order) & ((1u << kThreads) - 1));
  for (; left != 0; left &= left - 1) {
    const int thread = static_cast<int>((std::countr_zero(left) + order) % kThreads);
    const Wait found = advance(pe, thread, cycle);
    if (found == Wait::None) {
      core.nextThread = static_cast<std::uint8_t>((thread + 1) % kThreads);
      progressed_ = true;
      return;
    }
    if (wait == Wait::None) wait = found;
  }
  if (progress) {
    progressed_ = true;
    return;
  }
  if (comingTo(pe, cycle)) {
    timed_ = true;
    if (core.running != 0) charge(pe, wait, 1);
    return;
  }
  core.asleep = wait;
  core.asleepSince = cycle;
  awake_.remove(pe);
}

// A wavelet is on the ramp to the core: there is no going to sleep before it is there.
bool Cores::comingTo(int pe, std::uint32_t cycle) const {
  for (std::uint32_t left = fabric_.arrived(pe); left != 0; left &= left - 1) {
    if (fabric_.head(pe, std::countr_zero(left)).ready() > cycle) return true;
  }
  return false;
}

// Control wavelets that reach a core activate a task and take no time of the vector unit.
bool Cores::takeControl(int pe, std::uint32_t cycle) {
  bool took = false;
  if (fabric_.controlArrived(pe) == 0) return took;
  Core& core = cores_[pe];
  for (std::uint32_t left = fabric_.arrived(pe); left != 0; left &= left - 1) {
    const int slot = std::countr_zero(left);
    while ((fabric_.arrived(pe) >> slot & 1) && fabric_.head(pe, slot).control() &&
           fabric_.head(pe, slot).ready() <= cycle) {
      const int task = controlTask(fabric_.head(pe, slot).data);
      if (task >= 0) {
        core.active |= std::uint64_t{1} << task & codes_[program_.codeOf[pe]].controlled;
      }
      fabric_.take(pe, slot);
      --fabric_.controlArrived(pe);
      took = true;
    }
  }
  return took;
}

bool Cores::startTask(int pe, std::uint32_t cycle) {
  Core& core = cores_[pe];
  const PreparedCode& code = codes_[program_.codeOf[pe]];
  std::uint64_t ready = core.active;
  for (std::uint32_t left = fabric_.arrived(pe) & code.firing; left != 0; left &= left - 1) {
    const int slot = std::countr_zero(left);
    const Wavelet& head = fabric_.head(pe, slot);
    if (head.ready() <= cycle && !head.control()) ready |= std::uint64_t{1} << code.firedBy[slot];
  }
  ready &= ~core.blocked;
  if (ready == 0) return false;
  const int id = std::countr_zero(ready);
  const Task& task = program_.codes[program_.codeOf[pe]][id];
  if (task.trigger == Task::Trigger::Wavelet) {
    const int slot = fabric_.slotOf(task.colour);
    core.firing = fabric_.head(pe, slot).data;
    fabric_.take(pe, slot);
  }
  core.active &= ~(std::uint64_t{1} << id);
  core.task = static_cast<std::int16_t>(id);
  core.next = 0;
  return true;
}

// Runs what takes no time, up to the next vector instruction of the task itself. True if anything
// changed.
bool Cores::fetch(int pe) {
  Core& core = cores_[pe];
  const PreparedTask& task = codes_[program_.codeOf[pe]].tasks[core.task];
  bool changed = false;
  for (; core.next < task.code.size(); ++core.next, changed = true) {
    const Prepared& op = task.code[core.next];
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
        const int thread = op.in.thread + 1;
        if (core.running >> thread & 1) return changed;  // that microthread is still at work
        threads_[pe * kThreads + thread] = {.op = &op};
        core.running |= static_cast<std::uint16_t>(1u << thread);
        if (thread == 0) return true;
      }
    }
  }
  core.task = -1;
  return true;
}

Cores::Wait Cores::advance(int pe, int which, std::uint32_t cycle) {
  Thread& thread = threads_[pe * kThreads + which];
  const Prepared& op = *thread.op;
  Core& core = cores_[pe];
  std::uint32_t wavelet = core.firing;
  if (op.inSlot >= 0) {
    if (!(fabric_.arrived(pe) >> op.inSlot & 1)) return Wait::Wavelet;
    const Wavelet& head = fabric_.head(pe, op.inSlot);
    if (head.ready() > cycle) return Wait::Wavelet;
    wavelet = head.data;
  }
  if (op.outSlot >= 0 && !fabric_.hasRoom(pe, op.outSlot)) return Wait::Output;
  if (op.in.issue > 0 && !thread.issued) {
    thread.issued = true;
    core.busyUntil = cycle + op.in.issue;
    counters_[pe].busy += op.in.issue;
    return Wait::None;
  }
  if (op.inSlot >= 0) fabric_.take(pe, op.inSlot);
  const int n = static_cast<int>(
      std::min<std::uint32_t>(static_cast<std::uint32_t>(op.perCycle), op.in.length - thread.done));
  const int extra = op.mayConflict ? conflicts(op, thread, n) : 0;
  execute(pe, op, thread, n, wavelet, cycle);
  counters_[pe].busy += op.cycles;
  counters_[pe].bankConflict += extra;
  core.busyUntil = cycle + op.cycles + extra;
  end_ = std::max(end_, core.busyUntil);
  thread.done += n;
  if (thread.done == op.in.length) {
    thread.done = 0;
    thread.issued = false;
    if (++thread.repeated == op.in.repeat) finish(pe, which);
  }
  return Wait::None;
}

void Cores::finish(int pe, int which) {
  Core& core = cores_[pe];
  const Prepared& op = *threads_[pe * kThreads + which].op;
  core.running &= static_cast<std::uint16_t>(~(1u << which));
  if (op.in.then >= 0) core.active |= std::uint64_t{1} << op.in.then;
  if (which != 0) return;
  if (++core.next == codes_[program_.codeOf[pe]].tasks[core.task].code.size()) core.task = -1;
}

// Cycles beyond the first that the SRAM needs for a step: a bank serves one word a cycle. What is
// read and written in place counts once, as reading and writing take turns in the pipeline.
int Cores::conflicts(const Prepared& op, const Thread& thread, int n) const {
  std::uint64_t uses = 0;  // of each bank, in a byte of its own
  const Instruction& in = op.in;
  const auto banks = static_cast<std::uint32_t>(program_.config.sramBanks);
  for (const Operand* o : {&in.to, &in.a, &in.b}) {
    if (!moves(*o) || (o != &in.to && sameMemory(*o, in.to))) continue;
    const std::int32_t stride = o->stride * bytesOf(o->type);
    std::uint32_t at = firstByte(*o, thread.repeated, thread.done);
    std::uint32_t last = ~0u;
    for (int i = 0; i < n; ++i, at += static_cast<std::uint32_t>(stride)) {
      const std::uint32_t word = at / 8;
      if (word != last) uses += std::uint64_t{1} << word % banks * 8;
      last = word;
    }
  }
  if ((uses & ~0x0101010101010101u) == 0) return 0;
  int most = 0;
  for (; uses != 0; uses >>= 8) most = std::max(most, static_cast<int>(uses & 255));
  return most - 1;
}

void Cores::load(int pe, const Operand& o, const Thread& thread, std::uint32_t index, int n,
                 float* values) const {
  if (o.kind == Kind::Constant) {
    std::fill_n(values, n,
                o.type == Type::F16 ? tensor::toFloat(tensor::toHalf(o.value)) : o.value);
    return;
  }
  if (o.kind != Kind::Memory) return;
  const std::uint8_t* at = sram(pe) + firstByte(o, thread.repeated, index);
  const std::ptrdiff_t stride = std::ptrdiff_t{o.stride} * bytesOf(o.type);
  if (o.type == Type::F32) {
    for (int i = 0; i < n; ++i) values[i] = read<float>(at + stride * i);
  } else if (stride == 0) {
    std::fill_n(values, n, tensor::toFloat(read<tensor::Half>(at)));
  } else if (stride == 2 && n == 8) {  // the common case, with a count that the compiler knows
    std::array<tensor::Half, 8> halves;
    std::memcpy(halves.data(), at, sizeof halves);
    for (int i = 0; i < 8; ++i) values[i] = tensor::toFloat(halves[i]);
  } else {
    for (int i = 0; i < n; ++i) values[i] = tensor::toFloat(read<tensor::Half>(at + stride * i));
  }
}

void Cores::execute(int pe, const Prepared& op, const Thread& thread, int n, std::uint32_t wavelet,
                    std::uint32_t cycle) {
  const Instruction& in = op.in;
  if (in.to.isControl) {
    fabric_.send(pe, op.outSlot, in.to.control, true, false, cycle);
    return;
  }
  std::array<float, kMaxLanes> to, a, b;
  const auto source = [&](const Operand& o, std::uint32_t index, int count, float* values,
                          int element) {
    if (o.kind == Kind::FabricIn || o.kind == Kind::Wavelet) {
      for (int i = 0; i < count; ++i) values[i] = fromWavelet(wavelet, o.type, element + i);
    } else {
      load(pe, o, thread, index, count, values);
    }
  };
  const auto store = [&](std::uint32_t index, int count) {
    const std::ptrdiff_t stride = std::ptrdiff_t{in.to.stride} * bytesOf(in.to.type);
    std::uint8_t* at = sram(pe) + firstByte(in.to, thread.repeated, index);
    for (int i = 0; i < count; ++i, at += stride) {
      if (in.to.type == Type::F16) {
        const tensor::Half half = tensor::toHalf(to[i]);
        std::memcpy(at, &half, sizeof half);
      } else {
        std::memcpy(at, &to[i], sizeof(float));
      }
    }
  };
  // Where every element goes to the same one, each must see what the one before left.
  const int atOnce = op.inOrder ? 1 : n;
  for (int i = 0; i < n; i += atOnce) {
    const std::uint32_t index = thread.done + static_cast<std::uint32_t>(i);
    // A wavelet holds two FP16; a vector longer than the one that fired the task repeats them.
    source(in.a, index, atOnce, a.data(), i);
    source(in.b, index, atOnce, b.data(), i);
    if (in.op == Op::Fmac) load(pe, in.to, thread, index, atOnce, to.data());
    compute(in.op, in.to.type, to.data(), a.data(), b.data(), atOnce);
    if (in.to.kind == Kind::Memory) store(index, atOnce);
  }
  if (in.to.kind != Kind::FabricOut) return;
  const std::uint32_t data =
      in.to.type == Type::F32
          ? std::bit_cast<std::uint32_t>(to[0])
          : tensor::toHalf(to[0]) | (n > 1 ? std::uint32_t{tensor::toHalf(to[1])} << 16 : 0);
  const bool last = thread.done + n == in.length && thread.repeated + 1 == in.repeat;
  fabric_.send(pe, op.outSlot, data, false, in.to.advanceSwitch && last, cycle);
}

}  // namespace waferpair::mesh
