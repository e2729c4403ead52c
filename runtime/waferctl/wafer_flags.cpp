// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/wafer_flags.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <tuple>
#include <utility>

#include "runtime/wafer/estimate/what_if.h"
#include "runtime/wafer/plan/layout.h"

namespace waferpair::waferctl {
namespace {

base::Result<wafer::WhatIf> whatIf(const WaferFlags& f) {
  wafer::WhatIf changes;
  changes.lanes = f.lanes;
  changes.sramBytes = f.sram;
  changes.hopCycles = f.hop;
  changes.clockGhz = f.clockGhz;
  if (!f.fabric.empty()) {
    const auto fabric = wafer::parseGrid(f.fabric);
    if (!fabric) return tl::unexpected(fabric.error());
    changes.fabric = *fabric;
  }
  if (f.precision.empty()) return changes;
  const auto precision = wafer::parsePrecision(f.precision);
  if (!precision) return tl::unexpected(precision.error());
  changes.precision = *precision;
  if (!f.weights.empty()) {
    return base::fail("--weights and --precision both say what the weights are.", "Name one.");
  }
  return changes;
}

base::Result<wafer::PlanOptions> optionsOf(const WaferFlags& f) {
  wafer::PlanOptions options;
  if (!f.grid.empty()) {
    const auto grid = wafer::parseGrid(f.grid);
    if (!grid) return tl::unexpected(grid.error());
    options.grid = *grid;
  }
  if (!f.objective.empty()) {
    const auto objective = wafer::parseObjective(f.objective);
    if (!objective) return tl::unexpected(objective.error());
    options.objective = *objective;
    if (!f.grid.empty()) {
      return base::fail("--grid leaves --objective nothing to choose.", "Name one of them.");
    }
  }
  for (auto [flag, from, to] : {std::tuple("--context", &f.context, &options.context),
                                std::tuple("--chunk", &f.chunk, &options.chunk),
                                std::tuple("--wafers", &f.wafers, &options.maxWafers)}) {
    const auto value = aboveZero(flag, *from);
    if (!value) return tl::unexpected(value.error());
    *to = *value;
  }
  return options;
}

}  // namespace

void WaferFlags::addTo(CLI::App& command) {
  command.add_option("--wafer", wafer, "wse2 or wse3")->capture_default_str();
  command.add_option("--profile", profile,
                     "kernel profile (the wafer's if absent; \"waferctl profiles\")");
  command.add_option("--grid", grid, "PEs of a block, like 420x420 (planned if absent)");
  command.add_option("--objective", objective,
                     "of the planner: latency (the least on the fewest wafers, or on --wafers), "
                     "replicas or context (latency if absent)");
  command.add_option("--wafers", wafers, "how many wafers there are");
  command.add_option("--context", context, "positions in the cache");
  command.add_option("--chunk", chunk, "rows of prefill at a time");
  command.add_option("--weights", weights,
                     "format of all matrices in SRAM, like Q4_0 (the model's if absent)");
  command.add_option("--clock", clockGhz, "GHz (the profile's if absent)");
  command.add_option("--lanes", lanes, "what if a PE had so many FP16 lanes");
  command.add_option("--sram", sram, "what if a PE had so many bytes of SRAM");
  command.add_option("--hop", hop, "what if a hop took so many cycles");
  command.add_option("--fabric", fabric, "what if there were so many PEs, like 1000x1000");
  command.add_option("--precision", precision,
                     "what if it multiplied in FP8, INT8 or INT4 (FP16 if absent)");
}

base::Result<WaferSetting> settle(const WaferFlags& f, wafer::ModelShape shape) {
  auto machine = wafer::findMachine(f.wafer);
  if (!machine) return tl::unexpected(machine.error());
  auto profile = f.profile.empty() ? wafer::defaultProfile(f.wafer) : wafer::findProfile(f.profile);
  if (!profile) return tl::unexpected(profile.error());
  if (!f.weights.empty()) {
    const auto format = tensor::parseFormat(f.weights);
    if (!format) return tl::unexpected(format.error());
    shape.formats = wafer::WeightFormats::all(*format);
  }
  auto options = optionsOf(f);
  if (!options) return tl::unexpected(options.error());
  options->clockGhz = f.clockGhz.value_or(profile->clockGhz);
  const auto changes = whatIf(f);
  if (!changes) return tl::unexpected(changes.error());
  if (auto ok = wafer::imagine(*changes, *machine, *profile, shape); !ok) {
    return tl::unexpected(ok.error());
  }
  const auto band = wafer::bandOf(*machine, *profile, options->clockGhz);
  if (!band) return tl::unexpected(band.error());
  return WaferSetting{std::move(shape), std::move(*machine), std::move(*profile), *options, *band};
}

nlohmann::ordered_json settingJson(const WaferSetting& s) {
  nlohmann::ordered_json json = {
      {"machine", s.machine.name},       {"changes", s.machine.changes},
      {"profile", s.profile.name},       {"extrapolated", !s.band.measured},
      {"calibration", nullptr},          {"band", wafer::bandText(s.band)},
      {"clock_ghz", s.options.clockGhz}, {"guess", s.shape.guess}};
  if (s.band.measured) {
    json["calibration"] = {{"rows", s.band.rows}, {"worst_error_percent", s.band.worstPercent}};
  }
  return json;
}

std::ostream& line(std::ostream& out, const char* name) {
  return out << std::left << std::setw(20) << name << std::right;
}

void printSetting(const WaferSetting& s, std::ostream& out) {
  const auto flags = out.flags();
  out << std::defaultfloat << std::setprecision(4);
  line(out, "model") << s.shape.name << ", " << s.shape.parameters() / 1e9 << "e9 weights ("
                     << s.shape.activeParameters() / 1e9 << "e9 a token)\n";
  if (s.shape.guess) line(out, "A GUESS") << s.shape.source << "\n";
  line(out, "wafer") << s.machine.title << "\n";
  if (!s.machine.changes.empty()) {
    line(out, "HYPOTHETICAL") << "no such machine exists: ";
    for (std::size_t i = 0; i < s.machine.changes.size(); ++i) {
      out << (i ? ", " : "") << s.machine.changes[i];
    }
    out << "\n";
  }
  line(out, "kernel profile") << s.profile.name << (s.band.measured ? "" : " (extrapolated)")
                              << " at " << s.options.clockGhz << " GHz\n";
  line(out, "figures") << wafer::bandText(s.band) << " (\"waferctl profiles\")\n";
  out.flags(flags);
}

}  // namespace waferpair::waferctl
