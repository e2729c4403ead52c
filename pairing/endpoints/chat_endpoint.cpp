// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/chat_endpoint.h"

#include "pairing/endpoints/chat_format.h"
#include "pairing/endpoints/http_reply.h"
#include "pairing/endpoints/http_request.h"

namespace waferpair::pairing {

ChatEndpoint::ChatEndpoint(EndpointAddress address, ReplyPatience patience)
    : address_(std::move(address)), patience_(patience), network_(networkFor(address_.base)) {}

std::unique_ptr<ModelReply> ChatEndpoint::send(const ShownRequest& request) {
  QJsonObject body = chatBody(*request, address_.model);
  wantProgress(&body, address_);
  return std::make_unique<HttpReply>(network_, address_, QStringLiteral("/chat/completions"), body,
                                     std::make_unique<ChatDecoder>(), patience_, request->waitsOut);
}

}  // namespace waferpair::pairing
