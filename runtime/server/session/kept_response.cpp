// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/kept_response.h"

#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {

Checked<ReadyResponse> KeptResponse::ready(Client& client, const ResponseCreate& message,
                                           inference::Clock::time_point received) const {
  auto model = client.models().choose(message.model);
  if (!model) return tl::unexpected(model.error());
  if (const auto problem = client.jobs().refusal(**model)) return tl::unexpected(*problem);
  const bool follows = !message.previousResponseId.empty();
  if (follows && message.previousResponseId != id_)
    return reject({protocol::error_code::kPreviousResponseNotFound,
                   protocol::field::response_create::kPreviousResponseId,
                   {"Response " + message.previousResponseId + " is not kept.", remedy_}});
  auto prompt = responsePrompt(message, *(*model)->card(), follows ? &prompt_ : nullptr);
  if (!prompt) return tl::unexpected(prompt.error());
  auto job = generationRequest(message, *prompt, **model, received);
  if (!job) return tl::unexpected(job.error());
  return ReadyResponse{std::move(*model), std::move(*prompt), std::move(*job)};
}

void KeptResponse::keep(const ResponseStream& stream, ResponsePrompt prompt) {
  id_ = stream.id();
  prompt_ = std::move(prompt);
  // A warm-up has said nothing.
  if (stream.generates()) addOutput(prompt_, stream.output());
}

void KeptResponse::forget(const std::string& id) {
  if (id.empty() || id != id_) return;
  id_.clear();
  prompt_ = {};
}

}  // namespace waferpair::server
