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

// What became of a step's tokens, and what the request that it was made for had taken by its end:
// what its rate is made of, as the program shows it (inference::JobFigures).
struct Outcome {
  std::uint64_t request = 0;     // 0: files that do not tell this
  std::uint32_t output = 0;      // tokens that became part of the text
  bool decodes = false;          // the request's prompt had been read to its end before
  std::uint64_t rateTokens = 0;  // of the request's text: all but the first
  std::uint64_t rateCycles = 0;  // of its steps that decode
  std::uint64_t rateHostNs = 0;
  bool operator==(const Outcome&) const = default;
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

  Outcome outcome;

  bool decodes() const { return outcome.decodes; }
  // The tokens that became part of a text.
  std::uint32_t tokens() const { return outcome.output; }
  // Makes an outcome of what the step alone tells: that one new token, and perhaps a draft behind
  // it, decodes, and that what came out is text. So it is but for lines that compete.
  void guessOutcome() {
    outcome = {};
    outcome.output = logits > 0 ? accepted + 1 : 0;
    outcome.decodes = logits > 0 && rows == drafted + 1;
    if (!outcome.decodes) return;
    outcome.rateTokens = outcome.output;
    outcome.rateCycles = cycles;
    outcome.rateHostNs = hostNs;
  }
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
