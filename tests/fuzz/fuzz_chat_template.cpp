// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a model's chat template: recognized, or refused with a reason. And as a message: it
// puts no marker into a conversation, in whatever style.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/gguf/file.h"
#include "runtime/gguf/writer.h"
#include "runtime/inference/prompt/chat_program.h"
#include "runtime/inference/prompt/chat_template.h"
#include "tests/support/tiny_model.h"

using namespace waferpair;

namespace {

tokenizer::Tokenizer makeTokenizer() {
  gguf::Writer writer = test::makeTinyModel({.layers = 1});
  const auto bytes = writer.bytes();
  return std::move(*tokenizer::Tokenizer::fromGguf(*gguf::File::parse(bytes, "tiny")));
}

std::ptrdiff_t markers(const tokenizer::Tokenizer& tokenizer, inference::ChatStyle style,
                       std::string_view text) {
  using inference::ChatRole;
  const inference::ChatMessage talk[] = {{ChatRole::kSystem, std::string(text)},
                                         {ChatRole::kUser, std::string(text)},
                                         {ChatRole::kAssistant, std::string(text)},
                                         {ChatRole::kUser, std::string(text)}};
  const auto ids = inference::chatPrompt(tokenizer, style, talk);
  return std::count_if(ids.begin(), ids.end(),
                       [&](std::int32_t id) { return tokenizer.isSpecial(id); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using inference::ChatStyle;
  static const tokenizer::Tokenizer tokenizer = makeTokenizer();
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  gguf::Writer writer;
  writer.addString("tokenizer.chat_template", std::string(text));
  const auto bytes = writer.bytes();
  if (const auto file = gguf::File::parse(bytes, "fuzz")) {
    const auto style = inference::readChatStyle(*file);
    if (!style && (style.error().what.empty() || style.error().remedy.empty())) std::abort();
    const auto program = inference::ChatProgram::read(*file);
    if (!program && (program.error().what.empty() || program.error().remedy.empty())) std::abort();
    if (program) {
      const inference::ChatMessage talk[] = {{inference::ChatRole::kUser, std::string(text)}};
      (void)(*program)->prompt(tokenizer, std::nullopt, talk, {}, {});
    }
  }
  for (int style = 0; style <= static_cast<int>(ChatStyle::kHarmony); ++style) {
    const auto each = static_cast<ChatStyle>(style);
    if (markers(tokenizer, each, text) != markers(tokenizer, each, "a")) std::abort();
  }
  return 0;
}
