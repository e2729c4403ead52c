// SPDX-License-Identifier: GPL-3.0-or-later
// The messages as each style of chat template writes them. Sources: the templates in the models'
// own tokenizer files, Mistral's cookbook (tokenization), OpenAI's guide to harmony.
#include <array>
#include <string>
#include <utility>

#include "runtime/inference/prompt/chat_template.h"

namespace waferpair::inference {
namespace {

using tokenizer::SpecialText;
using tokenizer::TextStart;

// Text as it is written, with these in braces; any other name in braces is a marker.
//   {bos} {eos}       the vocabulary's own, if it has them
//   {text} {trimmed}  of the message, the latter without blanks around it
//   {gap}             a space, unless the tokenizer puts one in front of texts by itself
//   {spaced}          a space where it does
using Pattern = std::string_view;

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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Collects markers and text. Text between two markers is encoded as one, as the tokenizers that
// models are trained with do.
class Prompt {
 public:
  explicit Prompt(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // The message is never looked into for braces.
  void write(Pattern pattern, std::string_view message = {}) {
    while (!pattern.empty()) {
      const std::size_t brace = std::min(pattern.find('{'), pattern.size());
      text_ += pattern.substr(0, brace);
      pattern.remove_prefix(brace);
      if (pattern.empty()) return;
      const std::size_t end = pattern.find('}');
      put(pattern.substr(1, end - 1), message);
      pattern.remove_prefix(end + 1);
    }
  }
  std::vector<std::int32_t> take() {
    flush();
    return std::move(tokens_);
  }

 private:
  void put(std::string_view name, std::string_view message) {
    if (name == "text") {
      text_ += message;
    } else if (name == "trimmed") {
      text_ += trimmed(message);
    } else if (name == "gap" || name == "spaced") {
      if (tokenizer_.addsSpace() == (name == "spaced")) text_ += ' ';
    } else if (name == "bos" || name == "eos") {
      const tokenizer::SpecialIds& ids = tokenizer_.special();
      // The text that follows begins something, as texts did in training.
      token(name == "bos" ? ids.bos : ids.eos, TextStart::kFresh);
    } else if (const std::int32_t id = tokenizer_.findSpecial(name); id >= 0) {
      token(id, TextStart::kContinues);
    } else {
      text_ += name;  // a model that was trained with the name as mere text
    }
  }
  void token(std::int32_t id, TextStart next) {
    if (id < 0) return;
    flush();
    tokens_.push_back(id);
    start_ = next;
  }
  void flush() {
    if (text_.empty()) return;
    tokenizer_.encode(text_, SpecialText::kPlain, tokens_, start_);
    text_.clear();
    start_ = TextStart::kContinues;
  }

  const tokenizer::Tokenizer& tokenizer_;
  std::vector<std::int32_t> tokens_;
  std::string text_;                     // not encoded yet
  TextStart start_ = TextStart::kFresh;  // of text_
};

}  // namespace

std::string_view chatStyleName(ChatStyle style) { return styleOf(style).name; }

std::vector<std::int32_t> chatPrompt(const tokenizer::Tokenizer& tokenizer, ChatStyle chatStyle,
                                     std::span<const ChatMessage> messages) {
  const Style& style = styleOf(chatStyle);
  Prompt prompt(tokenizer);
  if (tokenizer.addsBos()) prompt.write("{bos}");
  prompt.write(style.opening);
  bool inTurn = false;  // begun, and waiting for the user's words
  const auto closeTurn = [&] {
    if (inTurn && !style.turn.empty()) prompt.write(style.user);
    inTurn = false;
  };
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::kAssistant) {
      closeTurn();
      prompt.write(style.assistant, message.text);
      continue;
    }
    if (!inTurn) prompt.write(style.turn);
    inTurn = message.role == ChatRole::kSystem;
    prompt.write(inTurn ? style.system : style.user, message.text);
  }
  closeTurn();
  prompt.write(style.answer);
  return prompt.take();
}

std::string_view chatStopString(const tokenizer::Tokenizer& tokenizer, ChatStyle style) {
  const std::string_view end = styleOf(style).end;
  return tokenizer.findSpecial(end) >= 0 ? std::string_view() : end;
}

constexpr std::size_t kLongestHeader = 64;  // bytes: "final" and what may follow it

ChatOutput::ChatOutput(const tokenizer::Tokenizer& tokenizer, ChatStyle style)
    : tokenizer_(&tokenizer), channels_(style == ChatStyle::kHarmony) {}

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
