// SPDX-License-Identifier: GPL-3.0-or-later
// The messages as each style of chat template writes them. Sources: the templates in the models'
// own tokenizer files, Mistral's cookbook (tokenization), OpenAI's guide to harmony.
#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <utility>

#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/prompt/prompt_writer.h"
#include "runtime/inference/prompt/tool_prompt.h"

namespace waferpair::inference {
namespace {

struct Style {
  ChatStyle style;
  std::string_view name;
  // In front of everything, behind the beginning of text. Its text is what tools add.
  Pattern opening;
  Pattern turn;       // where a system message has no turn of its own: in front of the user's
  Pattern system;     // each message, by role
  Pattern user;       //
  Pattern assistant;  //
  Pattern answer;     // the beginning of the assistant's next message
  // The text that ends that message, unless it is the end of text. Vocabularies may lack such a
  // token.
  std::string_view end;
};

constexpr Style kStyles[] = {
    {ChatStyle::kChatMl, "chatml", "", "", "{<|im_start|>}system\n{text}{<|im_end|>}\n",
     "{<|im_start|>}user\n{text}{<|im_end|>}\n", "{<|im_start|>}assistant\n{text}{<|im_end|>}\n",
     "{<|im_start|>}assistant\n", "<|im_end|>"},
    {ChatStyle::kLlama3, "llama3", "", "",
     "{<|start_header_id|>}system{<|end_header_id|>}\n\n{trimmed}{<|eot_id|>}",
     "{<|start_header_id|>}user{<|end_header_id|>}\n\n{trimmed}{<|eot_id|>}",
     "{<|start_header_id|>}assistant{<|end_header_id|>}\n\n{trimmed}{<|eot_id|>}",
     "{<|start_header_id|>}assistant{<|end_header_id|>}\n\n", "<|eot_id|>"},
    {ChatStyle::kLlama2, "llama2", "", "{[INST]} ", "<<SYS>>\n{text}\n<</SYS>>\n\n",
     "{trimmed} {[/INST]}", " {trimmed} {eos}{bos}", "", ""},
    // The next three differ only in where the blanks are.
    {ChatStyle::kMistral1, "mistral-v1", "", "{gap}{[INST]} ", "{text}\n\n", "{text} {[/INST]}",
     " {trimmed}{eos}", "", ""},
    {ChatStyle::kMistral3, "mistral-v3", "", "{[INST]} ", "{text}\n\n", "{text}{[/INST]}",
     " {trimmed}{eos}", "", ""},
    {ChatStyle::kMistralTekken, "mistral-v3-tekken", "", "{[INST]}", "{text}\n\n",
     "{text}{[/INST]}", "{trimmed}{eos}", "", ""},
    {ChatStyle::kMistral7, "mistral-v7", "", "",
     "{[SYSTEM_PROMPT]}{spaced}{text}{[/SYSTEM_PROMPT]}", "{[INST]}{spaced}{text}{[/INST]}",
     "{spaced}{text}{eos}", "", ""},
    {ChatStyle::kDeepseekCoder, "deepseek-coder", "", "", "{text}", "### Instruction:\n{text}\n",
     "### Response:\n{text}\n{<|EOT|>}\n", "### Response:\n", "<|EOT|>"},
    {ChatStyle::kDeepseek2, "deepseek-v2", "", "", "{text}\n\n", "User: {text}\n\n",
     "Assistant: {text}{eos}", "Assistant:", ""},
    {ChatStyle::kDeepseek3, "deepseek-v3", "", "", "{text}", "{<｜User｜>}{text}",
     "{<｜Assistant｜>}{text}{eos}", "{<｜Assistant｜>}", ""},
    {ChatStyle::kGemma, "gemma", "", "{<start_of_turn>}user\n", "{trimmed}\n\n",
     "{trimmed}{<end_of_turn>}\n", "{<start_of_turn>}model\n{trimmed}{<end_of_turn>}\n",
     "{<start_of_turn>}model\n", "<end_of_turn>"},
    // The model expects to be told its channels; the rest of the opening is as it was trained.
    {ChatStyle::kHarmony, "harmony",
     "{<|start|>}system{<|message|>}You are ChatGPT, a large language model trained by OpenAI.\n"
     "Knowledge cutoff: 2024-06\n\nReasoning: medium\n\n# Valid channels: analysis, commentary, "
     "final. Channel must be included for every message.{text}{<|end|>}",
     "", "{<|start|>}developer{<|message|>}# Instructions\n\n{text}{<|end|>}",
     "{<|start|>}user{<|message|>}{text}{<|end|>}",
     "{<|start|>}assistant{<|channel|>}final{<|message|>}{text}{<|end|>}", "{<|start|>}assistant",
     "<|return|>"},
    {ChatStyle::kOwn, "own", "", "", "{text}", "{text}", "{text}", "", ""},
};

// The heading of a system message, which one without text does without.
constexpr std::string_view kInstructions = "# Instructions\n\n";

const Style& styleOf(ChatStyle style) { return kStyles[static_cast<std::size_t>(style)]; }

constexpr bool inOrder() {
  for (std::size_t i = 0; i < std::size(kStyles); ++i)
    if (static_cast<std::size_t>(kStyles[i].style) != i) return false;
  return true;
}
static_assert(inOrder(), "a row for each ChatStyle, in order");

// Writes a conversation message by message.
class Conversation {
 public:
  Conversation(const tokenizer::Tokenizer& tokenizer, const Style& style,
               std::optional<ToolStyle> toolStyle, std::span<const Tool> tools)
      : prompt_(tokenizer), style_(style), toolStyle_(toolStyle), tools_(tools) {
    if (tokenizer.addsBos()) prompt_.write("{bos}");
    prompt_.write(style.opening, tools.empty() ? std::string_view() : openingNote(*toolStyle));
  }

