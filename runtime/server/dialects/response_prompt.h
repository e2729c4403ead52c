// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the prompt that a response's model reads: a text to go on with, or a conversation to
// answer.
#pragma once

#include <string>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/hub.h"
#include "runtime/server/dialects/response_request.h"

namespace waferpair::server {

// One of the two is empty.
struct ResponsePrompt {
  std::string text;
  std::vector<inference::ChatMessage> messages;
};

// A string is continued as it is. Messages are a conversation; a model that has no chat template
// gets their texts, joined with newlines, to continue. What `previous` is goes in front, with its
// own output in it; null: nothing. The problem names the field: a conversation in a template that
// is not known cannot be written.
Checked<ResponsePrompt> responsePrompt(const ResponseCreate& request,
                                       const inference::ModelCard& card,
                                       const ResponsePrompt* previous);

// The job that computes it. The problem names the field: a form of the text that is not understood.
// The client is left to be filled in.
Checked<inference::GenerationRequest> generationRequest(const ResponseCreate& request,
                                                        const ResponsePrompt& prompt, Hub& hub,
                                                        inference::Clock::time_point received);

// Adds what the model said.
void addOutput(ResponsePrompt& prompt, const std::string& output);

}  // namespace waferpair::server
