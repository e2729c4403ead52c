// SPDX-License-Identifier: GPL-3.0-or-later
// What every connection to a waferd's session needs to know.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/websocket.hpp>
#include <string>

#include "runtime/base/port_owner.h"
#include "runtime/server/core/token_file.h"

namespace waferpair::waferctl {

using boost::asio::ip::tcp;

// A token file does not tell which of the two the server is on.
inline std::array<tcp::endpoint, 2> endpointsOf(const server::RunningServer& server) {
  return {tcp::endpoint(boost::asio::ip::address_v4::loopback(), server.port),
          tcp::endpoint(boost::asio::ip::address_v6::loopback(), server.port)};
}

inline std::string hostOf(const tcp::endpoint& endpoint) {
  return (endpoint.address().is_v6() ? "[::1]:" : "127.0.0.1:") + std::to_string(endpoint.port());
}

// Fails where the server there is another user's: before anything is said to it.
inline base::Result<void> requireOwnServer(const tcp::endpoint& at) {
  return base::requireOwnPort(at.port(),
                              at.address().is_v6() ? base::Loopback::kV6 : base::Loopback::kV4);
}

// Adds the token to the request for a WebSocket.
inline auto showToken(const server::RunningServer& server) {
  return boost::beast::websocket::stream_base::decorator(
      [token = server.token](boost::beast::websocket::request_type& upgrade) {
        upgrade.set(boost::beast::http::field::authorization, "Bearer " + token);
      });
}

}  // namespace waferpair::waferctl
