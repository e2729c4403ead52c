// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the job of a request, and the prompt that its model reads: a text to go on with, or a
// conversation to answer.
#pragma once

#include <memory>
#include <optional>

#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/models.h"
#include "runtime/server/core/stored_responses.h"
#include "runtime/server/dialects/text_request.h"

namespace waferpair::server {

// A string is continued as it is, or is what the user says where there are tools. Messages are a
// conversation; a model that has no chat template gets their texts, joined with newlines, to
// continue. What `previous` is goes in front, with its own output in it; null: nothing. The problem
// names the field: a conversation, or tools, that the model's template cannot write.
Checked<ResponsePrompt> responsePrompt(const TextRequest& request, const inference::ModelCard& card,
                                       const ResponsePrompt* previous);

// The problem of a conversation that the model's chat template refuses.
Problem conversationProblem(const TextRequest& request, base::Error error);

// The number of tokens that the model reads of it.
Checked<std::size_t> promptTokens(const ResponsePrompt& prompt, const TextRequest& request,
                                  const inference::CompiledModel& model);

// The job that computes it. The problem names the field: a form of the text, or a tool's schema,
// that is not understood. The client is left to be filled in, and the grammar while the model is
// not in memory.
Checked<inference::GenerationRequest> generationRequest(const TextRequest& request,
                                                        const ResponsePrompt& prompt,
                                                        HostedModel& model,
                                                        inference::Clock::time_point received);

// A request that has been accepted, and not begun.
struct ReadyAnswer {
  std::shared_ptr<HostedModel> model;
  ResponsePrompt prompt;
  inference::GenerationRequest job;
};
// Chooses the model of a request that goes on from `previous` (null: from nothing), and makes its
// prompt and its job.
Checked<ReadyAnswer> readyAnswer(const Models& models, const TextRequest& request,
                                 const ResponsePrompt* previous,
                                 inference::Clock::time_point received);

// Fills in the grammar, now that the model is in memory, or reports how the job ends without.
std::optional<inference::JobReport> addGrammar(inference::GenerationRequest& job,
                                               const AnswerForm& request, HostedModel& model);

}  // namespace waferpair::server
