// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a prompt together from markers and text. Text between two markers is encoded as one, as the
// tokenizers that models are trained with do. Private to this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/jinja/text.h"
#include "runtime/tokenizer/tokenizer.h"

namespace waferpair::inference {

// Text as it is written, with these in braces; any other name in braces is a marker.
//   {bos} {eos}       the vocabulary's own, if it has them
//   {text} {trimmed}  of the message, the latter without blanks around it
//   {gap}             a space, unless the tokenizer puts one in front of texts by itself
//   {spaced}          a space where it does
using Pattern = std::string_view;

// A pattern, taken apart at its message.
struct AroundMessage {
  Pattern before;
  Pattern message;  // {text} or {trimmed}
  Pattern behind;
};
AroundMessage aroundMessage(Pattern pattern);

class PromptWriter {
 public:
  // The tokenizer outlives this.
  explicit PromptWriter(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // The message is never looked into for braces.
  void write(Pattern pattern, std::string_view message = {});
  // Text without braces that mean anything.
  void text(std::string_view text) { text_ += text; }
  // What a template rendered: the control tokens that it spells are these tokens, those that
  // messages spell are text; and so are tokens that users added where `source`, the template, has
  // them as its markers.
  void rendered(const jinja::Text& text, std::string_view source);
  std::vector<std::int32_t> take();

 private:
  void put(std::string_view name, std::string_view message);
  void messageText(std::string_view bytes, std::string_view source);
  void token(std::int32_t id, tokenizer::TextStart next);
  void flush();

  const tokenizer::Tokenizer& tokenizer_;
  std::vector<std::int32_t> tokens_;
  std::string text_;                                           // not encoded yet
  tokenizer::TextStart start_ = tokenizer::TextStart::kFresh;  // of text_
};

}  // namespace waferpair::inference
