// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel profile: the constants of one set of wafer kernels, as data (resources/wafer/profiles).
// An emulated time means nothing without the name of its profile and its clock: both travel with
// every figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::wafer {

// Cycles, unless said otherwise. cost.h has the formulas these enter.
struct DecodeConstants {
  int lanes = 0;          // FP16 multiply-adds a cycle in the GEMV
  double issue = 0;       // h: issue overhead of one row of a GEMV tile
  double stage = 0;       // tau: one software stage of the two-level all-reduce
  double hop = 0;         // a: a wavelet moves one PE on
  double perWavelet = 0;  // w: receive, add and send on one wavelet of the all-reduce
};

struct PrefillConstants {
  int lanes = 0;          // FP16 multiply-adds a cycle in the GEMM
  double issue = 0;       // issue overhead of one vector operation, a column of the left tile
  double step = 0;        // one step of the cyclic shift: swap buffers, restart the descriptors
  double perWavelet = 0;  // one wavelet shifted: sent on and received
};

inline constexpr int kMostDraft = 1 << 10;

// Speculative decoding as the wafer's own software does it, whatever the host drafts.
struct Speculation {
  int draft = 0;          // guesses that a step verifies beside its token; 0: it does not speculate
  double acceptance = 0;  // probability that a guess is right where those before it were

  // The mean of a step: its own, and guesses up to the first wrong one.
  double tokensPerStep() const;
};

// The number of groups into which the two-level all-reduce divides a row of `pes`.
struct Grouping {
  int pes = 0;
  int groups = 0;
};

struct Profile {
  std::string name;  // "waferllm-2025", what --profile takes
  std::string title;
  std::string source;
  std::string machine;        // the machine it was measured on, or is meant for
  bool extrapolated = false;  // no published measurement stands behind it
  bool isDefault = false;     // of its machine, when no profile is named
  double clockGhz = 0;        // turns its cycles into seconds
  int codeBytes = 0;          // of each PE: code, stack and tables
  DecodeConstants decode;
  PrefillConstants prefill;
  Speculation speculation = {};
  std::vector<Grouping> groupings;      // as published, ascending by pes
  std::vector<std::string> notModeled;  // said with every estimate

  // The published number of groups for a row of `pes`, else the number with the fewest stages.
  int groups(int pes) const;
};

base::Result<Profile> parseProfile(std::string_view json);

// A profile that is compiled in, by name; the error lists the names there are.
base::Result<Profile> findProfile(std::string_view name);
// The machine's default profile, for when none is named.
base::Result<Profile> defaultProfile(std::string_view machine);
std::vector<std::string> profileNames();

}  // namespace waferpair::wafer
