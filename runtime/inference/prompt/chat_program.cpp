// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/chat_program.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <utility>

#include "runtime/gguf/file.h"
#include "runtime/inference/prompt/derived_calls.h"
#include "runtime/inference/prompt/generic_tools.h"
#include "runtime/inference/prompt/prompt_json.h"
#include "runtime/inference/prompt/prompt_writer.h"
#include "runtime/inference/prompt/tool_prompt.h"
#include "runtime/jinja/json_value.h"

namespace waferpair::inference {
namespace {

using jinja::Dict;
using jinja::Origin;
using jinja::Value;

// Texts that a trial looks for in what is rendered; an id is of a form that all templates take.
constexpr const char* kNeedle = "needle7text";
constexpr const char* kNeedleKey = "needle7key";
constexpr const char* kNeedleTool = "needle7tool";
constexpr const char* kNeedleResult = "needle7result";
constexpr const char* kNeedleId = "needle7id";

Value said(const std::string& text) { return Value::text(text, Origin::kMessage); }

std::string_view roleName(ChatRole role) {
  switch (role) {
    case ChatRole::kSystem:
      return "system";
    case ChatRole::kUser:
      return "user";
    case ChatRole::kAssistant:
      return "assistant";
    case ChatRole::kTool:
      break;
  }
  return "tool";
}

// How a conversation is told to a template.
struct Telling {
  bool argumentsAsText = false;
  bool shortIds = false;  // of calls: as Mistral's models know them
  bool wholeTools = false;
};

std::string toldId(const std::string& id, const Telling& telling) {
  return telling.shortIds ? mistralId(id) : id;
}

Value callsValue(std::span<const ToolCall> calls, const Telling& telling) {
  std::vector<Value> all;
  for (const ToolCall& call : calls) {
    std::optional<Value> arguments;
    if (!telling.argumentsAsText) arguments = jinja::valueOfJson(call.arguments);
    Dict function;
    function.set("name", said(call.name));
    function.set("arguments", arguments ? *arguments : said(call.arguments));
    Dict told;
    told.set("id", said(toldId(call.id, telling)));
    told.set("type", Value::text("function"));
    told.set("function", Value::dict(std::move(function)));
    all.push_back(Value::dict(std::move(told)));
  }
  return Value::list(std::move(all));
}

Value messagesValue(std::span<const ChatMessage> messages, const Telling& telling) {
  std::map<std::string_view, std::string_view> toolOf;  // by the id of its call
  std::vector<Value> all;
  for (const ChatMessage& message : messages) {
    Dict told;
    told.set("role", Value::text(std::string(roleName(message.role))));
    told.set("content", said(message.text));
    if (!message.thinking.empty()) {
      told.set("reasoning_content", said(message.thinking));
      // gpt-oss' own name for it, which may not stand beside a text where tools are called.
      if (message.calls.empty() || message.text.empty())
        told.set("thinking", said(message.thinking));
    }
    if (!message.calls.empty()) told.set("tool_calls", callsValue(message.calls, telling));
    for (const ToolCall& call : message.calls) toolOf.insert_or_assign(call.id, call.name);
    if (message.role == ChatRole::kTool) {
      told.set("tool_call_id", said(toldId(message.callId, telling)));
      if (const auto tool = toolOf.find(message.callId); tool != toolOf.end())
        told.set("name", said(std::string(tool->second)));
    }
    all.push_back(Value::dict(std::move(told)));
  }
  return Value::list(std::move(all));
}

// `whole`: with empty texts where a tool has no description, or parameters, which some templates
// read whether or not they are there.
Value toolsValue(std::span<const Tool> tools, bool whole) {
  if (tools.empty()) return Value::none();
  std::vector<Value> all;
  for (const Tool& tool : tools) {
    OrderedJson told = toolJson(tool);
    OrderedJson& function = told["function"];
    if (whole && !function.contains("description")) function["description"] = "";
    if (whole && !function.contains("parameters"))
      function["parameters"] = {{"type", "object"}, {"properties", OrderedJson::object()}};
    all.push_back(jinja::valueOfJson(dumped(told)).value_or(Value::none()));
  }
  return Value::list(std::move(all));
}

// What transformers gives a template, but for the names of special tokens.
Dict variablesOf(std::span<const ChatMessage> messages, std::span<const Tool> tools,
                 const Telling& telling) {
  Dict variables;
  variables.set("messages", messagesValue(messages, telling));
  variables.set("tools", toolsValue(tools, telling.wholeTools));
  variables.set("documents", Value::none());
  variables.set("add_generation_prompt", Value::boolean(true));
  return variables;
}

void addVariables(Dict& variables, std::span<const TemplateVariable> added) {
  for (const TemplateVariable& variable : added)
    variables.set(variable.name, jinja::valueOfJson(variable.json).value_or(Value::none()));
}

// What stands in front of the end of the last message. It is the assistant's, and has a text.
jinja::Text upToLastMessage(const jinja::Text& rendered) {
  std::size_t end = rendered.size();
  while (end > 0 && rendered.originAt(end - 1) == Origin::kTemplate) --end;
  return rendered.part(0, end);
}

bool goesOn(std::span<const ChatMessage> messages) {
  return !messages.empty() && messages.back().role == ChatRole::kAssistant &&
         messages.back().calls.empty() && !messages.back().text.empty();
}

void addSpecialTokens(Dict& variables, const tokenizer::Tokenizer& tokenizer) {
  const tokenizer::SpecialIds& ids = tokenizer.special();
  const std::pair<const char*, std::int32_t> tokens[] = {{"bos_token", ids.bos},
                                                         {"eos_token", ids.eos},
                                                         {"unk_token", ids.unk},
                                                         {"pad_token", ids.pad}};
  for (const auto& [name, id] : tokens) {
    const bool writes =
        std::string_view(name) == "bos_token" || std::string_view(name) == "eos_token";
    if (id >= 0)
      variables.set(name, Value::text(std::string(tokenizer.name(id))));
    else if (writes)
      variables.set(name, Value::text(""));
  }
}

// Without a vocabulary.
Dict trialVariables(std::span<const ChatMessage> messages, std::span<const Tool> tools,
                    const Telling& telling) {
  Dict variables = variablesOf(messages, tools, telling);
  for (const char* name : {"bos_token", "eos_token"}) variables.set(name, Value::text(""));
  return variables;
}

std::tm localNow() {
  const std::time_t seconds = std::time(nullptr);
  std::tm now{};
  localtime_r(&seconds, &now);
  return now;
}

// The needle is there, and not as the programming language would write a value that holds it, nor
// as text inside of a text.
bool isWritten(const std::string& rendered, std::string_view needle) {
  for (std::size_t at = 0; (at = rendered.find(needle, at)) != std::string::npos; ++at) {
    const bool quoted = at > 0 && rendered[at - 1] == '\'';
    const bool escaped = at > 1 && rendered[at - 1] == '"' && rendered[at - 2] == '\\';
    if (!quoted && !escaped) return true;
  }
  return false;
}

}  // namespace

base::Result<std::shared_ptr<const ChatProgram>> ChatProgram::read(const gguf::File& file) {
  const auto source = file.string("tokenizer.chat_template");
  if (!source) return tl::unexpected(source.error());
  auto program = jinja::Template::parse(*source);
  if (!program)
    return base::fail(file.name() + ": " + program.error().what, program.error().remedy);
  std::shared_ptr<ChatProgram> made(new ChatProgram(std::move(*program), std::string(*source)));
  const ChatMessage talk[] = {{ChatRole::kUser, kNeedle}};
  const auto rendered =
      made->program_.render([&] { return trialVariables(talk, {}, {}); }, localNow());
  if (!rendered)
    return base::fail(file.name() + ": " + rendered.error().what, rendered.error().remedy);
  if (!isWritten(rendered->bytes(), kNeedle))
    return base::fail(file.name() + ": tokenizer.chat_template does not write what the user says.",
                      "Use a file whose tokenizer.chat_template is as its model was published.");
  made->tryTools();
  return made;
}

void ChatProgram::tryTools() {
  const Tool tools[] = {{.name = kNeedleTool,
                         .description = "It looks.",
                         .parameters = R"({"type": "object", "properties": {}})"}};
  const ChatMessage talk[] = {
      {ChatRole::kUser, kNeedle},
      {.role = ChatRole::kAssistant,
       .calls = {{.id = kNeedleId,
                  .name = kNeedleTool,
                  .arguments = "{\"" + std::string(kNeedleKey) + "\": \"value\"}"}}},
      {.role = ChatRole::kTool, .text = kNeedleResult, .callId = kNeedleId}};
  const auto rendered = [&](std::span<const ChatMessage> messages, const Telling& telling) {
    const auto text =
        program_.render([&] { return trialVariables(messages, tools, telling); }, localNow());
    return text ? text->bytes() : std::string();
  };
  listsTools_ = rendered({talk, 1}, {}).find(kNeedleTool) != std::string::npos;
  for (const bool asText : {false, true}) {
    const std::string text = rendered(talk, {.argumentsAsText = asText});
    writesCalls_ = isWritten(text, kNeedleKey) && text.find(kNeedleResult) != std::string::npos;
    argumentsAsText_ = asText;
    if (writesCalls_) return;
  }
}

base::Result<std::vector<std::int32_t>> ChatProgram::prompt(
    const tokenizer::Tokenizer& tokenizer, std::optional<ToolStyle> toolStyle,
    std::span<const ChatMessage> messages, std::span<const Tool> tools,
    std::span<const TemplateVariable> added) const {
  const char* remedy = "Leave them out, or use a model whose template has them.";
  // Tools that it does not list are told of in words; calls of them it writes itself.
  std::vector<ChatMessage> listed;
  if (!tools.empty() && !listsTools_) {
    const auto calls = derivedCalls();
    if (!calls) return base::fail("The chat template writes no tools.", remedy);
    listed = withListedTools(messages, tools, *calls);
    messages = listed;
    tools = {};
  }
  bool called = false;
  for (const ChatMessage& message : messages)
    called = called || message.role == ChatRole::kTool || !message.calls.empty();
  if (called && !writesCalls_)
    return base::fail("The chat template writes no calls of tools, or not what they are for.",
                      remedy);
  const bool isMistral = toolStyle == ToolStyle::kMistral || toolStyle == ToolStyle::kMistral7 ||
                         source_.find("[TOOL_CALLS]") != std::string::npos;
  Telling telling = {.argumentsAsText = argumentsAsText_, .shortIds = isMistral};
  const auto render = [&] {
    return program_.render(
        [&] {
          Dict variables = variablesOf(messages, tools, telling);
          addSpecialTokens(variables, tokenizer);
          addVariables(variables, added);
          if (goesOn(messages)) variables.set("add_generation_prompt", Value::boolean(false));
          return variables;
        },
        localNow());
  };
  auto rendered = render();
  if (!rendered && !tools.empty()) {
    telling.wholeTools = true;
    rendered = render();
  }
  if (!rendered) return tl::unexpected(rendered.error());
  if (goesOn(messages)) *rendered = upToLastMessage(*rendered);
  PromptWriter prompt(tokenizer);
  const std::string_view bos = tokenizer.name(tokenizer.special().bos);
  const bool begins =
      !bos.empty() && rendered->bytes().starts_with(bos) && !rendered->isForeign(0, bos.size());
  if (tokenizer.addsBos() && !begins) prompt.write("{bos}");
  prompt.rendered(*rendered, source_);
  return prompt.take();
}

std::optional<DerivedCalls> ChatProgram::derivedCalls() const {
  if (!writesCalls_) return std::nullopt;
  const auto render = [&](std::span<const ChatMessage> messages, std::span<const Tool> tools,
                          bool begins) {
    const auto text = program_.render(
        [&] {
          Dict variables = trialVariables(messages, tools, {.argumentsAsText = argumentsAsText_});
          variables.set("add_generation_prompt", Value::boolean(begins));
          return variables;
        },
        localNow());
    return text ? text->bytes() : std::string();
  };
  return deriveCalls(render, readThinkingTags(source_));
}

bool ChatProgram::opensThinking(const ThinkingTags& tags,
                                std::span<const TemplateVariable> added) const {
  const ChatMessage talk[] = {{ChatRole::kUser, kNeedle}};
  const auto rendered = program_.render(
      [&] {
        Dict variables = trialVariables(talk, {}, {});
        addVariables(variables, added);
        return variables;
      },
      localNow());
  return rendered && endsInThinking(rendered->bytes(), tags);
}

namespace {

// The same conversation for templates that want turns to alternate, and a system message in front
// or none: later system messages are said by the user, and so is the first with `noSystem`; what
// one side says at a stretch is one message.
std::vector<ChatMessage> alternating(std::span<const ChatMessage> messages, bool noSystem) {
  std::vector<ChatMessage> turns;
  for (ChatMessage message : messages) {
    if (message.role == ChatRole::kSystem && (noSystem || !turns.empty()))
      message.role = ChatRole::kUser;
    const bool goesOn = !turns.empty() && turns.back().role == message.role &&
                        message.role != ChatRole::kTool && turns.back().calls.empty();
    if (!goesOn) {
      turns.push_back(std::move(message));
      continue;
    }
    std::string& text = turns.back().text;
    if (!text.empty() && !message.text.empty()) text += "\n\n";
    text += message.text;
    turns.back().calls = std::move(message.calls);
  }
  return turns;
}

}  // namespace

base::Result<ConversationPrompt> conversationPrompt(const tokenizer::Tokenizer& tokenizer,
                                                    const ChatForm& form,
                                                    std::span<const ChatMessage> messages,
                                                    std::span<const Tool> tools,
                                                    std::span<const TemplateVariable> variables) {
  if (form.tools == ToolStyle::kGeneric) {
    ChatForm plain = form;
    plain.tools.reset();
    return conversationPrompt(tokenizer, plain, withGenericTools(messages, tools), {}, variables);
  }
  std::optional<base::Error> reason;
  if (form.program) {
    auto prompt = form.program->prompt(tokenizer, form.tools, messages, tools, variables);
    if (prompt) return ConversationPrompt{std::move(*prompt), std::nullopt};
    reason = std::move(prompt.error());
    for (const bool noSystem : {false, true}) {
      prompt = form.program->prompt(tokenizer, form.tools, alternating(messages, noSystem), tools,
                                    variables);
      if (prompt) return ConversationPrompt{std::move(*prompt), std::nullopt};
    }
    // Only the template itself writes calls in a form that was derived from it.
    if (form.style == ChatStyle::kOwn || form.tools == ToolStyle::kDerived)
      return tl::unexpected(std::move(*reason));
  }
  return ConversationPrompt{chatPrompt(tokenizer, form.style, messages, form.tools, tools),
                            std::move(reason)};
}

}  // namespace waferpair::inference
