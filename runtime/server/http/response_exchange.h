// SPDX-License-Identifier: GPL-3.0-or-later
// Answers POST /v1/responses: as one JSON object, or event by event (SSE). A client that hangs up
// cancels its response. With the server's baton.
#pragma once

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>
#include <string>

#include "runtime/server/core/hub.h"
#include "runtime/server/core/outbox.h"
#include "runtime/server/dialects/response_stream.h"

namespace waferpair::server {

class HttpConnection;

class ResponseExchange : public std::enable_shared_from_this<ResponseExchange> {
 public:
  ResponseExchange(std::shared_ptr<HttpConnection> connection, std::shared_ptr<Hub> hub);

  void start(const std::string& body, inference::Clock::time_point received, bool keepAlive);

 private:
  using ErrorCode = boost::system::error_code;

  void writeHeader();
  void write();
  void onEnded(const inference::JobReport& report);
  void watchForHangUp();
  void finish(bool keepAlive);

  std::shared_ptr<HttpConnection> connection_;  // until finish()
  std::shared_ptr<Hub> hub_;
  inference::JobId job_ = 0;
  bool stream_ = false;
  bool keepAlive_ = false;
  bool ended_ = false;  // the job's last event is in the outbox
  Outbox outbox_;
  Outbox::Frame outgoing_;
  boost::beast::http::response<boost::beast::http::empty_body> header_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::empty_body>>
      serializer_;
  std::optional<ResponseStream> response_;
};

}  // namespace waferpair::server
