// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/mesh_replay.h"

#include <algorithm>
#include <set>

namespace waferpair::view {

void MeshReplay::setRun(const protocol::CutoutRun& run) {
  run_ = run;
  std::set<int> colors;
  for (const protocol::MeshEvent& event : run_.events)
    if (event.isHop) colors.insert(event.color);
  colors_.assign(colors.begin(), colors.end());
  restart();
  seek(0);
}

void MeshReplay::restart() {
  states_.assign(static_cast<std::size_t>(cores()), {});
  sent_.assign(static_cast<std::size_t>(cores() * protocol::kMeshPorts), 0);
  hops_.clear();
  next_ = 0;
  cycle_ = -1;
}

void MeshReplay::seek(std::int64_t cycle) {
  cycle = std::clamp<std::int64_t>(cycle, 0, std::max<std::int64_t>(0, run_.cycles));
  if (cycle < cycle_) restart();
  if (cycle == cycle_) return;
  hops_.clear();
  for (; next_ < run_.events.size() && run_.events[next_].cycle <= cycle; ++next_) {
    const protocol::MeshEvent& event = run_.events[next_];
    if (event.isHop) {
      ++sent_[static_cast<std::size_t>(event.core * protocol::kMeshPorts + event.port)];
      if (event.cycle == cycle) hops_.push_back({event.core, event.port, event.color});
      continue;
    }
    Core& core = states_[event.core];
    core.spent[static_cast<int>(core.now)] += event.cycle - core.since;
    core.since = event.cycle;
    core.now = event.state;
    core.instruction = event.instruction;
  }
  cycle_ = cycle;
}

std::int64_t MeshReplay::spent(int core, protocol::CoreState state) const {
  const Core& of = states_[static_cast<std::size_t>(core)];
  return of.spent[static_cast<int>(state)] + (of.now == state ? cycle_ + 1 - of.since : 0);
}

std::optional<std::int64_t> MeshReplay::nextCycle(int by, int core, int color) const {
  const auto counts = [&](const protocol::MeshEvent& event) {
    return (core < 0 || event.core == core) && (color < 0 || (event.isHop && event.color == color));
  };
  const auto& events = run_.events;
  if (by > 0) {
    for (std::size_t i = next_; i < events.size(); ++i)
      if (counts(events[i])) return events[i].cycle;
    return std::nullopt;
  }
  for (std::size_t i = next_; i > 0; --i)
    if (events[i - 1].cycle < cycle_ && counts(events[i - 1])) return events[i - 1].cycle;
  return std::nullopt;
}

std::int64_t MeshReplay::mostSent() const {
  std::vector<std::int64_t> sent(sent_.size());
  std::int64_t most = 0;
  for (const protocol::MeshEvent& event : run_.events)
    if (event.isHop)
      most = std::max(
          most, ++sent[static_cast<std::size_t>(event.core * protocol::kMeshPorts + event.port)]);
  return most;
}

}  // namespace waferpair::view
