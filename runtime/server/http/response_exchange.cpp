// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/http/response_exchange.h"

#include "runtime/protocol/messages.h"
#include "runtime/server/core/version.h"
#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/http/http_connection.h"

namespace waferpair::server {
namespace {

namespace http = boost::beast::http;
namespace net = boost::asio;

constexpr std::size_t kMaxUnread = std::size_t{16} << 20;

}  // namespace

ResponseExchange::ResponseExchange(std::shared_ptr<HttpConnection> connection,
                                   std::shared_ptr<Hub> hub)
    : connection_(std::move(connection)),
      hub_(std::move(hub)),
      outbox_(Framing::kServerSentEvents, kMaxUnread) {}

void ResponseExchange::start(const std::string& body, inference::Clock::time_point received,
                             bool keepAlive) {
  keepAlive_ = keepAlive;
  const auto parsed = parseResponseBody(body);
  std::optional<Problem> problem;
  if (!parsed)
    problem = parsed.error();
  else if (!parsed->previousResponseId.empty())
    problem = Problem{std::string(protocol::error_code::kPreviousResponseNotFound),
                      "previous_response_id", "Responses are kept by WebSocket sessions only.",
                      "Send the whole input, or use " + std::string(protocol::kSocketPath) + "."};
  else if (!hub_->engine())
    problem = hub_->notReady();
  if (problem) return connection_->respondProblem(*problem);
  const inference::ModelCard& card = hub_->engine()->model().card();
  const auto prompt = responsePrompt(*parsed, card, nullptr);
  if (!prompt) return connection_->respondProblem(prompt.error());
  auto request = generationRequest(*parsed, *prompt, *hub_, received);
  if (!request) return connection_->respondProblem(request.error());
  request->client = hub_->nextClient();

  stream_ = parsed->stream;
  response_.emplace(*parsed, card, stream_ ? &outbox_ : nullptr);
  if (stream_) writeHeader();
  const auto here = [this](auto handler) { return whileAlive(weak_from_this(), handler); };
  job_ = hub_->submit(
      std::move(*request),
      {here([](ResponseExchange& self, const std::string& text) { self.response_->text(text); }),
       here([](ResponseExchange& self, const inference::JobReport& report) {
         self.onEnded(report);
       }),
       here([](ResponseExchange& self) { self.response_->begun(); })});
  response_->created();
  watchForHangUp();
}

void ResponseExchange::writeHeader() {
  header_ = {http::status::ok, connection_->version()};
  header_.set(http::field::server, std::string(kServerName));
  header_.set(http::field::content_type, "text/event-stream");
  header_.set(http::field::cache_control, "no-store");
  header_.keep_alive(keepAlive_);
  header_.chunked(true);
  serializer_.emplace(header_);
  http::async_write_header(connection_->stream(), *serializer_,
                           [self = shared_from_this()](ErrorCode error, std::size_t) {
                             if (error) return self->finish(false);
                             self->outbox_.onPush([raw = self.get()] { raw->write(); });
                             self->write();
                           });
}

// A write holds on to the connection whose socket it uses: finish() may let go of it meanwhile.
void ResponseExchange::write() {
  if (!connection_) return;
  if (outbox_.overflowed()) return finish(false);
  if (outbox_.take(outgoing_)) {
    net::async_write(
        connection_->stream(), http::make_chunk(net::buffer(outgoing_.bytes)),
        [self = shared_from_this(), connection = connection_](ErrorCode error, std::size_t) {
          if (error) return self->finish(false);
          self->outbox_.written();
          self->write();
        });
  } else if (ended_ && outbox_.idle()) {
    net::async_write(
        connection_->stream(), http::make_chunk_last(),
        [self = shared_from_this(), connection = connection_](ErrorCode error, std::size_t) {
          self->finish(self->keepAlive_ && !error);
        });
  }
}

void ResponseExchange::onEnded(const inference::JobReport& report) {
  if (!connection_) return;
  ended_ = true;
  response_->ended(report);
  if (stream_) return;  // the outbox is being written, and then the end
  ErrorCode ignored;
  connection_->stream().socket().cancel(ignored);  // the watch
  if (response_->problem()) return connection_->respondProblem(*response_->problem());
  connection_->respondJson(response_->object());
}

// Nothing is expected from the client while it waits: what can be read then is the end, or the next
// request, which has time.
void ResponseExchange::watchForHangUp() {
  connection_->stream().socket().async_wait(
      net::socket_base::wait_read, [self = shared_from_this()](ErrorCode error) {
        if (error || !self->connection_ || self->ended_) return;
        ErrorCode failure;
        if (self->connection_->stream().socket().available(failure) == 0) self->finish(false);
      });
}

void ResponseExchange::finish(bool keepAlive) {
  if (!connection_) return;
  if (!ended_ && hub_->engine()) hub_->engine()->cancel(job_);
  ErrorCode ignored;
  connection_->stream().socket().cancel(ignored);
  const auto connection = std::move(connection_);
  connection->finished(keepAlive);
}

}  // namespace waferpair::server
