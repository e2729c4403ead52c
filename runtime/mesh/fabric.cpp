// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/fabric.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace waferpair::mesh {

namespace {

// The ports that a color's switch uses in any position.
PortMask portsOf(const ColorRoute& route, PortMask Route::*side) {
  PortMask ports = 0;
  for (int i = 0; i < route.count; ++i) ports = ports | route.positions[i].*side;
  return ports;
}

constexpr int opposite(int port) { return (port + 2) & 3; }

}  // namespace

Fabric::Fabric(const Program& program)
    : program_(program),
      ramp_(program.config.rampCycles),
      neighbor_{-program.config.width, 1, program.config.width, -1},
      routers_(program.config.peCount()),
      active_(program.config.peCount()) {
  slotOf_.fill(-1);
  for (const PlacedRoute& placed : program.routes) {
    if (slotOf_[placed.color] >= 0) continue;
    slotOf_[placed.color] = slots_++;
    colorOf_.push_back(placed.color);
  }
  // A router keeps a bit for each of its channels.
  assert(slots_ <= 32);
  const std::size_t pes = program.config.peCount();
  channelAt_.assign(pes * slots_, -1);
  for (std::size_t i = 0; i < program.routes.size(); ++i) {
    const PlacedRoute& placed = program.routes[i];
    channelAt_[placed.pe * slots_ + slotOf_[placed.color]] = static_cast<std::int32_t>(i);
  }
  layOut();
}

// Channels and queues in the order in which PEs are visited. `channelAt_` names routes before, and
// channels after.
void Fabric::layOut() {
  const Config& config = program_.config;
  const int pes = config.peCount();
  channels_.reserve(program_.routes.size());
  routeAt_.reserve(program_.routes.size());
  for (int pe = 0; pe < pes; ++pe) {
    routers_[pe].first = static_cast<std::uint32_t>(channels_.size());
    for (int slot = 0; slot < slots_; ++slot) {
      std::int32_t& at = channelAt_[pe * slots_ + slot];
      if (at < 0) continue;
      routeAt_.push_back(at);
      at = static_cast<std::int32_t>(channels_.size());
      channels_.emplace_back().slot = static_cast<std::uint8_t>(slot);
    }
  }
  const auto sends = [&](std::int32_t channel, int port) {
    return (portsOf(program_.routes[routeAt_[channel]].route, &Route::to) >> port & 1) != 0;
  };
  const auto channelBeyond = [&](int pe, int port, int slot) {
    const int there = pe + neighbor_[port];
    return there < 0 || there >= pes ? -1 : channelOf(there, slot);
  };
  queues_.emplace_back(0, 0, -1, Queue::kCore);  // for what has none
  for (int pe = 0; pe < pes; ++pe) {
    for (int slot = 0; slot < slots_; ++slot) {
      const std::int32_t id = channelOf(pe, slot);
      if (id < 0) continue;
      Channel& channel = channels_[id];
      const auto addQueue = [&](int depth, int port) {
        queues_.emplace_back(depth, static_cast<std::uint32_t>(id), pe,
                             static_cast<std::uint8_t>(port));
        return static_cast<std::uint32_t>(queues_.size() - 1);
      };
      const PortMask from = portsOf(routeOf(channel), &Route::from);
      for (int port = 0; port < kRamp; ++port) {
        const std::int32_t sender = channelBeyond(pe, port, slot);
        if ((from >> port & 1) || (sender >= 0 && sends(sender, opposite(port)))) {
          channel.in[port] = addQueue(config.linkDepth, port);
        }
      }
      if (from & only(Port::Ramp)) channel.in[kRamp] = addQueue(config.rampDepth, kRamp);
      if (sends(id, kRamp)) channel.out[kRamp] = addQueue(config.rampDepth, Queue::kCore);
    }
  }
  for (int pe = 0; pe < pes; ++pe) {
    for (int slot = 0; slot < slots_; ++slot) {
      const std::int32_t id = channelOf(pe, slot);
      if (id < 0) continue;
      for (int port = 0; port < kRamp; ++port) {
        const std::int32_t next = channelBeyond(pe, port, slot);
        if (next >= 0 && sends(id, port)) {
          channels_[id].out[port] = channels_[next].in[opposite(port)];
        }
      }
      takePosition(channels_[id], routeOf(channels_[id]).first);
    }
  }
}

