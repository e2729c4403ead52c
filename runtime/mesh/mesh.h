// SPDX-License-Identifier: GPL-3.0-or-later
// The simulator: a region of PEs that runs a program, cycle by cycle. docs/mesh.md says what is
// modeled, and what is assumed where nothing is published.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/cores.h"
#include "runtime/mesh/fabric.h"
#include "runtime/mesh/program.h"
#include "runtime/mesh/steady.h"

namespace waferpair::mesh {

struct Report {
  std::uint64_t cycles = 0;  // until the last instruction of any core was done
  std::int64_t hops = 0;     // wavelets times links
  CoreCounters cores;        // of all PEs together
};

class Mesh {
 public:
  // The error is what validate() finds.
  static base::Result<Mesh> make(Program program);

  // SRAM, before and after a run. The error names what lies outside.
  base::Result<void> write(int x, int y, std::uint32_t address,
                           std::span<const std::uint8_t> bytes);
  base::Result<void> writeHalves(int x, int y, std::uint32_t address,
                                 std::span<const float> values);
  base::Result<void> writeFloats(int x, int y, std::uint32_t address,
                                 std::span<const float> values);
  base::Result<std::vector<float>> readHalves(int x, int y, std::uint32_t address, int count) const;
  base::Result<std::vector<float>> readFloats(int x, int y, std::uint32_t address, int count) const;

  // Takes over the SRAM of `before`, a mesh of the same region, for a program that goes on from
  // there.
  void takeSram(Mesh& before) { parts_->cores.swapSram(before.parts_->cores); }

  // Runs until nothing is left to do; once only. The error is a deadlock, told PE by PE, wavelets
  // that go round for ever while no core does anything, told by color and PEs, a wavelet that found
  // no route, or a program that is not done after `mostCycles`; a core that computes
  // without the fabric may then be ahead of that cycle. With a recorder it is many times slower.
  base::Result<Report> run(std::uint32_t mostCycles = 1u << 28, Recorder* recorder = nullptr);

  // Has run() carry out each cycle by itself, also those in which everything repeats (steady.h):
  // what its results are held to.
  void neverSkip() { parts_->skips = false; }
  std::uint64_t skipped() const { return parts_->steady.skipped(); }  // cycles

  // Has run() call this with the cycle, every thousand of them or so, and end with an error when it
  // returns false.
  using Watch = std::function<bool(std::uint32_t cycle)>;
  void watch(Watch watch) { parts_->watch = std::move(watch); }

  const Config& config() const { return parts_->program.config; }
  CoreCounters counters(int x, int y) const;
  CoreCounters countersAt(int x, int y, std::uint32_t cycle) const {
    return parts_->cores.countersAt(config().peAt(x, y), cycle);
  }
  // Wavelets that left the router of a PE by a port; of its ramp, those that its core got.
  std::uint32_t sent(int x, int y, Port port) const;
  // Where wavelets wait at a PE, and how its switches stand: after a run that was ended by its
  // `mostCycles` as that cycle begins.
  std::vector<Waiting> waitingAt(int x, int y) const {
    return parts_->fabric.waitingAt(config().peAt(x, y));
  }
  std::vector<SwitchState> switchesAt(int x, int y) const {
    return parts_->fabric.switchesAt(config().peAt(x, y));
  }

 private:
  // Together on the heap: fabric and cores refer to the program.
  struct Parts {
    explicit Parts(Program given)
        : program(std::move(given)),
          fabric(program),
          cores(program, fabric),
          steady(fabric, cores) {}
    Program program;
    Fabric fabric;
    Cores cores;
    Steady steady;
    bool ran = false, skips = true;
    Watch watch;
  };

  template <bool kRecorded>
  base::Result<void> loop(std::uint32_t mostCycles, Recorder* recorder);
  explicit Mesh(Program program) : parts_(std::make_unique<Parts>(std::move(program))) {}
  base::Result<void> inside(int x, int y, std::uint32_t address, std::size_t bytes) const;
  base::Error deadlock(std::uint32_t cycle) const;
  // `holders` are the PEs that held wavelets in the last cycles, by color.
  base::Error livelock(std::uint32_t cycle, const std::map<int, std::set<int>>& holders) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace waferpair::mesh
