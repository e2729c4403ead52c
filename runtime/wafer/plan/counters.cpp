// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/plan/counters.h"

#include <atomic>
#include <cassert>
#include <thread>

namespace waferpair::wafer {
namespace {

// A sequence lock without fences (which ThreadSanitizer does not follow): the writer's releasing
// stores keep every value after the odd sequence number, the reader's acquiring loads keep every
// value before the second look at it. On x86 these are plain moves.
using Cell = std::atomic<std::uint64_t>;

std::uint64_t get(const Cell& cell) { return cell.load(std::memory_order_acquire); }
void set(Cell& cell, std::uint64_t value) { cell.store(value, std::memory_order_release); }

// Only the writer calls this, so nobody else can have changed the cell in between.
void add(Cell& cell, std::uint64_t value) {
  set(cell, cell.load(std::memory_order_relaxed) + value);
}

struct OpCells {
  Cell compute{0}, fabric{0}, wavelets{0}, invocations{0};
};

// Spans stand end to end, so each op and where it ends tell everything.
struct SpanCells {
  Cell op{0}, end{0};
};

}  // namespace

struct Counters::Cells {
  explicit Cells(int opCount) : ops(opCount), trace(opCount) {}

  alignas(64) Cell sequence{0};  // odd while a step is being charged
  alignas(64) Cell steps{0};
  Cell decodeCycles{0}, decodeTokens{0}, prefillCycles{0}, prefillTokens{0};
  Cell traceStart{0}, traceLength{0};
  std::vector<OpCells> ops;
  std::vector<SpanCells> trace;

  // The step that is being charged; the writer's own.
  std::uint64_t stepStart = 0, now = 0;
  std::vector<TraceSpan> step;
};

Counters::Counters(int opCount) : opCount_(opCount), cells_(std::make_unique<Cells>(opCount)) {
  cells_->step.reserve(opCount);
}

Counters::~Counters() = default;

void Counters::begin() {
  Cells& c = *cells_;
  assert(c.sequence % 2 == 0);
  c.sequence.store(c.sequence.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  c.stepStart = c.now;
  c.step.clear();
}

void Counters::charge(int op, std::uint64_t computeCycles, std::uint64_t fabricCycles,
                      std::uint64_t wavelets) {
  assert(op >= 0 && op < opCount_);
  Cells& c = *cells_;
  OpCells& cell = c.ops[op];
  add(cell.compute, computeCycles);
  add(cell.fabric, fabricCycles);
  add(cell.wavelets, wavelets);
  add(cell.invocations, 1);
  const std::uint64_t start = c.now;
  c.now += computeCycles + fabricCycles;
  c.step.push_back({op, start, c.now});
}

void Counters::end(int tokens, int drafted) {
  Cells& c = *cells_;
  const std::uint64_t cycles = c.now - c.stepStart;
  add(c.steps, 1);
  if (tokens - drafted == 1) {
    add(c.decodeCycles, cycles);
    add(c.decodeTokens, static_cast<std::uint64_t>(tokens));
    set(c.traceStart, c.stepStart);
    set(c.traceLength, c.step.size());
    for (std::size_t i = 0; i < c.step.size(); ++i) {
      set(c.trace[i].op, static_cast<std::uint64_t>(c.step[i].op));
      set(c.trace[i].end, c.step[i].end);
    }
  } else {
    add(c.prefillCycles, cycles);
    add(c.prefillTokens, static_cast<std::uint64_t>(tokens));
  }
  add(c.sequence, 1);
}

void Counters::read(CounterSnapshot& out) const {
  const Cells& c = *cells_;
  out.ops.resize(opCount_);
  out.lastDecode.reserve(opCount_);
  for (;;) {
    const std::uint64_t before = get(c.sequence);
    if (before % 2 != 0) {
      std::this_thread::yield();
      continue;
    }
    out.totals = {get(c.steps), get(c.decodeCycles), get(c.decodeTokens), get(c.prefillCycles),
                  get(c.prefillTokens)};
    for (int i = 0; i < opCount_; ++i) {
      const OpCells& cell = c.ops[i];
      out.ops[i] = {get(cell.compute), get(cell.fabric), get(cell.wavelets), get(cell.invocations)};
    }
    std::uint64_t start = get(c.traceStart);
    out.lastDecode.resize(get(c.traceLength));
    for (std::size_t i = 0; i < out.lastDecode.size(); ++i) {
      const std::uint64_t end = get(c.trace[i].end);
      out.lastDecode[i] = {static_cast<int>(get(c.trace[i].op)), start, end};
      start = end;
    }
    if (c.sequence.load(std::memory_order_relaxed) == before) return;
  }
}

}  // namespace waferpair::wafer
