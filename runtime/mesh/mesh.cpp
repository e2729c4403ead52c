// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/mesh.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/tensor/half.h"

namespace waferpair::mesh {
namespace {

// The cycles after which wavelets that no core has to do with must have come to where they end. A
// way without a circle enters each router at most once by a color, and waits there for at most the
// other colors.
std::uint32_t longestWay(const Config& config) {
  constexpr std::uint32_t kSlack = 1024;  // for what waits on ramps
  return kSlack +
         static_cast<std::uint32_t>(config.peCount()) * static_cast<std::uint32_t>(config.colors);
}

// The cycles in which wavelets that go round are watched: they show the circle's PEs.
constexpr std::uint32_t kWatched = 256;

// Cycles between two calls of who watches a run.
constexpr std::uint32_t kWatchEvery = 1024;

void recordCore(const Cores& cores, int pe, std::uint32_t cycle, Recorder& recorder) {
  std::uint32_t until = 0;
  const Doing doing = cores.doing(pe, cycle, until);
  recorder.core(pe, cycle, doing, until);
}

void recordRouter(const Fabric& fabric, int pe, std::uint32_t cycle, Recorder& recorder) {
  fabric.forEachWayOut(pe, [&](Port port, int color, std::uint32_t queue, std::uint32_t came) {
    if (recorder.fresh(queue, came) > 0) recorder.hop(pe, cycle, port, color);
  });
}

}  // namespace

base::Result<Mesh> Mesh::make(Program program) {
  if (auto valid = validate(program); !valid) return tl::unexpected(valid.error());
  return Mesh(std::move(program));
}

base::Result<void> Mesh::inside(int x, int y, std::uint32_t address, std::size_t bytes) const {
  const Config& c = config();
  if (x < 0 || x >= c.width || y < 0 || y >= c.height) {
    return base::fail("PE (" + std::to_string(x) + ", " + std::to_string(y) +
                          ") is outside the region of " + std::to_string(c.width) + " x " +
                          std::to_string(c.height) + ".",
                      "Name one inside.");
  }
  if (address + bytes > static_cast<std::size_t>(c.sramBytes)) {
    return base::fail(peName(c, c.peAt(x, y)) + ": bytes " + std::to_string(address) + " to " +
                          std::to_string(address + bytes) + " are outside its SRAM of " +
                          std::to_string(c.sramBytes) + ".",
                      "Move or shorten the data.");
  }
  return {};
}

base::Result<void> Mesh::write(int x, int y, std::uint32_t address,
                               std::span<const std::uint8_t> bytes) {
  if (auto ok = inside(x, y, address, bytes.size()); !ok) return ok;
  if (!bytes.empty()) {
    std::memcpy(parts_->cores.sram(config().peAt(x, y)) + address, bytes.data(), bytes.size());
  }
  return {};
}

base::Result<void> Mesh::writeHalves(int x, int y, std::uint32_t address,
                                     std::span<const float> values) {
  std::vector<tensor::Half> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), tensor::toHalf);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(halves.data());
  return write(x, y, address, {bytes, halves.size() * sizeof(tensor::Half)});
}

base::Result<void> Mesh::writeFloats(int x, int y, std::uint32_t address,
                                     std::span<const float> values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return write(x, y, address, {bytes, values.size() * sizeof(float)});
}

base::Result<std::vector<float>> Mesh::readHalves(int x, int y, std::uint32_t address,
                                                  int count) const {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(tensor::Half);
  if (auto ok = inside(x, y, address, bytes); !ok) return tl::unexpected(ok.error());
  std::vector<tensor::Half> halves(count);
  std::copy_n(parts_->cores.sram(config().peAt(x, y)) + address, bytes,
              reinterpret_cast<std::uint8_t*>(halves.data()));
  std::vector<float> values(count);
  std::transform(halves.begin(), halves.end(), values.begin(),
                 [](tensor::Half half) { return tensor::toFloat(half); });
  return values;
}

base::Result<std::vector<float>> Mesh::readFloats(int x, int y, std::uint32_t address,
                                                  int count) const {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
  if (auto ok = inside(x, y, address, bytes); !ok) return tl::unexpected(ok.error());
  std::vector<float> values(count);
  std::copy_n(parts_->cores.sram(config().peAt(x, y)) + address, bytes,
              reinterpret_cast<std::uint8_t*>(values.data()));
  return values;
}

