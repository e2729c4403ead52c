// SPDX-License-Identifier: GPL-3.0-or-later
// The routers of a region and the queues between them, as arrays over all PEs.
//
// In each cycle every PE is visited once: its core first, then its router. What a router does
// depends only on what the cycle began with: queues tell how much room they had then, and hold back
// what came since. So no result depends on the order in which PEs are visited.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/pe_set.h"
#include "runtime/mesh/program.h"
#include "runtime/mesh/queue.h"

namespace waferpair::mesh {

inline constexpr int kMaxColors = 32;
// A cycle number has 30 bits in a queue: about a second of the wafer.
inline constexpr std::uint32_t kMaxCycles = (1u << 30) - 16;

// Wavelets of a color that wait at a PE: by the port they came by, or for the core (kPorts).
struct Waiting {
  int port = 0, color = 0, count = 0, room = 0;
};
// The switch of a color at a PE's router.
struct SwitchState {
  int color = 0, position = 0, positions = 1;
  PortMask from = 0, to = 0;  // of the position in force
};

class Fabric {
 public:
  // `program` is valid and outlives the fabric.
  explicit Fabric(const Program& program);

  // Slots number the colors that the program routes.
  int slotOf(int color) const { return slotOf_[color]; }
  int colorOf(int slot) const { return colorOf_[slot]; }

  // Begins a cycle. The error is a wavelet on a color that its router doesn't know.
  base::Result<void> begin();
  // PEs whose router has something to do.
  const PeSet& active() const { return active_; }
  // Lets a PE's router take one step. True if something changed for its core.
  bool step(int pe, std::uint32_t cycle);

  bool moved() const { return moved_; }  // in this cycle
  // A wavelet will be ready later, so that a quiet cycle is not a deadlock.
  bool pending() const { return pending_; }
  // Grows when a queue is listed or no more, and when a switch turns.
  std::uint64_t changes() const { return changes_; }

  // The core's side of the ramp, by queues; 0: the color has none there.
  std::uint32_t toCore(int pe, int slot) const {
    const std::int32_t channel = channelOf(pe, slot);
    return channel < 0 ? 0 : channels_[channel].out[kRamp];
  }
  std::uint32_t fromCore(int pe, int slot) const {
    const std::int32_t channel = channelOf(pe, slot);
    return channel < 0 ? 0 : channels_[channel].in[kRamp];
  }
  const Queue& queue(std::uint32_t id) const { return queues_[id]; }
  std::uint32_t arrived(int pe) const { return routers_[pe].arrived; }  // slots, bit by bit
  // Control wavelets among them, or on the ramp behind them.
  int controlArrived(int pe) const { return routers_[pe].controlArrived; }
  // Takes the first of the wavelets that have come to a core; not all of them are ready.
  void take(std::uint32_t id, std::uint32_t cycle) {
    Queue& queue = queues_[id];
    if (queue.head().control()) --routers_[queue.pe].controlArrived;
    takePlain(id, cycle);
  }
  // Takes a wavelet that is not a control wavelet.
  void takePlain(std::uint32_t id, std::uint32_t cycle) {
    Queue& queue = queues_[id];
    queue.pop(cycle);
    if (queue.empty()) unlist(queue);
  }
  // Reaches the router T_R cycles after the cycle that computed it.
  void send(std::uint32_t id, std::uint32_t data, bool control, bool advance, std::uint32_t cycle) {
    push(queues_[id], wavelet(data, cycle + ramp_ + 1, control, advance));
  }

  bool empty() const;  // no wavelet is under way
  std::int64_t hops() const;
  // Wavelets that left a PE's router by `port`.
  std::uint32_t sent(int pe, Port port) const;

  // Calls visit(port, color, queue, came) for each way out of a PE's router: the number of the
  // queue that it leads to, and the wavelets that ever came there.
  template <typename Visit>
  void forEachWayOut(int pe, Visit&& visit) const {
    for (int slot = 0; slot < slots_; ++slot) {
      const std::int32_t channel = channelOf(pe, slot);
      if (channel < 0) continue;
      for (int port = 0; port < kPorts; ++port) {
        const std::uint32_t queue =
            channels_[static_cast<std::size_t>(channel)].out[static_cast<std::size_t>(port)];
        if (queue != 0)
          visit(static_cast<Port>(port), colorOf_[static_cast<std::size_t>(slot)], queue,
                queues_[queue].came());
      }
    }
  }

  // What a PE's queues hold, those that hold something, and how its switches stand.
  std::vector<Waiting> waitingAt(int pe) const;
  std::vector<SwitchState> switchesAt(int pe) const;

  // Adds lines that say why wavelets wait, at most `most` of them.
  void explain(std::vector<std::string>& lines, std::size_t most) const;
  // Adds the PEs whose routers hold wavelets, by color.
  void addHolders(std::map<int, std::set<int>>& holders) const;

 private:
  friend class Steady;
  static constexpr int kRamp = static_cast<int>(Port::Ramp);
  static constexpr unsigned kWakes = 1u << kPorts;

