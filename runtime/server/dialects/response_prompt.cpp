// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_prompt.h"

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

using inference::ChatMessage;
using inference::ChatRole;

void addLine(std::string& joined, const std::string& text) {
  if (text.empty()) return;
  if (!joined.empty()) joined += '\n';
  joined += text;
}

}  // namespace

Checked<ResponsePrompt> responsePrompt(const ResponseCreate& request,
                                       const inference::ModelCard& card,
                                       const ResponsePrompt* previous) {
  namespace code = protocol::error_code;
  namespace field = protocol::field::response_create;
  const bool goesOnChatting = previous && !previous->messages.empty();
  const bool messages = !request.messages.empty();
  if (messages && card.chatProblem)
    return reject({code::kUnknownChatTemplate,
                   field::kInput,
                   {card.chatProblem->what,
                    card.chatProblem->remedy + " Or send input as a string: it is continued."}});
  ResponsePrompt prompt;
  if (goesOnChatting || (messages && card.chat)) {
    if (previous && !goesOnChatting)
      return reject({code::kInvalidField,
                     field::kInput,
                     {"input is a conversation, but the previous response continued a text.",
                      "Send a string, or leave previous_response_id out."}});
    if (!request.instructions.empty())
      prompt.messages.push_back({ChatRole::kSystem, request.instructions});
    if (previous)
      prompt.messages.insert(prompt.messages.end(), previous->messages.begin(),
                             previous->messages.end());
    if (!messages) prompt.messages.push_back({ChatRole::kUser, request.input});
    prompt.messages.insert(prompt.messages.end(), request.messages.begin(), request.messages.end());
    return prompt;
  }
  addLine(prompt.text, request.instructions);
  addLine(prompt.text, request.input);
  for (const ChatMessage& message : request.messages) addLine(prompt.text, message.text);
  if (previous) prompt.text.insert(0, previous->text);
  return prompt;
}

Checked<inference::GenerationRequest> generationRequest(const ResponseCreate& request,
                                                        const ResponsePrompt& prompt, Hub& hub,
                                                        inference::Clock::time_point received) {
  inference::SamplingOptions sampling = request.sampling;
  if (request.format.kind != OutputFormat::Kind::kText) {
    auto grammar = outputGrammar(request.format, hub.engine()->model().card(),
                                 !prompt.messages.empty(), hub.tokenTrie());
    if (!grammar) return tl::unexpected(grammar.error());
    sampling.grammar = std::move(*grammar);
  }
  inference::GenerationRequest job;
  job.prompt = prompt.text;
  job.chat = prompt.messages;
  job.limits = {.maxTokens = request.maxOutputTokens.value_or(inference::JobLimits::kUpToContext),
                .sampling = std::move(sampling),
                .stop = request.stop,
                .received = received,
                .speculation = request.speculation};
  return job;
}

void addOutput(ResponsePrompt& prompt, const std::string& output) {
  if (prompt.messages.empty())
    prompt.text += output;
  else
    prompt.messages.push_back({ChatRole::kAssistant, output});
}

}  // namespace waferpair::server
