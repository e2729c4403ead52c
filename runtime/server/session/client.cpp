// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/client.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {

void Client::tell(std::string_view type, Json event) {
  event[protocol::field::message::kType.name] = type;
  outbox_.push(type, dump(event));
}

void Client::refuse(const Problem& problem, const Json& id, const std::string& responseId) {
  if (!openAiErrors_)
    return outbox_.push(protocol::event::kError, errorEvent(problem, id, responseId));
  const int status = httpStatus(problem);
  tell(protocol::event::kError,
       {{"status", status}, {protocol::field::error::kError, openAiError(problem, status >= 500)}});
}

}  // namespace waferpair::server
