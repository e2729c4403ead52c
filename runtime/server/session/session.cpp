// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/session.h"

#include <utility>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/version.h"
#include "runtime/server/session/status.h"

namespace waferpair::server {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr std::size_t kMaxUnread = std::size_t{16} << 20;
constexpr std::size_t kKeptBuffer = std::size_t{1} << 20;
constexpr std::chrono::seconds kHandshake{10};
constexpr std::chrono::seconds kGoodbye{2};

}  // namespace

Session::Session(const std::shared_ptr<Commons>& commons, beast::tcp_stream stream,
                 Features::Kind kind)
    : hub_(commons->hub),
      kind_(kind),
      socket_(std::move(stream)),
      closing_(hub_->executor()),
      client_(commons, kMaxUnread),
      features_(client_, kind) {
  if (kind == Features::Kind::kResponses) client_.tellErrorsAsOpenAi();
}

void Session::start(const Request& upgrade) {
  client_.belongsTo(weak_from_this());
  // The WebSocket has its own timeouts. None while it is open: an idle session costs nothing, and a
  // client on this computer that dies closes its socket.
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout timeouts{};
  timeouts.handshake_timeout = kHandshake;
  timeouts.idle_timeout = websocket::stream_base::none();
  timeouts.keep_alive_pings = false;
  socket_.set_option(timeouts);
  socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    response.set(beast::http::field::server, std::string(kServerName));
  }));
  socket_.read_message_max(kMaxMessageBytes);
  socket_.auto_fragment(false);
  socket_.async_accept(upgrade, [self = shared_from_this()](ErrorCode error) {
    if (error) return self->end();
    self->greet();
    self->read();
  });
}

void Session::greet() {
  if (hub_->ending()) return shutDown();  // what only members were told
  // The session does not join earlier: nothing may be written until the upgrade is answered.
  hub_->join(this, /*session=*/true);
  client_.outbox().onPush([this] { write(); });
  log("opened");
  if (kind_ == Features::Kind::kResponses) return;
  Json ready = stateJson(*hub_);
  ready[protocol::field::session_ready::kProtocol.name] = protocol::kProtocolVersion;
  ready[protocol::field::session_ready::kServer.name] = kServerName;
  client_.tell(protocol::event::kSessionReady, std::move(ready));
}

void Session::read() {
  socket_.async_read(incoming_, [self = shared_from_this()](ErrorCode error, std::size_t) {
    self->onRead(error);
  });
}

void Session::onRead(ErrorCode error) {
  if (error) return end();
  client_.messageRead();
  if (!open_) {
    // The session is being closed; further messages of the client are ignored.
  } else if (socket_.got_text()) {
    const auto bytes = incoming_.cdata();
    if (bytes.size() >= Aside::kLong) {
      readAside(beast::buffers_to_string(bytes));
      incoming_.consume(incoming_.size());
      return incoming_.shrink_to_fit();
    }
    features_.follow({static_cast<const char*>(bytes.data()), bytes.size()});
  } else {
    client_.refuse({protocol::error_code::kMalformedJson,
                    {"A binary message was sent.",
                     "Send JSON as text; only the server sends binary frames."}});
  }
  incoming_.consume(incoming_.size());
  if (incoming_.capacity() > kKeptBuffer) incoming_.shrink_to_fit();
  read();
}

// The next message waits until this one has been followed.
void Session::readAside(std::string text) {
  hub_->aside().run(
      [self = shared_from_this(), text = std::move(text)] { return self->features_.read(text); },
      [self = shared_from_this()](const Features::Read& message) {
        self->hub_->aside().giveBackMemory();
        if (self->ended_) return;
        if (self->open_) self->features_.follow(message);
        self->read();
      });
}

void Session::write() {
  if (!open_) return;
  Outbox& outbox = client_.outbox();
  if (outbox.overflowed()) return close(websocket::close_code::policy_error, "reader too slow");
  if (!outbox.take(outgoing_)) return;
  socket_.binary(outgoing_.binary);
  socket_.async_write(boost::asio::buffer(outgoing_.bytes),
                      [self = shared_from_this()](ErrorCode error, std::size_t) {
                        if (error) return self->end();
                        self->client_.outbox().written();
                        if (self->client_.outbox().idle()) self->features_.tell(&Feature::drained);
                        self->write();
                      });
}

void Session::shutDown() { close(websocket::close_code::going_away, "the server ends"); }

void Session::close(websocket::close_code reasonCode, std::string_view reason) {
  if (!open_) return;
  open_ = false;
  log("closed: " + std::string(reason));
  client_.jobs().cancelAll();
  features_.tell(&Feature::closed);
  const websocket::close_reason told(reasonCode, beast::string_view(reason.data(), reason.size()));
  socket_.async_close(told, [self = shared_from_this()](ErrorCode) { self->end(); });
  closing_.expires_after(kGoodbye);
  closing_.async_wait([self = shared_from_this()](ErrorCode error) {
    if (!error) beast::get_lowest_layer(self->socket_).close();
  });
}

void Session::end() {
  if (ended_) return;
  ended_ = true;
  open_ = false;
  client_.jobs().cancelAll();
  for (const auto& model : hub_->models().all())
    if (model->engine()) model->engine()->clientLeft(client_.id());
  features_.tell(&Feature::ended);
  closing_.cancel();
  beast::get_lowest_layer(socket_).close();
  hub_->leave(this);
  log("ended");
}

void Session::log(const std::string& what) {
  hub_->log().line("session " + std::to_string(client_.id()) + " " + what);
}

}  // namespace waferpair::server
