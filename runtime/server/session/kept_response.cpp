// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/kept_response.h"

#include <utility>

#include "runtime/server/dialects/responses.h"

namespace waferpair::server {

Checked<ReadyAnswer> KeptResponse::ready(Client& client, const ResponseCreate& message,
                                         inference::Clock::time_point received) const {
  const ResponsePrompt* previous = nullptr;
  if (const std::string& id = message.previousResponseId; !id.empty()) {
    previous = id == id_ ? &prompt_ : client.hub().responses().promptOf(id);
    if (!previous) return reject(previousNotFound(id));
  }
  auto ready = readyAnswer(client.models(), message, previous, received);
  if (!ready) return ready;
  if (const auto problem = client.jobs().refusal(*ready->model)) return reject(*problem);
  return ready;
}

void KeptResponse::keep(const std::string& id, ResponsePrompt prompt) {
  id_ = id;
  prompt_ = std::move(prompt);
}

void KeptResponse::forget(const std::string& id) {
  if (id.empty() || id != id_) return;
  id_.clear();
  prompt_ = {};
}

}  // namespace waferpair::server
