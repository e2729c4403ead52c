// SPDX-License-Identifier: GPL-3.0-or-later
// One HTTP connection: request after request, until the client leaves, falls silent, or asks for a
// WebSocket. It checks who is let in; routes.h says what is served. It is used with the server's
// baton.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/server/core/events.h"
#include "runtime/server/core/hub.h"

namespace waferpair::server {

class HttpExchange;

class HttpConnection final : public std::enable_shared_from_this<HttpConnection>,
                             private Hub::Member {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Status = boost::beast::http::status;
  // Goes on with a connection whose request for a WebSocket has been let in.
  using Upgrade = std::function<void(boost::beast::tcp_stream stream, const Request& request,
                                     std::string_view path)>;

  HttpConnection(std::shared_ptr<Hub> hub, boost::beast::tcp_stream stream, Upgrade upgrade);
  ~HttpConnection();
  void start();
  // Tells a client for whom there is no room so, whatever it asks.
  void refuse();
  // Whether the client has shown the token.
  bool isKnown() const { return known_; }
  // Makes room: the client has not said who it is.
  void makeRoom() { end(); }

  // The exchange uses these.
  boost::beast::tcp_stream& stream() { return stream_; }
  unsigned version() const { return parser_->get().version() == 10 ? 10 : 11; }
  // Lets the web page read the answer that the request came from, if one did.
  void addOrigin(boost::beast::http::fields& header) const;
  // The answer takes as long as it takes.
  void answerAtLength() { stream_.expires_never(); }
  void respond(Status status, const char* contentType, std::string body, bool keepAlive);
  void respondProblem(const Problem& problem, bool keepAlive);
  // The answer has been written; the client's next request is read, if the connection is kept
  // alive.
  void finished(bool keepAlive);

 private:
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using ErrorCode = boost::system::error_code;

  void readHeader();
  void onHeader(ErrorCode error);
  void readTarget();
  bool mayAsk();
  bool isToken(std::string_view shown) const;
  void respondProof(std::string_view nonce);
  void tellToSend();
  void readBody();
  void onReadError(ErrorCode error);
  void respondPreflight();
  void respondNotServed();
  void unpackBody();
  void route(std::string body);
  void respondError(Status status, const Problem& problem, bool keepAlive);
  void respondMalformed(Status status, std::string what);
  void respondTooLong();
  void respondCoding(std::string_view coding);
  void send(bool keepAlive);
  void linger();
  void closeExchange();
  void shutDown() override;
  void end();

  std::shared_ptr<Hub> hub_;
  boost::beast::tcp_stream stream_;
  const Upgrade upgrade_;
  boost::beast::flat_buffer incoming_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::string path_;   // of the request, without a query, and without a token in it
  std::string query_;  // behind the path's question mark
  std::optional<std::string> pathToken_;  // in the path, be it an empty one
  std::string origin_;  // of the web page that asks, one of this computer; empty: none does
  Response response_;
  std::shared_ptr<HttpExchange> exchange_;  // while it answers
  inference::Clock::time_point received_;
  bool known_ = false;
  bool joined_ = false;
  bool ended_ = false;
};

}  // namespace waferpair::server
