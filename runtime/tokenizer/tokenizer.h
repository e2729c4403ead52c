// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-pair encoding, as GGUF files describe it. Two kinds of vocabulary (tokenizer.ggml.model):
//
// "gpt2": text is cut into words by the pre-tokenizer that the vocabulary was trained with, and
// within each word the pair of tokens that comes first in the list of merges is joined until none
// is left.
// "llama" (SentencePiece): the whole text is one word, spaces are written U+2581, and the pair is
// joined whose token has the best score. Characters without a token become their bytes.
//
// Text need not be valid UTF-8: it comes back unchanged wherever the vocabulary has all 256 bytes,
// as most do. (U+2581 itself comes back as a space from the second kind: it has no other spelling.)
// Encoding n bytes takes time of order n log n.
//
// All const functions may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
  std::int32_t bos = -1, eos = -1, eot = -1, eom = -1, unk = -1, pad = -1;
  std::int32_t fimPrefix = -1, fimSuffix = -1, fimMiddle = -1;
  std::int32_t fimSeparator = -1;  // begins a file of several, before its name
  std::int32_t fimRepo = -1;       // begins a repository's files, before its name
  std::int32_t fimPad = -1;
  bool fim() const { return fimPrefix >= 0 && fimSuffix >= 0 && fimMiddle >= 0; }
};

enum class SpecialText {
  kPlain,  // "<eos>" in the text is ordinary text: for anything the user wrote
  kParse,  // the names of special tokens become those tokens: for prompts built by the program
};

// Vocabularies with addsSpace() were trained on texts with a space put in front.
enum class TextStart {
  kFresh,      // the text begins something: it gets that space
  kContinues,  // it goes on with what the tokens before it began
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
  std::vector<std::int32_t> encode(std::string_view text, SpecialText special = SpecialText::kPlain,
                                   TextStart start = TextStart::kFresh) const;
  void encode(std::string_view text, SpecialText special, std::vector<std::int32_t>& append,
              TextStart start = TextStart::kFresh) const;

  // Returns true if plain text is surely cut between two tokens at `at`: encoding the text in front
  // of it, and the rest as text that continues, gives the tokens of encoding all of it. Depends on
  // the two bytes around the place alone; false at many a place where text is cut as well.
  bool isCut(std::string_view text, std::size_t at) const;

  // Returns where the last word of `text` begins, whose characters may still merge into other
  // tokens.
  std::size_t lastWord(std::string_view text) const;
  // Of a text whose last word has a line end: whether that word stays what it is when a word or an
  // indentation follows. GPT-2's pre-tokenizer gives the last blank of "\n    " to what follows.
  bool endsLine(std::string_view text) const;

  // The bytes of each token in turn; special tokens and ids outside the vocabulary give none. The
  // space that encode() puts in front of a fresh text is taken away.
  std::string decode(std::span<const std::int32_t> ids) const;
  // The bytes of one token; empty for special tokens and ids outside the vocabulary.
  std::string_view bytes(std::int32_t id) const;
  // The vocabulary's spelling of a token, special ones included, for listings.
  std::string_view name(std::int32_t id) const;
  // Control tokens: they stand for no text.
  bool isSpecial(std::int32_t id) const;
  // True for ids after which a generation ends: eos, eot, eom, the usual names for them, and what
  // begins another file or repository.
  bool isEnd(std::int32_t id) const;
  // The special token of this name; -1 if there is none.
  std::int32_t findSpecial(std::string_view name) const;

  // The first control token whose name `text` spells; nothing if there is none.
  struct SpecialPlace {
    std::size_t at;
    std::size_t size;  // bytes of the name
    std::int32_t token;
  };
  std::optional<SpecialPlace> nextSpecial(std::string_view text) const;
  // The same of a token that users added, which plain text spells as well.
  std::optional<SpecialPlace> nextUserDefined(std::string_view text) const;

  int vocabSize() const;
  const SpecialIds& special() const;
  bool addsBos() const;    // tokenizer.ggml.add_bos_token, or what is usual for the kind
  bool addsEos() const;    // tokenizer.ggml.add_eos_token: of texts that are embedded
  bool addsSpace() const;  // tokenizer.ggml.add_space_prefix, of the kinds "llama" and "bert"
  const std::string& preTokenizer() const;  // of the kind "gpt2"; else empty

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

  // Returns the text that can be shown after this token, which may be empty. Bytes that cannot
  // become a character are given as U+FFFD.
  std::string push(std::int32_t id);
  // Ends the stream: returns U+FFFD if an incomplete character is left, else an empty text.
  std::string finish();

 private:
  const Tokenizer* tokenizer_;
  std::string held_;  // a proper prefix of one UTF-8 character
};

}  // namespace waferpair::tokenizer
