// SPDX-License-Identifier: GPL-3.0-or-later
// What cores and links do while a mesh runs, event by event, in a ring: of a long run the last are
// kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/mesh/route.h"

namespace waferpair::mesh {

// What a core does from a cycle on.
struct Doing {
  enum class State : std::uint8_t { Idle, Busy, WaitsForWavelet, OutputFull };
  State state = State::Idle;
  std::int16_t task = -1;  // and the instruction of it; of no meaning when idle
  std::int16_t instruction = 0;

  bool operator==(const Doing&) const = default;
};

struct Event {
  std::uint32_t cycle = 0;
  std::int32_t pe = 0;
  bool isHop = false;
  Doing doing;             // of its core, until the PE's next such event
  Port port = Port::Ramp;  // of a hop: by which a wavelet left its router
  std::uint8_t color = 0;
};

class Recorder {
 public:
  static constexpr std::size_t kUsual = std::size_t{1} << 20;
  explicit Recorder(std::size_t most = kUsual) : most_(std::max<std::size_t>(1, most)) {}

  // Called by the mesh, cycle after cycle. Of a core only changes are kept; it is known to do this
  // up to `until`, and idle from there on unless something else is said.
  void core(int pe, std::uint32_t cycle, const Doing& doing, std::uint32_t until);
  void hop(int pe, std::uint32_t cycle, Port port, int color);
  // How many wavelets of those that ever came to a queue are new.
  std::uint32_t fresh(std::uint32_t queue, std::uint32_t came);

  // The events that are kept, in the order of their cycles.
  std::vector<Event> events() const;
  std::uint64_t dropped() const { return total_ - std::min<std::uint64_t>(total_, most_); }

 private:
  void add(const Event& event);

  std::size_t most_;
  std::vector<Event> ring_;
  std::uint64_t total_ = 0;
  struct Known {
    Doing doing;
    std::uint32_t until = 0;
  };
  std::vector<Known> last_;          // [pe]
  std::vector<std::uint32_t> came_;  // [queue]
};

}  // namespace waferpair::mesh
