// SPDX-License-Identifier: GPL-3.0-or-later
// The latest response of a connection that completed, which the next one may go on from, and how a
// response is made ready to be computed.
#pragma once

#include <memory>
#include <string>

#include "runtime/server/dialects/response_prompt.h"
#include "runtime/server/dialects/response_stream.h"
#include "runtime/server/session/client.h"

namespace waferpair::server {

// A response that has been accepted, and not begun.
struct ReadyResponse {
  std::shared_ptr<HostedModel> model;
  ResponsePrompt prompt;
  inference::GenerationRequest job;
};

class KeptResponse {
 public:
  // `remedy`: what a client is told that names another one.
  explicit KeptResponse(std::string remedy) : remedy_(std::move(remedy)) {}

  // Makes the prompt and the job of a request, going on from the kept response where it says so.
  Checked<ReadyResponse> ready(Client& client, const ResponseCreate& message,
                               inference::Clock::time_point received) const;
  // Keeps a response that has completed: its prompt, and what the model said.
  void keep(const ResponseStream& stream, ResponsePrompt prompt);
  // Forgets it, if it has this id.
  void forget(const std::string& id);

 private:
  std::string remedy_;
  std::string id_;         // empty: none is kept
  ResponsePrompt prompt_;  // with its output
};

}  // namespace waferpair::server
