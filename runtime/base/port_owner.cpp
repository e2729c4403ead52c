// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/port_owner.h"

#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace waferpair::base {
namespace {

// Words of 32 bits as the kernel writes them: in the order of this processor's bytes.
constexpr std::string_view kLoopback4 = "0100007F";
constexpr std::string_view kAny4 = "00000000";
constexpr std::string_view kLoopback6 = "00000000000000000000000001000000";
constexpr std::string_view kAny6 = "00000000000000000000000000000000";
constexpr std::string_view kMapped = "0000000000000000FFFF00000100007F";
constexpr std::string_view kListening = "0A";

struct Listener {
  std::string address;
  std::uint16_t port = 0;
  uid_t user = 0;
};

// "0: 0100007F:22E2 00000000:0000 0A 00000000:00000000 00:00000000 00000000 1000 0 12345 ..."
std::optional<Listener> listenerIn(const std::string& line) {
  std::istringstream fields(line);
  std::string slot, local, remote, state, queues, timer, retries;
  Listener listener;
  if (!(fields >> slot >> local >> remote >> state >> queues >> timer >> retries >>
        listener.user) ||
      state != kListening)
    return std::nullopt;
  const std::size_t colon = local.find(':');
  if (colon == local.npos) return std::nullopt;
  listener.address = local.substr(0, colon);
  const char* end = local.data() + local.size();
  const auto read = std::from_chars(local.data() + colon + 1, end, listener.port, 16);
  return read.ec == std::errc() ? std::optional(listener) : std::nullopt;
}

std::optional<std::string> textOf(const char* file) {
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

std::optional<uid_t> ownerIn(std::string_view tcp, std::string_view tcp6, std::uint16_t port,
                             Loopback at) {
  // The kernel gives a connection to the listener with the most exact address.
  std::optional<uid_t> exact, any;
  const auto look = [&](std::string_view table) {
    std::istringstream lines{std::string(table)};
    for (std::string line; std::getline(lines, line);) {
      const auto listener = listenerIn(line);
      if (!listener || listener->port != port) continue;
      const std::string& address = listener->address;
      const bool isExact =
          at == Loopback::kV4 ? address == kLoopback4 || address == kMapped : address == kLoopback6;
      const bool isAny = (at == Loopback::kV4 && address == kAny4) || address == kAny6;
      // Of several, a stranger's counts.
      std::optional<uid_t>& into = isExact ? exact : any;
      if ((isExact || isAny) && (!into || listener->user != geteuid())) into = listener->user;
    }
  };
  look(tcp);
  look(tcp6);
  return exact ? exact : any;
}

Result<std::optional<uid_t>> ownerOfPort(std::uint16_t port, Loopback at) {
  const auto tcp = textOf("/proc/net/tcp");
  const auto tcp6 = textOf("/proc/net/tcp6");  // there is none without IPv6
  if (!tcp)
    return fail("Whose program has port " + std::to_string(port) +
                    " cannot be told: /proc/net/tcp "
                    "cannot be read.",
                "See that /proc is mounted.");
  return ownerIn(*tcp, tcp6.value_or(""), port, at);
}

Result<void> requireOwnPort(std::uint16_t port, Loopback at) {
  const auto owner = ownerOfPort(port, at);
  if (!owner) return tl::unexpected(owner.error());
  if (!*owner)
    return fail("No program listens on port " + std::to_string(port) + ".", "Start waferd.");
  if (**owner == geteuid()) return {};
  return fail("The program on port " + std::to_string(port) + " is another user's (number " +
                  std::to_string(**owner) + "): nothing is sent to it.",
              "Start waferd, which takes another port, and set clients up for that.");
}

}  // namespace waferpair::base
