// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl place`: where a model lies on the wafer.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <optional>
#include <string>

namespace waferpair::waferctl {

struct PlaceFlags {
  std::string model;  // a GGUF file, or a Hugging Face config.json
  std::string wafer = "wse3";
  std::string profile{};         // empty: the wafer's default
  std::string grid{};            // empty: the planner's choice
  std::string weights{};         // format of all matrices; empty: the file's, or FP16
  std::optional<int> context{};  // absent: the model's own
  std::optional<int> wafers{};   // absent: as many as it takes
  bool json = false;
};

// Prints the regions, their ops and SRAM, and a map, to `out`, or what is wrong to `err`. Returns
// 0, or 2 when the flags, the file or the fit are at fault.
int runPlace(const PlaceFlags& flags, std::ostream& out, std::ostream& err);

// As addEstimateCommand.
CLI::App* addPlaceCommand(CLI::App& app);

}  // namespace waferpair::waferctl
