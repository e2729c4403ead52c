// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl place`: where a model lies on the wafer.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>

#include "runtime/waferctl/wafer_flags.h"

namespace waferpair::waferctl {

struct PlaceFlags {
  std::string model;  // a GGUF file, or what EstimateFlags::shape may be
  WaferFlags on{};
  bool json = false;
};

// Prints the regions, their ops and SRAM, how long a context fits, and a map, to `out`, or what is
// wrong to `err`. Returns 0, or 2 when the flags, the file or the fit are at fault.
int runPlace(const PlaceFlags& flags, std::ostream& out, std::ostream& err);

// Adds the command, as addEstimateCommand does.
CLI::App* addPlaceCommand(CLI::App& app);

}  // namespace waferpair::waferctl
