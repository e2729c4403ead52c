// SPDX-License-Identifier: GPL-3.0-or-later
// What the emulated wafer has done so far: counters per op, in wafer cycles and wavelets, never in
// host time. One thread charges; any thread may take a snapshot that is not torn.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace waferpair::wafer {

struct OpCount {
  std::uint64_t computeCycles = 0;
  std::uint64_t fabricCycles = 0;
  std::uint64_t wavelets = 0;  // wavelet hops, over all PEs of the op's region
  std::uint64_t invocations = 0;

  std::uint64_t busyCycles() const { return computeCycles + fabricCycles; }
};

// One op of a step, in cycles since the wafer started.
struct TraceSpan {
  int op = 0;
  std::uint64_t start = 0, end = 0;
};

struct CounterTotals {
  std::uint64_t steps = 0;
  std::uint64_t cycles = 0;         // all, = decodeCycles + prefillCycles
  std::uint64_t decodeCycles = 0;   // of steps with one row
  std::uint64_t decodeTokens = 0;
  std::uint64_t prefillCycles = 0;  // of steps with more rows
  std::uint64_t prefillTokens = 0;
};

struct CounterSnapshot {
  CounterTotals totals;
  std::vector<OpCount> ops;  // by op index of the plan
  // The last step with one row: the ops that ran, in order, end to end.
  std::vector<TraceSpan> lastDecode;
};

// All values only rise. The writer calls begin, charge..., end; a reader that meets it in between
// tries again (a sequence lock over relaxed atomics).
class Counters {
 public:
  explicit Counters(int opCount);
  ~Counters();

  void begin();
  void charge(int op, std::uint64_t computeCycles, std::uint64_t fabricCycles,
              std::uint64_t wavelets);
  void end(int tokens);

  int opCount() const { return opCount_; }
  // Any thread. Reuses the snapshot's memory: no allocation after the first call.
  void read(CounterSnapshot& out) const;

 private:
  struct Cells;
  int opCount_;
  std::unique_ptr<Cells> cells_;
};

}  // namespace waferpair::wafer
