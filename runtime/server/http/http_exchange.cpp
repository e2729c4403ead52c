// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/http_exchange.h"

#include <cassert>

#include "runtime/server/core/version.h"
#include "runtime/server/http/http_connection.h"

namespace waferpair::server {
namespace {

namespace http = boost::beast::http;
namespace net = boost::asio;

constexpr std::size_t kMaxUnreadStream = std::size_t{16} << 20;

}  // namespace

HttpExchange::HttpExchange(std::shared_ptr<HttpConnection> connection, std::shared_ptr<Hub> hub,
                           std::string path, std::string query, std::string body,
                           inference::Clock::time_point received, bool keepAlive)
    : connection_(std::move(connection)),
      hub_(std::move(hub)),
      path_(std::move(path)),
      query_(std::move(query)),
      body_(std::move(body)),
      received_(received),
      keepAlive_(keepAlive),
      outbox_(Framing::kServerSentEvents, kMaxUnreadStream) {}

void HttpExchange::json(const Json& body) { text("application/json", dump(body) + "\n"); }

void HttpExchange::text(const char* contentType, std::string body) {
  if (!connection_) return;
  assert(!answered_);
  answered_ = true;
  stopWatching();
  connection_->respond(http::status::ok, contentType, std::move(body), keepAlive_);
}

void HttpExchange::fail(const Problem& problem) {
  if (!connection_) return;
  assert(!answered_);
  answered_ = true;
  stopWatching();
  connection_->respondProblem(problem, keepAlive_);
}

void HttpExchange::fail(const Problem& problem, const Json& body) {
  if (!connection_) return;
  assert(!answered_);
  answered_ = true;
  stopWatching();
  connection_->respond(static_cast<http::status>(httpStatus(problem)), "application/json",
                       dump(body) + "\n", keepAlive_);
}

Outbox& HttpExchange::stream(Framing framing) {
  outbox_.setFraming(framing);
  if (!connection_) return outbox_;
  header_ = {http::status::ok, connection_->version()};
  header_.set(http::field::server, std::string(kServerName));
  header_.set(http::field::content_type,
              framing == Framing::kLines ? "application/x-ndjson" : "text/event-stream");
  header_.set(http::field::cache_control, "no-store");
  connection_->addOrigin(header_);
  chunked_ = connection_->version() >= 11;
  header_.keep_alive(keepAlive_ && chunked_);
  header_.chunked(chunked_);
  serializer_.emplace(header_);
  connection_->answerAtLength();
  http::async_write_header(connection_->stream(), *serializer_,
                           [self = shared_from_this()](ErrorCode error, std::size_t) {
                             if (error) return self->finish(false);
                             self->headerSent_ = true;
                             self->outbox_.onPush([raw = self.get()] { raw->write(); });
                             self->write();
                           });
  return outbox_;
}

void HttpExchange::end() {
  answered_ = true;
  if (headerSent_) write();
}

// A write holds on to the connection whose socket it uses: close() may let go of it meanwhile.
void HttpExchange::write() {
  if (!connection_) return;
  if (outbox_.overflowed()) return finish(false);
  if (outbox_.take(outgoing_)) {
    const auto written = [self = shared_from_this(), connection = connection_](ErrorCode error,
                                                                               std::size_t) {
      if (error) return self->finish(false);
      self->outbox_.written();
      self->write();
    };
    const auto bytes = net::buffer(outgoing_.bytes);
    if (!chunked_) return net::async_write(connection_->stream(), bytes, written);
    net::async_write(connection_->stream(), http::make_chunk(bytes), written);
  } else if (answered_ && outbox_.idle() && !lastSent_) {
    lastSent_ = true;
    if (!chunked_) return finish(false);
    net::async_write(
        connection_->stream(), http::make_chunk_last(),
        [self = shared_from_this(), connection = connection_](ErrorCode error, std::size_t) {
          self->finish(self->keepAlive_ && !error);
        });
  }
}

void HttpExchange::hold(std::shared_ptr<void> work) {
  if (!connection_) return;
  work_ = std::move(work);
  connection_->answerAtLength();
  watchForHangUp();
}

// Nothing is expected from the client while it waits: what can be read then is the end, or the next
// request, which has time.
void HttpExchange::watchForHangUp() {
  connection_->stream().socket().async_wait(
      net::socket_base::wait_read, [self = shared_from_this()](ErrorCode error) {
        if (error || !self->connection_ || self->answered_) return;
        ErrorCode failure;
        if (self->connection_->stream().socket().available(failure) == 0) self->finish(false);
      });
}

void HttpExchange::stopWatching() {
  ErrorCode ignored;
  if (work_) connection_->stream().socket().cancel(ignored);
}

void HttpExchange::finish(bool keepAlive) {
  const auto connection = connection_;
  if (!connection) return;
  stopWatching();
  connection->finished(keepAlive);
}

void HttpExchange::close() {
  // The work may be what holds this.
  const auto self = shared_from_this();
  const auto connection = std::move(connection_);
  const auto work = std::move(work_);
  if (body_.size() >= Aside::kLong) hub_->aside().giveBackMemory();
}

}  // namespace waferpair::server
