// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/fabric.h"

#include <algorithm>
#include <bit>

namespace waferpair::mesh {

namespace {

// The ports that a colour's switch uses in any position.
PortMask portsOf(const ColourRoute& route, PortMask Route::*side) {
  PortMask ports = 0;
  for (int i = 0; i < route.count; ++i) ports = ports | route.positions[i].*side;
  return ports;
}

constexpr int opposite(int port) { return (port + 2) & 3; }

}  // namespace

Fabric::Fabric(const Program& program)
    : program_(program),
      ramp_(program.config.rampCycles),
      neighbour_{-program.config.width, 1, program.config.width, -1},
      routers_(program.config.peCount()),
      active_(program.config.peCount()) {
  slotOf_.fill(-1);
  for (const PlacedRoute& placed : program.routes) {
    if (slotOf_[placed.colour] >= 0) continue;
    slotOf_[placed.colour] = slots_++;
    colourOf_.push_back(placed.colour);
  }
  const std::size_t pes = program.config.peCount();
  channelAt_.assign(pes * slots_, -1);
  for (std::size_t i = 0; i < program.routes.size(); ++i) {
    const PlacedRoute& placed = program.routes[i];
    channelAt_[placed.pe * slots_ + slotOf_[placed.colour]] = static_cast<std::int32_t>(i);
  }
  layOut();
}

// Channels and queues in the order in which PEs are visited. `channelAt_` names routes before, and
// channels after.
void Fabric::layOut() {
  const Config& config = program_.config;
  channels_.reserve(program_.routes.size());
  routeAt_.reserve(program_.routes.size());
  for (std::size_t at = 0; at < channelAt_.size(); ++at) {
    const std::int32_t placed = channelAt_[at];
    if (placed < 0) continue;
    channelAt_[at] = static_cast<std::int32_t>(channels_.size());
    const ColourRoute& route = program_.routes[placed].route;
    Channel& channel = channels_.emplace_back();
    channel.slot = static_cast<std::uint8_t>(at % slots_);
    channel.position = static_cast<std::uint8_t>(route.first);
    channel.from = route.positions[route.first].from;
    channel.to = route.positions[route.first].to;
    routeAt_.push_back(placed);
  }
  const auto addQueue = [&](int depth) {
    queues_.emplace_back(depth);
    return static_cast<std::uint32_t>(queues_.size() - 1);
  };
  const auto sends = [&](std::int32_t channel, int port) {
    return (portsOf(program_.routes[routeAt_[channel]].route, &Route::to) >> port & 1) != 0;
  };
  const int pes = config.peCount();
  const auto channelBeyond = [&](int pe, int port, int slot) {
    const int there = pe + neighbour_[port];
    return there < 0 || there >= pes ? -1 : channelOf(there, slot);
  };
  for (int pe = 0; pe < pes; ++pe) {
    for (int slot = 0; slot < slots_; ++slot) {
      const std::int32_t id = channelOf(pe, slot);
      if (id < 0) continue;
      Channel& channel = channels_[id];
      const PortMask from = portsOf(routeOf(channel), &Route::from);
      for (int port = 0; port < kRamp; ++port) {
        channel.next[port] = channelBeyond(pe, port, slot);
        const std::int32_t sender = channel.next[port];
        if ((from >> port & 1) || (sender >= 0 && sends(sender, opposite(port)))) {
          channel.in[port] = addQueue(config.linkDepth);
        }
      }
      if (from & only(Port::Ramp)) channel.in[kRamp] = addQueue(config.rampDepth);
      if (sends(id, kRamp)) channel.out[kRamp] = addQueue(config.rampDepth);
    }
  }
  for (std::size_t id = 0; id < channels_.size(); ++id) {
    Channel& channel = channels_[id];
    for (int port = 0; port < kRamp; ++port) {
      if (channel.next[port] >= 0 && sends(static_cast<std::int32_t>(id), port)) {
        channel.out[port] = channels_[channel.next[port]].in[opposite(port)];
      }
    }
  }
}

inline bool Fabric::roomAt(const Channel& channel, PortMask to, std::uint32_t cycle) const {
  for (unsigned left = to; left != 0; left &= left - 1) {
    const int port = std::countr_zero(left);
    if (port != kRamp && channel.next[port] < 0) continue;  // it will be lost, and told
    if (!queues_[channel.out[port]].hasRoom(cycle)) return false;
  }
  return true;
}

// Moves one wavelet of this colour, by ports that no other has `claimed` in this cycle. False if
// none can.
inline bool Fabric::stepChannel(int pe, Channel& channel, PortMask& claimed, std::uint32_t cycle,
                                PeSet& wake) {
  unsigned ports = channel.waiting & channel.from;
  while (ports != 0) {
    const unsigned behind = ports & ~((2u << channel.lastPort) - 1);
    const int port = std::countr_zero(behind != 0 ? behind : ports);
    ports &= ~(1u << port);
    const Queue& queue = queues_[channel.in[port]];
    if (queue.empty()) {
      noneWaiting(pe, channel, port);
      continue;
    }
    if (queue.head().ready() > cycle) {
      pending_ = true;
      continue;
    }
    if ((channel.to & claimed) != 0 || !roomAt(channel, channel.to, cycle)) return false;
    claimed = claimed | channel.to;
    channel.lastPort = static_cast<std::uint8_t>(port);
    move(pe, channel, port, cycle, wake);
    return true;
  }
  return false;
}

inline void Fabric::move(int pe, Channel& channel, int port, std::uint32_t cycle, PeSet& wake) {
  moved_ = true;
  Queue& source = queues_[channel.in[port]];
  const Wavelet head = source.head();
  source.pop(cycle);
  Command command = Command::None;
  std::uint32_t data = head.data;
  if (!head.plain()) {
    if (head.advance()) command = Command::Advance;
    if (head.control()) {
      command = firstCommand(data);
      if (routeOf(channel).pop == Pop::Always) data = withoutFirst(data);
    }
  }
  if (((channel.to | 1u << port) >> kRamp & 1) != 0) wake.add(pe);
  for (unsigned left = channel.to; left != 0; left &= left - 1) {
    const int to = std::countr_zero(left);
    if (to == kRamp) {
      queues_[channel.out[to]].push(wavelet(data, cycle + ramp_, head.control(), false));
      routers_[pe].arrived |= 1u << channel.slot;
      if (head.control()) ++routers_[pe].controlArrived;
      continue;
    }
    const int there = pe + neighbour_[to], entry = opposite(to);
    if (channel.next[to] < 0) {
      const Lost lost{there, entry, channel.slot};
      if (lost_.pe < 0 || lost < lost_) lost_ = lost;
      continue;
    }
    queues_[channel.out[to]].push(wavelet(data, cycle + 1, head.control(), false));
    nowWaiting(there, channels_[channel.next[to]], entry);
  }
  if (command != Command::None) obey(pe, channel, command);
}

void Fabric::obey(int pe, Channel& channel, Command command) {
  const ColourRoute& route = routeOf(channel);
  int position = channel.position;
  if (command == Command::Reset) {
    position = route.first;
  } else if (++position == route.count) {
    position = route.ring ? 0 : route.count - 1;
  }
  channel.position = static_cast<std::uint8_t>(position);
  channel.from = route.positions[position].from;
  channel.to = route.positions[position].to;
  // A port that has its turn no more would not be looked at again.
  for (int port = 0; port < kPorts; ++port) {
    if ((channel.waiting >> port & 1) && queues_[channel.in[port]].empty()) {
      noneWaiting(pe, channel, port);
    }
  }
}

void Fabric::step(int pe, std::uint32_t cycle, PeSet& wake) {
  Router& router = routers_[pe];
  if (router.waiting == 0) {
    active_.remove(pe);
    return;
  }
  PortMask claimed = 0;
  const unsigned start = router.nextSlot;
  bool first = true;
  for (std::uint32_t left = std::rotr(router.waiting, static_cast<int>(start)); left != 0;
       left &= left - 1) {
    const unsigned slot = (std::countr_zero(left) + start) & 31u;
    Channel& channel = channels_[channelOf(pe, static_cast<int>(slot))];
    if (stepChannel(pe, channel, claimed, cycle, wake) && first) {
      router.nextSlot = static_cast<std::uint8_t>((slot + 1) & 31u);
      first = false;
    }
  }
}

base::Result<void> Fabric::begin() {
  moved_ = pending_ = false;
  if (lost_.pe < 0) return {};
  return base::fail(peName(program_.config, lost_.pe) + ": a wavelet of colour " +
                        std::to_string(colourOf_[lost_.slot]) + " came from the " +
                        name(static_cast<Port>(lost_.port)) + ", where that colour has no route.",
                    "Give the colour a route at this PE, or end it at the PE before.");
}

bool Fabric::empty() const {
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const Queue& queue) { return queue.empty(); });
}

