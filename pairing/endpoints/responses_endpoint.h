// SPDX-License-Identifier: GPL-3.0-or-later
// A model behind the Responses API, over server-sent events or over a WebSocket, which saves each
// request but the first the time to connect. A server that asks for another protocol than
// WebSockets (426) gets this request and all later ones over events.
#pragma once

#include <QNetworkAccessManager>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

class IdleSocket;

class ResponsesEndpoint : public Endpoint {
 public:
  enum class Transport { kEvents, kWebSocket };

  ResponsesEndpoint(EndpointAddress address, Transport transport, ReplyPatience patience = {});

  const EndpointAddress& address() const override { return address_; }
  std::unique_ptr<ModelReply> send(const ShownRequest& request) override;

 private:
  EndpointAddress address_;
  Transport transport_;
  ReplyPatience patience_;
  std::shared_ptr<QNetworkAccessManager> network_;
  std::shared_ptr<IdleSocket> idle_;
};

}  // namespace waferpair::pairing
