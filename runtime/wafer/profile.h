// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel profile: the constants of one set of wafer kernels, as data. An emulated time means
// nothing without the name of its profile and its clock; both travel with every figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::wafer {

// Cycles unless said otherwise. cost.h has the formulas these enter.
struct DecodeConstants {
  double issue = 0;         // h: issue overhead of one row of a GEMV tile
  double stage = 0;         // tau: one software stage of the two-level all-reduce
  double hop = 1;           // a: a wavelet moves one PE
  double perWavelet = 3;    // w: receive, add and send on one wavelet of the all-reduce
};

struct PrefillConstants {
  double issue = 0;       // issue overhead of one row of a GEMM tile
  double step = 0;        // one step of the cyclic shift: swap buffers, restart descriptors
  double perWavelet = 0;  // a wavelet shifted to the neighbour at distance two
};

// Group size g of the two-level all-reduce that the kernels used on a grid of P x P.
struct GroupChoice {
  int grid = 0;
  int group = 0;
};

struct Profile {
  std::string name;    // "waferllm-2025", what --profile takes
  std::string title;
  std::string source;
  std::string machine;  // the machine it was measured on, or is meant for
  bool extrapolated = false;  // true: no published measurement stands behind it
  double clockGhz = 0;        // that turns its cycles into seconds
  int lanes = 0;              // FP16 lanes its kernels use
  int codeBytes = 0;          // of one PE: code, stack and tables
  DecodeConstants decode;
  PrefillConstants prefill;
  std::vector<GroupChoice> groups;         // grids published with their group size, ascending
  std::vector<std::string> notModelled;    // said with every estimate

  // g for a row of `pes`: the published one, else the divisor-free optimum sqrt(P) rounded even.
  int groupSize(int pes) const;
};

base::Result<Profile> parseProfile(std::string_view json);

// A profile that is compiled in, by name; the error lists the names there are.
base::Result<Profile> findProfile(std::string_view name);
// The profile meant for a machine when none is named.
base::Result<Profile> defaultProfile(std::string_view machine);
std::vector<std::string> profileNames();

}  // namespace waferpair::wafer
