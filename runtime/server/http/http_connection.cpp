// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/http_connection.h"

#include <boost/beast/websocket/rfc6455.hpp>
#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/access.h"
#include "runtime/server/core/message.h"
#include "runtime/server/core/version.h"
#include "runtime/server/http/http_exchange.h"
#include "runtime/server/http/routes.h"

namespace waferpair::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::chrono::seconds kIdle{60};  // between requests, and for a request to arrive
constexpr std::chrono::seconds kLinger{2};
constexpr std::size_t kMaxHeader = 16 << 10;
constexpr std::size_t kDiscard = 64 << 10;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

namespace http_code = protocol::http_error_code;

}  // namespace

HttpConnection::HttpConnection(std::shared_ptr<Hub> hub, beast::tcp_stream stream, Upgrade upgrade)
    : hub_(std::move(hub)), stream_(std::move(stream)), upgrade_(std::move(upgrade)) {}

HttpConnection::~HttpConnection() = default;

void HttpConnection::start() {
  hub_->join(this, /*session=*/false);
  readHeader();
}

void HttpConnection::readHeader() {
  parser_.emplace();
  parser_->header_limit(kMaxHeader);
  parser_->body_limit(kMaxMessageBytes);
  stream_.expires_after(kIdle);
  http::async_read_header(
      stream_, incoming_, *parser_,
      [self = shared_from_this()](ErrorCode error, std::size_t) { self->onHeader(error); });
}

// Nobody gets to send a body, or to see anything but what is open, without the token.
void HttpConnection::onHeader(ErrorCode error) {
  if (error == http::error::header_limit)
    return respondError(
        Status::request_header_fields_too_large,
        {protocol::error_code::kLimitExceeded, {"The header is too long.", "Send less of it."}},
        false);
  const bool tooLong = error == http::error::body_limit;  // as the header announces it
  if (error && !tooLong) return end();
  received_ = inference::Clock::now();
  const Request& request = parser_->get();
  const Route* route = findRoute(request.method(), view(request.target()));
  switch (checkAccess(view(request[http::field::origin]), view(request[http::field::authorization]),
                      hub_->token())) {
    case Access::kForeignOrigin:
      return respondError(Status::forbidden,
                          {http_code::kForbiddenOrigin,
                           {"Web pages from elsewhere are not let in.",
                            "Use a page from localhost, or a program."}},
                          false);
    case Access::kNoToken:
    case Access::kWrongToken:
      if (route && route->open) break;
      return respondError(
          Status::unauthorized,
          {http_code::kInvalidToken,
           {"The access token is missing or wrong.",
            "Send \"Authorization: Bearer TOKEN\" with the token from waferd's token file."}},
          false);
    case Access::kGranted:
      break;
  }
  if (tooLong) return respondTooLong();
  if (beast::websocket::is_upgrade(request)) {
    if (request.target() !=
        beast::string_view(protocol::kSocketPath.data(), protocol::kSocketPath.size()))
      return respondError(Status::not_found,
                          {http_code::kNotFound,
                           {"There is no WebSocket at this path.",
                            "Sessions are at " + std::string(protocol::kSocketPath) + "."}},
                          false);
    hub_->leave(this);
    ended_ = true;
    return upgrade_(std::move(stream_), request);
  }
  readBody();
}

void HttpConnection::readBody() {
  http::async_read(stream_, incoming_, *parser_,
                   [self = shared_from_this()](ErrorCode error, std::size_t) {
                     if (error == http::error::body_limit) return self->respondTooLong();
                     if (error) return self->end();
                     self->route(self->parser_->get());
                   });
}

void HttpConnection::route(Request& request) {
  const std::string_view path = view(request.target()).substr(0, request.target().find('?'));
  const Route* route = findRoute(request.method(), path);
  if (!route) {
    const bool known = isPathKnown(path);
    return respondError(known ? Status::method_not_allowed : Status::not_found,
                        {known ? http_code::kMethodNotAllowed : http_code::kNotFound,
                         {std::string(view(request.method_string())) + " " + std::string(path) +
                              " is not served here.",
                          "See docs/protocol.md for what is."}},
                        request.keep_alive());
  }
  exchange_ =
      std::make_shared<HttpExchange>(shared_from_this(), hub_, std::string(path),
                                     std::move(request.body()), received_, request.keep_alive());
  route->answer(exchange_);
}

void HttpConnection::respondProblem(const Problem& what, bool keepAlive) {
  respondError(static_cast<Status>(httpStatus(what)), what, keepAlive);
}

void HttpConnection::respondError(Status status, const Problem& what, bool keepAlive) {
  const bool ours = static_cast<unsigned>(status) >= 500;
  const Json error = openAiError(what, ours);
  respond(status, "application/json", dump({{protocol::field::error::kError, error}}) + "\n",
          keepAlive);
}

void HttpConnection::respondTooLong() {
  respondError(
      Status::payload_too_large,
      {protocol::error_code::kLimitExceeded, {"The body is longer than 32 MiB.", "Send less."}},
      false);
}

void HttpConnection::respond(Status status, const char* contentType, std::string body,
                             bool keepAlive) {
  response_ = Response(status, parser_->get().version());
  response_.set(http::field::server, std::string(kServerName));
  response_.set(http::field::content_type, contentType);
  response_.set(http::field::cache_control, "no-store");
  if (status == Status::unauthorized)
    response_.set(http::field::www_authenticate, "Bearer realm=\"waferd\"");
  response_.keep_alive(keepAlive);
  response_.body() = std::move(body);
  response_.prepare_payload();
  // The length stays: it is what GET would send.
  if (parser_->get().method() == http::verb::head) response_.body().clear();
  stream_.expires_after(kIdle);
  http::async_write(stream_, response_,
                    [self = shared_from_this(), keepAlive](ErrorCode error, std::size_t) {
                      self->finished(keepAlive && !error);
                    });
}

void HttpConnection::finished(bool keepAlive) {
  closeExchange();
  if (keepAlive) return readHeader();
  ErrorCode ignored;
  stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, ignored);
  stream_.expires_after(kLinger);
  linger();
}

// A client that was refused may still be sending. To close now would reset the connection, and the
// client might never read why: what it sends is thrown away until it has noticed.
void HttpConnection::linger() {
  incoming_.clear();
  stream_.async_read_some(incoming_.prepare(kDiscard),
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                            if (error) return self->end();
                            self->linger();
                          });
}

void HttpConnection::closeExchange() {
  if (const auto exchange = std::exchange(exchange_, nullptr)) exchange->close();
}

void HttpConnection::shutDown() { end(); }

void HttpConnection::end() {
  if (ended_) return;
  ended_ = true;
  closeExchange();
  hub_->leave(this);
  stream_.close();
}

}  // namespace waferpair::server
