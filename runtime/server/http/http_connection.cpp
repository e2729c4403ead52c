// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/http_connection.h"

#include <algorithm>
#include <boost/beast/websocket/rfc6455.hpp>
#include <string>
#include <utility>
#include <vector>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/access.h"
#include "runtime/server/core/message.h"
#include "runtime/server/core/proof.h"
#include "runtime/server/core/token_file.h"
#include "runtime/server/core/user_token.h"
#include "runtime/server/core/version.h"
#include "runtime/server/dialects/error_form.h"
#include "runtime/server/http/content_coding.h"
#include "runtime/server/http/http_exchange.h"
#include "runtime/server/http/routes.h"

namespace waferpair::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::chrono::seconds kIdle{60};      // between requests, and for a request to arrive
constexpr std::chrono::seconds kStranger{10};  // for a header with the token
constexpr std::chrono::seconds kLinger{2};
constexpr std::size_t kMaxHeader = 16 << 10;
constexpr std::size_t kDiscard = 64 << 10;
// Where clients of Anthropic's, Azure's and Google's APIs have the token.
constexpr beast::string_view kApiKeys[] = {"x-api-key", "api-key", "x-goog-api-key"};
// For clients that can be given an address and no key: /t/TOKEN/v1/responses.
constexpr std::string_view kTokenFolder = "/t/";
constexpr std::string_view kAbsolute = "http://";

// What a list of names of header fields is made of.
constexpr std::string_view kFieldNames =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_, ";

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

std::string_view codingOf(const HttpConnection::Request& request) {
  return view(request[http::field::content_encoding]);
}
bool isPacked(const HttpConnection::Request& request) {
  const std::string_view coding = codingOf(request);
  return !coding.empty() && coding != "identity";
}

namespace http_code = protocol::http_error_code;

}  // namespace

HttpConnection::HttpConnection(std::shared_ptr<Hub> hub, beast::tcp_stream stream, Upgrade upgrade)
    : hub_(std::move(hub)), stream_(std::move(stream)), upgrade_(std::move(upgrade)) {}

HttpConnection::~HttpConnection() = default;

void HttpConnection::start() {
  hub_->join(this, /*session=*/false);
  joined_ = true;
  readHeader();
}

void HttpConnection::refuse() {
  parser_.emplace();
  respondError(Status::service_unavailable,
               {protocol::error_code::kLimitExceeded,
                {"Too many connections are open.", "Close some, or try again in a moment."}},
               false);
}

void HttpConnection::readHeader() {
  parser_.emplace();
  parser_->header_limit(kMaxHeader);
  parser_->body_limit(kMaxMessageBytes);
  path_.clear();
  stream_.expires_after(known_ ? kIdle : kStranger);
  http::async_read_header(
      stream_, incoming_, *parser_,
      [self = shared_from_this()](ErrorCode error, std::size_t) { self->onHeader(error); });
}

void HttpConnection::readTarget() {
  const std::string_view target = view(parser_->get().target());
  std::string_view path = target.substr(0, target.find('?'));
  query_ = path.size() < target.size() ? target.substr(path.size() + 1) : "";
  // As proxies are asked.
  if (path.starts_with(kAbsolute))
    path.remove_prefix(std::min(path.find('/', kAbsolute.size()), path.size()));
  pathToken_.reset();
  if (path.starts_with(kTokenFolder)) {
    path.remove_prefix(kTokenFolder.size());
    const std::size_t end = std::min(path.find('/'), path.size());
    pathToken_ = std::string(path.substr(0, end));
    path.remove_prefix(end);
  }
  path_ = path.empty() ? "/" : path;
}

void HttpConnection::onHeader(ErrorCode error) {
  origin_.clear();
  if (error == http::error::header_limit)
    return respondError(
        Status::request_header_fields_too_large,
        {protocol::error_code::kLimitExceeded, {"The header is too long.", "Send less of it."}},
        false);
  const bool tooLong = error == http::error::body_limit;  // as the header announces it
  if (error && !tooLong) return onReadError(error);
  received_ = inference::Clock::now();
  readTarget();
  if (!mayAsk()) return;
  if (tooLong) return respondTooLong();
  const Request& request = parser_->get();
  if (beast::websocket::is_upgrade(request)) {
    if (path_ != protocol::kSocketPath && path_ != kResponsesPath)
      return respondError(Status::not_found,
                          {http_code::kNotFound,
                           {"There is no WebSocket at this path.",
                            "Sessions are at " + std::string(protocol::kSocketPath) +
                                ", OpenAI's at " + std::string(kResponsesPath) + "."}},
                          false);
    hub_->leave(this);
    ended_ = true;
    return upgrade_(std::move(stream_), request, path_);
  }
  if (!findRoute(request.method(), path_)) return respondNotServed();
  if (isPacked(request) && !isUnpackable(codingOf(request)))
    return respondCoding(codingOf(request));
  if (request.find(http::field::expect) == request.end()) return readBody();
  if (!beast::iequals(request[http::field::expect], "100-continue"))
    return respondMalformed(Status::expectation_failed, "Only 100-continue can be expected.");
  if (version() < 11 || parser_->is_done()) return readBody();
  tellToSend();
}

