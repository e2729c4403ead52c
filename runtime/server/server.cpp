// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/server.h"

#include <unistd.h>

#include "runtime/base/port_owner.h"
#include "runtime/server/http/http_connection.h"
#include "runtime/server/http/routes.h"
#include "runtime/server/session/session.h"

namespace waferpair::server {
namespace {

namespace net = boost::asio;
using net::ip::tcp;

constexpr int kMaxConnections = 256;

// Listens at the endpoint, or says why not; the acceptor is closed then.
boost::system::error_code open(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  boost::system::error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
  boost::system::error_code ignored;
  if (error) acceptor.close(ignored);
  return error;
}

}  // namespace

base::Result<std::unique_ptr<Server>> Server::listen(net::io_context& context, Log& log,
                                                     const ListenOptions& options) {
  boost::system::error_code error;
  const std::string host = options.host == "localhost" ? "127.0.0.1" : options.host;
  const auto address = net::ip::make_address(host, error);
  if (error || !address.is_loopback())
    return base::fail("--host " + options.host + " is not an address of this computer alone.",
                      "waferd serves 127.0.0.1, ::1 or localhost.");
  const Baton baton(context);
  tcp::acceptor acceptor(baton.executor());
  error = open(acceptor, {address, options.port.value_or(kUsualPort)});
  if (error && !options.port) {
    // Programs that were set up for the usual port send their token to whoever has it.
    const auto owner = base::ownerOfPort(kUsualPort, base::Loopback::kV4);
    if (owner && *owner && **owner != geteuid())
      log.line("port " + std::to_string(kUsualPort) +
               " is another user's: clients set up for it send that user your token; "
               "\"waferctl connect --new-token\" makes it worthless");
    error = open(acceptor, {address, 0});
  }
  if (error)
    return base::fail("Port " + std::to_string(options.port.value_or(0)) + " of " + host +
                          " cannot be listened on: " + error.message() + ".",
                      "Choose another with --port; 0 takes any that is free.");
  const std::uint16_t port = acceptor.local_endpoint().port();
  std::vector<tcp::acceptor> acceptors;
  acceptors.push_back(std::move(acceptor));
  // Many clients take localhost for the address of IPv6.
  if (address == net::ip::address_v4::loopback()) {
    tcp::acceptor other(baton.executor());
    if (const auto closed = open(other, {net::ip::address_v6::loopback(), port}); !closed)
      acceptors.push_back(std::move(other));
    else
      log.line("port " + std::to_string(port) + " of ::1 is not served: " + closed.message());
  }

  removeTokensOfDeadServers();
  std::string path = options.tokenFile;
  if (path.empty()) {
    const auto directory = TokenFile::directory();
    if (!directory) return tl::unexpected(directory.error());
    path = *directory + "/" + std::to_string(port) + ".token";
  }
  auto tokenFile = TokenFile::create(path);
  if (!tokenFile) return tl::unexpected(tokenFile.error());
  auto commons = std::make_shared<Commons>(std::make_shared<Hub>(baton, tokenFile->token(), log));
  auto server = std::unique_ptr<Server>(
      new Server(std::move(acceptors), port, std::move(*tokenFile), std::move(commons)));
  for (Acceptor& each : server->acceptors_) server->accept(each);
  return server;
}

Server::Server(std::vector<Acceptor> acceptors, std::uint16_t port, TokenFile tokenFile,
               std::shared_ptr<Commons> commons)
    : acceptors_(std::move(acceptors)),
      port_(port),
      tokenFile_(std::move(tokenFile)),
      commons_(std::move(commons)) {}

Server::~Server() = default;

void Server::accept(Acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](boost::system::error_code error, tcp::socket socket) {
    if (error == net::error::operation_aborted) return;  // closed; this may be gone
    if (!acceptor.is_open()) return;  // closed when this news was already under way
    // Too many files open, say: the connection is lost, the server goes on.
    if (!error) serve(std::move(socket));
    accept(acceptor);
  });
}

void Server::serve(tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  const auto connection = std::make_shared<HttpConnection>(
      commons_->hub, boost::beast::tcp_stream(std::move(socket)),
      [commons = commons_](boost::beast::tcp_stream stream, const HttpConnection::Request& upgrade,
                           std::string_view path) {
        const auto kind =
            path == kResponsesPath ? Features::Kind::kResponses : Features::Kind::kWaferpair;
        std::make_shared<Session>(commons, std::move(stream), kind)->start(upgrade);
      });
  if (!findRoom()) return connection->refuse();
  connection->start();
  strangers_.push_back(connection);
}

bool Server::findRoom() {
  while (!strangers_.empty()) {
    const auto oldest = strangers_.front().lock();
    const bool isStranger = oldest && !oldest->isKnown();
    if (isStranger && hub().members() < kMaxConnections) break;
    strangers_.pop_front();
    if (isStranger) oldest->makeRoom();
  }
  return hub().members() < kMaxConnections;
}

void Server::shutDown() {
  boost::system::error_code ignored;
  for (Acceptor& acceptor : acceptors_) acceptor.close(ignored);
  commons_->planner->stop();
  commons_->bench.stop();
  hub().shutDown();
}

}  // namespace waferpair::server
