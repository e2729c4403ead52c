// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a tokenizer, read from tokenizer.ggml.* and checked. Private to this room.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/tokenizer.h"
#include "runtime/tokenizer/whole_tokens.h"
#include "runtime/tokenizer/word_pieces.h"

namespace waferpair::tokenizer {

// The numbers of tokenizer.ggml.token_type.
enum class TokenType : std::uint8_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6,
};

// The character that vocabularies with scores write for a space.
inline constexpr std::string_view kEscapedSpace = "\xe2\x96\x81";  // U+2581

using IdByText = std::unordered_map<std::string_view, std::int32_t>;

struct Vocabulary {
  enum class Kind {
    kMerges,  // "gpt2": spelled in the byte alphabet, a list of merges, words
    kPieces,  // "bert": WordPiece; a word is the longest tokens that it can be put together from
    kScores,  // "llama": SentencePiece's BPE; the pair is joined whose token has the best score
  };

  static base::Result<Vocabulary> read(const gguf::File& file);

  std::int32_t size() const { return static_cast<std::int32_t>(names.size()); }
  TokenType type(std::int32_t id) const { return types[static_cast<std::size_t>(id)]; }
  // Stands for no text: found in text only where its name is to be parsed.
  bool isControl(std::int32_t id) const {
    return type(id) == TokenType::kControl || type(id) == TokenType::kUnknown;
  }

  Kind kind = Kind::kMerges;
  std::vector<std::string> names;  // as the file spells them
  std::vector<TokenType> types;
  std::vector<std::string> bytes;           // empty for tokens that stand for no text
  std::array<std::int32_t, 256> byteIds{};  // the token of each single byte; -1 if there is none
  MergeTable merges;
  WholeTokens userTokens;  // to be found in any text
  WholeTokens allTokens;   // the same and control tokens
  SpecialIds special;
  std::vector<std::int32_t> ends;  // sorted
  bool addsBos = false, addsEos = false;

  // kMerges only.
  std::string preTokenizerName;
  PreTokenizer preTokenizer = PreTokenizer::kGpt2;
  bool wholeWords = false;  // a word that is a token is that token, whatever the merges give
  IdByText words;           // by their bytes; empty unless wholeWords, or kPieces: by their names

  // kPieces only.
  PieceForm pieceForm;
  std::size_t longestPiece = 0;  // bytes of a name
  // Appends the tokens of a text without whole tokens.
  void appendPieces(std::string_view text, std::vector<std::int32_t>& append) const;

  // kScores only.
  bool addsSpace = false;  // text begins as if a space were in front of it
  IdByText characters;     // tokens of one character; the space is escaped
  // No token has a space behind anything else, so nothing is joined across the front of a space,
  // and what lies between may be joined by itself. So in nearly all such vocabularies.
  bool spacesBegin = true;

 private:
  base::Result<void> readKind(const gguf::File& file);
  base::Result<void> readTokens(const gguf::File& file);
  base::Result<void> readSpecial(const gguf::File& file,
                                 const IdByText& ids);  // special_tokens.cpp
  void findEnds(const IdByText& ids);
  void readBytes(const IdByText& ids);
  base::Result<void> readMerges(const gguf::File& file, const IdByText& ids);
  base::Result<void> readPieces(const gguf::File& file);                       // word_pieces.cpp
  base::Result<void> readScores(const gguf::File& file, const IdByText& ids);  // scores.cpp
};

}  // namespace waferpair::tokenizer
