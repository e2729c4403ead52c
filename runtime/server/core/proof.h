// SPDX-License-Identifier: GPL-3.0-or-later
// How a server shows that it knows a token, to a client that has not sent it: docs/protocol.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waferpair::server {

inline constexpr std::string_view kProofFolder = "/v1/proof/";

// A nonce is what the client made up: 32 to 128 hexadecimal digits.
bool isNonce(std::string_view text);

// In 64 hexadecimal digits. The port is in it, so that nobody else's server passes the question on
// to one that knows the answer.
std::string proofOf(std::string_view token, std::string_view nonce, std::uint16_t port);

}  // namespace waferpair::server
