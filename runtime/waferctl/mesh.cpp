// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl mesh`: runs programs on the mesh, cycle by cycle, and shows what cores and links did.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/base/output_file.h"
#include "runtime/mesh/text_program.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/mesh_trace.h"
#include "runtime/waferctl/progress_line.h"

namespace waferpair::waferctl {
namespace {

struct MeshFlags {
  std::string program, out;
  std::uint32_t cycles = 1u << 28;
  std::size_t events = mesh::Recorder::kUsual;
  bool json = false, source = false;
};

// The text of a ready program by its name, else of a file.
base::Result<std::string> textOf(const std::string& program) {
  for (const wafer::DataFile& ready : mesh::readyPrograms())
    if (ready.name == program) return std::string(ready.text);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(program, ignored))
    return base::fail(program + ": is neither a ready program nor a file.",
                      "\"waferctl mesh list\" shows the ready ones.");
  std::ifstream in(program, std::ios::binary);
  std::string text;
  text.resize(mesh::kMostText + 1);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || (!in && !in.eof()))
    return base::fail(program + ": cannot be read.", "See that you may read it.");
  return text;
}

// The comment that a program begins with.
std::string aboutOf(std::string_view text) {
  std::string about;
  while (text.starts_with('#')) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(1, end - 1);
    while (line.starts_with(' ')) line.remove_prefix(1);
    about += (about.empty() ? "" : " ") + std::string(line);
    text = text.substr(std::min(end + 1, text.size()));
  }
  return about;
}

void list() {
  for (const wafer::DataFile& ready : mesh::readyPrograms())
    std::cout << ready.name << "\n    " << aboutOf(ready.text) << "\n";
}

struct Ran {
  mesh::TextProgram text;
  mesh::Mesh mesh;
  mesh::Report report;
};

// Runs a program; gives up on one that is wrong, that ends in a deadlock or that computes something
// else than it expects. What was recorded until then is in `recorder` in any case, and `failed`
// hears of it first.
Ran runProgram(const MeshFlags& flags, mesh::Recorder* recorder,
               const std::function<void(const mesh::TextProgram&, std::uint32_t)>& failed = {}) {
  const auto source = textOf(flags.program);
  if (!source) giveUp(source.error(), kUsage);
  auto text = mesh::parseProgram(*source);
  if (!text) giveUp({flags.program + ": " + text.error().what, text.error().remedy}, kUsage);
  auto mesh = mesh::load(*text);
  if (!mesh) giveUp(mesh.error(), kUsage);
  auto progress = std::make_unique<ProgressLine>();
  mesh->watch([&progress](std::uint32_t cycle) {
    if (progress->due()) progress->show("cycle " + std::to_string(cycle));
    return true;
  });
  const auto report = mesh->run(flags.cycles, recorder);
  progress.reset();  // before anything else is printed
  mesh->watch({});
  if (!report) {
    if (failed) failed(*text, 0);
    giveUp({flags.program + ": " + report.error().what, report.error().remedy});
  }
  return {std::move(*text), std::move(*mesh), *report};
}

std::vector<std::vector<float>> printed(const Ran& ran) {
  std::vector<std::vector<float>> all;
  for (const mesh::Values& where : ran.text.print) {
    const auto values = mesh::read(ran.mesh, where);
    if (!values) giveUp(values.error());
    all.push_back(*values);
  }
  return all;
}

