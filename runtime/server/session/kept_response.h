// SPDX-License-Identifier: GPL-3.0-or-later
// The latest response of a connection that completed, which the next one may go on from.
#pragma once

#include <string>

#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/dialects/response_request.h"
#include "runtime/server/session/client.h"

namespace waferpair::server {

class KeptResponse {
 public:
  // Makes the prompt and the job of a request, going on from the kept response, or one that is
  // stored, where it says so.
  Checked<ReadyAnswer> ready(Client& client, const ResponseCreate& message,
                             inference::Clock::time_point received) const;
  // Keeps a response that has completed: its prompt, with what the model said.
  void keep(const std::string& id, ResponsePrompt prompt);
  // Forgets it, if it has this id.
  void forget(const std::string& id);

 private:
  std::string id_;         // empty: none is kept
  ResponsePrompt prompt_;  // with its output
};

}  // namespace waferpair::server
