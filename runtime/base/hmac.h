// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 (FIPS 180-4), and messages that whoever knows a key can vouch for (RFC 2104).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace waferpair::base {

std::array<std::uint8_t, 32> sha256(std::string_view bytes);

// HMAC-SHA256, in 64 hexadecimal digits.
std::string hmacOf(std::string_view key, std::string_view message);

}  // namespace waferpair::base
