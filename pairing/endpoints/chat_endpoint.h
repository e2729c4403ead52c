// SPDX-License-Identifier: GPL-3.0-or-later
// A model behind Chat Completions over server-sent events.
#pragma once

#include <QNetworkAccessManager>

#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

class ChatEndpoint : public Endpoint {
 public:
  explicit ChatEndpoint(EndpointAddress address, ReplyPatience patience = {});

  const EndpointAddress& address() const override { return address_; }
  std::unique_ptr<ModelReply> send(const ShownRequest& request) override;

 private:
  EndpointAddress address_;
  ReplyPatience patience_;
  std::shared_ptr<QNetworkAccessManager> network_;
};

}  // namespace waferpair::pairing
