// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/prepare.h"

#include <algorithm>

namespace waferpair::mesh {

namespace {

using Kind = Operand::Kind;

bool moves(const Operand& operand) { return operand.kind == Kind::Memory && operand.stride != 0; }

bool sameMemory(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.address == b.address && a.stride == b.stride && a.step == b.step;
}

bool isFabric(const Operand& o) { return o.kind == Kind::FabricIn || o.kind == Kind::FabricOut; }

Prepared prepare(const Config& config, const Instruction& in, const Fabric& fabric) {
  const Steps steps = stepsFor(in, config.lanes);
  Prepared op{.in = in, .step = steps.step, .stream = steps.stream};
  int lanes = config.lanes, streams = 0, bytes = 0;
  bool usesFabric = false, strided = false;
  op.steady = true;
  for (const Operand* o : {&in.to, &in.a, &in.b}) {
    if (o->kind == Kind::None) continue;
    if (o->type == Type::F32) lanes = std::min(lanes, config.lanes / 2);
    if (!moves(*o)) continue;
    strided = strided || o->stride != 1;
    if (o == &in.to || !sameMemory(*o, in.to)) ++streams;
    op.steady = op.steady && (bytes == 0 || bytes == bytesOf(o->type));
    bytes = bytesOf(o->type);
  }
  if (in.to.kind == Kind::Memory && in.to.stride == 0) lanes = 1;  // each sees the one before
  for (const Operand* o : {&in.to, &in.a, &in.b}) {
    if (!isFabric(*o)) continue;
    usesFabric = true;
    lanes = elementsPerWavelet(o->type);
    (o == &in.to ? op.outSlot : op.inSlot) = fabric.slotOf(o->color);
  }
  op.perCycle = lanes;
  op.mayConflict = strided || (streams > 1 && !usesFabric);
  if (in.op >= Op::Exp) {
    op.cycles = config.specialCycles * (usesFabric ? lanes : 1);
    if (!usesFabric) op.perCycle = 1;
  }
  op.steady = op.steady && !strided && op.perCycle * bytes % 8 == 0;
  op.local = !usesFabric && in.thread < 0;
  op.streams = usesFabric && !op.mayConflict && op.cycles == 1 && in.issue == 0 && !in.to.isControl;
  return op;
}

}  // namespace

PreparedCode prepare(const Config& config, const Code& code, const Fabric& fabric) {
  PreparedCode prepared;
  prepared.firedBy.fill(-1);
  for (std::size_t id = 0; id < code.size(); ++id) {
    const Task& task = code[id];
    if (task.trigger == Task::Trigger::Wavelet) {
      const int slot = fabric.slotOf(task.color);
      prepared.firedBy[slot] = static_cast<std::int8_t>(id);
      prepared.firing |= 1u << slot;
    }
    if (task.trigger == Task::Trigger::Control) prepared.controlled |= std::uint64_t{1} << id;
    std::vector<Prepared>& list = prepared.tasks.emplace_back();
    for (std::size_t i = 0; i < task.code.size(); ++i) {
      list.push_back(prepare(config, task.code[i], fabric));
      list.back().task = static_cast<int>(id);
      list.back().index = static_cast<int>(i);
    }
  }
  return prepared;
}

int conflicts(const Instruction& in, int sramBanks, const Progress& progress, int n) {
  std::uint64_t uses = 0;  // of each bank, in a byte of its own
  const auto banks = static_cast<std::uint32_t>(sramBanks);
  for (const Operand* o : {&in.to, &in.a, &in.b}) {
    if (!moves(*o) || (o != &in.to && sameMemory(*o, in.to))) continue;
    const std::int32_t stride = o->stride * bytesOf(o->type);
    std::uint32_t at = firstByte(*o, progress.repeated, progress.done);
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

}  // namespace waferpair::mesh
