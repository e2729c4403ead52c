// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/responses_endpoint.h"

#include "pairing/endpoints/http_reply.h"
#include "pairing/endpoints/responses_format.h"
#include "pairing/endpoints/socket_reply.h"

namespace waferpair::pairing {

ResponsesEndpoint::ResponsesEndpoint(EndpointAddress address, Transport transport,
                                     ReplyPatience patience)
    : address_(std::move(address)),
      transport_(transport),
      patience_(patience),
      network_(networkFor(address_)),
      idle_(std::make_shared<IdleSocket>()) {}

std::unique_ptr<ModelReply> ResponsesEndpoint::send(const ModelRequest& request) {
  QJsonObject body = responsesBody(request, address_.model);
  if (transport_ == Transport::kWebSocket) {
    body.insert(u"type", QStringLiteral("response.create"));
    return std::make_unique<SocketReply>(idle_, address_, body, patience_);
  }
  body.insert(u"stream", true);
  return std::make_unique<HttpReply>(network_, address_, QStringLiteral("/responses"), body,
                                     std::make_unique<ResponsesDecoder>(), patience_);
}

}  // namespace waferpair::pairing
