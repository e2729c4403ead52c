// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/estimate_run.h"

#include <iomanip>

#include "runtime/wafer/plan/layout.h"

namespace waferpair::waferctl {
namespace {

using wafer::RunEstimate;
using wafer::sizeText;

int blocksOf(const RunEstimate& e) { return static_cast<int>(e.placement.regions.size()) - 2; }

}  // namespace

nlohmann::ordered_json sramJson(const wafer::SramUse& use) {
  nlohmann::ordered_json json;
  for (int kind = 0; kind < wafer::kSramKinds; ++kind) {
    json[sramKindName(static_cast<wafer::SramKind>(kind))] = use.bytes[kind];
  }
  return json;
}

void printSram(const wafer::SramUse& use, std::ostream& out) {
  line(out, "SRAM of a PE");
  for (int kind = 0; kind < wafer::kSramKinds; ++kind) {
    out << (kind ? ", " : "") << sramKindName(static_cast<wafer::SramKind>(kind)) << " "
        << use.bytes[kind];
  }
  out << " bytes\n";
}

void printRunJson(const WaferSetting& s, const RunEstimate& e, std::ostream& out) {
  nlohmann::ordered_json json = settingJson(s);
  json["phase"] = "request";
  json["grid"] = sizeText(e.placement.block);
  json["prefill_grid"] = sizeText(e.prefillGrid);
  json["prompt"] = e.prompt;
  json["output"] = e.output;
  json["chunk"] = e.placement.chunk;
  json["draft"] = e.draft;
  json["acceptance"] = e.acceptance;
  json["requests"] = e.requests;
  auto& parts = json["parts"] = nlohmann::ordered_json::array();
  for (int part = 0; part < wafer::kParts; ++part) {
    parts.push_back({{"name", partName(static_cast<wafer::Part>(part))},
                     {"prefill_cycles", e.prefill[part]},
                     {"decode_step_cycles", e.decodeStep[part]}});
  }
  json["prefill_cycles"] = e.prefillCycles;
  json["decode_step_cycles"] = e.decodeStepCycles;
  json["hand_over_cycles"] = e.handOver;
  json["decode_steps"] = e.steps;
  json["tokens_per_step"] = e.tokensPerStep;
  json["load_bytes"] = e.loadBytes;
  json["load_seconds"] = e.loadSeconds;
  json["first_token_seconds"] = e.firstTokenSeconds;
  json["hand_over_seconds"] = e.handOverSeconds;
  json["decode_seconds"] = e.decodeSeconds;
  json["total_seconds"] = e.totalSeconds();
  json["tokens_per_second"] = e.decodeTokensPerSecond;
  json["watts"] = e.wattsAll;
  json["joules_per_token"] = e.joulesPerToken;
  json["busy_share"] = e.busyShare;
  json["busy_joules_per_token"] = e.busyJoulesPerToken();
  json["joules_per_request"] = e.joulesPerRequest;
  json["pipelined"] = {{"requests", e.requests},
                       {"tokens_per_second", e.batchTokensPerSecond},
                       {"tokens_per_second_each", e.batchTokensPerSecond / e.requests},
                       {"joules_per_token", e.batchJoulesPerToken},
                       {"slowest_region", e.slowestRegion},
                       {"requests_to_fill", e.requestsToFill}};
  json["sram_bytes_per_pe"] = sramJson(e.placement.regions[1].sram);
  json["layers_per_block"] = e.placement.layersPerBlock;
  json["layers_cut"] = e.placement.cut;
  json["blocks"] = blocksOf(e);
  json["wafers"] = e.placement.wafers;
  json["not_modeled"] = e.notModeled;
  out << json.dump(2) << "\n";
}

void printRunTable(const WaferSetting& s, const RunEstimate& e, std::ostream& out) {
  printSetting(s, out);
  const wafer::Placement& p = e.placement;
  line(out, "placed on") << p.wafers << (p.wafers == 1 ? " wafer, " : " wafers, ") << blocksOf(e)
                         << " blocks of " << sizeText(p.block) << " PEs and up to "
                         << p.layersPerBlock
                         << (p.cut ? " layers or parts of them\n" : " layers\n");
  printSram(p.regions[1].sram, out);
  line(out, "request") << "prompt " << e.prompt << " in chunks of " << p.chunk << " on "
                       << sizeText(e.prefillGrid) << ", output " << e.output << ", draft "
                       << e.draft << " at acceptance " << e.acceptance << "\n\n";

  const double hertz = s.options.clockGhz * 1e9;
  line(out, "part") << std::setw(16) << "prefill cycles" << std::setw(12) << "s" << std::setw(16)
                    << "a decode step" << std::setw(12) << "us"
                    << "\n";
  auto row = [&](const char* name, double prefill, double step) {
    line(out, name) << std::fixed << std::setw(16) << std::setprecision(0) << prefill
                    << std::setw(12) << std::setprecision(6) << prefill / hertz << std::setw(16)
                    << std::setprecision(0) << step << std::setw(12) << std::setprecision(3)
                    << step / hertz * 1e6 << "\n";
  };
  for (int part = 0; part < wafer::kParts; ++part) {
    row(partName(static_cast<wafer::Part>(part)), e.prefill[part], e.decodeStep[part]);
  }
  row("all regions", wafer::totalOf(e.prefill), wafer::totalOf(e.decodeStep));
  row("time that goes by", e.prefillCycles, e.decodeStepCycles);

  out << std::setprecision(4) << "\n";
  line(out, "loading") << e.loadSeconds << " s, once: " << std::setprecision(1) << e.loadBytes / 1e9
                       << " GB over the wafers' own links\n"
                       << std::setprecision(4);
  line(out, "first token") << e.firstTokenSeconds << " s\n";
  line(out, "hand-over") << std::setprecision(6) << e.handOverSeconds
                         << " s, tiles from where prefill wants them to where decode does\n"
                         << std::setprecision(4);
  line(out, "decode") << e.decodeSeconds << " s, " << std::setprecision(0) << e.steps
                      << " steps of " << std::setprecision(2) << e.tokensPerStep << " tokens\n"
                      << std::setprecision(4);
  line(out, "total") << e.totalSeconds() << " s\n" << std::setprecision(1);
  line(out, "tokens a second") << e.decodeTokensPerSecond << " in decode, alone\n";
  line(out, "energy") << std::setprecision(0) << e.wattsAll << " W of " << p.wafers
                      << (p.wafers == 1 ? " system: " : " systems: ") << std::setprecision(2)
                      << e.joulesPerToken << " J a token in decode, " << e.joulesPerRequest
                      << " J the request\n";
  line(out, "busy and idle") << e.busyJoulesPerToken() << " J a token by the " << 100 * e.busyShare
                             << " % of PEs that are busy, "
                             << e.joulesPerToken - e.busyJoulesPerToken()
                             << " J by those that wait, if all draw alike\n";
  line(out, "pipelined") << e.requests << (e.requests == 1 ? " request: " : " requests: ")
                         << std::setprecision(1) << e.batchTokensPerSecond << " tokens/s, "
                         << e.batchTokensPerSecond / e.requests << " each, " << std::setprecision(2)
                         << e.batchJoulesPerToken << " J a token; " << e.requestsToFill
                         << " fill it (" << e.slowestRegion << ")\n";
  for (const std::string& what : e.notModeled) line(out, "not modeled") << what << "\n";
}

}  // namespace waferpair::waferctl
