// SPDX-License-Identifier: GPL-3.0-or-later
// The routes along which a router sends the wavelets of a color, and the wavelets that change them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

namespace waferpair::mesh {

enum class Port : std::uint8_t { North, East, South, West, Ramp };
inline constexpr int kPorts = 5;

using PortMask = std::uint8_t;  // bit p: the port with that number
constexpr PortMask operator|(Port a, Port b) {
  return static_cast<PortMask>((1u << static_cast<int>(a)) | (1u << static_cast<int>(b)));
}
constexpr PortMask operator|(PortMask a, Port b) {
  return static_cast<PortMask>(a | (1u << static_cast<int>(b)));
}
constexpr PortMask only(Port port) { return PortMask{0} | port; }

// One position of a color's switch: a wavelet that came by one of `from` leaves by all of `to` in
// the same cycle (multicast costs nothing). What comes by another port waits.
struct Route {
  PortMask from = 0;
  PortMask to = 0;
};

// Says if a control wavelet loses its first command at this router.
enum class Pop : std::uint8_t { Never, Always };

// A color at one router: up to four positions, one of them in force.
struct ColorRoute {
  static constexpr int kMaxPositions = 4;
  std::array<Route, kMaxPositions> positions;
  int count = 1;
  int first = 0;      // in force at the start
  bool ring = false;  // advancing beyond the last position goes to 0; else it stays there
  Pop pop = Pop::Never;

  ColorRoute() = default;
  ColorRoute(PortMask from, PortMask to) : positions{Route{from, to}} {}
  ColorRoute(std::initializer_list<Route> list);
};

// The command that a control wavelet gives the routers on its way. Each obeys the first command
// after it has sent the wavelet on by the old position.
enum class Command : std::uint8_t { None, Advance, Reset };

// Returns a wavelet of up to eight commands; cores that it reaches run control task `task`, unless
// that is -1.
std::uint32_t controlWavelet(std::initializer_list<Command> commands, int task = -1);

constexpr Command firstCommand(std::uint32_t control) { return static_cast<Command>(control & 3u); }
constexpr std::uint32_t withoutFirst(std::uint32_t control) {
  return (control & 0xffff0000u) | ((control & 0xffffu) >> 2);
}
// -1: no task.
constexpr int controlTask(std::uint32_t control) {
  return static_cast<int>((control >> 16) & 0x7fu) - 1;
}

}  // namespace waferpair::mesh
