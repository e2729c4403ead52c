// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the job of a request, and the prompt that its model reads: a text to go on with, or a
// conversation to answer.
#pragma once

#include <string>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

// One of the two is empty.
struct ResponsePrompt {
  std::string text;
  std::vector<inference::ChatMessage> messages;
};

// A string is continued as it is, or is what the user says where there are tools. Messages are a
// conversation; a model that has no chat template gets their texts, joined with newlines, to
// continue. What `previous` is goes in front, with its own output in it; null: nothing. The problem
// names the field: a conversation, or tools, that the model's template cannot write.
Checked<ResponsePrompt> responsePrompt(const TextRequest& request, const inference::ModelCard& card,
                                       const ResponsePrompt* previous);

// The job that computes it. The problem names the field: a form of the text, or a tool's schema,
// that is not understood. The client is left to be filled in.
Checked<inference::GenerationRequest> generationRequest(const TextRequest& request,
                                                        const ResponsePrompt& prompt, Hub& hub,
                                                        inference::Clock::time_point received);

// Adds what the model said.
void addOutput(ResponsePrompt& prompt, inference::ChatMessage output);

}  // namespace waferpair::server