  std::vector<std::int32_t> write(std::span<const ChatMessage> messages) {
    const std::size_t lastTurn = beginningOfLastTurn(messages);
    const bool hasSystem = !messages.empty() && messages.front().role == ChatRole::kSystem;
    if (!tools_.empty() && !hasSystem && !lists(ToolsPlace::kAtLastTurn)) writeSystem("");
    for (std::size_t i = 0; i < messages.size();) {
      const ChatMessage& message = messages[i];
      if (i == lastTurn && lists(ToolsPlace::kAtLastTurn)) writeToolList(/*behindText=*/false);
      if (message.role == ChatRole::kTool) {
        i += writeResultsOf(messages.subspan(i));
        continue;
      }
      ++i;
      if (message.role == ChatRole::kAssistant) {
        writeAssistant(message);
        continue;
      }
      if (!inTurn_) prompt_.write(style_.turn);
      inTurn_ = message.role == ChatRole::kSystem;
      if (inTurn_)
        writeSystem(message.text);
      else
        writeUser(message.text);
    }
    closeTurn();
    if (lists(ToolsPlace::kInFirstUser)) writeUser("");
    prompt_.write(style_.answer);
    return prompt_.take();
  }

 private:
  // The tools are still to be listed, and have their place there.
  bool lists(ToolsPlace place) const {
    return !listed_ && !tools_.empty() && toolsPlace(*toolStyle_) == place;
  }
  void writeToolList(bool behindText) {
    writeTools(prompt_, *toolStyle_, tools_, behindText);
    listed_ = true;
  }

  // The index of the user's last message, or of the system messages that are written into it.
  std::size_t beginningOfLastTurn(std::span<const ChatMessage> messages) const {
    std::size_t at = messages.size();
    while (at > 0 && messages[at - 1].role != ChatRole::kUser) --at;
    if (at == 0) return 0;
    --at;
    while (!style_.turn.empty() && at > 0 && messages[at - 1].role == ChatRole::kSystem) --at;
    return at;
  }

  void writeSystem(std::string_view text) {
    if (!lists(ToolsPlace::kBehindSystem) && (tools_.empty() || systemTold_))
      return prompt_.write(style_.system, text);
    auto [before, message, behind] = aroundMessage(style_.system);
    if (text.empty() && before.ends_with(kInstructions)) before.remove_suffix(kInstructions.size());
    prompt_.write(before);
    if (!std::exchange(systemTold_, true)) prompt_.text(systemOpening(*toolStyle_));
    prompt_.write(message, text);
    if (lists(ToolsPlace::kBehindSystem)) writeToolList(/*behindText=*/!text.empty());
    prompt_.write(behind);
  }

  void writeUser(std::string_view text) {
    if (!lists(ToolsPlace::kInFirstUser)) return prompt_.write(style_.user, text);
    const auto [before, message, behind] = aroundMessage(style_.user);
    prompt_.write(before);
    writeToolList(/*behindText=*/false);
    prompt_.write(message, text);
    prompt_.write(behind);
  }

  void writeAssistant(const ChatMessage& message) {
    closeTurn();
    if (message.calls.empty()) return prompt_.write(style_.assistant, message.text);
    assert(toolStyle_);
    const std::span<const ToolCall> calls = message.calls;
    for (const ToolCall& call : calls) toolOf_.insert_or_assign(call.id, call.name);
    if (const Pattern text = textInFrontOfCalls(*toolStyle_); !text.empty()) {
      if (!message.text.empty()) prompt_.write(text, message.text);
      return writeCalls(prompt_, *toolStyle_, calls);
    }
    if (!oneCallPerMessage(*toolStyle_)) return writeCallMessage(message.text, calls);
    if (!message.text.empty()) prompt_.write(style_.assistant, message.text);
    for (std::size_t i = 0; i < calls.size(); ++i) writeCallMessage("", calls.subspan(i, 1));
  }

  void writeCallMessage(std::string_view text, std::span<const ToolCall> calls) {
    const auto [before, message, behind] = aroundMessage(style_.assistant);
    // Without text there is no space for it either.
    const bool markerFirst = toolsPlace(*toolStyle_) == ToolsPlace::kAtLastTurn;
    if (!markerFirst || !text.empty()) prompt_.write(before);
    prompt_.write(message, text);
    if (!text.empty()) prompt_.text(betweenTextAndCalls(*toolStyle_));
    writeCalls(prompt_, *toolStyle_, calls);
    prompt_.write(behind);
  }

