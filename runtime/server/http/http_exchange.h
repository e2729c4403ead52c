// SPDX-License-Identifier: GPL-3.0-or-later
// A request on an HttpConnection, and the way of its answer to the socket.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>
#include <string>

#include "runtime/server/core/exchange.h"

namespace waferpair::server {

class HttpConnection;

class HttpExchange final : public Exchange, public std::enable_shared_from_this<HttpExchange> {
 public:
  HttpExchange(std::shared_ptr<HttpConnection> connection, std::shared_ptr<Hub> hub,
               std::string path, std::string query, std::string body,
               inference::Clock::time_point received, bool keepAlive);

  const std::shared_ptr<Hub>& hub() const override { return hub_; }
  std::string_view path() const override { return path_; }
  std::string_view query() const override { return query_; }
  const std::string& body() const override { return body_; }
  inference::Clock::time_point received() const override { return received_; }
  void json(const Json& body) override;
  void text(const char* contentType, std::string body) override;
  void fail(const Problem& problem) override;
  void fail(const Problem& problem, const Json& body) override;
  Outbox& stream(Framing framing) override;
  void end() override;
  void hold(std::shared_ptr<void> work) override;

  // The connection is done with it: lets go of the connection, and of the work that was held.
  void close();

 private:
  using ErrorCode = boost::system::error_code;

  void write();
  void watchForHangUp();
  void stopWatching();
  void finish(bool keepAlive);

  std::shared_ptr<HttpConnection> connection_;  // until close()
  const std::shared_ptr<Hub> hub_;
  const std::string path_, query_;
  const std::string body_;
  const inference::Clock::time_point received_;
  const bool keepAlive_;
  bool answered_ = false;  // the whole answer is being sent, or in the outbox
  std::shared_ptr<void> work_;

  // The state of a stream.
  Outbox outbox_;
  Outbox::Frame outgoing_;
  bool headerSent_ = false;
  bool lastSent_ = false;  // the chunk that ends it
  bool chunked_ = true;    // else its end is that of the connection
  boost::beast::http::response<boost::beast::http::empty_body> header_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::empty_body>>
      serializer_;
};

}  // namespace waferpair::server