void Fabric::takePosition(Channel& channel, int position) {
  assert(position >= 0 && position < routeOf(channel).count);
  const Route& route = routeOf(channel).positions[position];
  channel.position = static_cast<std::uint8_t>(position);
  channel.from = route.from;
  channel.to = route.to;
  channel.source = channel.target = nullptr;
  if (!std::has_single_bit(route.from) || !std::has_single_bit(route.to)) return;
  const int from = std::countr_zero(route.from), to = std::countr_zero(route.to);
  if (channel.out[to] == 0) return;
  channel.source = &queues_[channel.in[from]];
  channel.target = &queues_[channel.out[to]];
  channel.latency = static_cast<std::uint8_t>(to == kRamp ? ramp_ : 1);
  channel.meetsCore = from == kRamp || to == kRamp;
}

// Tells the router or the core that there is something in a queue.
void Fabric::list(Queue& queue) {
  assert(!queue.empty());
  ++changes_;
  queue.listed = true;
  Router& router = routers_[queue.pe];
  Channel& channel = channels_[queue.channel];
  if (queue.port == Queue::kCore) {
    router.arrived |= 1u << channel.slot;
    return;
  }
  channel.waiting = static_cast<PortMask>(channel.waiting | 1u << queue.port);
  router.waiting |= 1u << (queue.channel - router.first);
  active_.add(queue.pe);
}

// The queue must be empty.
void Fabric::unlist(Queue& queue) {
  assert(queue.empty());
  ++changes_;
  queue.listed = false;
  Router& router = routers_[queue.pe];
  Channel& channel = channels_[queue.channel];
  if (queue.port == Queue::kCore) {
    router.arrived &= ~(1u << channel.slot);
    return;
  }
  channel.waiting = static_cast<PortMask>(channel.waiting & ~(1u << queue.port));
  if (channel.waiting == 0) router.waiting &= ~(1u << (queue.channel - router.first));
}

bool Fabric::roomAt(const Channel& channel, std::uint32_t cycle) const {
  for (unsigned left = channel.to; left != 0; left &= left - 1) {
    const std::uint32_t out = channel.out[std::countr_zero(left)];
    // If there is no queue, the wavelet will be lost, and that is reported.
    if (out != 0 && !queues_[out].hasRoom(cycle)) return false;
  }
  return true;
}

unsigned Fabric::stepAny(int pe, Channel& channel, unsigned claimed, std::uint32_t cycle) {
  unsigned ports = channel.waiting & channel.from;
  while (ports != 0) {
    const unsigned behind = ports & ~((2u << channel.lastPort) - 1);
    const int port = std::countr_zero(behind != 0 ? behind : ports);
    ports &= ~(1u << port);
    Queue& source = queues_[channel.in[port]];
    if (source.empty()) {
      unlist(source);
      continue;
    }
    const Wavelet head = source.head();
    if (head.ready() > cycle) {
      pending_ = true;
      continue;
    }
    const unsigned to = channel.to;
    if ((to & claimed) != 0 || !roomAt(channel, cycle)) return 0;
    channel.lastPort = static_cast<std::uint8_t>(port);
    moved_ = true;
    source.pop(cycle);
    sendOn(pe, channel, head, cycle);
    return to | (((to | 1u << port) >> kRamp & 1) != 0 ? kWakes : 0);
  }
  return 0;
}

