// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a tokenizer, read from tokenizer.ggml.* and checked. Private to this room.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/gguf/file.h"
#include "runtime/tokenizer/merge_table.h"
#include "runtime/tokenizer/pre_tokenizer.h"
#include "runtime/tokenizer/tokenizer.h"

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

struct Vocabulary {
  static base::Result<Vocabulary> read(const gguf::File& file);

  std::int32_t size() const { return static_cast<std::int32_t>(names.size()); }
  // Stands for no text: found in text only where its name is to be parsed.
  bool isControl(std::int32_t id) const {
    const TokenType type = types[static_cast<std::size_t>(id)];
    return type == TokenType::kControl || type == TokenType::kUnknown;
  }

  std::vector<std::string> names;  // as the file spells them
  std::vector<TokenType> types;
  std::vector<std::string> bytes;           // empty for tokens that stand for no text
  std::array<std::int32_t, 256> byteIds{};  // the token of each single byte; -1 if there is none
  MergeTable merges;
  // Tokens to look for in the text before it is cut into words, by their first byte, longest first.
  std::array<std::vector<std::int32_t>, 256> wholeTokens;
  bool hasUserTokens = false;  // among wholeTokens
  SpecialIds special;
  bool addsBos = false;
  std::string preTokenizerName;
  PreTokenizer preTokenizer = PreTokenizer::kGpt2;

 private:
  using IdByName = std::unordered_map<std::string_view, std::int32_t>;
  base::Result<void> readTokens(const gguf::File& file);
  base::Result<void> readMerges(const gguf::File& file, const IdByName& ids);
  base::Result<void> readSpecial(const gguf::File& file, const IdByName& ids);
};

}  // namespace waferpair::tokenizer
