// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a conversation into the tokens that a model was trained to answer.
//
// The file's tokenizer.chat_template is a program in Jinja, and it is run (chat_program.h). Its
// style, recognized by the markers it writes, tells what it does not: how answers and calls of
// tools are read back. Where it cannot be run, or refuses a conversation, code of our own writes in
// that style. Either way markers are taken from the vocabulary by their ids, and the text of
// messages is encoded as plain text, so no message can hold a marker, whoever wrote it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/prompt/thinking.h"
#include "runtime/inference/prompt/tools.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::inference {

enum class ChatRole { kSystem, kUser, kAssistant, kTool };

struct ChatMessage {
  ChatRole role = ChatRole::kUser;
  std::string text = {};
  std::string thinking = {};         // of kAssistant, in front of the text
  std::vector<ToolCall> calls = {};  // of kAssistant, behind the text
  std::string callId = {};           // of kTool: the call whose result the text is
};

enum class ChatStyle {
  kChatMl,         // Qwen, SmolLM and many others
  kLlama3,         // Llama 3 and after, up to 3.3
  kLlama2,         // Llama 2, CodeLlama: "[INST] <<SYS>>"
  kMistral1,       // Mistral 7B v0.1 and v0.2, Mixtral: " [INST] text [/INST]"
  kMistral3,       // Mistral 7B v0.3, Codestral: "[INST] text[/INST]"
  kMistralTekken,  // Mistral Nemo: "[INST]text[/INST]"
  kMistral7,       // with [SYSTEM_PROMPT]: Mistral Small 3, Devstral
  kDeepseekCoder,  // "### Instruction:"
  kDeepseek2,      // DeepSeek-V2, DeepSeek-Coder-V2: "User: "
  kDeepseek3,      // DeepSeek-V3, R1 and its distillations: <｜User｜>
  kGemma,          // Gemma 1 to 3
  kHarmony,        // gpt-oss
  kOwn,            // none of these: told by the template alone
};
std::string_view chatStyleName(ChatStyle style);  // "chatml", "llama3", ...

// Recognizes tokenizer.chat_template. Without one, or with one that is not known, the error names
// the file and says how its template begins.
base::Result<ChatStyle> readChatStyle(const gguf::File& file);
// How a template of that style writes tools, if it does.
std::optional<ToolStyle> readToolStyle(const gguf::File& file, ChatStyle style);

class ChatProgram;

// How a model was trained to converse, as its file tells.
struct ChatForm {
  ChatStyle style = ChatStyle::kOwn;
  std::optional<ToolStyle> tools = {};
  std::shared_ptr<const ChatProgram> program = {};  // null: it is written as the style says
};

// What a request sets for the template beside what all templates get: "enable_thinking", say.
struct TemplateVariable {
  std::string name;
  std::string json;
};

struct ConversationPrompt {
  std::vector<std::int32_t> tokens;
  // Why it was written as the style says, though there is a program.
  std::optional<base::Error> programProblem;
};
// The conversation and the beginning of the assistant's next message; where the last one is its own
// already, that goes on. Fails only where the template is of no style that is known, and refuses
// the conversation. `tools` are those that may be called; without a style for them there are none,
// nor calls, nor results.
base::Result<ConversationPrompt> conversationPrompt(
    const tokenizer::Tokenizer& tokenizer, const ChatForm& form,
    std::span<const ChatMessage> messages, std::span<const Tool> tools = {},
    std::span<const TemplateVariable> variables = {});

// The same as the style alone has it. System messages are put where
// the style has a place for them, which for Mistral and Gemma is in front of the user's next words;
// where none come, these are empty.
// Text that a template would add on its own (a default system message, the date) is left out, but
// for what gpt-oss cannot do without.
// `tools` are those that may be called. Without a style for them there are none, nor calls, nor
// results.
std::vector<std::int32_t> chatPrompt(const tokenizer::Tokenizer& tokenizer, ChatStyle style,
                                     std::span<const ChatMessage> messages,
                                     std::optional<ToolStyle> toolStyle = std::nullopt,
                                     std::span<const Tool> tools = {});

// Returns the text that ends the assistant's message if the vocabulary has no token for it;
// otherwise an empty text, since Tokenizer::isEnd() knows that token.
std::string_view chatStopString(const tokenizer::Tokenizer& tokenizer, ChatStyle style);

// Tells the answer in a chat's output from what the model writes for itself: gpt-oss writes into
// channels, of which "final" is meant for the user, and "commentary" where tools may be called.
// Control tokens are no text, but for those that calls of tools are written with.
class ChatOutput {
 public:
  // The tokenizer must outlive this.
  ChatOutput(const tokenizer::Tokenizer& tokenizer, ChatStyle style,
             std::vector<tokenizer::SpelledToken> markers = {});
  // From now on what the model thinks is shown, between these tags.
  void showThoughts(const ThinkingTags& tags);
  // What is to be seen of a token.
  struct View {
    std::string marker = {};  // text in place of a control token; empty: none
    bool isText = false;      // its own bytes are part of the answer
  };
  View next(std::int32_t token);

 private:
  const tokenizer::Tokenizer* tokenizer_;
  std::vector<tokenizer::SpelledToken> markers_;
  bool channels_;
  View nextInChannels(std::int32_t token);

  std::optional<ThinkingTags> thoughts_;
  bool inMessage_ = false, inThought_ = false;
  bool shown_ = false;         // the message that it is in
  std::string header_;         // of the message that begins
  std::size_t channelAt_ = 0;  // in the header
};

}  // namespace waferpair::inference
