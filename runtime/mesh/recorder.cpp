// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/recorder.h"

namespace waferpair::mesh {

void Recorder::add(const Event& event) {
  if (ring_.size() < most_) {
    ring_.push_back(event);
  } else {
    ring_[total_ % most_] = event;
  }
  ++total_;
}

void Recorder::core(int pe, std::uint32_t cycle, const Doing& doing, std::uint32_t until) {
  const auto index = static_cast<std::size_t>(pe);
  if (last_.size() <= index) last_.resize(index + 1);
  Known& last = last_[index];
  // A core that waits is not looked at again until something changes.
  const bool ended = last.doing.state == Doing::State::Busy && last.until < cycle;
  if (ended) {
    add({.cycle = last.until, .pe = pe, .doing = {}});
    last.doing = {};
  }
  last.until = until;
  if (last.doing == doing) return;
  last.doing = doing;
  add({.cycle = cycle, .pe = pe, .doing = doing});
}

void Recorder::hop(int pe, std::uint32_t cycle, Port port, int color) {
  add({.cycle = cycle,
       .pe = pe,
       .isHop = true,
       .doing = {},
       .port = port,
       .color = static_cast<std::uint8_t>(color)});
}

std::uint32_t Recorder::fresh(std::uint32_t queue, std::uint32_t came) {
  if (came_.size() <= queue) came_.resize(queue + 1);
  const std::uint32_t count = came - came_[queue];
  came_[queue] = came;
  return count;
}

std::vector<Event> Recorder::events() const {
  std::vector<Event> all;
  all.reserve(ring_.size() + last_.size());
  const std::size_t first = total_ > most_ ? total_ % most_ : 0;
  for (std::size_t i = 0; i < ring_.size(); ++i) all.push_back(ring_[(first + i) % ring_.size()]);
  for (std::size_t pe = 0; pe < last_.size(); ++pe) {
    if (last_[pe].doing.state == Doing::State::Busy)
      all.push_back({.cycle = last_[pe].until, .pe = static_cast<std::int32_t>(pe), .doing = {}});
  }
  // The end of what a core did is told late, when it does something else.
  std::ranges::stable_sort(all, {}, &Event::cycle);
  return all;
}

}  // namespace waferpair::mesh
