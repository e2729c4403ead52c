// SPDX-License-Identifier: GPL-3.0-or-later
// Whose program listens on a port of this computer, as the kernel tells. Another user of a shared
// computer can take a port that is free: what is sent to it then is theirs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/base/result.h"

namespace waferpair::base {

enum class Loopback { kV4, kV6 };

// The user whose program takes a connection to `port` at 127.0.0.1 or ::1; nothing: nobody listens.
// The error says that the kernel does not tell. Reads /proc/net: any thread, some 100 us.
Result<std::optional<uid_t>> ownerOfPort(std::uint16_t port, Loopback at);

// Fails unless it is this user: ask before anything is sent there that is this user's alone.
Result<void> requireOwnPort(std::uint16_t port, Loopback at = Loopback::kV4);

// The same from the tables themselves: /proc/net/tcp and tcp6.
std::optional<uid_t> ownerIn(std::string_view tcp, std::string_view tcp6, std::uint16_t port,
                             Loopback at);

}  // namespace waferpair::base