void run(const MeshFlags& flags) {
  const Ran ran = runProgram(flags, nullptr);
  const mesh::Config& config = ran.mesh.config();
  const mesh::Report& report = ran.report;
  const auto right = mesh::check(ran.text, ran.mesh);
  const auto values = printed(ran);
  if (flags.json) {
    nlohmann::ordered_json shown = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < values.size(); ++i)
      shown.push_back({{"x", ran.text.print[i].x},
                       {"y", ran.text.print[i].y},
                       {"address", ran.text.print[i].address},
                       {"values", values[i]}});
    std::cout << nlohmann::ordered_json{{"width", config.width},
                                        {"height", config.height},
                                        {"cycles", report.cycles},
                                        {"hops", report.hops},
                                        {"busy_cycles", report.cores.busy},
                                        {"wait_cycles", report.cores.waitWavelet},
                                        {"output_full_cycles", report.cores.outputFull},
                                        {"bank_conflict_cycles", report.cores.bankConflict},
                                        {"as_expected", right.has_value()},
                                        {"printed", shown}}
                     .dump(2)
              << "\n";
  } else {
    std::cout << config.width << " x " << config.height << " PEs, " << report.cycles << " cycles, "
              << report.hops << " hops of wavelets\n"
              << "cycles of all cores: " << report.cores.busy << " busy, "
              << report.cores.waitWavelet << " waiting for a wavelet, " << report.cores.outputFull
              << " with the output full, " << report.cores.bankConflict
              << " more for bank conflicts\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::cout << "PE (" << ran.text.print[i].x << ", " << ran.text.print[i].y << ") at "
                << ran.text.print[i].address << ":";
      for (const float value : values[i]) std::cout << " " << value;
      std::cout << "\n";
    }
    if (right && !ran.text.expect.empty()) std::cout << "All values are as expected.\n";
  }
  if (!right) giveUp({flags.program + ": " + right.error().what, right.error().remedy});
}

void save(const MeshFlags& flags, const mesh::TextProgram& text, const mesh::Recorder& recorder,
          std::uint64_t cycles) {
  auto file = base::OutputFile::create(flags.out);
  if (!file) giveUp(file.error());
  auto written = file->write(meshTrace(text.program, recorder, cycles));
  if (written) written = file->keep();
  if (!written) giveUp(written.error());
  std::cerr << recorder.events().size() << " events in " << flags.out;
  if (recorder.dropped() > 0)
    std::cerr << ", the last; " << recorder.dropped() << " before them were dropped (--events)";
  std::cerr << "; open it at https://ui.perfetto.dev" << std::endl;
}

void trace(const MeshFlags& flags) {
  std::error_code error;
  if (std::filesystem::equivalent(flags.program, flags.out, error))
    giveUp({flags.out + ": is the program itself, which the trace would replace.",
            "Name another file, like NAME.json."},
           kUsage);
  mesh::Recorder recorder(flags.events);
  // How a deadlock came about is what one wants to see.
  const Ran ran = runProgram(flags, &recorder, [&](const mesh::TextProgram& text, std::uint32_t) {
    save(flags, text, recorder, 0);
  });
  save(flags, ran.text, recorder, ran.report.cycles);
}

void show(const MeshFlags& flags) {
  const auto source = textOf(flags.program);
  if (!source) giveUp(source.error(), kUsage);
  std::cout << *source;
}

}  // namespace

CLI::App* addMeshCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("mesh", "Runs programs on a simulated mesh of PEs, cycle by cycle");
  command->require_subcommand(1);
  auto flags = std::make_shared<MeshFlags>();
  command->add_subcommand("list", "The programs that come along")->callback([] { list(); });
  const auto add = [&](const char* name, const char* says) {
    CLI::App* one = command->add_subcommand(name, says);
    one->add_option("program", flags->program,
                    "a ready one by name (\"waferctl mesh list\"), or a file (docs/mesh.md)")
        ->required();
    return one;
  };
  add("show", "Prints the text of a program, to write another by")->callback([flags] {
    show(*flags);
  });
  const auto limited = [&](CLI::App* one) {
    one->add_option("--cycles", flags->cycles, "the most that it may take")
        ->check(CLI::Range(1u, 1u << 30));
    return one;
  };
  CLI::App* ran = limited(add("run", "Runs one: cycles, hops, stalls, and what it prints"));
  ran->add_flag("--json", flags->json, "print JSON");
  ran->callback([flags] { run(*flags); });
  CLI::App* traced =
      limited(add("trace", "Runs one, and writes what cores and links did for Perfetto"));
  traced->add_option("out", flags->out, "NAME.json")->required();
  traced->add_option("--events", flags->events, "how many are kept, the last of all")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 26));
  traced->callback([flags] { trace(*flags); });
  return command;
}

}  // namespace waferpair::waferctl
