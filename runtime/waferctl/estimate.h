// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl estimate`: estimates the work of a model on a wafer, from its shape alone.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <optional>
#include <string>

#include "runtime/waferctl/wafer_flags.h"

namespace waferpair::waferctl {

struct EstimateFlags {
  std::string shape;  // the name of one that is compiled in, a SHAPE.json or a config.json
  WaferFlags on{};
  // decode, prefill and end-to-end count as WaferLLM does; request counts everything.
  std::string phase = "decode";
  std::string prefillGrid{};  // of end-to-end and request; empty: as the other grid
  // Absent: see wafer::EstimateRequest and wafer::RunRequest.
  std::optional<int> prompt{}, output{};
  // The flags of `--phase request`.
  std::optional<int> draft{}, requests{};
  std::optional<double> acceptance{};
  bool json = false;
};

// Prints the estimate to `out`, or what is wrong to `err`. Returns 0, or 2 when the flags, the file
// or the fit are at fault.
//
// The keys of --json are stable: machine, changes [...], profile, extrapolated, calibration {rows,
// worst_error_percent} or null, band, clock_ghz, guess, phase, grid, wafers, blocks,
// layers_per_block, sram_bytes_per_pe {code, weights, kv, activations, free}, not_modeled [...];
// but with request also cycles_per_layer, cycles_per_token, tokens_per_second, joules_per_token;
// with decode: context; with prefill: prompt; with end-to-end: prompt, output, prefill_grid,
// prefill_seconds, decode_seconds, total_seconds;
// with request: prompt, output, prefill_grid, chunk, draft, acceptance, requests, parts [{name,
// prefill_cycles, decode_step_cycles}] (of all regions; rows follow one another, so they are busy
// at the same time), prefill_cycles, decode_step_cycles (that go by), hand_over_cycles,
// decode_steps, tokens_per_step, load_seconds, first_token_seconds, hand_over_seconds,
// decode_seconds, total_seconds, tokens_per_second, joules_per_token, joules_per_request, watts,
// pipelined {requests, tokens_per_second, tokens_per_second_each, joules_per_token, slowest_region,
// requests_to_fill}.
int runEstimate(const EstimateFlags& flags, std::ostream& out, std::ostream& err);

// The subcommand; when it is parsed it runs and, unless all went well, throws CLI::RuntimeError
// with the exit code.
CLI::App* addEstimateCommand(CLI::App& app);

}  // namespace waferpair::waferctl
