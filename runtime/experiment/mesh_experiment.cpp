// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "runtime/experiment/kinds.h"
#include "runtime/mesh/text_program.h"

namespace waferpair::experiment {
namespace {

constexpr std::uint32_t kMostMeshCycles = 1u << 22;  // seconds at most
constexpr int kMostPes = 256;
constexpr int kMostElements = 4096;

// A collective over a row of PEs, each with the numbers 0, 1, 2, ...
base::Result<std::string> collectiveProgram(Settings& settings, const std::string& collective) {
  const int pes = settings.integer("pes", 2, kMostPes).value_or(16);
  const int elements = settings.integer("elements", 1, kMostElements).value_or(64);
  const int group = settings.integer("group", 1, kMostPes).value_or(4);
  static constexpr const char* kKnown[] = {"broadcast",      "star-reduce",      "chain-reduce",
                                           "tree-reduce",    "two-phase-reduce", "ring-allreduce",
                                           "ktree-allreduce"};
  std::string all;
  bool known = false;
  for (const char* name : kKnown) {
    all += (all.empty() ? "" : ", ") + std::string(name);
    known = known || collective == name;
  }
  if (!known)
    return base::fail("There is no collective \"" + collective.substr(0, 40) + "\".",
                      "Known are: " + all + ".");
  const bool grouped = collective == "two-phase-reduce" || collective == "ktree-allreduce";
  const std::string length = std::to_string(elements);
  return "region " + std::to_string(pes) + " 1\ndata * 0 f32@0 " + length + " of x\ncollective " +
         collective + (grouped ? " " + std::to_string(group) : std::string()) + " row 0 f32@0 " +
         length + "\n";
}

// A ready program by its name, a collective, or the text of a program.
base::Result<std::string> programOf(Settings& settings) {
  const std::string text = settings.text("text"), ready = settings.text("program");
  const std::string collective = settings.text("collective");
  if (!text.empty()) return text;
  if (ready.empty()) return collectiveProgram(settings, collective);
  std::string all;
  for (const wafer::DataFile& file : mesh::readyPrograms()) {
    if (file.name == ready) return std::string(file.text);
    all += (all.empty() ? "" : ", ") + std::string(file.name);
  }
  return base::fail("There is no ready program \"" + ready.substr(0, 40) + "\".",
                    "Known are: " + all + ".");
}

}  // namespace

base::Result<Answer> answerMesh(Settings& settings) {
  const auto source = programOf(settings);
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  if (!source) return tl::unexpected(source.error());
  const auto program = mesh::parseProgram(*source);
  if (!program) return tl::unexpected(program.error());
  auto mesh = mesh::load(*program);
  if (!mesh) return tl::unexpected(mesh.error());
  const auto report = mesh->run(kMostMeshCycles);
  if (!report) return tl::unexpected(report.error());
  if (auto ok = mesh::check(*program, *mesh); !ok) return tl::unexpected(ok.error());

  const mesh::Config& config = mesh->config();
  const double pes = static_cast<double>(config.width) * config.height;
  Answer answer;
  answer.nature = Nature::kSimulated;
  answer.title =
      std::to_string(config.width) + " x " + std::to_string(config.height) + " PEs, cycle by cycle";
  answer.band = "simulated: every wavelet and instruction (docs/mesh.md says what is assumed)";
  answer.figures = {
      {"cycles", "Cycles", static_cast<double>(report->cycles), "cycles"},
      {"hops", "Wavelets times links", static_cast<double>(report->hops), "hops"},
      {"pes", "PEs", pes, ""},
      {"busy_cycles", "Busy cycles of all cores", static_cast<double>(report->cores.busy),
       "cycles"},
      {"wait_cycles", "Cycles of all cores spent waiting for a wavelet",
       static_cast<double>(report->cores.waitWavelet), "cycles"},
      {"full_cycles", "Cycles of all cores with the output full",
       static_cast<double>(report->cores.outputFull), "cycles"},
      {"busy_percent", "Busy cycles, of all",
       100 * static_cast<double>(report->cores.busy) /
           (pes * static_cast<double>(std::max<std::uint64_t>(1, report->cycles))),
       "%"},
  };
  return answer;
}

}  // namespace waferpair::experiment
