// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/tokenizer.h"

#include <algorithm>
#include <utility>

#include "runtime/base/utf8.h"
#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/vocabulary.h"

namespace waferpair::tokenizer {
namespace {

// Where the words of a text can be cut from, to have those at its end: the blanks and line ends in
// front of its last line, or so far back that it makes no difference.
std::size_t startOfLastWords(std::string_view text) {
  constexpr std::size_t kFarEnough = 256;
  const std::size_t far = text.size() > kFarEnough ? text.size() - kFarEnough : 0;
  const std::size_t line = text.rfind('\n');
  if (line == std::string_view::npos) return far;
  const std::size_t written = text.substr(0, line).find_last_not_of(" \t\r\n");
  return std::max(far, written == std::string_view::npos ? 0 : written + 1);
}

}  // namespace

struct Tokenizer::Impl {
  Vocabulary vocabulary;

  bool valid(std::int32_t id) const { return id >= 0 && id < vocabulary.size(); }

  void pushByte(unsigned char byte, std::vector<std::int32_t>& word) const {
    std::int32_t id = vocabulary.byteIds[byte];
    // Vocabularies of text alone may lack bytes that no UTF-8 has.
    if (id < 0) id = vocabulary.special.unk;
    if (id >= 0) word.push_back(id);
  }

  void encodeWords(std::string_view text, std::vector<std::int32_t>& append) const {
    std::vector<std::size_t> ends;
    cutWords(vocabulary.preTokenizer, text, ends);
    Merger merger(vocabulary.merges);
    std::vector<std::int32_t> word;
    std::size_t start = 0;
    for (const std::size_t end : ends) {
      if (vocabulary.wholeWords) {
        const auto it = vocabulary.words.find(text.substr(start, end - start));
        if (it != vocabulary.words.end()) {
          append.push_back(it->second);
          start = end;
          continue;
        }
      }
      word.clear();
      for (; start < end; ++start) pushByte(static_cast<unsigned char>(text[start]), word);
      merger.merge(word);
      append.insert(append.end(), word.begin(), word.end());
    }
  }

  // Adds the tokens of one character, with the space escaped, in a vocabulary with scores.
  void pushCharacter(std::string_view spelled, std::vector<std::int32_t>& word) const {
    const auto it = vocabulary.characters.find(spelled);
    if (it != vocabulary.characters.end()) return word.push_back(it->second);
    for (const char byte : spelled) pushByte(static_cast<unsigned char>(byte), word);
  }

  void encodeCharacters(std::string_view text, bool space,
                        std::vector<std::int32_t>& append) const {
    Merger merger(vocabulary.merges);
    std::vector<std::int32_t> word;
    const auto flush = [&] {
      merger.merge(word);
      append.insert(append.end(), word.begin(), word.end());
      word.clear();
    };
    if (space) pushCharacter(kEscapedSpace, word);
    bool inSpaces = true;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = base::decodeUtf8(text.substr(at)).length;
      const std::string_view character = text[at] == ' ' ? kEscapedSpace : text.substr(at, length);
      const bool isSpace = character == kEscapedSpace;
      if (isSpace && !inSpaces && vocabulary.spacesBegin) flush();
      inSpaces = isSpace;
      pushCharacter(character, word);
      at += length;
    }
    flush();
  }

  // Text without whole tokens. `fresh`: nothing is in front of it.
  void encodeText(std::string_view text, bool fresh, std::vector<std::int32_t>& append) const {
    if (text.empty()) return;
    if (vocabulary.kind == Vocabulary::Kind::kMerges) return encodeWords(text, append);
    if (vocabulary.kind == Vocabulary::Kind::kPieces) return vocabulary.appendPieces(text, append);
    encodeCharacters(text, fresh && vocabulary.addsSpace, append);
  }
};

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

base::Result<Tokenizer> Tokenizer::fromGguf(const gguf::File& file) {
  auto vocabulary = Vocabulary::read(file);
  if (!vocabulary) return tl::unexpected(std::move(vocabulary.error()));
  return Tokenizer(std::make_unique<Impl>(Impl{std::move(*vocabulary)}));
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, SpecialText special,
                                            TextStart start) const {
  std::vector<std::int32_t> ids;
  encode(text, special, ids, start);
  return ids;
}

void Tokenizer::encode(std::string_view text, SpecialText special,
                       std::vector<std::int32_t>& append, TextStart start) const {
  const Vocabulary& vocabulary = impl_->vocabulary;
  const WholeTokens& whole =
      special == SpecialText::kPlain ? vocabulary.userTokens : vocabulary.allTokens;
  bool fresh = start == TextStart::kFresh;
  // Most vocabularies have nothing to look for in plain text.
  if (whole.empty()) return impl_->encodeText(text, fresh, append);
  std::size_t from = 0;  // of the text since the last whole token
  for (std::size_t at = 0; at < text.size();) {
    const std::int32_t id = whole.find(text, at);
    if (id < 0) {
      ++at;
      continue;
    }
    impl_->encodeText(text.substr(from, at - from), fresh, append);
    append.push_back(id);
    const auto i = static_cast<std::size_t>(id);
    const bool control = vocabulary.isControl(id);
    at += (control ? vocabulary.names[i] : vocabulary.bytes[i]).size();
    from = at;
    fresh = control;  // a token that a user added is part of the text
  }
  impl_->encodeText(text.substr(from), fresh, append);
}

