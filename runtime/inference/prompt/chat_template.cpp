// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/chat_template.h"

#include <algorithm>
#include <string>

#include "runtime/gguf/file.h"

namespace waferpair::inference {

base::Result<ChatStyle> readChatStyle(const gguf::File& file) {
  const char* remedy =
      "Use a model whose chat template is ChatML, Llama 2 or 3, Mistral, DeepSeek, "
      "Gemma or harmony; completion works without.";
  if (!file.has("tokenizer.chat_template"))
    return base::fail(file.name() +
                          ": has no tokenizer.chat_template: the model was not made for "
                          "conversations.",
                      remedy);
  const auto read = file.string("tokenizer.chat_template");
  if (!read) return tl::unexpected(read.error());
  const std::string_view source = *read;
  const auto has = [&](std::string_view part) {
    return source.find(part) != std::string_view::npos;
  };
  // The order matters: a template may mention the markers of another. The other way round,
  // <|im_sep|> and <end_of_utterance> belong to relatives of ChatML that are written differently.
  if (has("<|im_start|>") && !has("<|im_sep|>") && !has("<end_of_utterance>"))
    return ChatStyle::kChatMl;
  if (has("<|start|>") && has("<|channel|>") && has("<|message|>")) return ChatStyle::kHarmony;
  if (has("<|start_header_id|>") && has("<|end_header_id|>")) return ChatStyle::kLlama3;
  if (has("<｜User｜>") && has("<｜Assistant｜>")) return ChatStyle::kDeepseek3;
  if (has("[INST]")) {
    if (has("[SYSTEM_PROMPT]")) return ChatStyle::kMistral7;
    if (has("<<SYS>>")) return ChatStyle::kLlama2;
    if (has(" [INST]")) return ChatStyle::kMistral1;
    if (has("\"[INST]\"")) return ChatStyle::kMistralTekken;
    // Official templates of the third release know tools; older ones put a blank before [/INST].
    if (has("[AVAILABLE_TOOLS]") || !has(" [/INST]")) return ChatStyle::kMistral3;
    return ChatStyle::kMistral1;
  }
  if (has("<start_of_turn>")) return ChatStyle::kGemma;
  if (has("### Instruction:") && has("<|EOT|>")) return ChatStyle::kDeepseekCoder;
  if (has("'User: '") && has("'Assistant: '") && has("eos_token")) return ChatStyle::kDeepseek2;

  constexpr std::size_t kShown = 60;
  std::string begins(source.substr(0, kShown));
  std::replace_if(
      begins.begin(), begins.end(), [](char c) { return static_cast<unsigned char>(c) < 32; }, ' ');
  return base::fail(file.name() +
                        ": tokenizer.chat_template is of a style that is not known; it "
                        "begins with \"" +
                        begins + "\".",
                    remedy);
}

std::optional<ToolStyle> readToolStyle(const gguf::File& file, ChatStyle style) {
  const auto source = file.stringOr("tokenizer.chat_template", "");
  const std::string_view text = source ? *source : std::string_view();
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  switch (style) {
    case ChatStyle::kChatMl:
      // Qwen3-Coder writes what is inside of <tool_call> in XML.
      if (has("<tool_call>") && has("<tools>"))
        return has("<function=") && has("<parameter=") ? ToolStyle::kXml : ToolStyle::kHermes;
      break;
    case ChatStyle::kHarmony:
      if (has("namespace functions") || has("functions.")) return ToolStyle::kHarmony;
      break;
    case ChatStyle::kLlama3:
      if (has("ipython") && has("\"parameters\": ")) return ToolStyle::kLlama3;
      break;
    case ChatStyle::kMistral3:
    case ChatStyle::kMistralTekken:
    case ChatStyle::kMistral7:
      // Later templates name the tool in front of [ARGS].
      if (has("[AVAILABLE_TOOLS]") && has("[TOOL_CALLS]") && !has("[ARGS]"))
        return has("[TOOL_CONTENT]") ? ToolStyle::kMistral7 : ToolStyle::kMistral;
      break;
    default:
      break;
  }
  return std::nullopt;
}

}  // namespace waferpair::inference