std::uint32_t Fabric::sent(int pe, Port port) const {
  std::uint32_t sum = 0;
  for (int slot = 0; slot < slots_; ++slot) {
    const std::int32_t id = channelOf(pe, slot);
    if (id < 0) continue;
    const Channel& channel = channels_[id];
    const int p = static_cast<int>(port);
    const bool used = (portsOf(routeOf(channel), &Route::to) >> p & 1) != 0;
    if (used && (p == kRamp || channel.next[p] >= 0)) sum += queues_[channel.out[p]].came();
  }
  return sum;
}

std::int64_t Fabric::hops() const {
  std::int64_t sum = 0;
  for (int pe = 0; pe < program_.config.peCount(); ++pe) {
    for (int port = 0; port < kRamp; ++port) sum += sent(pe, static_cast<Port>(port));
  }
  return sum;
}

void Fabric::explain(std::vector<std::string>& lines, std::size_t most) const {
  for (int pe = 0; pe < program_.config.peCount(); ++pe) {
    for (int entry = 0; entry < kPorts * slots_; ++entry) {
      const int port = entry / slots_, slot = entry % slots_;
      const std::int32_t id = channelOf(pe, slot);
      if (id < 0 || !(channels_[id].waiting >> port & 1)) continue;
      if (queues_[channels_[id].in[port]].empty()) continue;
      if (lines.size() == most) return;
      const Channel& way = channels_[id];
      std::string line = peName(program_.config, pe) + ": its router holds " +
                         std::to_string(queues_[way.in[port]].count()) + " of colour " +
                         std::to_string(colourOf_[slot]) + " from the " +
                         name(static_cast<Port>(port)) + ": ";
      if (!(way.from >> port & 1)) {
        line += "switch position " + std::to_string(way.position) + " takes none from there";
      }
      for (int to = 0; to < kPorts && (way.from >> port & 1); ++to) {
        if (!(way.to >> to & 1) || (to != kRamp && way.next[to] < 0)) continue;
        if (!queues_[way.out[to]].full()) continue;
        line += to == kRamp
                    ? "its core takes no more of them"
                    : std::string("the queue to the ") + name(static_cast<Port>(to)) + " is full";
        break;
      }
      lines.push_back(line + ".");
    }
  }
}

}  // namespace waferpair::mesh