// A wavelet that was taken from a queue leaves by all ports of the position in force.
void Fabric::sendOn(int pe, Channel& channel, Wavelet head, std::uint32_t cycle) {
  Command command = head.advance() ? Command::Advance : Command::None;
  if (head.control()) {
    command = firstCommand(head.data);
    if (routeOf(channel).pop == Pop::Always) head.data = withoutFirst(head.data);
  }
  for (unsigned left = channel.to; left != 0; left &= left - 1) {
    const int to = std::countr_zero(left);
    if (channel.out[to] == 0) {
      const Lost lost{pe + neighbor_[to], opposite(to), channel.slot};
      if (lost_.pe < 0 || lost < lost_) lost_ = lost;
      continue;
    }
    push(queues_[channel.out[to]],
         wavelet(head.data, cycle + (to == kRamp ? ramp_ : 1), head.control(), false));
    if (to == kRamp && head.control()) ++routers_[pe].controlArrived;
  }
  if (command != Command::None) obey(channel, command);
}

void Fabric::obey(Channel& channel, Command command) {
  ++changes_;
  const ColorRoute& route = routeOf(channel);
  int position = channel.position;
  if (command == Command::Reset) {
    position = route.first;
  } else if (++position == route.count) {
    position = route.ring ? 0 : route.count - 1;
  }
  takePosition(channel, position);
  // A port that has its turn no more would not be looked at again.
  for (int port = 0; port < kPorts; ++port) {
    Queue& queue = queues_[channel.in[port]];
    if ((channel.waiting >> port & 1) && queue.empty()) unlist(queue);
  }
}

base::Result<void> Fabric::begin() {
  moved_ = pending_ = false;
  if (lost_.pe < 0) return {};
  return base::fail(peName(program_.config, lost_.pe) + ": a wavelet of color " +
                        std::to_string(colorOf_[lost_.slot]) + " came from the " +
                        name(static_cast<Port>(lost_.port)) + ", where that color has no route.",
                    "Give the color a route at this PE, or end it at the PE before.");
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
    sum += queues_[channels_[id].out[static_cast<int>(port)]].came();
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
                         std::to_string(queues_[way.in[port]].count()) + " of color " +
                         std::to_string(colorOf_[slot]) + " from the " +
                         name(static_cast<Port>(port)) + ": ";
      if (!(way.from >> port & 1)) {
        line += "switch position " + std::to_string(way.position) + " takes none from there";
      }
      for (int to = 0; to < kPorts && (way.from >> port & 1); ++to) {
        if (!(way.to >> to & 1) || way.out[to] == 0) continue;
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

void Fabric::addHolders(std::map<int, std::set<int>>& holders) const {
  for (int pe = 0; pe < program_.config.peCount(); ++pe) {
    for (int slot = 0; slot < slots_; ++slot) {
      const std::int32_t id = channelOf(pe, slot);
      if (id < 0) continue;
      const bool holds = std::ranges::any_of(
          channels_[id].in, [&](std::uint32_t queue) { return !queues_[queue].empty(); });
      if (holds) holders[colorOf_[slot]].insert(pe);
    }
  }
}

std::vector<Waiting> Fabric::waitingAt(int pe) const {
  std::vector<Waiting> all;
  for (int slot = 0; slot < slots_; ++slot) {
    const std::int32_t id = channelOf(pe, slot);
    if (id < 0) continue;
    const Channel& channel = channels_[static_cast<std::size_t>(id)];
    const auto tell = [&](int port, std::uint32_t queue) {
      if (queue == 0 || queues_[queue].empty()) return;
      all.push_back({port, colorOf_[static_cast<std::size_t>(slot)], queues_[queue].count(),
                     queues_[queue].depth()});
    };
    for (int port = 0; port < kPorts; ++port)
      tell(port, channel.in[static_cast<std::size_t>(port)]);
    tell(kPorts, channel.out[kRamp]);
  }
  return all;
}

std::vector<SwitchState> Fabric::switchesAt(int pe) const {
  std::vector<SwitchState> all;
  for (int slot = 0; slot < slots_; ++slot) {
    const std::int32_t id = channelOf(pe, slot);
    if (id < 0) continue;
    const Channel& channel = channels_[static_cast<std::size_t>(id)];
    all.push_back({colorOf_[static_cast<std::size_t>(slot)], channel.position,
                   routeOf(channel).count, channel.from, channel.to});
  }
  return all;
}

}  // namespace waferpair::mesh
