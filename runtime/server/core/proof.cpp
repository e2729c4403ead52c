// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/proof.h"

#include "runtime/base/hmac.h"

namespace waferpair::server {

bool isNonce(std::string_view text) {
  return text.size() >= 32 && text.size() <= 128 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string proofOf(std::string_view token, std::string_view nonce, std::uint16_t port) {
  return base::hmacOf(token, "waferd proof 1 " + std::to_string(port) + " " + std::string(nonce));
}

}  // namespace waferpair::server