  // Returns how many of the messages were results.
  std::size_t writeResultsOf(std::span<const ChatMessage> messages) {
    closeTurn();
    assert(toolStyle_);
    std::vector<ToolResult> results;
    for (const ChatMessage& message : messages) {
      if (message.role != ChatRole::kTool) break;
      const auto tool = toolOf_.find(message.callId);
      results.push_back({message.callId, tool == toolOf_.end() ? std::string_view() : tool->second,
                         message.text});
    }
    writeResults(prompt_, *toolStyle_, results);
    return results.size();
  }

  // A turn that was begun, and waits for the user's words, is closed without any.
  void closeTurn() {
    if (inTurn_ && !style_.turn.empty()) prompt_.write(style_.user);
    inTurn_ = false;
  }

  PromptWriter prompt_;
  const Style& style_;
  std::optional<ToolStyle> toolStyle_;
  std::span<const Tool> tools_;
  std::map<std::string_view, std::string_view> toolOf_;  // by the id of its call
  bool inTurn_ = false;
  bool listed_ = false;      // the tools
  bool systemTold_ = false;  // the first system message was written
};

}  // namespace

std::string_view chatStyleName(ChatStyle style) { return styleOf(style).name; }

std::vector<std::int32_t> chatPrompt(const tokenizer::Tokenizer& tokenizer, ChatStyle chatStyle,
                                     std::span<const ChatMessage> messages,
                                     std::optional<ToolStyle> toolStyle,
                                     std::span<const Tool> tools) {
  assert(toolStyle || tools.empty());
  Conversation conversation(tokenizer, styleOf(chatStyle), toolStyle, tools);
  return conversation.write(messages);
}

std::string_view chatStopString(const tokenizer::Tokenizer& tokenizer, ChatStyle style) {
  const std::string_view end = styleOf(style).end;
  return tokenizer.findSpecial(end) >= 0 ? std::string_view() : end;
}

constexpr std::size_t kLongestHeader = 256;  // bytes: a role, a tool's name and a channel

ChatOutput::ChatOutput(const tokenizer::Tokenizer& tokenizer, ChatStyle style,
                       std::vector<tokenizer::SpelledToken> markers)
    : tokenizer_(&tokenizer),
      markers_(std::move(markers)),
      channels_(style == ChatStyle::kHarmony) {}

void ChatOutput::showThoughts(const ThinkingTags& tags) {
  thoughts_ = tags;
  if (channels_) return;
  for (const std::string& tag : {tags.open, tags.close})
    if (const std::int32_t token = tokenizer_->findSpecial(tag); token >= 0)
      markers_.push_back({token, tag});
}

ChatOutput::View ChatOutput::next(std::int32_t token) {
  if (channels_) return nextInChannels(token);
  for (const tokenizer::SpelledToken& marker : markers_)
    if (marker.token == token) return {marker.text};
  return {{}, /*isText=*/true};
}

// A header is a role, a channel and the kind of what follows, with the tool that a call is for
// behind the role or the channel; <|message|> ends it.
ChatOutput::View ChatOutput::nextInChannels(std::int32_t token) {
  if (!tokenizer_->isSpecial(token)) {
    if (!inMessage_ && header_.size() < kLongestHeader) header_ += tokenizer_->bytes(token);
    return {{}, inMessage_ && shown_};
  }
  const std::string_view name = tokenizer_->name(token);
  if (name == "<|channel|>") channelAt_ = header_.size();
  inMessage_ = name == "<|message|>";
  View view;
  if (std::exchange(inThought_, false)) view.marker = thoughts_->close;
  if (inMessage_) {
    const std::string_view header = header_;
    const std::string_view channel = header.substr(std::min(channelAt_, header.size()));
    constexpr std::string_view kRecipient = "to=functions.";
    const std::size_t to = header.find(kRecipient);
    const bool isCall = to != std::string_view::npos;
    shown_ = isCall ? !markers_.empty()
                    : header.empty() || channel.starts_with("final") ||
                          (!markers_.empty() && channel.starts_with("commentary"));
    inThought_ = thoughts_ && !isCall && channel.starts_with("analysis");
    if (inThought_) {
      shown_ = true;
      view.marker = thoughts_->open;
    }
    if (isCall && shown_) {
      const std::string_view tool = header.substr(to + kRecipient.size());
      view.marker = std::string(callSyntax(ToolStyle::kHarmony).openings[0]) +
                    std::string(tool.substr(0, tool.find_first_of(" \n"))) + std::string(name);
    }
  }
  if (inMessage_ || name == "<|start|>") {
    header_.clear();
    channelAt_ = 0;
  } else if (name == "<|channel|>" || name == "<|constrain|>") {
    header_ += ' ';  // so that a name in front of it ends there
    if (name == "<|channel|>") channelAt_ = header_.size();
  }
  return view;
}

}  // namespace waferpair::inference
