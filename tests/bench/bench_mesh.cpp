// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how fast the mesh is simulated, on one core of the host: PE-cycles a second, for regions
// of several sizes in which every core and every router works in every cycle. The rate stays the
// same where the cost grows linearly with the PEs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "runtime/mesh/collectives.h"
#include "runtime/mesh/mesh.h"

using namespace waferpair;
using namespace waferpair::mesh;

namespace {

constexpr double kTarget = 60e6;

// Every row passes a long vector on and adds to it: an FP32 addition and a hop in each cycle.
base::Result<Program> chains(const Config& config) {
  Builder builder(config);
  for (int y = 0; y < config.height; ++y) {
    chainReduce(builder, row(config, y), {0, 8000, Type::F32});
  }
  return builder.finish();
}

// The same with pairs of FP16, each rounded.
base::Result<Program> halfChains(const Config& config) {
  Builder builder(config);
  for (int y = 0; y < config.height; ++y) {
    chainReduce(builder, row(config, y), {0, 16000, Type::F16});
  }
  return builder.finish();
}

// Eight FP16 multiply-adds a cycle in one of `every` PEs, no wavelets.
base::Result<Program> tilesInEvery(int every, const Config& config) {
  Builder builder(config);
  Instruction column = vectorOp(Op::Fmac, memory(0, Type::F16), memory(128, Type::F16, 0, 2),
                                memory(1024 + 32, Type::F16, 1, 128), 64);
  column.repeat = 256;
  for (int pe = 0; pe < config.peCount(); pe += every) builder.append(pe, column);
  return builder.finish();
}

base::Result<Program> tiles(const Config& config) { return tilesInEvery(1, config); }
base::Result<Program> idle(const Config& config) { return tilesInEvery(64, config); }

// PE-cycles a second, or 0 if the program does not run.
double rate(base::Result<Program> (*make)(const Config&), int side) {
  Config config;
  config.width = config.height = side;
  auto program = make(config);
  if (!program) return 0;
  auto mesh = Mesh::make(std::move(*program));
  if (!mesh) return 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const std::vector<float> values(64, 0.5f);
      if (!mesh->writeHalves(x, y, 0, values)) return 0;
    }
  }
  const std::clock_t start = std::clock();  // of the processor, as other programs run too
  const auto report = mesh->run();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return report ? static_cast<double>(report->cycles) * config.peCount() / seconds : 0;
}

}  // namespace

// Arguments limit the run: to the workloads whose title holds the first, to one side, to so many
// rounds.
int main(int argc, char** argv) {
  struct Workload {
    const char* title;
    base::Result<Program> (*make)(const Config&);
  };
  const Workload workloads[] = {{"FP32 chains, all PEs and links busy", chains},
                                {"FP16 chains, all PEs and links busy", halfChains},
                                {"FP16 tiles, all PEs busy, 8 lanes", tiles},
                                {"FP16 tiles, one PE in 64 busy", idle}};
  constexpr int kSides[] = {8, 16, 32, 64, 128, 256};
  const int onlySide = argc > 2 ? std::atoi(argv[2]) : 0;
  const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 5;
  std::printf("million PE-cycles a second, least and most of %d rounds; target %.0f\n", rounds,
              kTarget / 1e6);
  for (const Workload& workload : workloads) {
    if (argc > 1 && std::strstr(workload.title, argv[1]) == nullptr) continue;
    std::printf("%-38s", workload.title);
    for (int side : kSides) {
      if (onlySide != 0 && side != onlySide) continue;
      std::vector<double> rates;
      for (int round = 0; round < rounds; ++round) rates.push_back(rate(workload.make, side));
      const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
      std::printf("  %2dx%-2d %5.1f-%-5.1f", side, side, *least / 1e6, *most / 1e6);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  return 0;
}
