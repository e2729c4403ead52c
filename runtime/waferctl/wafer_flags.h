// SPDX-License-Identifier: GPL-3.0-or-later
// Flags that name a wafer, real or not, and how a model is to lie on it: of `estimate` and `place`.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "runtime/wafer/estimate/calibration.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::waferctl {

struct WaferFlags {
  std::string wafer = "wse3";
  std::string profile{};         // empty: the wafer's default
  std::string grid{};            // empty: the planner's choice
  std::string objective{};       // of the planner; empty: latency
  std::optional<int> wafers{};   // at most; absent: as many as it takes
  std::optional<int> context{};  // absent: what the command says
  std::optional<int> chunk{};    // rows of prefill; absent: see wafer::PlanOptions
  std::string weights{};         // format of all matrices; empty: the shape's
  // The what-if changes; absent or empty: as the machine is.
  std::optional<double> clockGhz{};
  std::optional<int> lanes{}, sram{}, hop{};
  std::string fabric{}, precision{};

  void addTo(CLI::App& command);
};

// The setting that the flags ask for, with every name looked up.
struct WaferSetting {
  wafer::ModelShape shape;
  wafer::Machine machine;
  wafer::Profile profile;
  wafer::PlanOptions options;  // context and chunk are zero where they are not named
  wafer::Band band;            // of their figures
};

// The error names the flag.
base::Result<WaferSetting> settle(const WaferFlags& flags, wafer::ModelShape shape);

// The value of a flag; zero, which stands for "not named" further down, is refused like the rest.
template <typename T>
base::Result<T> aboveZero(const char* flag, const std::optional<T>& value) {
  if (!value) return T{0};
  if (*value > 0) return *value;
  return base::fail(std::string(flag) + " is not above zero.", "Name a positive number.");
}

// Returns the shape, the machine and the profile that every figure rests on. Keys: machine, changes
// [...] (empty for a machine that exists), profile, extrapolated, calibration {rows,
// worst_error_percent} or null, band (in words), clock_ghz, guess (of the shape).
nlohmann::ordered_json settingJson(const WaferSetting& setting);
// The same as lines of a table; the error says what of the calibration cannot be had.
void printSetting(const WaferSetting& setting, std::ostream& out);
// Begins a line of that table.
std::ostream& line(std::ostream& out, const char* name);

}  // namespace waferpair::waferctl
