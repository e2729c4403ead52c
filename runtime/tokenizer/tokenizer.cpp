// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/tokenizer.h"

#include <utility>

#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/vocabulary.h"

namespace waferpair::tokenizer {

struct Tokenizer::Impl {
  Vocabulary vocabulary;

  bool valid(std::int32_t id) const { return id >= 0 && id < vocabulary.size(); }

  // The longest token whose whole name stands at `at`; -1 if there is none.
  std::int32_t wholeTokenAt(std::string_view text, std::size_t at, SpecialText special) const {
    for (const std::int32_t id : vocabulary.wholeTokens[static_cast<unsigned char>(text[at])]) {
      if (special == SpecialText::kPlain && vocabulary.isControl(id)) continue;
      if (text.substr(at).starts_with(vocabulary.names[static_cast<std::size_t>(id)])) return id;
    }
    return -1;
  }

  void encodeWords(std::string_view text, std::vector<std::int32_t>& append) const {
    std::vector<std::size_t> ends;
    cutWords(vocabulary.preTokenizer, text, ends);
    Merger merger(vocabulary.merges);
    std::vector<std::int32_t> word;
    std::size_t start = 0;
    for (const std::size_t end : ends) {
      word.clear();
      for (; start < end; ++start) {
        std::int32_t id = vocabulary.byteIds[static_cast<unsigned char>(text[start])];
        // Vocabularies of text alone may lack bytes that no UTF-8 has.
        if (id < 0) id = vocabulary.special.unk;
        if (id >= 0) word.push_back(id);
      }
      merger.merge(word);
      append.insert(append.end(), word.begin(), word.end());
    }
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

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, SpecialText special) const {
  std::vector<std::int32_t> ids;
  encode(text, special, ids);
  return ids;
}

void Tokenizer::encode(std::string_view text, SpecialText special,
                       std::vector<std::int32_t>& append) const {
  // Most vocabularies have nothing to look for in plain text.
  if (special == SpecialText::kPlain && !impl_->vocabulary.hasUserTokens) {
    return impl_->encodeWords(text, append);
  }
  std::size_t start = 0;  // of the text since the last whole token
  for (std::size_t at = 0; at < text.size();) {
    const std::int32_t id = impl_->wholeTokenAt(text, at, special);
    if (id < 0) {
      ++at;
      continue;
    }
    impl_->encodeWords(text.substr(start, at - start), append);
    append.push_back(id);
    at += impl_->vocabulary.names[static_cast<std::size_t>(id)].size();
    start = at;
  }
  impl_->encodeWords(text.substr(start), append);
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) text += bytes(id);
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
  return id >= 0 && (id == special().eos || id == special().eot);
}

int Tokenizer::vocabSize() const { return impl_->vocabulary.size(); }
const SpecialIds& Tokenizer::special() const { return impl_->vocabulary.special; }
bool Tokenizer::addsBos() const { return impl_->vocabulary.addsBos; }
const std::string& Tokenizer::preTokenizer() const { return impl_->vocabulary.preTokenizerName; }

}  // namespace waferpair::tokenizer
