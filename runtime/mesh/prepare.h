// SPDX-License-Identifier: GPL-3.0-or-later
// A PE's code with what can be told before it runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "runtime/mesh/fabric.h"
#include "runtime/mesh/program.h"
#include "runtime/mesh/vector_unit.h"

namespace waferpair::mesh {

struct Prepared {
  Instruction in;
  int task = 0, index = 0;  // where it stands
  StepFunction step = nullptr;
  StreamFunction stream = nullptr;
  int perCycle = 1;               // elements
  int inSlot = -1, outSlot = -1;  // of the fabric
  int cycles = 1;                 // of a step, conflicts aside
  bool mayConflict = false;
  // All streams move on alike and by whole words of the banks: if the first step of a repetition is
  // free of conflicts, all are.
  bool steady = false;
  bool local = false;    // nothing else sees it run: no fabric, and the task waits for it
  bool streams = false;  // a wavelet's worth of data a cycle, without conflicts or issue cycles

  std::uint32_t elements(std::uint32_t done) const {  // of the next step
    return std::min(static_cast<std::uint32_t>(perCycle), in.length - done);
  }
};

struct PreparedCode {
  std::vector<std::vector<Prepared>> tasks;
  std::array<std::int8_t, kMaxColors> firedBy;  // by slot: a task, -1
  std::uint32_t firing = 0;                     // slots that fire a task
  std::uint64_t controlled = 0;                 // tasks fired by control wavelets
};

PreparedCode prepare(const Config& config, const Code& code, const Fabric& fabric);

// Cycles beyond the first that the SRAM needs for a step: a bank serves one word a cycle. What is
// read and written in place counts once, as reading and writing take turns in the pipeline.
int conflicts(const Instruction& in, int sramBanks, const Progress& progress, int n);

}  // namespace waferpair::mesh