// Decides whether the request is let in, and answers it if not. Nobody gets to send a body, or to
// see anything but what is open, without the token.
bool HttpConnection::mayAsk() {
  const Request& request = parser_->get();
  // A proxy in front might go by the one, and this by the other.
  std::vector<beast::string_view> single(std::begin(kApiKeys), std::end(kApiKeys));
  single.insert(single.end(), {http::to_string(http::field::origin),
                               http::to_string(http::field::authorization)});
  for (const beast::string_view field : single) {
    if (request.count(field) < 2) continue;
    respondMalformed(Status::bad_request,
                     "The field " + std::string(view(field)) + " is there twice.");
    return false;
  }
  const std::string_view origin = view(request[http::field::origin]);
  std::string authorization(view(request[http::field::authorization]));
  for (const beast::string_view field : kApiKeys)
    if (authorization.empty() && request.find(field) != request.end())
      authorization = "Bearer " + std::string(view(request[field]));
  // A client that was given the token in an address may send any key.
  if (pathToken_ && !pathToken_->empty()) authorization = "Bearer " + *pathToken_;
  const Access access =
      checkAccess(origin, authorization, [this](std::string_view shown) { return isToken(shown); });
  if (access == Access::kForeignOrigin) {
    respondError(
        Status::forbidden,
        {http_code::kForbiddenOrigin,
         {"Web pages from elsewhere are not let in.", "Use a page from localhost, or a program."}},
        false);
    return false;
  }
  origin_ = origin;
  // Browsers ask without the token whether they may ask with it.
  if (request.method() == http::verb::options && !origin_.empty() &&
      request.find(http::field::access_control_request_method) != request.end()) {
    respondPreflight();
    return false;
  }
  // Whoever does not trust this server yet asks without the token.
  if (request.method() == http::verb::get && path_.starts_with(kProofFolder)) {
    respondProof(std::string_view(path_).substr(kProofFolder.size()));
    return false;
  }
  const Route* route = findRoute(request.method(), path_);
  known_ = known_ || access == Access::kGranted;
  // What is open needs no token; a wrong one in the address is told all the same.
  if (access == Access::kGranted || (route && route->open && !pathToken_)) return true;
  respondError(Status::unauthorized,
               {http_code::kInvalidToken,
                {"The access token is missing or wrong.",
                 "Send \"Authorization: Bearer TOKEN\" with the token from waferd's token file, or "
                 "with yours: waferctl connect tells it."}},
               false);
  return false;
}

bool HttpConnection::isToken(std::string_view shown) const {
  if (equalInConstantTime(shown, hub_->token())) return true;
  const auto users = userToken();
  return users && equalInConstantTime(shown, *users);
}

void HttpConnection::respondProof(std::string_view nonce) {
  if (!isNonce(nonce))
    return respondMalformed(Status::bad_request,
                            "What is to be proved with is 32 to 128 hexadecimal digits.");
  ErrorCode error;
  const std::uint16_t port = stream_.socket().local_endpoint(error).port();
  if (error) return end();
  const auto users = userToken();
  const Json proof = {{"proof", proofOf(hub_->token(), nonce, port)},
                      {"user_proof", users ? Json(proofOf(*users, nonce, port)) : Json()}};
  const Request& request = parser_->get();
  respond(Status::ok, "application/json", dump(proof) + "\n",
          request.keep_alive() && parser_->is_done());
}

// For a client that waits with its body until it is let in.
void HttpConnection::tellToSend() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  boost::asio::async_write(stream_, boost::asio::buffer(kContinue),
                           [self = shared_from_this()](ErrorCode error, std::size_t) {
                             if (error) return self->end();
                             self->readBody();
                           });
}

void HttpConnection::readBody() {
  if (known_) stream_.expires_after(kIdle);
  http::async_read(stream_, incoming_, *parser_,
                   [self = shared_from_this()](ErrorCode error, std::size_t) {
                     if (error == http::error::body_limit) return self->respondTooLong();
                     if (error) return self->onReadError(error);
                     if (isPacked(self->parser_->get())) return self->unpackBody();
                     self->route(std::move(self->parser_->get().body()));
                   });
}

// A client that left is told nothing.
void HttpConnection::onReadError(ErrorCode error) {
  const bool isLeft = error == http::error::end_of_stream || error == http::error::partial_message;
  if (isLeft || error.category() != ErrorCode(http::error::end_of_stream).category()) return end();
  respondMalformed(Status::bad_request, "The request is no HTTP: " + error.message() + ".");
}