  struct Router {
    std::uint32_t waiting = 0;  // its channels of which a port is waiting, from the first one
    std::uint32_t arrived = 0;  // slots of which its core has some
    std::uint32_t first = 0;    // channel
    std::uint16_t controlArrived = 0;
    std::uint8_t next = 0;  // of its channels, served first, so that colors share a link
  };
  // The state of a color at a PE that the innermost loop needs, in one line of the host's cache.
  struct alignas(64) Channel {
    PortMask from = 0, to = 0;           // the switch position in force
    PortMask waiting = 0;                // ports whose queue holds some, or did when last looked at
    std::uint8_t lastPort = kPorts - 1;  // of those that share `from`, the next one is served first
    std::uint8_t slot = 0;
    std::uint8_t position = 0;
    // Set if the position takes from one queue to one other, as most do; else `source` is null.
    std::uint8_t latency = 0;  // cycles until a wavelet can be taken from `target`
    bool meetsCore = false;    // one of the two is the ramp's
    Queue* source = nullptr;
    Queue* target = nullptr;
    // Queues; 0: none, as no position or neighbor uses it. What goes there is lost.
    std::array<std::uint32_t, kPorts> in{};   // of its ports
    std::array<std::uint32_t, kPorts> out{};  // to which the ports lead
  };
  static_assert(sizeof(Channel) == 64);
  struct Lost {  // a wavelet where no route is
    std::int32_t pe = -1;
    int port = 0, slot = 0;
    auto operator<=>(const Lost&) const = default;
  };

  void layOut();
  std::int32_t channelOf(int pe, int slot) const { return channelAt_[pe * slots_ + slot]; }
  void push(Queue& queue, const Wavelet& wavelet) {
    queue.push(wavelet);
    if (!queue.listed) list(queue);
  }
  void list(Queue& queue);
  void unlist(Queue& queue);
  void takePosition(Channel& channel, int position);
  // Moves one wavelet of this color, by ports that no other has claimed in this cycle. Returns the
  // ports it left by, and kWakes if the core sees it; 0 if none could move.
  unsigned stepDirect(int pe, Channel& channel, unsigned claimed, std::uint32_t cycle);
  unsigned stepAny(int pe, Channel& channel, unsigned claimed, std::uint32_t cycle);
  bool roomAt(const Channel& channel, std::uint32_t cycle) const;
  void sendOn(int pe, Channel& channel, Wavelet head, std::uint32_t cycle);
  void obey(Channel& channel, Command command);
  const ColorRoute& routeOf(const Channel& channel) const {
    return program_.routes[routeAt_[&channel - channels_.data()]].route;
  }
  const Program& program_;
  std::array<int, kMaxColors> slotOf_;
  std::vector<int> colorOf_;
  int slots_ = 0;
  std::uint32_t ramp_;           // cycles
  std::array<int, 4> neighbor_;  // PEs to the neighbor by each link

  std::vector<Router> routers_;          // [pe]
  std::vector<std::int32_t> channelAt_;  // [pe][slot], -1: no route
  std::vector<Channel> channels_;        // in the order of PEs
  std::vector<std::int32_t> routeAt_;    // [channel] -> program.routes
  std::vector<Queue> queues_;            // in the order of channels, from 1
  PeSet active_;
  bool moved_ = false, pending_ = false;
  std::uint64_t changes_ = 0;
  Lost lost_;
};

// Queues lie in the order in which they are visited: fetches one that comes some PEs later, so that
// large regions do not wait for the host's memory.
inline void prefetchBehind(const Queue& queue) {
  constexpr std::uintptr_t kAhead = 32 * sizeof(Queue);
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(&queue) + kAhead;
  __builtin_prefetch(reinterpret_cast<const void*>(at), 1);
  __builtin_prefetch(reinterpret_cast<const void*>(at + 64), 1);
}

// The innermost loop of the simulator.
inline bool Fabric::step(int pe, std::uint32_t cycle) {
  Router& router = routers_[pe];
  if (router.waiting == 0) {
    active_.remove(pe);
    return false;
  }
  Channel* const channels = channels_.data() + router.first;
  const unsigned start = router.next;
  unsigned claimed = 0;
  for (std::uint32_t left = std::rotr(router.waiting, static_cast<int>(start)); left != 0;
       left &= left - 1) {
    const unsigned which = (std::countr_zero(left) + start) & 31u;
    Channel& channel = channels[which];
    const unsigned moved = channel.source != nullptr ? stepDirect(pe, channel, claimed, cycle)
                                                     : stepAny(pe, channel, claimed, cycle);
    if (moved != 0 && claimed == 0) router.next = static_cast<std::uint8_t>((which + 1) & 31u);
    claimed |= moved;
  }
  return (claimed & kWakes) != 0;
}

// stepAny() where the position in force takes from one queue to one other.
inline unsigned Fabric::stepDirect(int pe, Channel& channel, unsigned claimed,
                                   std::uint32_t cycle) {
  Queue& source = *channel.source;
  prefetchBehind(source);
  if (source.empty()) {
    if (source.listed) unlist(source);
    return 0;
  }
  const Wavelet head = source.head();
  if (head.ready() > cycle) {
    pending_ = true;
    return 0;
  }
  Queue& target = *channel.target;
  const unsigned to = channel.to;
  if ((to & claimed) != 0 || !target.hasRoom(cycle)) return 0;
  const unsigned wakes = channel.meetsCore ? kWakes : 0;
  channel.lastPort = source.port;
  moved_ = true;
  source.pop(cycle);
  if (head.plain()) {
    push(target, wavelet(head.data, cycle + channel.latency, false, false));
  } else {
    sendOn(pe, channel, head, cycle);
  }
  return to | wakes;
}

}  // namespace waferpair::mesh
