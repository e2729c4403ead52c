// SPDX-License-Identifier: GPL-3.0-or-later
// The server's one port: listens on loopback and turns connections into HttpConnections and
// Sessions. No call blocks, but shutDown() waits for the step of the model (and the plan of a
// shadow) that is under way. Once the io_context runs, all of the server's work runs on
// hub().executor().
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/core/token_file.h"
#include "runtime/server/session/client.h"

namespace waferpair::server {

class HttpConnection;

// Where other programs look for a server first. It is below the ports that the system hands out.
inline constexpr std::uint16_t kUsualPort = 8930;

struct ListenOptions {
  std::string host = "127.0.0.1";     // or localhost: ::1, too, where there is one; or ::1 alone
  std::optional<std::uint16_t> port;  // 0: any that is free; none: kUsualPort, if it is free
  std::string tokenFile;              // empty: PORT.token in TokenFile::directory()
};

class Server {
 public:
  // Listens at once; clients are served as soon as the context runs. The error names what is in the
  // way.
  static base::Result<std::unique_ptr<Server>> listen(boost::asio::io_context& context, Log& log,
                                                      const ListenOptions& options);
  ~Server();

  std::uint16_t port() const { return port_; }
  const std::string& tokenFile() const { return tokenFile_.path(); }
  Hub& hub() { return *commons_->hub; }

  // Accepts no more, ends all jobs and says goodbye to every client; the context then runs out of
  // work.
  void shutDown();

 private:
  using Acceptor = boost::asio::ip::tcp::acceptor;
  Server(std::vector<Acceptor> acceptors, std::uint16_t port, TokenFile tokenFile,
         std::shared_ptr<Commons> commons);
  void accept(Acceptor& acceptor);
  void serve(boost::asio::ip::tcp::socket socket);
  // Whether there is room for one more connection; of those that have not shown the token the
  // oldest makes room.
  bool findRoom();

  std::vector<Acceptor> acceptors_;
  std::uint16_t port_;
  TokenFile tokenFile_;
  std::shared_ptr<Commons> commons_;
  std::deque<std::weak_ptr<HttpConnection>>
      strangers_;  // in order of arrival; some are known by now
};

}  // namespace waferpair::server
