// SPDX-License-Identifier: GPL-3.0-or-later
// What the vendor says of a wafer as a whole, beside what its PEs add up to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/wafer/machine/machine.h"

namespace waferpair::wafer {

struct Aggregate {
  std::string name;     // "memory"
  std::string label;    // "Memory, 24 B a cycle and PE"
  std::string unit;     // "PB/s"; empty for a count
  double modelled = 0;  // of the PEs that a program can use
  std::optional<double> published = {};
  // The clock at which the two agree. Absent where they do not depend on it, nothing is published,
  // or the two are not of the same thing.
  std::optional<double> impliedGhz = {};
  std::string remark = {};  // on how the two compare; may be empty
  std::string source = {};  // of the published one
};

// Cores, SRAM, memory, fabric and FP16 arithmetic, in this order.
std::vector<Aggregate> aggregatesOf(const Machine& machine, double clockGhz);

}  // namespace waferpair::wafer
