// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/response_prompt.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/inference/prompt/chat_program.h"
#include "runtime/inference/prompt/prompt.h"
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

// Says why the tools cannot be offered, or the calls in the conversation not be written.
std::optional<Problem> toolProblem(const TextRequest& request, const inference::ModelCard& card,
                                   const ResponsePrompt* previous) {
  if (card.tools) return std::nullopt;
  const auto callsIn = [](const std::vector<ChatMessage>& messages) {
    return std::ranges::any_of(messages, [](const ChatMessage& message) {
      return message.role == ChatRole::kTool || !message.calls.empty();
    });
  };
  const bool called = callsIn(request.messages) || (previous && callsIn(previous->messages));
  if (!called && !request.tools.mayCall()) return std::nullopt;
  const bool inTools = request.tools.mayCall();
  return Problem(protocol::error_code::kInvalidField,
                 inTools ? "tools" : std::string(request.names.input),
                 {card.name + " takes no " + (inTools ? "tools" : "calls of tools") +
                      ": it has no chat template that can be followed.",
                  "Use a model that has, or leave tools out."});
}

// What a model thinks ahead of a form. gpt-oss writes the form into its last channel.
std::optional<inference::Prelude> preludeOf(const inference::GenerationRequest& job,
                                            const inference::ModelCard& card) {
  if (job.chat.empty() || !card.thinking) return std::nullopt;
  if (card.thinking->channels)
    return inference::Prelude{.open = {}, .close = "<|channel|>final<|message|>"};
  const ChatMessage& last = job.chat.back();
  const bool goesOn = last.role == ChatRole::kAssistant && last.calls.empty();
  const bool isOpen =
      !goesOn && card.chatProgram && card.chatProgram->opensThinking(*card.thinking, job.variables);
  return inference::Prelude{.open = isOpen ? std::string() : card.thinking->open,
                            .close = card.thinking->close};
}

// The grammar that calls of tools keep to; null where the answer is free.
Checked<std::shared_ptr<const inference::TokenGrammar>> callGrammar(
    const inference::GenerationRequest& job, const AnswerForm& request,
    const inference::CompiledModel& model,
    const std::shared_ptr<const inference::TokenTrie>& trie) {
  const ToolFields& tools = request.tools;
  if (tools.mayCall() && request.format.kind != OutputFormat::Kind::kText)
    return reject(
        {protocol::error_code::kInvalidField,
         std::string(request.names.format),
         {std::string(request.names.format) + " cannot be kept where tools may be called.",
          "Leave out one of them, or send tool_choice none."}});
  std::vector<grammar::CallableTool> callable;
  for (const std::size_t index : tools.callable) {
    const inference::Tool& tool = tools.tools[index];
    callable.push_back({tool.name, tool.parameters, tool.strict});
  }
  const inference::ToolStyle style = *model.card().tools;
  auto grammar = grammar::toolCallGrammar(
      model.card().toolForm->syntax(), callable, tools.calls, tools.parallel,
      inference::chatStopString(model.tokenizer(), *model.card().chat));
  if (!grammar)
    return reject({protocol::error_code::kInvalidField,
                   tools.schemaFields[tools.callable[grammar.error().tool]], grammar.error()});
  // gpt-oss' calls are messages among its thoughts, as the grammar has them.
  std::optional<inference::Prelude> prelude;
  if (style != inference::ToolStyle::kHarmony) prelude = preludeOf(job, model.card());
  return std::make_shared<const inference::TokenGrammar>(inference::TokenGrammar{
      .grammar = std::move(*grammar),
      .trie = trie,
      .spelled = inference::toolMarkers(model.tokenizer(), *model.card().toolForm),
      .prelude = std::move(prelude)});
}

// The grammar that the job's answer keeps to; null where it is free. The model is ready.
Checked<std::shared_ptr<const inference::TokenGrammar>> grammarOf(
    const inference::GenerationRequest& job, const AnswerForm& request, HostedModel& model) {
  const bool formed = request.format.kind != OutputFormat::Kind::kText;
  if (!formed && job.tools.empty()) return nullptr;
  if (formed && !request.tools.mayCall())
    return outputGrammar(request.format, preludeOf(job, *model.card()), model.tokenTrie());
  return callGrammar(job, request, model.engine()->model(), model.tokenTrie());
}

}  // namespace

