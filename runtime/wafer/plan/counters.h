// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what the emulated wafer has done so far, per op, in wafer cycles and wavelets, never in
// host time. One thread charges; any thread may take a snapshot, which is never torn.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace waferpair::wafer {

struct OpCount {
  std::uint64_t computeCycles = 0;
  std::uint64_t fabricCycles = 0;
  std::uint64_t wavelets = 0;  // times hops, over all PEs of the op's region
  std::uint64_t invocations = 0;

  std::uint64_t busyCycles() const { return computeCycles + fabricCycles; }
};

// One op of a step, in cycles since the first step: from its first row to its last.
struct TraceSpan {
  int op = 0;
  std::uint64_t start = 0, end = 0;
};

struct CounterTotals {
  std::uint64_t steps = 0;
  std::uint64_t decodeCycles = 0;   // of steps with one row, beside those of a draft
  std::uint64_t decodeTokens = 0;   // their rows, also of drafts that were wrong
  std::uint64_t prefillCycles = 0;  // of steps with more rows
  std::uint64_t prefillTokens = 0;

  std::uint64_t cycles() const { return decodeCycles + prefillCycles; }
};

struct CounterSnapshot {
  CounterTotals totals;
  std::vector<OpCount> ops;  // by op index of the plan
  // The last decode step: the ops that ran, in order of their start; of one row they stand end to
  // end. Empty before the first.
  std::vector<TraceSpan> lastDecode;
};

// Every count only rises. The writer calls begin, charge..., end for each step; a reader that meets
// it in between reads again (a sequence lock over atomics).
class Counters {
 public:
  explicit Counters(int opCount);
  ~Counters();

  void begin();
  // Ops of a step are charged in their order, each at most once, with when its first row began and
  // its last ended.
  void charge(const TraceSpan& span, std::uint64_t computeCycles, std::uint64_t fabricCycles,
              std::uint64_t wavelets);
  // `cycles` is how much later the last row has left the last region than without this step. Ops of
  // several rows run at the same time, so they may add up to more.
  void end(std::uint64_t cycles, int tokens, int drafted = 0);

  int opCount() const { return opCount_; }
  // Reads the counters; any thread. Keeps the snapshot's memory: only the first call allocates.
  void read(CounterSnapshot& out) const;

 private:
  struct Cells;
  const int opCount_;
  const std::unique_ptr<Cells> cells_;
};

}  // namespace waferpair::wafer
