// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/stored_answers.h"

#include <string>
#include <string_view>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

constexpr std::string_view kFolder = "/v1/responses/";
constexpr std::string_view kCancel = "/cancel";

std::string idIn(const Exchange& exchange) {
  return std::string(exchange.path().substr(kFolder.size()));
}

void refuseUnknown(Exchange& exchange, const std::string& id) {
  exchange.fail({protocol::http_error_code::kNotFound,
                 "id",
                 {"Response with id '" + id.substr(0, 256) + "' not found.",
                  "A response is kept for an hour where it was to be stored, and as long as there "
                  "is room for "
                  "it in the KV caches' memory (--kv-memory)."}});
}

// A path below a response, of which only one is served.
void refusePath(Exchange& exchange, std::string_view method) {
  exchange.fail({protocol::http_error_code::kNotFound,
                 {std::string(method) + " " + std::string(exchange.path().substr(0, 256)) +
                      " is not served here.",
                  "See docs/protocol.md for what is."}});
}

void tell(Exchange& exchange, const std::string& id) {
  const Json found = exchange.hub()->responses().find(id);
  if (found.is_null()) return refuseUnknown(exchange, id);
  exchange.json(found);
}

}  // namespace

void answerStoredResponse(const std::shared_ptr<Exchange>& exchange) {
  const std::string id = idIn(*exchange);
  if (id.find('/') != id.npos) return refusePath(*exchange, "GET");
  tell(*exchange, id);
}

void answerResponseCancel(const std::shared_ptr<Exchange>& exchange) {
  std::string id = idIn(*exchange);
  if (!id.ends_with(kCancel)) return refusePath(*exchange, "POST");
  id.resize(id.size() - kCancel.size());
  StoredResponses& responses = exchange->hub()->responses();
  LiveResponse* const live = responses.underWay(id);
  if (!live) return tell(*exchange, id);
  // Whoever deletes it meanwhile leaves nothing to tell.
  responses.whenEnded(id, [exchange, id](const Json& object) {
    if (object.is_null()) return refuseUnknown(*exchange, id);
    exchange->json(object);
  });
  live->cancel();
}

void answerResponseDelete(const std::shared_ptr<Exchange>& exchange) {
  const std::string id = idIn(*exchange);
  if (id.find('/') != id.npos) return refusePath(*exchange, "DELETE");
  if (!exchange->hub()->responses().forget(id)) return refuseUnknown(*exchange, id);
  exchange->json({{"id", id}, {"object", "response"}, {"deleted", true}});
}

}  // namespace waferpair::server
