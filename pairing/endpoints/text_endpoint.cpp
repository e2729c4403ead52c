// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/text_endpoint.h"

#include <utility>

#include "pairing/endpoints/http_reply.h"
#include "pairing/endpoints/http_request.h"

namespace waferpair::pairing {

TextEndpoint::TextEndpoint(EndpointAddress address, ReplyPatience patience)
    : address_(std::move(address)), patience_(patience), network_(networkFor(address_.base)) {}

std::unique_ptr<ModelReply> TextEndpoint::send(const Shown<TextRequest>& request) {
  return std::make_unique<HttpReply>(network_, address_, QStringLiteral("/completions"),
                                     textBody(*request, address_.model),
                                     std::make_unique<TextDecoder>(), patience_);
}

}  // namespace waferpair::pairing
