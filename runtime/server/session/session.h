// SPDX-License-Identifier: GPL-3.0-or-later
// Drives one WebSocket connection:
//
//   start()      accepts the upgrade and greets the client (session.ready), unless it is OpenAI's
//   read()       reads one message after another; the features follow each or refuse it
//   write()      writes what the outbox holds, one frame at a time
//   end()        ends the client's jobs: it left, fell silent for good, or the server ends
//
// The features (features.h) answer the requests. Everything happens with the server's baton.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/server/core/hub.h"
#include "runtime/server/session/client.h"
#include "runtime/server/session/features.h"

namespace waferpair::server {

class Session final : public std::enable_shared_from_this<Session>, private Hub::Member {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  // The request has been let in (access.h).
  Session(const std::shared_ptr<Commons>& commons, boost::beast::tcp_stream stream,
          Features::Kind kind);
  void start(const Request& upgrade);

 private:
  using ErrorCode = boost::system::error_code;

  void greet();
  void read();
  void onRead(ErrorCode error);
  void readAside(std::string text);
  void write();

  void modelChanged(HostedModel& model) override { features_.tell(&Feature::modelChanged, model); }
  void modelLoaded(HostedModel& model) override { features_.tell(&Feature::modelLoaded, model); }
  void modelLeaves(HostedModel& model) override { features_.tell(&Feature::modelLeaves, model); }
  void shadowChanged() override { features_.tell(&Feature::shadowChanged); }
  void workBegan(HostedModel& model) override { features_.tell(&Feature::workBegan, model); }
  void shutDown() override;
  void close(boost::beast::websocket::close_code code, std::string_view reason);
  void end();
  void log(const std::string& what);

  const std::shared_ptr<Hub> hub_;
  const Features::Kind kind_;
  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  boost::beast::flat_buffer incoming_;
  Outbox::Frame outgoing_;
  boost::asio::steady_timer closing_;  // a client that does not close in time is dropped
  bool open_ = true;                   // until close() or end()
  bool ended_ = false;
  Client client_;
  Features features_;
};

}  // namespace waferpair::server
