// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/estimate.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <tuple>

#include "runtime/wafer/estimate/estimate.h"
#include "runtime/wafer/estimate/run_estimate.h"
#include "runtime/wafer/plan/layout.h"
#include "runtime/waferctl/estimate_run.h"

namespace waferpair::waferctl {
namespace {

using wafer::Estimate;
using wafer::Phase;
using wafer::sizeText;

constexpr const char* kRequest = "request";

// The flags that both ways to count know.
struct Asked {
  wafer::Grid prefillGrid{};
  int prompt = 0, output = 0;  // 0: not named
};

base::Result<Asked> readAsked(const EstimateFlags& f) {
  Asked asked;
  if (!f.prefillGrid.empty()) {
    auto parsed = wafer::parseGrid(f.prefillGrid);
    if (!parsed) return tl::unexpected(parsed.error());
    asked.prefillGrid = *parsed;
  }
  for (auto [flag, from, to] : {std::tuple("--prompt", &f.prompt, &asked.prompt),
                                std::tuple("--output", &f.output, &asked.output)}) {
    const auto value = aboveZero(flag, *from);
    if (!value) return tl::unexpected(value.error());
    *to = *value;
  }
  return asked;
}

base::Result<wafer::EstimateRequest> phaseRequest(const EstimateFlags& f, const WaferSetting& s,
                                                  const Asked& asked) {
  for (auto [flag, named] : {std::pair("--draft", f.draft.has_value()),
                             std::pair("--acceptance", f.acceptance.has_value()),
                             std::pair("--requests", f.requests.has_value()),
                             std::pair("--chunk", f.on.chunk.has_value())}) {
    if (!named) continue;
    return base::fail(std::string(flag) + " is of --phase request only.", "Name that phase.");
  }
  auto phase = wafer::parsePhase(f.phase);
  if (!phase) {
    return base::fail(phase.error().what, "Known are: decode, prefill, end-to-end, request.");
  }
  wafer::EstimateRequest r;
  r.shape = s.shape;
  r.machine = s.machine;
  r.profile = s.profile;
  r.phase = *phase;
  r.grid = s.options.grid;
  r.prefillGrid = asked.prefillGrid;
  r.context = s.options.context;
  r.prompt = asked.prompt;
  r.output = asked.output;
  r.clockGhz = s.options.clockGhz;
  r.objective = s.options.objective;
  r.maxWafers = s.options.maxWafers;
  return r;
}

base::Result<wafer::RunRequest> runRequest(const EstimateFlags& f, const WaferSetting& s,
                                           const Asked& asked) {
  const auto requests = aboveZero("--requests", f.requests);
  if (!requests) return tl::unexpected(requests.error());
  if (f.acceptance && !f.draft && s.profile.speculation.draft == 0) {
    return base::fail(
        "--acceptance says how likely a guess of --draft is right, and there is none.",
        "Name how many tokens a draft has.");
  }
  wafer::RunRequest r;
  r.shape = s.shape;
  r.machine = s.machine;
  r.profile = s.profile;
  r.options = s.options;
  r.prefillGrid = asked.prefillGrid;
  r.prompt = asked.prompt;
  r.output = asked.output;
  r.draft = f.draft;
  r.acceptance = f.acceptance;
  if (f.requests) r.requests = *requests;
  return r;
}

void printJson(const WaferSetting& s, const Estimate& e, std::ostream& out) {
  nlohmann::ordered_json json = settingJson(s);
  json["phase"] = phaseName(e.phase);
  json["grid"] = sizeText(e.grid);
  if (e.phase == Phase::kDecode) json["context"] = e.context;
  if (e.phase != Phase::kDecode) json["prompt"] = e.prompt;
  if (e.phase == Phase::kEndToEnd) {
    json["output"] = e.output;
    json["prefill_grid"] = sizeText(e.prefillGrid);
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
  json["sram_bytes_per_pe"] = sramJson(e.sram);
  json["layers_per_block"] = e.layersPerBlock;
  json["blocks"] = e.blocks;
  json["wafers"] = e.wafers;
  json["not_modeled"] = e.notModeled;
  out << json.dump(2) << "\n";
}

void printTable(const WaferSetting& s, const Estimate& e, std::ostream& out) {
  printSetting(s, out);
  out << std::fixed << std::setprecision(1);
  line(out, "block") << sizeText(e.grid) << " PEs\n";
  line(out, "phase") << phaseName(e.phase);
  if (e.phase == Phase::kDecode) out << ", context " << e.context << "\n";
  if (e.phase == Phase::kPrefill) out << ", prompt " << e.prompt << "\n";
  if (e.phase == Phase::kEndToEnd) {
    out << ", prompt " << e.prompt << " on " << sizeText(e.prefillGrid) << ", output " << e.output
        << "\n";
  }
  const bool ofPrefill = e.phase == Phase::kPrefill;
  line(out, "cycles a layer") << e.cyclesPerLayer << (ofPrefill ? " for the prompt\n" : "\n");
  line(out, "cycles a token") << e.cyclesPerToken << "\n";
  if (e.phase == Phase::kEndToEnd) {
    out << std::setprecision(4);
    line(out, "prefill") << e.prefillSeconds << " s\n";
    line(out, "decode") << e.decodeSeconds << " s\n";
    line(out, "total") << e.prefillSeconds + e.decodeSeconds << " s\n" << std::setprecision(1);
  }
  line(out, "tokens a second") << e.tokensPerSecond << "\n" << std::setprecision(3);
  line(out, "joules a token") << e.joulesPerToken << " (one system)\n";
  printSram(e.sram, out);
  line(out, "whole model") << e.blocks << (e.blocks == 1 ? " block" : " blocks") << " of up to "
                           << e.layersPerBlock << (e.layersPerBlock == 1 ? " layer, " : " layers, ")
                           << e.wafers << (e.wafers == 1 ? " wafer\n" : " wafers\n");
  for (const std::string& what : e.notModeled) line(out, "not modeled") << what << "\n";
}

base::Result<void> run(const EstimateFlags& f, std::ostream& out) {
  auto shape = wafer::loadShape(f.shape);
  if (!shape) return tl::unexpected(shape.error());
  auto setting = settle(f.on, std::move(*shape));
  if (!setting) return tl::unexpected(setting.error());
  const auto asked = readAsked(f);
  if (!asked) return tl::unexpected(asked.error());
  if (f.phase == kRequest) {
    const auto request = runRequest(f, *setting, *asked);
    if (!request) return tl::unexpected(request.error());
    const auto answer = wafer::estimateRun(*request);
    if (!answer) return tl::unexpected(answer.error());
    const wafer::Speculation& own = setting->profile.speculation;
    // Nobody has published speeds with other drafts than the profile's.
    if (answer->draft != own.draft || answer->acceptance != own.acceptance) setting->band = {};
    f.json ? printRunJson(*setting, *answer, out) : printRunTable(*setting, *answer, out);
    return {};
  }
  const auto request = phaseRequest(f, *setting, *asked);
  if (!request) return tl::unexpected(request.error());
  const auto answer = wafer::estimate(*request);
  if (!answer) return tl::unexpected(answer.error());
  f.json ? printJson(*setting, *answer, out) : printTable(*setting, *answer, out);
  return {};
}

}  // namespace

int runEstimate(const EstimateFlags& flags, std::ostream& out, std::ostream& err) {
  const auto ok = run(flags, out);
  if (ok) return 0;
  err << "waferctl estimate: " << ok.error().message() << "\n";
  return 2;
}

CLI::App* addEstimateCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "estimate", "What a model would do on a wafer: its layers, as WaferLLM counts, or a request");
  auto flags = std::make_shared<EstimateFlags>();
  command
      ->add_option("--shape,--config", flags->shape,
                   "name of a shape (\"waferctl shapes\"), a SHAPE.json or a config.json")
      ->required();
  command
      ->add_option("--phase", flags->phase,
                   "decode, prefill or end-to-end of the layers; request: everything, part by part")
      ->capture_default_str();
  command->add_option("--prefill-grid", flags->prefillGrid,
                      "another grid for the prefill of end-to-end and request");
  command->add_option("--prompt", flags->prompt, "tokens of the prompt (all but decode)");
  command->add_option("--output", flags->output, "tokens generated (end-to-end, request)");
  command->add_option("--draft", flags->draft, "guesses that each step verifies (request)");
  command->add_option("--acceptance", flags->acceptance,
                      "how likely a guess is right, 0 to 1 (request)");
  command->add_option("--requests", flags->requests,
                      "requests under way at once, one after another through the blocks (request)");
  flags->on.addTo(*command);
  command->add_flag("--json", flags->json, "print JSON");
  command->callback([flags] {
    if (int code = runEstimate(*flags, std::cout, std::cerr)) throw CLI::RuntimeError(code);
  });
  return command;
}

}  // namespace waferpair::waferctl
