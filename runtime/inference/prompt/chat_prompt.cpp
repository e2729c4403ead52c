// SPDX-License-Identifier: GPL-3.0-or-later
// The messages as each style of chat template writes them. Sources: the templates in the models'
// own tokenizer files, Mistral's cookbook (tokenization), OpenAI's guide to harmony.
#include <cassert>
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
  Pattern opening;    // in front of everything, behind the beginning of text
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
     "final. Channel must be included for every message.{<|end|>}",
     "", "{<|start|>}developer{<|message|>}# Instructions\n\n{text}{<|end|>}",
     "{<|start|>}user{<|message|>}{text}{<|end|>}",
     "{<|start|>}assistant{<|channel|>}final{<|message|>}{text}{<|end|>}", "{<|start|>}assistant",
     "<|return|>"},
};

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
    prompt_.write(style.opening);
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
    const auto [before, message, behind] = aroundMessage(style_.system);
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
    if (!markerFirst && !text.empty()) prompt_.text("\n");
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
      results.push_back({message.callId, message.text});
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

constexpr std::size_t kLongestHeader = 64;  // bytes: "final" and what may follow it

ChatOutput::ChatOutput(const tokenizer::Tokenizer& tokenizer, ChatStyle style,
                       std::vector<tokenizer::SpelledToken> markers)
    : tokenizer_(&tokenizer),
      markers_(std::move(markers)),
      channels_(style == ChatStyle::kHarmony) {}

std::string_view ChatOutput::markerText(std::int32_t token) const {
  for (const tokenizer::SpelledToken& marker : markers_)
    if (marker.token == token) return marker.text;
  return {};
}

bool ChatOutput::shows(std::int32_t token) {
  if (!channels_) return true;
  if (!tokenizer_->isSpecial(token)) {
    if (!inMessage_ && header_.size() < kLongestHeader) header_ += tokenizer_->bytes(token);
    return inMessage_ && final_;
  }
  const std::string_view name = tokenizer_->name(token);
  if (name == "<|channel|>") header_.clear();
  if (name == "<|message|>") final_ = header_.empty() || header_.starts_with("final");
  inMessage_ = name == "<|message|>";
  return false;
}

}  // namespace waferpair::inference
