// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl estimate`: what a model would do on a wafer, from its config.json alone.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <optional>
#include <string>

namespace waferpair::waferctl {

struct EstimateFlags {
  std::string config;  // a Hugging Face config.json
  std::string wafer = "wse3";
  std::string profile{};      // empty: the wafer's default
  std::string grid{};         // empty: the planner's choice
  std::string weights{};      // format of all matrices in SRAM; empty: FP16
  std::string prefillGrid{};  // of end-to-end; empty: as grid
  std::string phase = "decode";
  // Absent: see wafer::EstimateRequest.
  std::optional<int> context{}, prompt{}, output{};
  std::optional<double> clockGhz{};
  bool json = false;
};

// Prints the estimate to `out`, or what is wrong to `err`. Returns 0, or 2 when the flags, the file
// or the fit are at fault.
//
// The keys of --json are stable: machine, profile, extrapolated, clock_ghz, phase, grid, wafers,
// blocks, layers_per_block, cycles_per_layer, cycles_per_token, tokens_per_second,
// joules_per_token, sram_bytes_per_pe {code, weights, kv, activations, free}, not_modelled [...];
// with decode: context; with prefill: prompt; with end-to-end: prompt, output, prefill_grid,
// prefill_seconds, decode_seconds, total_seconds.
int runEstimate(const EstimateFlags& flags, std::ostream& out, std::ostream& err);

// The subcommand; when it is parsed it runs and, unless all went well, throws CLI::RuntimeError
// with the exit code.
CLI::App* addEstimateCommand(CLI::App& app);

}  // namespace waferpair::waferctl
