// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl trace`: shows what a recording holds, or writes it for Perfetto.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <streambuf>

#include "runtime/base/output_file.h"
#include "runtime/server/core/events.h"
#include "runtime/trace/chrome.h"
#include "runtime/trace/replay.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/interrupt.h"

namespace waferpair::waferctl {
namespace {

using Json = nlohmann::json;

struct TraceFlags {
  std::string file, out;
  bool json = false;
};

// The buffer of a std::ostream. It fails from the first write on that failed, or when interrupted.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(base::OutputFile& file) : file_(file) {}
  const std::optional<base::Error>& failure() const { return failure_; }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    if (failure_ || interrupted()) return 0;
    const auto written = file_.write(std::string_view(text, static_cast<std::size_t>(size)));
    if (!written) failure_ = written.error();
    return written ? size : 0;
  }
  int_type overflow(int_type c) override {
    const char text = traits_type::to_char_type(c);
    return xsputn(&text, 1) == 1 ? c : traits_type::eof();
  }

 private:
  base::OutputFile& file_;
  std::optional<base::Error> failure_;
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
                       {"wafer", header.layout.regions[i].wafer},
                       {"active_cycles", all->regions[i].activeCycles},
                       {"compute_cycles", all->regions[i].computeCycles}});
  return {{"whole", !damaged},
          {"recorded", header.unixSeconds},
          {"model", header.layout.model},
          {"shadow_of", header.layout.shadowOf},
          {"wafers", header.layout.wafers},
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

void printTrace(const Json& found) {
  const auto text = [&](const char* key) { return found[key].get<std::string>(); };
  const std::string of = text("shadow_of").empty() ? "" : ", shadow of " + text("shadow_of");
  std::printf("%s%s on %s, emulated with profile %s at %g GHz\n", text("model").c_str(), of.c_str(),
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
  const bool several = found["wafers"].get<int>() > 1;
  for (const Json& region : found["regions"])
    std::printf("  %-12s%s busy %5.1f %% of the time\n", region["name"].get<std::string>().c_str(),
                several ? (" wafer " + std::to_string(region["wafer"].get<int>() + 1)).c_str() : "",
                100 * region["active_cycles"].get<double>() / cycles);
}

void info(const TraceFlags& flags) {
  const Json found = summary(open(flags.file));
  if (flags.json)
    std::cout << server::dump(found) << std::endl;
  else
    printTrace(found);
  if (!found["whole"].get<bool>()) throw CLI::RuntimeError(kFailure);  // open() has said so
}

// A pipe or the like, which takes what comes and has nothing to lose: "/dev/stdout".
base::Result<void> writeInto(const std::string& pipe, trace::Reader& reader) {
  std::ofstream out(pipe, std::ios::binary);
  const auto written = trace::writeChromeTrace(reader, out);
  out.close();
  if (!out) return base::fail(pipe + ": could not be written whole.", "Make room where it goes.");
  return written;
}

base::Result<void> writeFile(const std::string& path, trace::Reader& reader) {
  auto file = base::OutputFile::create(path);
  if (!file) return tl::unexpected(file.error());
  OutputBuffer buffer(*file);
  std::ostream out(&buffer);
  catchInterrupts();
  auto written = trace::writeChromeTrace(reader, out);
  if (interrupted()) return base::fail("Interrupted; nothing was exported.");
  if (buffer.failure()) return tl::unexpected(*buffer.failure());
  return written ? file->keep() : written;
}

void exportTrace(const TraceFlags& flags) {
  std::error_code error;  // most often: there is nothing at `out` yet
  if (std::filesystem::equivalent(flags.file, flags.out, error))
    giveUp({flags.out + ": is the recording itself, which the export would replace.",
            "Name another file, like NAME.json."},
           kUsage);
  trace::Reader reader = open(flags.file);
  const auto there = std::filesystem::status(flags.out, error).type();
  const bool pipe =
      there == std::filesystem::file_type::fifo || there == std::filesystem::file_type::character;
  const auto written = pipe ? writeInto(flags.out, reader) : writeFile(flags.out, reader);
  if (!written) giveUp(written.error(), interrupted() ? kInterrupted : kFailure);
  std::cerr << reader.totals().steps << " steps in " << flags.out
            << "; open it at https://ui.perfetto.dev or in chrome://tracing" << std::endl;
  if (reader.damage()) throw CLI::RuntimeError(kFailure);  // open() has said so
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
