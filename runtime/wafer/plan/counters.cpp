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

struct SpanCells {
  Cell op{0}, start{0}, end{0};
};

}  // namespace

struct Counters::Cells {
  explicit Cells(int opCount) : ops(opCount), trace(opCount) {}

  alignas(64) Cell sequence{0};  // odd while a step is being charged
  alignas(64) Cell steps{0};
  Cell decodeCycles{0}, decodeTokens{0}, prefillCycles{0}, prefillTokens{0};
  Cell traceLength{0};
  std::vector<OpCells> ops;
  std::vector<SpanCells> trace;

  // The step that is being charged; the writer's own.
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
  c.step.clear();
}

void Counters::charge(const TraceSpan& span, std::uint64_t computeCycles,
                      std::uint64_t fabricCycles, std::uint64_t wavelets) {
  assert(span.op >= 0 && span.op < opCount_ && span.start <= span.end);
  Cells& c = *cells_;
  OpCells& cell = c.ops[span.op];
  add(cell.compute, computeCycles);
  add(cell.fabric, fabricCycles);
  add(cell.wavelets, wavelets);
  add(cell.invocations, 1);
  c.step.push_back(span);
}

void Counters::end(std::uint64_t cycles, int tokens, int drafted) {
  Cells& c = *cells_;
  add(c.steps, 1);
  if (tokens - drafted == 1) {
    add(c.decodeCycles, cycles);
    add(c.decodeTokens, static_cast<std::uint64_t>(tokens));
    set(c.traceLength, c.step.size());
    for (std::size_t i = 0; i < c.step.size(); ++i) {
      set(c.trace[i].op, static_cast<std::uint64_t>(c.step[i].op));
      set(c.trace[i].start, c.step[i].start);
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
    out.lastDecode.resize(get(c.traceLength));
    for (std::size_t i = 0; i < out.lastDecode.size(); ++i) {
      const SpanCells& span = c.trace[i];
      out.lastDecode[i] = {static_cast<int>(get(span.op)), get(span.start), get(span.end)};
    }
    if (c.sequence.load(std::memory_order_relaxed) == before) return;
  }
}

}  // namespace waferpair::wafer
