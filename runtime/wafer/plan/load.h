// SPDX-License-Identifier: GPL-3.0-or-later
// The time in which a model gets onto its wafers before the first request: weights and code come
// over the I/O links, those of all wafers at once.
#pragma once

#include <vector>

#include "runtime/wafer/plan/plan.h"

namespace waferpair::wafer {

struct LoadTime {
  // By wafer: the bytes that its link brings, which are the tiles of all of its PEs as they lie
  // there, padding and what several PEs hold alike included, and their code once for each region.
  std::vector<double> bytes;
  int slowest = 0;     // the wafer with the most
  double seconds = 0;  // until it has them
  double cycles = 0;   // the same at the plan's clock

  double totalBytes() const;
};

LoadTime loadTimeOf(const Plan& plan);

}  // namespace waferpair::wafer