bool Tokenizer::isCut(std::string_view text, std::size_t at) const {
  const Vocabulary& vocabulary = impl_->vocabulary;
  // A token that is found in any text may span whatever is there.
  if (at == 0 || at >= text.size() || !vocabulary.userTokens.empty()) return false;
  if (!surelyParted(text[at - 1], text[at])) return false;
  return vocabulary.kind == Vocabulary::Kind::kMerges ||
         (vocabulary.spacesBegin && text[at] == ' ');
}

std::size_t Tokenizer::lastWord(std::string_view text) const {
  if (impl_->vocabulary.kind != Vocabulary::Kind::kMerges) {
    std::size_t space = text.find_last_of(" \n");
    if (space == std::string_view::npos) return 0;
    // Blanks are merged with one another, those of an indentation all of them.
    while (space > 0 && text[space] == ' ' && text[space - 1] == ' ') --space;
    return space;
  }
  const std::size_t from = startOfLastWords(text);
  std::vector<std::size_t> ends;
  cutWords(impl_->vocabulary.preTokenizer, text.substr(from), ends);
  return ends.size() < 2 ? from : from + ends[ends.size() - 2];
}

bool Tokenizer::endsLine(std::string_view text) const {
  const Vocabulary& vocabulary = impl_->vocabulary;
  if (vocabulary.kind != Vocabulary::Kind::kMerges) return text.ends_with('\n');
  const auto isCutBefore = [&](std::string_view next) {
    std::string more(text.substr(startOfLastWords(text)));
    const std::size_t end = more.size();
    more += next;
    std::vector<std::size_t> ends;
    cutWords(vocabulary.preTokenizer, more, ends);
    return std::ranges::find(ends, end) != ends.end();
  };
  // The default model's words hold the indentation behind a line end, and it learned to go on with
  // an indentation behind what is there of one.
  const bool holdsIndentation = vocabulary.preTokenizer == PreTokenizer::kWaferpair;
  return isCutBefore("x") && (holdsIndentation || isCutBefore("  x"));
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) text += bytes(id);
  if (addsSpace() && text.starts_with(' ')) text.erase(0, 1);
  return text;
}

std::string_view Tokenizer::bytes(std::int32_t id) const {
  if (!impl_->valid(id)) return {};
  return impl_->vocabulary.bytes[static_cast<std::size_t>(id)];
}

std::string_view Tokenizer::name(std::int32_t id) const {
  if (!impl_->valid(id)) return {};
  return impl_->vocabulary.names[static_cast<std::size_t>(id)];
}

bool Tokenizer::isSpecial(std::int32_t id) const {
  return impl_->valid(id) && impl_->vocabulary.isControl(id);
}

bool Tokenizer::isEnd(std::int32_t id) const {
  const auto& ends = impl_->vocabulary.ends;
  return std::binary_search(ends.begin(), ends.end(), id);
}

std::int32_t Tokenizer::findSpecial(std::string_view name) const {
  if (name.empty()) return -1;
  const std::int32_t id = impl_->vocabulary.allTokens.find(name, 0);
  return id >= 0 && isSpecial(id) && this->name(id) == name ? id : -1;
}

std::optional<Tokenizer::SpecialPlace> Tokenizer::nextSpecial(std::string_view text) const {
  const Vocabulary& vocabulary = impl_->vocabulary;
  for (std::size_t at = 0; at < text.size();) {
    const std::int32_t id = vocabulary.allTokens.find(text, at);
    if (id < 0) {
      ++at;
      continue;
    }
    const auto i = static_cast<std::size_t>(id);
    if (vocabulary.isControl(id)) return SpecialPlace{at, vocabulary.names[i].size(), id};
    at += std::max<std::size_t>(vocabulary.bytes[i].size(), 1);  // it hides what is in it
  }
  return std::nullopt;
}

std::optional<Tokenizer::SpecialPlace> Tokenizer::nextUserDefined(std::string_view text) const {
  const WholeTokens& tokens = impl_->vocabulary.userTokens;
  if (tokens.empty()) return std::nullopt;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (const std::int32_t id = tokens.find(text, at); id >= 0)
      return SpecialPlace{at, impl_->vocabulary.bytes[static_cast<std::size_t>(id)].size(), id};
  return std::nullopt;
}

int Tokenizer::vocabSize() const { return impl_->vocabulary.size(); }
const SpecialIds& Tokenizer::special() const { return impl_->vocabulary.special; }
bool Tokenizer::addsBos() const { return impl_->vocabulary.addsBos; }
bool Tokenizer::addsEos() const { return impl_->vocabulary.addsEos; }
bool Tokenizer::addsSpace() const { return impl_->vocabulary.addsSpace; }
const std::string& Tokenizer::preTokenizer() const { return impl_->vocabulary.preTokenizerName; }

}  // namespace waferpair::tokenizer
