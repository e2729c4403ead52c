// SPDX-License-Identifier: GPL-3.0-or-later
// A model that goes on with a text, over server-sent events.
#pragma once

#include <QNetworkAccessManager>

#include "pairing/endpoints/text_format.h"

namespace waferpair::pairing {

class TextEndpoint {
 public:
  explicit TextEndpoint(EndpointAddress address, ReplyPatience patience = {});

  const EndpointAddress& address() const { return address_; }
  // As Endpoint::send().
  std::unique_ptr<ModelReply> send(const Shown<TextRequest>& request);

 private:
  EndpointAddress address_;
  ReplyPatience patience_;
  std::shared_ptr<QNetworkAccessManager> network_;
};

}  // namespace waferpair::pairing
