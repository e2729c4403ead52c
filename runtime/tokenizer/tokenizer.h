// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-level byte-pair encoding, as GGUF files describe it (tokenizer.ggml.model = "gpt2").
//
// Text is cut into words by the pre-tokenizer that the vocabulary was trained with, and within each
// word the pair that comes first in the list of merges is joined until none is left. Text need not
// be valid UTF-8: it comes back unchanged wherever the vocabulary has all 256 bytes, as most do.
//
// All const functions may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::gguf {
class File;
}

namespace waferpair::tokenizer {

// -1 where the vocabulary has no such token.
struct SpecialIds {
  std::int32_t bos = -1, eos = -1, eot = -1, unk = -1, pad = -1;
  std::int32_t fimPrefix = -1, fimSuffix = -1, fimMiddle = -1;
  std::int32_t fimSeparator = -1;  // begins a file of several, before its name
  bool fim() const { return fimPrefix >= 0 && fimSuffix >= 0 && fimMiddle >= 0; }
};

enum class SpecialText {
  kPlain,  // "<eos>" in the text is ordinary text: for anything the user wrote
  kParse,  // the names of special tokens become those tokens: for prompts built by the program
};

class Tokenizer {
 public:
  // Reads tokenizer.ggml.*. The error names file and key; an unknown pre-tokenizer is an error, as
  // any other would cut the text differently from the training.
  static base::Result<Tokenizer> fromGguf(const gguf::File& file);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  // Never adds a beginning-of-text token by itself.
  std::vector<std::int32_t> encode(std::string_view text,
                                   SpecialText special = SpecialText::kPlain) const;
  void encode(std::string_view text, SpecialText special, std::vector<std::int32_t>& append) const;

  // The bytes of each token in turn; special tokens and ids outside the vocabulary give none.
  std::string decode(std::span<const std::int32_t> ids) const;
  // Of one token; empty for special tokens and ids outside the vocabulary.
  std::string_view bytes(std::int32_t id) const;
  // How the vocabulary spells a token, special ones included: for listings.
  std::string_view name(std::int32_t id) const;
  // Control tokens: they stand for no text.
  bool isSpecial(std::int32_t id) const;
  // True for ids after which a generation ends: eos, eot.
  bool isEnd(std::int32_t id) const;

  int vocabSize() const;
  const SpecialIds& special() const;
  bool addsBos() const;  // tokenizer.ggml.add_bos_token
  const std::string& preTokenizer() const;

 private:
  struct Impl;
  explicit Tokenizer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Turns a stream of tokens into text that is valid UTF-8 at each step: bytes of a character whose
// rest has not come yet are held back. Not thread-safe; the tokenizer must outlive it.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  // What can be shown after this token; may be empty. Bytes that cannot become a character are
  // given as U+FFFD.
  std::string push(std::int32_t id);
  // At the end of the stream: U+FFFD if an incomplete character is left, else empty.
  std::string finish();

 private:
  const Tokenizer* tokenizer_;
  std::string held_;  // a proper prefix of one UTF-8 character
};

}  // namespace waferpair::tokenizer
