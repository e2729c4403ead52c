// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/prompt_writer.h"

#include <algorithm>
#include <cassert>

namespace waferpair::inference {
namespace {

std::string_view withoutBlanks(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

using tokenizer::TextStart;

AroundMessage aroundMessage(Pattern pattern) {
  for (const std::string_view message : {"{text}", "{trimmed}"})
    if (const std::size_t at = pattern.find(message); at != Pattern::npos)
      return {pattern.substr(0, at), message, pattern.substr(at + message.size())};
  assert(false);  // each pattern of a message has one
  return {pattern, {}, {}};
}

void PromptWriter::write(Pattern pattern, std::string_view message) {
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

// Text between two cuts is encoded by itself: a marker that is cut within is none.
void PromptWriter::messageText(std::string_view bytes, std::string_view source) {
  for (std::size_t from = 0; const auto found = tokenizer_.nextUserDefined(bytes.substr(from));) {
    const std::size_t at = from + found->at;
    const bool isMarker = found->size > 1 &&
                          source.find(bytes.substr(at, found->size)) != source.npos &&
                          bytes.find_first_not_of(" \t\r\n", at) < at + found->size;
    if (!isMarker) {
      from = at + found->size;
      continue;
    }
    const std::size_t cut = at + jinja::characterBytes(bytes, at);
    text_ += bytes.substr(0, cut);
    flush();
    bytes.remove_prefix(cut);
    from = 0;
  }
  text_ += bytes;
}

void PromptWriter::rendered(const jinja::Text& text, std::string_view source) {
  for (const jinja::Text::Run& run : text.runs()) {
    std::string_view bytes = run.bytes;
    if (run.origin == jinja::Origin::kMessage) {
      messageText(bytes, source);
      continue;
    }
    while (const auto found = tokenizer_.nextSpecial(bytes)) {
      const std::string_view before = bytes.substr(0, found->at);
      if (text_.empty() && before.starts_with(' ')) start_ = TextStart::kContinues;
      text_ += before;
      // What follows begins something, as texts did in training, but where the template has
      // the space for that itself.
      token(found->token, TextStart::kFresh);
      bytes.remove_prefix(found->at + found->size);
    }
    if (text_.empty() && bytes.starts_with(' ')) start_ = TextStart::kContinues;
    text_ += bytes;
  }
}

std::vector<std::int32_t> PromptWriter::take() {
  flush();
  return std::move(tokens_);
}

void PromptWriter::put(std::string_view name, std::string_view message) {
  if (name == "text") {
    text_ += message;
  } else if (name == "trimmed") {
    text_ += withoutBlanks(message);
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

void PromptWriter::token(std::int32_t id, TextStart next) {
  if (id < 0) return;
  flush();
  tokens_.push_back(id);
  start_ = next;
}

void PromptWriter::flush() {
  if (text_.empty()) return;
  tokenizer_.encode(text_, tokenizer::SpecialText::kPlain, tokens_, start_);
  text_.clear();
  start_ = TextStart::kContinues;
}

}  // namespace waferpair::inference
