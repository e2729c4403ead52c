// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/responses_endpoint.h"

#include "pairing/endpoints/http_reply.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/endpoints/responses_format.h"
#include "pairing/endpoints/socket_reply.h"

namespace waferpair::pairing {

ResponsesEndpoint::ResponsesEndpoint(EndpointAddress address, Transport transport,
                                     ReplyPatience patience)
    : address_(std::move(address)),
      transport_(transport),
      patience_(patience),
      network_(networkFor(address_.base)),
      idle_(std::make_shared<IdleSocket>()) {}

std::unique_ptr<ModelReply> ResponsesEndpoint::send(const ShownRequest& request) {
  QJsonObject body = responsesBody(*request, address_.model);
  wantProgress(&body, address_);
  body.insert(u"stream", true);
  const auto overEvents = [network = network_, address = address_, body, patience = patience_,
                           waitsOut = request->waitsOut] {
    return std::make_unique<HttpReply>(network, address, QStringLiteral("/responses"), body,
                                       std::make_unique<ResponsesDecoder>(), patience, waitsOut);
  };
  if (transport_ == Transport::kEvents || idle_->isRefused()) return overEvents();
  body.remove(u"stream");
  body.insert(u"type", QStringLiteral("response.create"));
  return std::make_unique<SocketReply>(idle_, address_, body, overEvents, patience_);
}

}  // namespace waferpair::pairing
