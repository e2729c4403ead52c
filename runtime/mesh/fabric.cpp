// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/fabric.h"

#include <algorithm>

namespace waferpair::mesh {

Fabric::Fabric(const Program& program)
    : program_(program),
      ramp_(program.config.rampCycles),
      linkDepth_(program.config.linkDepth),
      rampDepth_(program.config.rampDepth),
      neighbour_{-program.config.width, 1, program.config.width, -1},
      active_(program.config.peCount()) {
  slotOf_.fill(-1);
  for (const PlacedRoute& placed : program.routes) {
    if (slotOf_[placed.colour] >= 0) continue;
    slotOf_[placed.colour] = slots_++;
    colourOf_.push_back(placed.colour);
  }
  const std::size_t pes = program.config.peCount(), queues = pes * kQueues * slots_;
  switches_.resize(pes * slots_);
  routes_.assign(pes * slots_, -1);
  entries_.resize(queues * kQueueRoom);
  rings_.resize(queues);
  waiting_.resize(pes * kPorts);
  arrived_.resize(pes);
  controlArrived_.resize(pes);
  known_.resize(pes);
  nextSlot_.resize(pes);
  linkWavelets_.resize(pes * kPorts);
  moves_.reserve(pes * kPorts);
  for (std::size_t i = 0; i < program.routes.size(); ++i) {
    const PlacedRoute& placed = program.routes[i];
    const int slot = slotOf_[placed.colour];
    const Route& first = placed.route.positions[placed.route.first];
    switches_[placed.pe * slots_ + slot] = {
        first.from, first.to, static_cast<std::uint8_t>(placed.route.first), kPorts - 1};
    routes_[placed.pe * slots_ + slot] = static_cast<std::int32_t>(i);
    known_[placed.pe] |= 1u << slot;
  }
}

bool Fabric::roomAt(int pe, PortMask to, int slot) const {
  for (unsigned left = to; left != 0; left &= left - 1) {
    const int port = std::countr_zero(left);
    const int depth = port == kRamp ? rampDepth_ : linkDepth_;
    if (rings_[target(pe, port, slot)].count >= depth) return false;
  }
  return true;
}

// True if a wavelet of this colour moves, by ports that no other has `claimed` in this cycle.
bool Fabric::tryColour(int pe, int slot, PortMask& claimed, std::uint32_t cycle) {
  Switch& way = switches_[pe * slots_ + slot];
  unsigned ports = 0;
  const std::uint32_t* waiting = &waiting_[pe * kPorts];
  for (int p = 0; p < kPorts; ++p) ports |= (waiting[p] >> slot & 1u) << p;
  ports &= way.from;
  while (ports != 0) {
    const unsigned behind = ports & ~((2u << way.lastPort) - 1);
    const int port = std::countr_zero(behind != 0 ? behind : ports);
    ports &= ~(1u << port);
    if (headOf(queueOf(pe, port, slot)).ready() > cycle) {
      pending_ = true;
      continue;
    }
    if ((way.to & claimed) != 0 || !roomAt(pe, way.to, slot)) return false;
    claimed |= way.to;
    way.lastPort = static_cast<std::uint8_t>(port);
    moves_.push_back(
        {pe, static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(slot), way.to});
    return true;
  }
  return false;
}

// False if a wavelet waits whose colour has no route here.
bool Fabric::decideAt(int pe, std::uint32_t cycle) {
  const std::uint32_t* waiting = &waiting_[pe * kPorts];
  const std::uint32_t any = waiting[0] | waiting[1] | waiting[2] | waiting[3] | waiting[4];
  if (any == 0) {
    active_.remove(pe);
    return true;
  }
  if ((any & ~known_[pe]) != 0) return false;
  PortMask claimed = 0;
  const unsigned start = nextSlot_[pe];
  bool first = true;
  for (std::uint32_t left = std::rotr(any, static_cast<int>(start)); left != 0; left &= left - 1) {
    const unsigned slot = (std::countr_zero(left) + start) & 31u;
    if (tryColour(pe, static_cast<int>(slot), claimed, cycle) && first) {
      nextSlot_[pe] = static_cast<std::uint8_t>((slot + 1) & 31u);
      first = false;
    }
  }
  return true;
}

base::Result<void> Fabric::decide(std::uint32_t cycle) {
  moves_.clear();
  pending_ = false;
  int lost = -1;
  active_.forEach([&](int pe) {
    if (!decideAt(pe, cycle) && lost < 0) lost = pe;
  });
  if (lost >= 0) return tl::unexpected(unroutable(lost));
  return {};
}

void Fabric::obey(int pe, int slot, Command command) {
  if (command == Command::None) return;
  const ColourRoute& route = program_.routes[routes_[pe * slots_ + slot]].route;
  Switch& way = switches_[pe * slots_ + slot];
  int position = way.position;
  if (command == Command::Reset) {
    position = route.first;
  } else if (++position == route.count) {
    position = route.ring ? 0 : route.count - 1;
  }
  way.position = static_cast<std::uint8_t>(position);
  way.from = route.positions[position].from;
  way.to = route.positions[position].to;
}

void Fabric::commit(std::uint32_t cycle, PeSet& wake) {
  for (const Move& move : moves_) {
    const int source = queueOf(move.pe, move.port, move.slot);
    const Wavelet head = headOf(source);
    if (pop(source)) waiting_[move.pe * kPorts + move.port] &= ~(1u << move.slot);
    if (move.port == kRamp) wake.add(move.pe);
    --inFlight_;
    Command command = head.advance() ? Command::Advance : Command::None;
    std::uint32_t data = head.data;
    if (head.control()) {
      command = firstCommand(data);
      if (program_.routes[routes_[move.pe * slots_ + move.slot]].route.pop == Pop::Always) {
        data = withoutFirst(data);
      }
    }
    for (unsigned left = move.to; left != 0; left &= left - 1) {
      const int port = std::countr_zero(left);
      ++linkWavelets_[move.pe * kPorts + port];
      ++inFlight_;
      if (port == kRamp) {
        push(coreQueue(move.pe, move.slot), wavelet(data, cycle + ramp_, head.control(), false));
        arrived_[move.pe] |= 1u << move.slot;
        controlArrived_[move.pe] += head.control();
        wake.add(move.pe);
      } else {
        const int neighbour = move.pe + neighbour_[port], entry = (port + 2) & 3;
        push(queueOf(neighbour, entry, move.slot), wavelet(data, cycle + 1, head.control(), false));
        waiting_[neighbour * kPorts + entry] |= 1u << move.slot;
        active_.add(neighbour);
        ++hops_;
      }
    }
    obey(move.pe, move.slot, command);
  }
}

base::Error Fabric::unroutable(int pe) const {
  for (int port = 0; port < kPorts; ++port) {
    const std::uint32_t lost = waiting_[pe * kPorts + port] & ~known_[pe];
    if (lost == 0) continue;
    return {peName(program_.config, pe) + ": a wavelet of colour " +
                std::to_string(colourOf_[std::countr_zero(lost)]) + " came from the " +
                name(static_cast<Port>(port)) + ", where that colour has no route.",
            "Give the colour a route at this PE, or end it at the PE before."};
  }
  return {};
}

void Fabric::explain(std::vector<std::string>& lines, std::size_t most) const {
  for (int pe = 0; pe < program_.config.peCount(); ++pe) {
    for (int queue = 0; queue < kPorts * slots_; ++queue) {
      const int port = queue / slots_, slot = queue % slots_;
      const int count = rings_[queueOf(pe, port, slot)].count;
      if (count == 0) continue;
      if (lines.size() == most) return;
      const Switch& way = switches_[pe * slots_ + slot];
      std::string line = peName(program_.config, pe) + ": its router holds " +
                         std::to_string(count) + " of colour " + std::to_string(colourOf_[slot]) +
                         " from the " + name(static_cast<Port>(port)) + ": ";
      if (!(way.from >> port & 1)) {
        line += "switch position " + std::to_string(way.position) + " takes none from there";
      }
      for (int to = 0; to < kPorts && (way.from >> port & 1); ++to) {
        const int depth = to == kRamp ? rampDepth_ : linkDepth_;
        if (!(way.to >> to & 1) || rings_[target(pe, to, slot)].count < depth) continue;
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
