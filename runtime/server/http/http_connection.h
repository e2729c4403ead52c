// SPDX-License-Identifier: GPL-3.0-or-later
// One HTTP connection: request after request, until the client leaves, falls silent, or asks for a
// WebSocket and the connection becomes a Session. With the server's baton.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>
#include <string>

#include "runtime/server/core/hub.h"

namespace waferpair::server {

class ResponseExchange;

class HttpConnection : public std::enable_shared_from_this<HttpConnection>, private Hub::Member {
 public:
  HttpConnection(std::shared_ptr<Hub> hub, boost::beast::tcp_stream stream);
  ~HttpConnection();
  void start();

  // For the exchange that answers a request at length.
  boost::beast::tcp_stream& stream() { return stream_; }
  unsigned version() const { return parser_->get().version(); }
  // The answer has been written; what the client asks next is read, unless it shall not.
  void finished(bool keepAlive);
  void respondJson(const Json& body);
  void respondProblem(const Problem& problem);

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using Status = boost::beast::http::status;
  using ErrorCode = boost::system::error_code;

  void readHeader();
  void onHeader(ErrorCode error);
  void readBody();
  void route(const Request& request);
  void respond(Status status, const char* contentType, std::string body, bool keepAlive);
  void respondError(Status status, const Problem& problem, bool keepAlive);
  void respondTooLong();
  void linger();
  void shutDown() override;
  void end();

  std::shared_ptr<Hub> hub_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer incoming_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  Response response_;
  std::shared_ptr<ResponseExchange> exchange_;  // while it answers
  inference::Clock::time_point received_;
  bool ended_ = false;
};

}  // namespace waferpair::server
