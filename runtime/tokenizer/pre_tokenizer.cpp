// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/pre_tokenizer.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "runtime/tokenizer/deepseek_ranges.h"
#include "runtime/tokenizer/waferpair_words.h"
#include "runtime/tokenizer/word_rules.h"

namespace waferpair::tokenizer {
namespace {

// Names that llama.cpp's converter gives to vocabularies, by the expressions these were trained
// with (src/llama-vocab.cpp there, which quotes the models' tokenizer.json). Some of those, as
// Qwen's, also compose characters (NFC) before; here, as there, text is taken as it is written.
constexpr KnownPreTokenizer kKnown[] = {
    {"gpt-2", PreTokenizer::kGpt2},
    {"mpt", PreTokenizer::kGpt2},
    {"olmo", PreTokenizer::kGpt2},
    {"jais", PreTokenizer::kGpt2},
    {"phi-2", PreTokenizer::kGpt2},
    {"mellum", PreTokenizer::kGpt2},
    {"modern-bert", PreTokenizer::kGpt2},
    {"roberta-bpe", PreTokenizer::kGpt2},
    {"gigachat", PreTokenizer::kGpt2},
    {"a.x-4.0", PreTokenizer::kGpt2},
    {"exaone4", PreTokenizer::kGpt2},
    {"trillion", PreTokenizer::kGpt2},
    {"granite-docling", PreTokenizer::kGpt2},
    {"starcoder", PreTokenizer::kStarcoder},
    {"refact", PreTokenizer::kStarcoder},  // Granite Code and Granite 3 carry this name
    {"command-r", PreTokenizer::kStarcoder},
    {"smollm", PreTokenizer::kStarcoder},
    {"codeshell", PreTokenizer::kStarcoder},
    {"exaone", PreTokenizer::kStarcoder},
    {"minerva-7b", PreTokenizer::kStarcoder},
    {"mellum2", PreTokenizer::kStarcoder},
    {"deepseek-coder", PreTokenizer::kDeepseekCoder},
    {"deepseek-llm", PreTokenizer::kDeepseekLlm},  // also DeepSeek-Coder-V2
    {"deepseek-v3", PreTokenizer::kDeepseek3},
    {"hunyuan-dense", PreTokenizer::kDeepseek3},
    {"joyai-llm", PreTokenizer::kDeepseek3},
    {"llama3", PreTokenizer::kLlama3, true, true},
    {"llama-v3", PreTokenizer::kLlama3, true, true},
    {"llama-bpe", PreTokenizer::kLlama3, true, true},
    {"falcon3", PreTokenizer::kLlama3, true, true},
    {"falcon-h1", PreTokenizer::kLlama3, true, true},
    {"pixtral", PreTokenizer::kLlama3, true, true},
    {"midm-2.0", PreTokenizer::kLlama3, true, true},
    {"lfm2", PreTokenizer::kLlama3, true, true},
    {"dbrx", PreTokenizer::kLlama3},  // Granite 4 and Phi-4 carry this name
    {"smaug-bpe", PreTokenizer::kLlama3},
    {"glm4", PreTokenizer::kLlama3},
    {"chatglm-bpe", PreTokenizer::kLlama3},
    {"qwen2", PreTokenizer::kQwen2},
    {"deepseek-r1-qwen", PreTokenizer::kQwen2},
    {"stablelm2", PreTokenizer::kQwen2},
    {"megrez", PreTokenizer::kQwen2},
    {"hunyuan", PreTokenizer::kQwen2},
    {"grok-2", PreTokenizer::kQwen2},
    {"solar-open", PreTokenizer::kQwen2},
    // These write \s*[\r\n] for \s*[\r\n]+, which ends at the same newline.
    {"bailingmoe", PreTokenizer::kQwen2},
    {"bailingmoe2", PreTokenizer::kQwen2},
    {"llada-moe", PreTokenizer::kQwen2},
    {"qwen35", PreTokenizer::kQwen35},
    {"seed-coder", PreTokenizer::kSeedCoder},
    {"minicpm5", PreTokenizer::kMinicpm5, true},
    {"gpt-4o", PreTokenizer::kGpt4o},  // o200k, which gpt-oss has as well
    {"llama4", PreTokenizer::kGpt4o},
    {"kanana2", PreTokenizer::kGpt4o},
    {"minimax-m2", PreTokenizer::kGpt4o},
    {"tekken", PreTokenizer::kTekken, true, true},
    {"kimi-k2", PreTokenizer::kKimi},  // Moonlight, Kimi-VL and Kimi K2
    {"waferpair", PreTokenizer::kWaferpair},
};

constexpr WordShape kLlama3Shape{};
constexpr WordShape kQwen2Shape{.digits = 1};
constexpr WordShape kQwen35Shape{
    .letters = kLetter | kMark, .digits = 1, .notSymbols = kSpace | kLetter | kMark | kNumber};
constexpr WordShape kSeedCoderShape{.digits = 1, .newlinesAfterSymbols = false};
constexpr WordShape kMinicpm5Shape{.digits = kAnyNumber};
constexpr WordShape kGpt4oShape{
    .contraction = WordShape::kBehind, .cased = true, .slashesAfterSymbols = true};
constexpr WordShape kTekkenShape{
    .contraction = WordShape::kNone, .cased = true, .digits = 1, .slashesAfterSymbols = true};
constexpr WordShape kKimiShape{.contraction = WordShape::kBehind, .cased = true, .hanApart = true};
// Numbers never reach it: they are cut out before. What it does not match stays together.
constexpr WordShape kDeepseek3Shape{.contraction = WordShape::kNone,
                                    .letters = kLetter | kMark,
                                    .notInFront = kLetter | kPunctuation | kSymbol,
                                    .nameAfterPunctuation = true,
                                    .symbols = kPunctuation | kSymbol,
                                    .notSymbols = 0};

template <const auto& kRanges>
std::size_t ranges(const Characters& text, std::size_t at, std::size_t last) {
  return countWhile(text, at, last, [](const Character& c) { return inRanges(kRanges, c.value); });
}

template <const auto& kRanges>
std::size_t spaceAndRanges(const Characters& text, std::size_t at, std::size_t last) {
  return spaceAndRun(text, at, last, [](const Character& c) { return inRanges(kRanges, c.value); });
}

// The rules of a scheme, each applied to what those before it left.
using Rules = std::array<WordRule, 6>;

constexpr Rules rulesOf(PreTokenizer scheme) {
  switch (scheme) {
    case PreTokenizer::kGpt2:
      return {gpt2Word};
    case PreTokenizer::kStarcoder:
      return {numbers<1>, gpt2Word};
    case PreTokenizer::kDeepseekCoder:
      return {newline, spaceAndRun<kLetter>, spaceAndRun<kPunctuation>, ranges<kDeepseekEastAsian>,
              numbers<1>};
    case PreTokenizer::kDeepseekLlm:  // llama.cpp has \p{N}+, the model's file single digits
      return {newline,     spaceAndRanges<kDeepseekLetters>, spaceAndRanges<kDeepseekSymbols>,
              spacesAtEnd, ranges<kDeepseekEastAsian>,       numbers<1>};
    case PreTokenizer::kDeepseek3:
      return {numbers<3>, ranges<kDeepseek3EastAsian>, shapedWord<kDeepseek3Shape>};
    case PreTokenizer::kLlama3:
      return {shapedWord<kLlama3Shape>};
    case PreTokenizer::kQwen2:
      return {shapedWord<kQwen2Shape>};
    case PreTokenizer::kQwen35:
      return {shapedWord<kQwen35Shape>};
    case PreTokenizer::kSeedCoder:
      return {shapedWord<kSeedCoderShape>};
    case PreTokenizer::kMinicpm5:
      return {numbers<3>, shapedWord<kMinicpm5Shape>};
    case PreTokenizer::kGpt4o:
      return {shapedWord<kGpt4oShape>};
    case PreTokenizer::kTekken:
      return {shapedWord<kTekkenShape>};
    case PreTokenizer::kKimi:
      return {shapedWord<kKimiShape>};
    case PreTokenizer::kWaferpair:
      break;  // over bytes
  }
  return {};
}

// A stretch of characters, by index.
struct Piece {
  std::size_t first, last;
};

// Cuts each piece where the rule applies; what lies between stays a piece of its own.
std::vector<Piece> applyRule(const Characters& text, const std::vector<Piece>& pieces,
                             WordRule rule) {
  // Linear: a rule that takes nothing looks at a bounded number of characters, or at each run of
  // spaces once, and one that takes characters is not asked about them again.
  std::vector<Piece> out;
  for (const Piece& piece : pieces) {
    std::size_t start = piece.first;  // of what no match has taken yet
    for (std::size_t at = piece.first; at < piece.last;) {
      const std::size_t length = rule(text, at, piece.last);
      if (length == 0) {
        ++at;
        continue;
      }
      if (start < at) out.push_back({start, at});
      out.push_back({at, at + length});
      at += length;
      start = at;
    }
    if (start < piece.last) out.push_back({start, piece.last});
  }
  return out;
}

}  // namespace

const KnownPreTokenizer* findPreTokenizer(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKnown), std::end(kKnown),
                                   [&](const auto& known) { return name == known.name; });
  return found == std::end(kKnown) ? nullptr : found;
}

std::string knownPreTokenizers() {
  std::string names;
  for (const auto& known : kKnown) names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

bool surelyParted(char before, char after) {
  // In every scheme letters make up the end of their word, and none looks at more than the
  // character behind them. Not the apostrophe, which contractions begin with.
  const bool letter = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z');
  constexpr std::string_view kNeverBehind = " \t\n(){}[];,";
  return letter && kNeverBehind.find(after) != std::string_view::npos;
}

void cutWords(PreTokenizer scheme, std::string_view text, std::vector<std::size_t>& ends) {
  if (text.empty()) return;
  if (scheme == PreTokenizer::kWaferpair) {
    for (std::size_t at = 0; at < text.size(); ends.push_back(at)) at = waferpairWordEnd(text, at);
    return;
  }
  const Characters characters = readCharacters(text);
  std::vector<Piece> pieces{{0, characters.size()}};
  for (const WordRule rule : rulesOf(scheme)) {
    if (rule != nullptr) pieces = applyRule(characters, pieces, rule);
  }
  for (const Piece& piece : pieces) ends.push_back(characters[piece.last - 1].end);
}

}  // namespace waferpair::tokenizer