template <bool kRecorded>
base::Result<void> Mesh::loop(std::uint32_t mostCycles, Recorder* recorder) {
  Fabric& fabric = parts_->fabric;
  Cores& cores = parts_->cores;
  const std::uint32_t patience = longestWay(config());
  std::uint32_t fabricAlone = 0;  // cycles in a row in which only wavelets moved
  std::uint32_t nextWatch = 0;
  std::map<int, std::set<int>> circling;
  for (std::uint32_t cycle = 0;;) {
    if constexpr (!kRecorded) {
      if (parts_->skips) cycle += parts_->steady.skip(cycle, mostCycles);
    }
    if (cycle >= mostCycles) {
      return base::fail(
          "Mesh: the program is not done after " + std::to_string(mostCycles) + " cycles.",
          "Look for tasks that activate one another for ever, or allow more.");
    }
    if (parts_->watch && cycle >= nextWatch) {
      nextWatch = cycle + kWatchEvery;
      if (!parts_->watch(cycle)) {
        return base::fail("Mesh: stopped in cycle " + std::to_string(cycle) + ".", "Run it again.");
      }
    }
    if (auto routed = fabric.begin(); !routed) return tl::unexpected(routed.error());
    cores.begin();
    PeSet::forEachOf(cores.awake(), fabric.active(), [&](int pe, bool awake, bool active) {
      if (awake) cores.step(pe, cycle);
      if constexpr (kRecorded) {
        if (awake) recordCore(cores, pe, cycle, *recorder);
      }
      if (active && fabric.step(pe, cycle)) cores.awake().add(pe);
      if constexpr (kRecorded) {
        if (active) recordRouter(fabric, pe, cycle, *recorder);
      }
    });
    const bool quiet = !cores.progressed() && cores.nextStep() == Cores::kNever;
    fabricAlone = quiet ? fabricAlone + 1 : 0;
    if (fabricAlone > patience) {
      fabric.addHolders(circling);
      if (fabricAlone > patience + kWatched) {
        return tl::unexpected(livelock(cycle, circling));
      }
    }
    if (fabric.moved() || fabric.pending() || cores.progressed()) {
      ++cycle;
    } else if (cores.nextStep() != Cores::kNever) {
      cycle = cores.nextStep();  // until then, nothing happens
    } else if (fabric.empty() && cores.idle()) {
      break;
    } else {
      return tl::unexpected(deadlock(cycle));  // the next cycle would be the same as this one
    }
  }
  return {};
}

base::Result<Report> Mesh::run(std::uint32_t mostCycles, Recorder* recorder) {
  if (parts_->ran) return base::fail("Mesh: this program has run.", "Make another mesh.");
  parts_->ran = true;
  const Cores& cores = parts_->cores;
  const Fabric& fabric = parts_->fabric;
  mostCycles = std::min(mostCycles, kMaxCycles);
  const auto ran =
      recorder != nullptr ? loop<true>(mostCycles, recorder) : loop<false>(mostCycles, nullptr);
  if (!ran) return tl::unexpected(ran.error());
  Report report{.cycles = cores.end(), .hops = fabric.hops(), .cores = {}};
  for (int pe = 0; pe < config().peCount(); ++pe) {
    const CoreCounters one = cores.counters(pe);
    report.cores.busy += one.busy;
    report.cores.waitWavelet += one.waitWavelet;
    report.cores.outputFull += one.outputFull;
    report.cores.bankConflict += one.bankConflict;
  }
  return report;
}

base::Error Mesh::deadlock(std::uint32_t cycle) const {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> lines;
  parts_->cores.explain(lines, kMost);
  parts_->fabric.explain(lines, kMost);
  std::string what = "Deadlock in cycle " + std::to_string(cycle) + ": nothing moves any more.";
  for (const std::string& line : lines) what += "\n  " + line;
  return {what, "\nSend what is waited for, read what has come, or route around the full queue."};
}

base::Error Mesh::livelock(std::uint32_t cycle, const std::map<int, std::set<int>>& holders) const {
  constexpr std::size_t kMost = 8;  // PEs of a color that are named
  std::string what = "Livelock in cycle " + std::to_string(cycle) +
                     ": wavelets go round, and no core does anything any more.";
  for (const auto& [color, pes] : holders) {
    what += "\n  Color " + std::to_string(color) + " by";
    std::size_t named = 0;
    for (const int pe : pes) {
      if (named++ == kMost) break;
      what += (named == 1 ? " " : ", ") + peName(config(), pe);
    }
    if (pes.size() > kMost) what += " and " + std::to_string(pes.size() - kMost) + " more";
    what += ".";
  }
  return {what, "\nLet one of these routers send the color down its ramp, or off the circle."};
}

CoreCounters Mesh::counters(int x, int y) const {
  return parts_->cores.counters(config().peAt(x, y));
}

std::uint32_t Mesh::sent(int x, int y, Port port) const {
  return parts_->fabric.sent(config().peAt(x, y), port);
}

}  // namespace waferpair::mesh
