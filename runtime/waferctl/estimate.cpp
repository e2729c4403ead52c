// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/estimate.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "runtime/wafer/estimate.h"

namespace waferpair::waferctl {
namespace {

using wafer::Estimate;
using wafer::Phase;

std::string gridText(const wafer::Grid& grid) {
  return std::to_string(grid.width) + "x" + std::to_string(grid.height);
}

// The value of a flag; zero, which stands for "not named" further down, is refused like the rest.
template <typename T>
base::Result<T> valueOf(const char* flag, const std::optional<T>& value) {
  if (!value) return T{0};
  if (*value > 0) return *value;
  return base::fail(std::string(flag) + " is not above zero.", "Name a positive number.");
}

base::Result<wafer::EstimateRequest> request(const EstimateFlags& f) {
  wafer::EstimateRequest r;
  auto shape = wafer::readShape(f.config);
  if (!shape) return tl::unexpected(shape.error());
  auto machine = wafer::findMachine(f.wafer);
  if (!machine) return tl::unexpected(machine.error());
  auto profile = f.profile.empty() ? wafer::defaultProfile(f.wafer) : wafer::findProfile(f.profile);
  if (!profile) return tl::unexpected(profile.error());
  auto phase = wafer::parsePhase(f.phase);
  if (!phase) return tl::unexpected(phase.error());
  for (auto [text, grid] :
       {std::pair(&f.grid, &r.grid), std::pair(&f.prefillGrid, &r.prefillGrid)}) {
    if (text->empty()) continue;
    auto parsed = wafer::parseGrid(*text);
    if (!parsed) return tl::unexpected(parsed.error());
    *grid = *parsed;
  }
  r.shape = std::move(*shape);
  if (!f.weights.empty()) {
    const auto format = tensor::parseFormat(f.weights);
    if (!format) return tl::unexpected(format.error());
    r.shape.formats = wafer::WeightFormats::all(*format);
  }
  r.machine = std::move(*machine);
  r.profile = std::move(*profile);
  r.phase = *phase;
  for (auto [flag, from, to] : {std::tuple("--context", &f.context, &r.context),
                                std::tuple("--prompt", &f.prompt, &r.prompt),
                                std::tuple("--output", &f.output, &r.output)}) {
    auto value = valueOf(flag, *from);
    if (!value) return tl::unexpected(value.error());
    *to = *value;
  }
  auto clock = valueOf("--clock", f.clockGhz);
  if (!clock) return tl::unexpected(clock.error());
  r.clockGhz = *clock;
  return r;
}

void printJson(const Estimate& e, std::ostream& out) {
  nlohmann::ordered_json json = {{"machine", e.machine},           {"profile", e.profile},
                                 {"extrapolated", e.extrapolated}, {"clock_ghz", e.clockGhz},
                                 {"phase", phaseName(e.phase)},    {"grid", gridText(e.grid)}};
  if (e.phase == Phase::kDecode) json["context"] = e.context;
  if (e.phase != Phase::kDecode) json["prompt"] = e.prompt;
  if (e.phase == Phase::kEndToEnd) {
    json["output"] = e.output;
    json["prefill_grid"] = gridText(e.prefillGrid);
  }
  json["cycles_per_layer"] = e.cyclesPerLayer;
  json["cycles_per_token"] = e.cyclesPerToken;
  json["tokens_per_second"] = e.tokensPerSecond;
  json["joules_per_token"] = e.joulesPerToken;
  if (e.phase == Phase::kEndToEnd) {
    json["prefill_seconds"] = e.prefillSeconds;
    json["decode_seconds"] = e.decodeSeconds;
    json["total_seconds"] = e.prefillSeconds + e.decodeSeconds;
  }
  auto& sram = json["sram_bytes_per_pe"] = nlohmann::ordered_json::object();
  for (int kind = 0; kind < wafer::kSramKinds; ++kind) {
    sram[sramKindName(static_cast<wafer::SramKind>(kind))] = e.sram.bytes[kind];
  }
  json["layers_per_block"] = e.layersPerBlock;
  json["blocks"] = e.blocks;
  json["wafers"] = e.wafers;
  json["not_modelled"] = e.notModelled;
  out << json.dump(2) << "\n";
}

void printTable(const Estimate& e, std::ostream& out) {
  auto line = [&out](const char* name) -> std::ostream& {
    return out << std::left << std::setw(20) << name << std::right;
  };
  out << std::fixed << std::setprecision(1);
  line("wafer") << e.machine << ", " << gridText(e.grid) << " PEs a block\n";
  line("kernel profile") << e.profile << (e.extrapolated ? " (extrapolated)" : "") << " at "
                         << std::setprecision(3) << e.clockGhz << " GHz\n"
                         << std::setprecision(1);
  line("phase") << phaseName(e.phase);
  if (e.phase == Phase::kDecode) out << ", context " << e.context << "\n";
  if (e.phase == Phase::kPrefill) out << ", prompt " << e.prompt << "\n";
  if (e.phase == Phase::kEndToEnd) {
    out << ", prompt " << e.prompt << " on " << gridText(e.prefillGrid) << ", output " << e.output
        << "\n";
  }
  const bool ofPrefill = e.phase == Phase::kPrefill;
  line("cycles a layer") << e.cyclesPerLayer << (ofPrefill ? " for the prompt\n" : "\n");
  line("cycles a token") << e.cyclesPerToken << "\n";
  if (e.phase == Phase::kEndToEnd) {
    out << std::setprecision(4);
    line("prefill") << e.prefillSeconds << " s\n";
    line("decode") << e.decodeSeconds << " s\n";
    line("total") << e.prefillSeconds + e.decodeSeconds << " s\n" << std::setprecision(1);
  }
  line("tokens a second") << e.tokensPerSecond << "\n" << std::setprecision(3);
  line("joules a token") << e.joulesPerToken << " (one system)\n";
  line("SRAM of a PE");
  for (int kind = 0; kind < wafer::kSramKinds; ++kind) {
    out << (kind ? ", " : "") << sramKindName(static_cast<wafer::SramKind>(kind)) << " "
        << e.sram.bytes[kind];
  }
  out << " bytes\n";
  line("whole model") << e.blocks << " blocks of up to " << e.layersPerBlock << " layers, "
                      << e.wafers << (e.wafers == 1 ? " wafer\n" : " wafers\n");
  for (const std::string& what : e.notModelled) line("not modelled") << what << "\n";
}

}  // namespace

int runEstimate(const EstimateFlags& flags, std::ostream& out, std::ostream& err) {
  auto fail = [&err](const base::Error& error) {
    err << "waferctl estimate: " << error.message() << "\n";
    return 2;
  };
  auto asked = request(flags);
  if (!asked) return fail(asked.error());
  auto answer = wafer::estimate(*asked);
  if (!answer) return fail(answer.error());
  flags.json ? printJson(*answer, out) : printTable(*answer, out);
  return 0;
}

CLI::App* addEstimateCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "estimate", "What a model would do on a wafer, as WaferLLM counts: layers only");
  auto flags = std::make_shared<EstimateFlags>();
  command->add_option("--config", flags->config, "Hugging Face config.json of the model")
      ->required();
  command->add_option("--wafer", flags->wafer, "wse2 or wse3")->capture_default_str();
  command->add_option("--grid", flags->grid, "PEs of a block, like 420x420 (planned if absent)");
  command->add_option("--prefill-grid", flags->prefillGrid,
                      "another grid for the prefill of end-to-end");
  command->add_option("--context", flags->context, "positions in the cache (decode)");
  command->add_option("--weights", flags->weights,
                      "format of all matrices in SRAM, like Q4_0 (F16 if absent)");
  command->add_option("--phase", flags->phase, "decode, prefill or end-to-end")
      ->capture_default_str();
  command->add_option("--prompt", flags->prompt, "tokens of the prompt (prefill, end-to-end)");
  command->add_option("--output", flags->output, "tokens generated (end-to-end)");
  command->add_option("--profile", flags->profile, "kernel profile (the wafer's if absent)");
  command->add_option("--clock", flags->clockGhz, "GHz (the profile's if absent)");
  command->add_flag("--json", flags->json, "print JSON");
  command->callback([flags] {
    if (int code = runEstimate(*flags, std::cout, std::cerr)) throw CLI::RuntimeError(code);
  });
  return command;
}

}  // namespace waferpair::waferctl
