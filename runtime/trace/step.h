// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a program in a trace, as the wafer takes it: of one sequence (several that share a
// step on the host follow one another on the wafer), what each of its ops was charged, in emulated
// wafer cycles, when it ran, and when the host computed it. The layout beside it says what the ops
// are and where they run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace waferpair::trace {

struct OpCharge {
  std::uint64_t compute = 0;   // cycles of arithmetic
  std::uint64_t fabric = 0;    // cycles of sending, receiving or waiting for wavelets
  std::uint64_t wavelets = 0;  // times hops, over all PEs of the op's region
  // Cycles from the step's begin to where the first row begins this op and the last ends it. Rows
  // of a chunk that follows another may begin before that one has ended, at less than 0.
  std::int64_t start = 0, end = 0;

  std::uint64_t cycles() const { return compute + fabric; }
  bool operator==(const OpCharge&) const = default;
};

struct Step {
  std::uint64_t hostStartNs = 0;  // since the recording began; measured
  std::uint64_t hostNs = 0;       // that it took the host
  std::uint32_t rows = 1;         // tokens that were fed
  std::uint32_t context = 0;      // positions in the KV cache before them
  std::uint32_t drafted = 0;      // of the rows: guesses
  std::uint32_t accepted = 0;     // of the guesses: right
  std::uint32_t logits = 0;       // rows that went through the tail; 0 in the middle of a prompt
  std::uint64_t cycles = 0;       // by which the wafer is done later than without this step
  // The charges of the layout's first ops, one after another in this order: with no logits, the ops
  // of the tail are left out.
  std::vector<OpCharge> ops;

  // One new token and perhaps a draft behind it, as opposed to a part of a prompt.
  bool decodes() const { return logits > 0 && rows == drafted + 1; }
  // The tokens that became part of a text.
  std::uint32_t tokens() const { return logits > 0 ? accepted + 1 : 0; }
  // One row, whose ops run one after another and whose cycles are theirs.
  bool endToEnd() const {
    std::int64_t at = 0;
    for (const OpCharge& op : ops) {
      if (op.start != at || op.end != at + static_cast<std::int64_t>(op.cycles())) return false;
      at = op.end;
    }
    return cycles == static_cast<std::uint64_t>(at);
  }
  // Puts the ops one after another.
  void setEndToEnd() {
    std::int64_t at = 0;
    for (OpCharge& op : ops) {
      op.start = at;
      op.end = at += static_cast<std::int64_t>(op.cycles());
    }
    cycles = static_cast<std::uint64_t>(at);
  }
  // Cycles by which its first row runs before those of the step before have ended.
  std::uint64_t lead() const {
    std::int64_t first = 0;
    for (const OpCharge& op : ops) first = std::min(first, op.start);
    return static_cast<std::uint64_t>(-first);
  }
  bool operator==(const Step&) const = default;
};

}  // namespace waferpair::trace
