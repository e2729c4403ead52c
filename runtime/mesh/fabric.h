// SPDX-License-Identifier: GPL-3.0-or-later
// The routers of a region and the queues between them, as arrays over all PEs.
//
// A cycle has two phases. decide() looks only at what the cycle began with; commit() moves. Cores
// run in between: what they put into a ramp or take out of it is theirs alone. So no result depends
// on the order in which PEs are visited.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/program.h"

namespace waferpair::mesh {

inline constexpr int kMaxColours = 32;
inline constexpr int kQueueRoom = 8;
// A cycle number has 30 bits in a queue: about a second of the wafer.
inline constexpr std::uint32_t kMaxCycles = (1u << 30) - 16;

// A set of PEs that is walked in order; memory and time of a bit each.
class PeSet {
 public:
  explicit PeSet(int pes) : words_((pes + 63) / 64) {}
  void add(int pe) { words_[pe >> 6] |= std::uint64_t{1} << (pe & 63); }
  void remove(int pe) { words_[pe >> 6] &= ~(std::uint64_t{1} << (pe & 63)); }
  // `visit` may add or remove the PE it is given.
  template <typename Visit>
  void forEach(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        visit(static_cast<int>(w * 64) + std::countr_zero(left));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

// What a queue holds. Packed by hand: bit fields go through memory in the innermost loop.
struct Wavelet {
  std::uint32_t data = 0;
  std::uint32_t bits = 0;  // 0: own router's switch advances behind it; 1: control; from 2: ready

  bool advance() const { return (bits & 1) != 0; }
  bool control() const { return (bits & 2) != 0; }
  std::uint32_t ready() const { return bits >> 2; }  // the first cycle in which it can be taken
};
inline Wavelet wavelet(std::uint32_t data, std::uint32_t ready, bool control, bool advance) {
  return {data, ready << 2 | (control ? 2u : 0u) | (advance ? 1u : 0u)};
}

class Fabric {
 public:
  // `program` is valid and outlives the fabric.
  explicit Fabric(const Program& program);

  // Slots number the colours that the program routes.
  int slotOf(int colour) const { return slotOf_[colour]; }
  int colourOf(int slot) const { return colourOf_[slot]; }

  // Phase 1. The error is a wavelet on a colour that its router doesn't know.
  base::Result<void> decide(std::uint32_t cycle);
  // Phase 2. Adds the PEs to whose cores something changed to `wake`.
  void commit(std::uint32_t cycle, PeSet& wake);

  bool moved() const { return !moves_.empty(); }
  // A wavelet will be ready later, so that a quiet cycle is not a deadlock.
  bool pending() const { return pending_; }

  // The core's side of the ramp.
  std::uint32_t arrived(int pe) const { return arrived_[pe]; }  // slots, bit by bit
  // Control wavelets among them, or on the ramp behind them.
  std::uint8_t& controlArrived(int pe) { return controlArrived_[pe]; }
  const Wavelet& head(int pe, int slot) const { return headOf(coreQueue(pe, slot)); }
  void take(int pe, int slot) {
    if (pop(coreQueue(pe, slot))) arrived_[pe] &= ~(1u << slot);
    --inFlight_;
  }
  bool hasRoom(int pe, int slot) const { return rings_[rampQueue(pe, slot)].count < rampDepth_; }
  // Reaches the router T_R cycles after the cycle that computed it.
  void send(int pe, int slot, std::uint32_t data, bool control, bool advance, std::uint32_t cycle) {
    push(rampQueue(pe, slot), wavelet(data, cycle + ramp_ + 1, control, advance));
    waiting_[pe * kPorts + kRamp] |= 1u << slot;
    active_.add(pe);
    ++inFlight_;
  }

  std::int64_t inFlight() const { return inFlight_; }  // in queues, each copy of a multicast once
  std::int64_t hops() const { return hops_; }
  // Wavelets that left a PE's router by `port`.
  std::uint32_t sent(int pe, Port port) const {
    return linkWavelets_[pe * kPorts + static_cast<int>(port)];
  }

  // Why wavelets wait, in words, at most `most` of them.
  void explain(std::vector<std::string>& lines, std::size_t most) const;

 private:
  static constexpr int kRamp = static_cast<int>(Port::Ramp);
  static constexpr int kQueues =
      kPorts + 1;  // of a colour: five into the router, one into the core

  struct Switch {
    PortMask from = 0;
    PortMask to = 0;
    std::uint8_t position = 0;
    std::uint8_t lastPort = 0;  // of those that share `from`, the next one is served first
  };
  struct Ring {  // which of a queue's entries are in use
    std::uint8_t head = 0, count = 0;
  };
  struct Move {
    std::int32_t pe;
    std::uint8_t port;
    std::uint8_t slot;
    PortMask to;
  };

  int queueOf(int pe, int port, int slot) const { return (pe * kQueues + port) * slots_ + slot; }
  int rampQueue(int pe, int slot) const { return queueOf(pe, kRamp, slot); }
  int coreQueue(int pe, int slot) const { return queueOf(pe, kPorts, slot); }
  const Wavelet& headOf(int queue) const {
    return entries_[queue * kQueueRoom + rings_[queue].head];
  }
  void push(int queue, Wavelet entry) {
    Ring& ring = rings_[queue];
    entries_[queue * kQueueRoom + (ring.head + ring.count++) % kQueueRoom] = entry;
  }
  // True if it was the last one.
  bool pop(int queue) {
    Ring& ring = rings_[queue];
    ring.head = (ring.head + 1) % kQueueRoom;
    return --ring.count == 0;
  }
  // The queue that `port` of the router leads to.
  int target(int pe, int port, int slot) const {
    return port == kRamp ? coreQueue(pe, slot)
                         : queueOf(pe + neighbour_[port], (port + 2) & 3, slot);
  }
  bool roomAt(int pe, PortMask to, int slot) const;
  bool decideAt(int pe, std::uint32_t cycle);
  bool tryColour(int pe, int slot, PortMask& claimed, std::uint32_t cycle);
  void obey(int pe, int slot, Command command);
  base::Error unroutable(int pe) const;

  const Program& program_;
  std::array<int, kMaxColours> slotOf_;
  std::vector<int> colourOf_;
  int slots_ = 0;
  std::uint32_t ramp_ = 0;
  int linkDepth_ = 0, rampDepth_ = 0;
  std::array<int, 4> neighbour_;  // PEs to the neighbour by each link

  std::vector<Switch> switches_;        // [pe][slot]
  std::vector<std::int32_t> routes_;    // [pe][slot] -> program.routes, -1: none
  std::vector<Wavelet> entries_;        // [pe][queue][slot][room]
  std::vector<Ring> rings_;             // [pe][queue][slot]
  std::vector<std::uint32_t> waiting_;  // [pe][port]: slots whose queue into the router holds some
  std::vector<std::uint32_t> arrived_;  // [pe]: the same for the core's
  std::vector<std::uint8_t> controlArrived_;  // [pe]
  std::vector<std::uint32_t> known_;          // [pe]: slots that have a route
  std::vector<std::uint8_t> nextSlot_;        // [pe]: served first, so that colours share a link
  std::vector<std::uint32_t> linkWavelets_;   // [pe][port]
  std::vector<Move> moves_;
  PeSet active_;
  bool pending_ = false;
  std::int64_t inFlight_ = 0;
  std::int64_t hops_ = 0;
};

}  // namespace waferpair::mesh
