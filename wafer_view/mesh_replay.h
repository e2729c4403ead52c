// SPDX-License-Identifier: GPL-3.0-or-later
// What cores and links of a cut-out do at any cycle, from what they did: forwards step by step,
// backwards from the beginning.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/protocol/token_way.h"

namespace waferpair::view {

class MeshReplay {
 public:
  void setRun(const protocol::CutoutRun& run);
  const protocol::CutoutRun& run() const { return run_; }
  int cores() const { return run_.width * run_.height; }
  bool isEmpty() const { return states_.empty(); }

  // What happens in this cycle is shown, and what did before counts.
  void seek(std::int64_t cycle);
  std::int64_t cycle() const { return cycle_; }
  std::int64_t end() const { return run_.cycles; }

  protocol::CoreState state(int core) const { return states_[static_cast<std::size_t>(core)].now; }
  int instruction(int core) const { return states_[static_cast<std::size_t>(core)].instruction; }
  // Cycles of a core in a state, up to and with this one.
  std::int64_t spent(int core, protocol::CoreState state) const;
  // Wavelets by a port of a core's router, up to and with this cycle.
  std::int64_t sent(int core, int port) const {
    return sent_[static_cast<std::size_t>(core * protocol::kMeshPorts + port)];
  }
  struct Hop {
    int core = 0, port = 0, color = 0;
  };
  // The wavelets that leave routers in this cycle.
  const std::vector<Hop>& hops() const { return hops_; }

  // The next cycle (`by` 1), or the one before (-1), in which a core does something else or its
  // router sends, or in which a color moves anywhere; -1 stands for all.
  std::optional<std::int64_t> nextCycle(int by, int core = -1, int color = -1) const;
  // The colors of all wavelets, in order.
  const std::vector<int>& colors() const { return colors_; }
  std::int64_t mostSent() const;  // of all links, at the end

 private:
  struct Core {
    protocol::CoreState now = protocol::CoreState::kIdle;
    int instruction = 0;
    std::int64_t since = 0;
    std::int64_t spent[4] = {};  // before `since`
  };
  void restart();

  protocol::CutoutRun run_;
  std::vector<Core> states_;
  std::vector<std::int64_t> sent_;
  std::vector<Hop> hops_;
  std::vector<int> colors_;
  std::size_t next_ = 0;  // of run_.events
  std::int64_t cycle_ = -1;
};

}  // namespace waferpair::view
