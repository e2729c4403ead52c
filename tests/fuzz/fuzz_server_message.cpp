// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a message of a client; those that are document messages go on to the mirror.
#include <cstdint>
#include <cstdlib>

#include "runtime/server/core/events.h"
#include "runtime/server/session/client_message.h"
#include "runtime/server/session/documents.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace waferpair::server;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)parseResponseBody(text);
  auto message = parseMessage(text);
  if (!message) {
    const Rejection& rejection = message.error();
    const std::string told = errorEvent(rejection.problem, rejection.id, rejection.responseId);
    if (!Json::parse(told, nullptr, false).is_object()) std::abort();
    return 0;
  }
  Documents documents;
  (void)documents.open({"u", "", 0, "a\u00e9\n"});
  if (auto* open = std::get_if<DocumentOpen>(&*message)) (void)documents.open(std::move(*open));
  if (auto* change = std::get_if<DocumentChange>(&*message)) {
    change->uri = "u";
    (void)documents.change(*change);
    // The mirror stays well-formed UTF-8 whatever the edits were: else this throws.
    (void)Json((*documents.find("u"))->text).dump();
  }
  return 0;
}
