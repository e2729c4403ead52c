// SPDX-License-Identifier: GPL-3.0-or-later
// What each style of chat template writes. Sources: the templates in the models' own tokenizer
// files, Mistral's cookbook (tokenization), OpenAI's guide to harmony.
#include <string>
#include <utility>

#include "runtime/inference/chat_template.h"

namespace waferpair::inference {
namespace {

using tokenizer::SpecialText;
using tokenizer::TextStart;

// Collects markers and text. Text between two markers is encoded as one, as the tokenizers that
// models are trained with do.
class Prompt {
 public:
  explicit Prompt(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  Prompt& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  // A token by its name. Models that were trained with the name as mere text lack such a token.
  Prompt& marker(std::string_view name) {
    const std::int32_t id = tokenizer_.findSpecial(name);
    return id >= 0 ? token(id) : text(name);
  }
  Prompt& bos() { return boundary(tokenizer_.special().bos); }
  Prompt& eos() { return boundary(tokenizer_.special().eos); }
  // A space that the tokenizer does not put there by itself.
  std::string_view spaceAtStart() const { return tokenizer_.addsSpace() ? "" : " "; }
  std::vector<std::int32_t> take() {
    flush();
    return std::move(tokens_);
  }

 private:
  Prompt& token(std::int32_t id) {
    flush();
    tokens_.push_back(id);
    start_ = TextStart::kContinues;
    return *this;
  }
  // What follows begins something, as texts did in training.
  Prompt& boundary(std::int32_t id) {
    if (id < 0) return *this;
    token(id);
    start_ = TextStart::kFresh;
    return *this;
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

using Messages = std::span<const ChatMessage>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view roleName(ChatRole role) {
  switch (role) {
    case ChatRole::kSystem:
      return "system";
    case ChatRole::kUser:
      return "user";
    case ChatRole::kAssistant:
      break;
  }
  return "assistant";
}

void writeChatMl(Prompt& prompt, Messages messages) {
  for (const ChatMessage& message : messages) {
    prompt.marker("<|im_start|>").text(roleName(message.role)).text("\n").text(message.text);
    prompt.marker("<|im_end|>").text("\n");
  }
  prompt.marker("<|im_start|>").text("assistant\n");
}

void writeLlama3(Prompt& prompt, Messages messages) {
  const auto header = [&](ChatRole role) {
    prompt.marker("<|start_header_id|>").text(roleName(role)).marker("<|end_header_id|>");
    prompt.text("\n\n");
  };
  for (const ChatMessage& message : messages) {
    header(message.role);
    prompt.text(trimmed(message.text)).marker("<|eot_id|>");
  }
  header(ChatRole::kAssistant);
}

void writeLlama2(Prompt& prompt, Messages messages) {
  bool inTurn = false;
  bool first = true;
  const auto begin = [&] {
    if (inTurn) return;
    if (!first) prompt.bos();
    prompt.marker("[INST]").text(" ");
    inTurn = true;
    first = false;
  };
  for (const ChatMessage& message : messages) {
    switch (message.role) {
      case ChatRole::kSystem:
        begin();
        prompt.text("<<SYS>>\n").text(message.text).text("\n<</SYS>>\n\n");
        break;
      case ChatRole::kUser:
        begin();
        prompt.text(trimmed(message.text)).text(" ").marker("[/INST]");
        break;
      case ChatRole::kAssistant:
        prompt.text(" ").text(trimmed(message.text)).text(" ").eos();
        inTurn = false;
        break;
    }
  }
}

// Where the blanks are is all that the first three releases of this style differ in.
void writeMistral(Prompt& prompt, ChatStyle style, Messages messages) {
  const bool first = style == ChatStyle::kMistral1;
  const std::string_view before = first ? prompt.spaceAtStart() : "";
  const std::string_view behind = style == ChatStyle::kMistralTekken ? "" : " ";
  bool inTurn = false;
  const auto begin = [&] {
    if (!inTurn) prompt.text(before).marker("[INST]").text(behind);
    inTurn = true;
  };
  for (const ChatMessage& message : messages) {
    switch (message.role) {
      case ChatRole::kSystem:
        begin();
        prompt.text(message.text).text("\n\n");
        break;
      case ChatRole::kUser:
        begin();
        prompt.text(message.text).text(first ? " " : "").marker("[/INST]");
        inTurn = false;
        break;
      case ChatRole::kAssistant:
        prompt.text(behind).text(trimmed(message.text)).eos();
        inTurn = false;
        break;
    }
  }
}

// Its vocabularies with scores have a space in front of each text, the others have none.
void writeMistral7(Prompt& prompt, Messages messages) {
  const std::string_view space = prompt.spaceAtStart().empty() ? " " : "";
  for (const ChatMessage& message : messages) {
    switch (message.role) {
      case ChatRole::kSystem:
        prompt.marker("[SYSTEM_PROMPT]").text(space).text(message.text).marker("[/SYSTEM_PROMPT]");
        break;
      case ChatRole::kUser:
        prompt.marker("[INST]").text(space).text(message.text).marker("[/INST]");
        break;
      case ChatRole::kAssistant:
        prompt.text(space).text(message.text).eos();
        break;
    }
  }
}

void writeDeepseekCoder(Prompt& prompt, Messages messages) {
  for (const ChatMessage& message : messages) {
    switch (message.role) {
      case ChatRole::kSystem:
        prompt.text(message.text);
        break;
      case ChatRole::kUser:
        prompt.text("### Instruction:\n").text(message.text).text("\n");
        break;
      case ChatRole::kAssistant:
        prompt.text("### Response:\n").text(message.text).text("\n").marker("<|EOT|>").text("\n");
        break;
    }
  }
  prompt.text("### Response:\n");
}

void writeDeepseek2(Prompt& prompt, Messages messages) {
  for (const ChatMessage& message : messages) {
    switch (message.role) {
      case ChatRole::kSystem:
        prompt.text(message.text).text("\n\n");
        break;
      case ChatRole::kUser:
        prompt.text("User: ").text(message.text).text("\n\n");
        break;
      case ChatRole::kAssistant:
        prompt.text("Assistant: ").text(message.text).eos();
        break;
    }
  }
  prompt.text("Assistant:");
}

void writeDeepseek3(Prompt& prompt, Messages messages) {
  for (const ChatMessage& message : messages) {
    switch (message.role) {
      case ChatRole::kSystem:
        prompt.text(message.text);
        break;
      case ChatRole::kUser:
        prompt.marker("<｜User｜>").text(message.text);
        break;
      case ChatRole::kAssistant:
        prompt.marker("<｜Assistant｜>").text(message.text).eos();
        break;
    }
  }
  prompt.marker("<｜Assistant｜>");
}

void writeGemma(Prompt& prompt, Messages messages) {
  std::string system;
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::kSystem) {
      system.append(trimmed(message.text)).append("\n\n");
      continue;
    }
    const bool user = message.role == ChatRole::kUser;
    prompt.marker("<start_of_turn>").text(user ? "user\n" : "model\n");
    if (user) {
      prompt.text(system);
      system.clear();
    }
    prompt.text(trimmed(message.text)).marker("<end_of_turn>").text("\n");
  }
  prompt.marker("<start_of_turn>").text("model\n");
}

void writeHarmony(Prompt& prompt, Messages messages) {
  // The model expects to be told its channels; the rest of this message is as it was trained.
  prompt.marker("<|start|>").text("system").marker("<|message|>");
  prompt.text(
      "You are ChatGPT, a large language model trained by OpenAI.\nKnowledge cutoff: 2024-06\n\n"
      "Reasoning: medium\n\n# Valid channels: analysis, commentary, final. Channel must be "
      "included "
      "for every message.");
  prompt.marker("<|end|>");
  for (const ChatMessage& message : messages) {
    prompt.marker("<|start|>");
    switch (message.role) {
      case ChatRole::kSystem:
        prompt.text("developer").marker("<|message|>").text("# Instructions\n\n");
        break;
      case ChatRole::kUser:
        prompt.text("user").marker("<|message|>");
        break;
      case ChatRole::kAssistant:
        prompt.text("assistant").marker("<|channel|>").text("final").marker("<|message|>");
        break;
    }
    prompt.text(message.text).marker("<|end|>");
  }
  prompt.marker("<|start|>").text("assistant");
}

}  // namespace

std::vector<std::int32_t> chatPrompt(const tokenizer::Tokenizer& tokenizer, ChatStyle style,
                                     std::span<const ChatMessage> messages) {
  Prompt prompt(tokenizer);
  if (tokenizer.addsBos()) prompt.bos();
  switch (style) {
    case ChatStyle::kChatMl:
      writeChatMl(prompt, messages);
      break;
    case ChatStyle::kLlama3:
      writeLlama3(prompt, messages);
      break;
    case ChatStyle::kLlama2:
      writeLlama2(prompt, messages);
      break;
    case ChatStyle::kMistral1:
    case ChatStyle::kMistral3:
    case ChatStyle::kMistralTekken:
      writeMistral(prompt, style, messages);
      break;
    case ChatStyle::kMistral7:
      writeMistral7(prompt, messages);
      break;
    case ChatStyle::kDeepseekCoder:
      writeDeepseekCoder(prompt, messages);
      break;
    case ChatStyle::kDeepseek2:
      writeDeepseek2(prompt, messages);
      break;
    case ChatStyle::kDeepseek3:
      writeDeepseek3(prompt, messages);
      break;
    case ChatStyle::kGemma:
      writeGemma(prompt, messages);
      break;
    case ChatStyle::kHarmony:
      writeHarmony(prompt, messages);
      break;
  }
  return prompt.take();
}

}  // namespace waferpair::inference