Checked<ResponsePrompt> responsePrompt(const TextRequest& request, const inference::ModelCard& card,
                                       const ResponsePrompt* previous) {
  namespace code = protocol::error_code;
  if (auto problem = toolProblem(request, card, previous)) return reject(std::move(*problem));
  const std::string input(request.names.input);
  const bool goesOnChatting = previous && !previous->messages.empty();
  const bool messages = !request.messages.empty() || request.tools.mayCall();
  if (messages && card.chatProblem)
    return reject({code::kUnknownChatTemplate,
                   input,
                   {card.chatProblem->what,
                    card.chatProblem->remedy + " Or send input as a string: it is continued."}});
  // Of Responses, what is sent in `input` is continued; in other dialects nobody means that.
  if (messages && !card.chat && input == "messages")
    return reject({code::kUnknownChatTemplate,
                   input,
                   {card.name + " has no chat template: it is a base model, which continues text "
                                "and was not made for conversations.",
                    "Use a model that follows instructions, or send the text to /v1/completions "
                    "to have it continued."}});
  ResponsePrompt prompt;
  if (goesOnChatting || (messages && card.chat)) {
    if (previous && !goesOnChatting)
      return reject({code::kInvalidField,
                     input,
                     {"input is a conversation, but the previous response continued a text.",
                      "Send a string, or leave previous_response_id out."}});
    prompt.instructions = request.instructions;
    if (previous)
      prompt.messages.insert(prompt.messages.end(), previous->messages.begin(),
                             previous->messages.end());
    if (request.messages.empty() && !request.input.empty())
      prompt.messages.push_back({ChatRole::kUser, request.input});
    prompt.messages.insert(prompt.messages.end(), request.messages.begin(), request.messages.end());
    if (prompt.messages.empty())
      prompt.messages.push_back({ChatRole::kSystem, std::exchange(prompt.instructions, {})});
    return prompt;
  }
  prompt.instructions = request.instructions;
  addLine(prompt.text, request.input);
  for (const ChatMessage& message : request.messages) addLine(prompt.text, message.text);
  if (previous) prompt.text.insert(0, previous->text);
  return prompt;
}

Problem conversationProblem(const TextRequest& request, base::Error error) {
  return {protocol::error_code::kInvalidField, std::string(request.names.input), std::move(error)};
}

Checked<std::size_t> promptTokens(const ResponsePrompt& prompt, const TextRequest& request,
                                  const inference::CompiledModel& model) {
  const inference::ModelCard& card = model.card();
  const tokenizer::Tokenizer& tokenizer = model.tokenizer();
  const std::vector<inference::Tool> none;
  if (!prompt.messages.empty()) {
    auto written = conversationPrompt(tokenizer, card.chatForm(), prompt.conversation(),
                                      card.tools ? request.tools.tools : none, request.variables);
    if (!written) return reject(conversationProblem(request, std::move(written.error())));
    return written->tokens.size();
  }
  const std::string text = prompt.wholeText();
  if (tokenizer.nextSpecial(text)) return inference::rawPrompt(tokenizer, text).size();
  return textPrompt(tokenizer, card.continuation(), text).size();
}

Checked<inference::GenerationRequest> generationRequest(const TextRequest& request,
                                                        const ResponsePrompt& prompt,
                                                        HostedModel& model,
                                                        inference::Clock::time_point received) {
  inference::GenerationRequest job;
  job.prompt = prompt.wholeText();
  job.chat = prompt.conversation();
  if (model.card()->tools && !job.chat.empty()) job.tools = request.tools.tools;
  job.maySpell = true;
  job.variables = request.variables;
  job.showsThinking = model.card()->thinking.has_value();
  job.limits = {.maxTokens = request.maxOutputTokens.value_or(inference::JobLimits::kUpToContext),
                .sampling = settled(request.sampling, *model.card()),
                .stop = request.stop,
                .received = received,
                .speculation = request.speculation,
                .endsLoops = !job.chat.empty(),
                .chances = request.chances};
  if (!model.engine()) return job;
  auto grammar = grammarOf(job, request, model);
  if (!grammar) return tl::unexpected(grammar.error());
  job.limits.sampling.grammar = std::move(*grammar);
  return job;
}

Checked<ReadyAnswer> readyAnswer(const Models& models, const TextRequest& request,
                                 const ResponsePrompt* previous,
                                 inference::Clock::time_point received) {
  auto model = models.choose(request.model);
  if (!model) return tl::unexpected(model.error());
  if (auto refusal = Models::refusal(**model)) return reject(std::move(*refusal));
  auto prompt = responsePrompt(request, *(*model)->card(), previous);
  if (!prompt) return tl::unexpected(prompt.error());
  auto job = generationRequest(request, *prompt, **model, received);
  if (!job) return tl::unexpected(job.error());
  return ReadyAnswer{std::move(*model), std::move(*prompt), std::move(*job)};
}

std::optional<inference::JobReport> addGrammar(inference::GenerationRequest& job,
                                               const AnswerForm& request, HostedModel& model) {
  if (job.limits.sampling.grammar) return std::nullopt;
  auto grammar = grammarOf(job, request, model);
  if (!grammar) {
    inference::JobReport report;
    report.reason = inference::StopReason::kGrammarStuck;
    report.error = grammar.error();
    return report;
  }
  job.limits.sampling.grammar = std::move(*grammar);
  return std::nullopt;
}

}  // namespace waferpair::server