// Aside: how long it is in the end is not known before.
void HttpConnection::unpackBody() {
  struct Result {
    Unpacked state;
    std::string text;
  };
  hub_->aside().run(
      [self = shared_from_this()] {
        Result result;
        result.state = unpack(self->parser_->get().body(), kMaxMessageBytes, result.text);
        return result;
      },
      [self = shared_from_this()](Result result) {
        if (self->ended_) return;
        if (result.state == Unpacked::kTooLong) return self->respondTooLong();
        if (result.state == Unpacked::kBroken)
          return self->respondMalformed(
              Status::bad_request,
              "The body is not what its Content-Encoding says, or is cut off.");
        self->route(std::move(result.text));
      });
}

void HttpConnection::route(std::string body) {
  const Request& request = parser_->get();
  exchange_ = std::make_shared<HttpExchange>(shared_from_this(), hub_, path_, query_,
                                             std::move(body), received_, request.keep_alive());
  findRoute(request.method(), path_)->answer(exchange_);
}

// A body that the client is about to send is not waited for.
void HttpConnection::respondNotServed() {
  const bool known = isPathKnown(path_);
  const Request& request = parser_->get();
  respondError(known ? Status::method_not_allowed : Status::not_found,
               {known ? http_code::kMethodNotAllowed : http_code::kNotFound,
                {std::string(view(request.method_string())) + " " + path_ + " is not served here.",
                 "See docs/protocol.md for what is."}},
               request.keep_alive() && parser_->is_done());
}

void HttpConnection::respondProblem(const Problem& what, bool keepAlive) {
  respondError(static_cast<Status>(httpStatus(what)), what, keepAlive);
}

void HttpConnection::respondError(Status status, const Problem& what, bool keepAlive) {
  const Json body = errorBodyAt(path_, what, static_cast<int>(status));
  respond(status, "application/json", dump(body) + "\n", keepAlive);
}

void HttpConnection::respondMalformed(Status status, std::string what) {
  respondError(status,
               {http_code::kMalformedRequest,
                {std::move(what), "See docs/protocol.md for how HTTP is spoken here."}},
               false);
}

void HttpConnection::respondTooLong() {
  respondError(Status::payload_too_large,
               {protocol::error_code::kLimitExceeded,
                {"The body is longer than " + std::to_string(kMaxMessageBytes >> 20) + " MiB.",
                 "Send less."}},
               false);
}

void HttpConnection::respondCoding(std::string_view coding) {
  respondError(Status::unsupported_media_type,
               {http_code::kMalformedRequest,
                {"The body is encoded as " + std::string(coding.substr(0, 64)) + ".",
                 "Send it as it is, without Content-Encoding, or as gzip or deflate."}},
               false);
}

void HttpConnection::respond(Status status, const char* contentType, std::string body,
                             bool keepAlive) {
  response_ = Response(status, version());
  response_.set(http::field::content_type, contentType);
  response_.set(http::field::cache_control, "no-store");
  if (status == Status::unauthorized)
    response_.set(http::field::www_authenticate, "Bearer realm=\"waferd\"");
  response_.body() = std::move(body);
  send(keepAlive);
}

// Which methods a path has is no secret; that it is served at all is told with the token alone.
void HttpConnection::respondPreflight() {
  const Request& request = parser_->get();
  response_ = Response(Status::no_content, version());
  response_.set(http::field::access_control_allow_methods, "GET, HEAD, POST, DELETE");
  const std::string_view wanted = view(request[http::field::access_control_request_headers]);
  if (!wanted.empty() && wanted.find_first_not_of(kFieldNames) == wanted.npos)
    response_.set(http::field::access_control_allow_headers,
                  request[http::field::access_control_request_headers]);
  response_.set(http::field::access_control_max_age, "600");
  send(request.keep_alive() && parser_->is_done());
}

void HttpConnection::send(bool keepAlive) {
  response_.set(http::field::server, std::string(kServerName));
  addOrigin(response_);
  response_.keep_alive(keepAlive);
  response_.prepare_payload();
  // The length stays: it is what GET would send.
  if (parser_->get().method() == http::verb::head) response_.body().clear();
  stream_.expires_after(kIdle);
  http::async_write(stream_, response_,
                    [self = shared_from_this(), keepAlive](ErrorCode error, std::size_t) {
                      self->finished(keepAlive && !error);
                    });
}

void HttpConnection::addOrigin(http::fields& header) const {
  if (origin_.empty()) return;
  header.set(http::field::access_control_allow_origin, origin_);
  header.set(http::field::vary, "Origin");
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
  if (joined_) hub_->leave(this);
  stream_.close();
}

}  // namespace waferpair::server
