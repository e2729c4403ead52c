// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl trace`: what a recording holds, and the same for Perfetto.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>

#include "runtime/server/events.h"
#include "runtime/trace/chrome.h"
#include "runtime/trace/replay.h"
#include "runtime/waferctl/commands.h"

namespace waferpair::waferctl {
namespace {

using Json = nlohmann::json;

struct TraceFlags {
  std::string file, out;
  bool json = false;
};

trace::Reader open(const std::string& path) {
  auto reader = trace::Reader::open(path);
  if (!reader) giveUp(reader.error());
  if (reader->damage()) std::cerr << "waferctl: " << reader->damage()->message() << std::endl;
  return std::move(*reader);
}

Json summary(trace::Reader reader) {
  const trace::Totals totals = reader.totals();
  const trace::Header header = reader.header();
  const bool damaged = reader.damage().has_value();
  trace::Replay replay(std::move(reader));
  const auto all = replay.frame(0, totals.cycles);
  if (!all) giveUp(all.error());
  Json regions = Json::array();
  for (std::size_t i = 0; i < header.layout.regions.size(); ++i)
    regions.push_back({{"name", header.layout.regions[i].name},
                       {"active_cycles", all->regions[i].activeCycles},
                       {"compute_cycles", all->regions[i].computeCycles}});
  return {{"whole", !damaged},
          {"recorded", header.unixSeconds},
          {"model", header.layout.model},
          {"machine", header.layout.machine},
          {"profile", header.layout.profile},
          {"clock_hz", header.layout.clockHz},
          {"steps", totals.steps},
          {"tokens", totals.tokens},
          {"wafer",
           {{"cycles", totals.cycles},
            {"seconds", static_cast<double>(totals.cycles) / header.layout.clockHz},
            {"tokens_per_second", all->waferTokensPerSecond}}},
          {"host", {{"tokens_per_second", all->hostTokensPerSecond}}},
          {"regions", regions}};
}

void info(const TraceFlags& flags) {
  const Json found = summary(open(flags.file));
  if (flags.json) {
    std::cout << server::dump(found) << std::endl;
    return;
  }
  const auto text = [&](const char* key) { return found[key].get<std::string>(); };
  std::printf("%s on %s, emulated with profile %s at %g GHz\n", text("model").c_str(),
              text("machine").c_str(), text("profile").c_str(),
              found["clock_hz"].get<double>() / 1e9);
  std::printf("%llu steps, %llu tokens\n", found["steps"].get<unsigned long long>(),
              found["tokens"].get<unsigned long long>());
  std::printf("wafer, emulated: %llu cycles, %.6g s, decode %.0f tokens/s\n",
              found["wafer"]["cycles"].get<unsigned long long>(),
              found["wafer"]["seconds"].get<double>(),
              found["wafer"]["tokens_per_second"].get<double>());
  std::printf("host, measured: decode %.0f tokens/s\n",
              found["host"]["tokens_per_second"].get<double>());
  const double cycles = std::max(1.0, found["wafer"]["cycles"].get<double>());
  for (const Json& region : found["regions"])
    std::printf("  %-12s busy %5.1f %% of the time\n", region["name"].get<std::string>().c_str(),
                100 * region["active_cycles"].get<double>() / cycles);
}

void exportTrace(const TraceFlags& flags) {
  trace::Reader reader = open(flags.file);
  std::ofstream out(flags.out, std::ios::binary);
  if (!out)
    giveUp({flags.out + ": cannot be written.", "Name a file in a folder that you may write to."});
  auto written = trace::writeChromeTrace(reader, out);
  out.close();
  if (written && !out)
    written = base::fail(flags.out + ": could not be written whole.", "Make room on that disk.");
  if (!written) giveUp(written.error());
  std::cerr << reader.totals().steps << " steps in " << flags.out
            << "; open it at https://ui.perfetto.dev or in chrome://tracing" << std::endl;
}

}  // namespace

CLI::App* addTraceCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("trace", "Reads what --trace has recorded");
  command->require_subcommand(1);
  auto flags = std::make_shared<TraceFlags>();
  CLI::App* info = command->add_subcommand("info", "What a recording holds");
  info->add_option("file", flags->file, "NAME.wptrace")->required();
  info->add_flag("--json", flags->json, "print JSON");
  info->callback([flags] { waferctl::info(*flags); });
  CLI::App* exported =
      command->add_subcommand("export", "Writes it in the Trace Event Format, JSON, for Perfetto");
  exported->add_option("file", flags->file, "NAME.wptrace")->required();
  exported->add_option("out", flags->out, "NAME.json")->required();
  exported->callback([flags] { exportTrace(*flags); });
  return command;
}

}  // namespace waferpair::waferctl
