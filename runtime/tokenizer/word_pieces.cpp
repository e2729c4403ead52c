// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/word_pieces.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "runtime/base/utf8.h"
#include "runtime/tokenizer/vocabulary.h"

namespace waferpair::tokenizer {
namespace {

struct Range {
  char32_t first, last;
};
// The blocks that BERT takes to be Chinese, each character of which is a word.
constexpr Range kChinese[] = {{0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xf900, 0xfaff},
                              {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f},
                              {0x2b920, 0x2ceaf}, {0x2f800, 0x2fa1f}};

bool isChinese(char32_t c) {
  return std::ranges::any_of(kChinese, [=](const Range& r) { return c >= r.first && c <= r.last; });
}

bool isSpace(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

// Not tabs and line ends, which are spaces.
bool isLeftOut(char32_t c) {
  constexpr std::uint32_t kOthers = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK;
  return c == 0 || c == 0xfffd || (U_GET_GC_MASK(static_cast<UChar32>(c)) & kOthers) != 0;
}

bool isMark(char32_t c) {
  const bool ofAscii = (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
                       (c >= 123 && c <= 126);
  return ofAscii || (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_P_MASK) != 0;
}

bool isAccent(char32_t c) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_MN_MASK) != 0; }

void append(std::string& word, char32_t c) {
  std::array<char, U8_MAX_LENGTH> bytes;
  std::size_t size = 0;
  U8_APPEND_UNSAFE(bytes.data(), size, static_cast<UChar32>(c));
  word.append(bytes.data(), size);
}

// Calls f for each character that a character is made of (NFD), which most are of themselves.
template <typename F>
void forEachPart(const UNormalizer2* nfd, char32_t c, F&& f) {
  constexpr int kMost = 32;
  UChar parts[kMost];
  UErrorCode error = U_ZERO_ERROR;
  const int length =
      nfd == nullptr || c < 0x80
          ? -1
          : unorm2_getDecomposition(nfd, static_cast<UChar32>(c), parts, kMost, &error);
  if (length < 0 || U_FAILURE(error)) return f(c);
  for (int i = 0; i < length;) {
    UChar32 part = 0;
    U16_NEXT(parts, i, length, part);
    f(static_cast<char32_t>(part));
  }
}

}  // namespace

std::vector<std::string> pieceWords(std::string_view text, const PieceForm& form) {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* nfd = form.stripAccents ? unorm2_getNFDInstance(&error) : nullptr;
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const base::Utf8 next = base::decodeUtf8(text.substr(at));
    at += next.length;
    if (isSpace(next.character)) {
      end();
      continue;
    }
    if (isLeftOut(next.character)) continue;
    const bool alone = isChinese(next.character);
    if (alone) end();
    forEachPart(nfd, next.character, [&](char32_t part) {
      if (form.stripAccents && isAccent(part)) return;
      if (form.lowercase) part = static_cast<char32_t>(u_tolower(static_cast<UChar32>(part)));
      if (isMark(part)) end();
      append(word, part);
      if (isMark(part)) end();
    });
    if (alone) end();
  }
  end();
  return words;
}

base::Result<void> Vocabulary::readPieces(const gguf::File& file) {
  const auto lowercase = file.booleanOr("tokenizer.ggml.normalizer.lowercase", true);
  if (!lowercase) return tl::unexpected(lowercase.error());
  const auto accents = file.booleanOr("tokenizer.ggml.normalizer.strip_accents", *lowercase);
  if (!accents) return tl::unexpected(accents.error());
  pieceForm = {.lowercase = *lowercase, .stripAccents = *accents};
  for (std::int32_t id = 0; id < size(); ++id) {
    if (type(id) != TokenType::kNormal) continue;
    const std::string_view name = names[static_cast<std::size_t>(id)];
    longestPiece = std::max(longestPiece, name.size());
    words.emplace(name, id);
  }
  if (special.unk >= 0) return {};
  return base::fail(file.name() + ": has a vocabulary of pieces, but no token for unknown words.",
                    "Convert the model again with a current tool.");
}

void Vocabulary::appendPieces(std::string_view text, std::vector<std::int32_t>& append) const {
  for (const std::string& word : pieceWords(text, pieceForm)) {
    const std::string spelled = std::string(kEscapedSpace) + word;
    const std::size_t before = append.size();
    std::size_t characters = 0;
    for (const char byte : word) characters += (byte & 0xc0) != 0x80;
    bool known = characters <= kLongestPieceWord;
    for (std::size_t at = 0; known && at < spelled.size();) {
      // The longest token that the rest begins with.
      std::size_t size = std::min(spelled.size() - at, longestPiece);
      auto found = words.end();
      for (; size > 0 && found == words.end(); --size)
        found = words.find(std::string_view(spelled).substr(at, size));
      known = found != words.end();
      if (!known) break;
      append.push_back(found->second);
      at += size + 1;
    }
    if (known) continue;
    append.resize(before);
    append.push_back(special.unk);
  }
}

}  // namespace waferpair::tokenizer
