// SPDX-License-Identifier: GPL-3.0-or-later
// The routers of a region and the queues between them, as arrays over all PEs.
//
// In each cycle every PE is visited once: its core first, then its router. What a router does
// depends only on what the cycle began with: queues tell how much room they had then, and hold back
// what came since. So no result depends on the order in which PEs are visited.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/pe_set.h"
#include "runtime/mesh/program.h"
#include "runtime/mesh/queue.h"

namespace waferpair::mesh {

inline constexpr int kMaxColours = 32;
// A cycle number has 30 bits in a queue: about a second of the wafer.
inline constexpr std::uint32_t kMaxCycles = (1u << 30) - 16;

class Fabric {
 public:
  // `program` is valid and outlives the fabric.
  explicit Fabric(const Program& program);

  // Slots number the colours that the program routes.
  int slotOf(int colour) const { return slotOf_[colour]; }
  int colourOf(int slot) const { return colourOf_[slot]; }

  // Begins a cycle. The error is a wavelet on a colour that its router doesn't know.
  base::Result<void> begin();
  // PEs whose router has something to do.
  const PeSet& active() const { return active_; }
  // Lets a PE's router take one step. Adds the PE to `wake` if something changed for its core.
  void step(int pe, std::uint32_t cycle, PeSet& wake);

  bool moved() const { return moved_; }  // in this cycle
  // A wavelet will be ready later, so that a quiet cycle is not a deadlock.
  bool pending() const { return pending_; }

  // The core's side of the ramp. A channel is a colour at a PE that knows it.
  std::int32_t channelOf(int pe, int slot) const { return channelAt_[pe * slots_ + slot]; }
  std::uint32_t arrived(int pe) const { return routers_[pe].arrived; }  // slots, bit by bit
  // Control wavelets among them, or on the ramp behind them.
  int controlArrived(int pe) const { return routers_[pe].controlArrived; }
  // What has come to a core; not all of it is ready.
  const Queue& toCore(std::int32_t channel) const { return queues_[channels_[channel].out[kRamp]]; }
  void take(int pe, std::int32_t channel, std::uint32_t cycle) {
    Queue& queue = queues_[channels_[channel].out[kRamp]];
    if (queue.head().control()) --routers_[pe].controlArrived;
    queue.pop(cycle);
    if (queue.empty()) routers_[pe].arrived &= ~(1u << channels_[channel].slot);
  }
  bool hasRoom(std::int32_t channel, std::uint32_t cycle) const {
    return queues_[channels_[channel].in[kRamp]].hasRoom(cycle);
  }
  // Reaches the router T_R cycles after the cycle that computed it.
  void send(int pe, std::int32_t channel, std::uint32_t data, bool control, bool advance,
            std::uint32_t cycle) {
    Channel& way = channels_[channel];
    queues_[way.in[kRamp]].push(wavelet(data, cycle + ramp_ + 1, control, advance));
    nowWaiting(pe, way, kRamp);
  }

  bool empty() const;  // no wavelet is under way
  std::int64_t hops() const;
  // Wavelets that left a PE's router by `port`.
  std::uint32_t sent(int pe, Port port) const;

  // Why wavelets wait, in words, at most `most` of them.
  void explain(std::vector<std::string>& lines, std::size_t most) const;

 private:
  static constexpr int kRamp = static_cast<int>(Port::Ramp);

  struct Router {
    std::uint32_t waiting = 0;  // slots of which a port is waiting
    std::uint32_t arrived = 0;  // slots of which its core has some
    std::uint16_t controlArrived = 0;
    std::uint8_t nextSlot = 0;  // served first, so that colours share a link
  };
  // What the innermost loop needs of a colour at a PE, in one line of the host's cache.
  struct alignas(64) Channel {
    PortMask from = 0, to = 0;           // the switch position in force
    PortMask waiting = 0;                // ports whose queue holds some, or did when last looked at
    std::uint8_t lastPort = kPorts - 1;  // of those that share `from`, the next one is served first
    std::uint8_t slot = 0;
    std::uint8_t position = 0;
    std::array<std::uint32_t, kPorts> in{};   // queues, where a position or a neighbour uses them
    std::array<std::uint32_t, kPorts> out{};  // queues that the ports lead to
    std::array<std::int32_t, 4> next{};       // the neighbours' channels; -1: no route there
  };
  struct Lost {  // a wavelet where no route is
    std::int32_t pe = -1;
    int port = 0, slot = 0;
    auto operator<=>(const Lost&) const = default;
  };

  void layOut();
  void nowWaiting(int pe, Channel& channel, int port) {
    if (channel.waiting >> port & 1) return;
    channel.waiting = static_cast<PortMask>(channel.waiting | 1u << port);
    routers_[pe].waiting |= 1u << channel.slot;
    active_.add(pe);
  }
  void noneWaiting(int pe, Channel& channel, int port) {
    channel.waiting = static_cast<PortMask>(channel.waiting & ~(1u << port));
    if (channel.waiting == 0) routers_[pe].waiting &= ~(1u << channel.slot);
  }
  bool stepChannel(int pe, Channel& channel, PortMask& claimed, std::uint32_t cycle, PeSet& wake);
  bool roomAt(const Channel& channel, PortMask to, std::uint32_t cycle) const;
  void move(int pe, Channel& channel, int port, std::uint32_t cycle, PeSet& wake);
  void obey(int pe, Channel& channel, Command command);
  const ColourRoute& routeOf(const Channel& channel) const {
    return program_.routes[routeAt_[&channel - channels_.data()]].route;
  }
  const Program& program_;
  std::array<int, kMaxColours> slotOf_;
  std::vector<int> colourOf_;
  int slots_ = 0;
  std::uint32_t ramp_;            // cycles
  std::array<int, 4> neighbour_;  // PEs to the neighbour by each link

  std::vector<Router> routers_;          // [pe]
  std::vector<std::int32_t> channelAt_;  // [pe][slot], -1: no route
  std::vector<Channel> channels_;        // in the order of PEs
  std::vector<std::int32_t> routeAt_;    // [channel] -> program.routes
  std::vector<Queue> queues_;            // in the order of channels
  PeSet active_;
  bool moved_ = false, pending_ = false;
  Lost lost_;
};

}  // namespace waferpair::mesh
