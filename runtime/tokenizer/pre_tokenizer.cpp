// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/pre_tokenizer.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "runtime/tokenizer/utf8.h"

namespace waferpair::tokenizer {
namespace {

struct Name {
  const char* name;
  PreTokenizer scheme;
};
// Names that llama.cpp's converter gives to vocabularies trained with the same expressions.
constexpr Name kNames[] = {
    {"gpt-2", PreTokenizer::kGpt2},          {"mpt", PreTokenizer::kGpt2},
    {"olmo", PreTokenizer::kGpt2},           {"jais", PreTokenizer::kGpt2},
    {"starcoder", PreTokenizer::kStarcoder}, {"refact", PreTokenizer::kStarcoder},
    {"command-r", PreTokenizer::kStarcoder}, {"smollm", PreTokenizer::kStarcoder},
    {"codeshell", PreTokenizer::kStarcoder}, {"deepseek-coder", PreTokenizer::kDeepseekCoder},
    {"waferpair", PreTokenizer::kWaferpair},
};

enum : std::uint8_t { kLetter = 1, kNumber = 2, kSpace = 4, kPunctuation = 8 };

std::uint8_t classify(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  const std::uint32_t category = U_GET_GC_MASK(c);
  std::uint8_t flags = 0;
  if ((category & U_GC_L_MASK) != 0) flags |= kLetter;
  if ((category & U_GC_N_MASK) != 0) flags |= kNumber;
  if ((category & U_GC_P_MASK) != 0) flags |= kPunctuation;
  if (u_isUWhiteSpace(c)) flags |= kSpace;
  return flags;
}

struct Character {
  char32_t value;
  std::uint8_t flags;
  std::size_t end;  // offset behind it
};

std::vector<Character> readCharacters(std::string_view text) {
  // Code is nearly all ASCII: asking ICU about each of its characters would take most of the time.
  static const auto ascii = [] {
    std::array<std::uint8_t, 128> flags{};
    for (char32_t c = 0; c < 128; ++c) flags[c] = classify(c);
    return flags;
  }();
  std::vector<Character> characters;
  characters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8 next = decodeUtf8(text.substr(at));
    at += next.length;
    const std::uint8_t flags =
        next.character < 128 ? ascii[next.character] : classify(next.character);
    characters.push_back({next.character, flags, at});
  }
  return characters;
}

// A stretch of characters, by index.
using Text = std::vector<Character>;
struct Piece {
  std::size_t first, last;
};

// How many characters from `at` on a rule takes; 0 if it does not apply. Only what lies before
// `last` is seen, as if the text ended there.
using Rule = std::size_t (*)(const Text& text, std::size_t at, std::size_t last);

template <typename Predicate>
std::size_t run(const Text& text, std::size_t at, std::size_t last, Predicate&& in) {
  const std::size_t first = at;
  while (at < last && in(text[at])) ++at;
  return at - first;
}

bool isSpace(const Character& c) { return (c.flags & kSpace) != 0; }

// 's 't 're 've 'm 'll 'd
std::size_t contraction(const Text& text, std::size_t at, std::size_t last) {
  if (text[at].value != '\'' || at + 1 >= last) return 0;
  const char32_t one = text[at + 1].value;
  if (one == 's' || one == 't' || one == 'm' || one == 'd') return 2;
  if (at + 2 >= last) return 0;
  const char32_t two = text[at + 2].value;
  const bool pair =
      (one == 'r' && two == 'e') || (one == 'v' && two == 'e') || (one == 'l' && two == 'l');
  return pair ? 3 : 0;
}

// The rest of GPT-2's expression: letters, numbers or symbols behind at most one space, or spaces,
// of which the last is left to a word that follows.
std::size_t gpt2Word(const Text& text, std::size_t at, std::size_t last) {
  if (const std::size_t length = contraction(text, at, last); length != 0) return length;
  const std::size_t start = text[at].value == ' ' && at + 1 < last ? at + 1 : at;
  constexpr std::uint8_t kKinds = kLetter | kNumber | kSpace;
  const std::uint8_t kind = text[start].flags & kKinds;
  if (kind != kSpace) {
    const auto same = [kind](const Character& c) { return (c.flags & kKinds) == kind; };
    return start - at + run(text, start, last, same);
  }
  const std::size_t spaces = run(text, at, last, isSpace);
  return spaces > 1 && at + spaces < last ? spaces - 1 : spaces;
}

std::size_t digit(const Text& text, std::size_t at, std::size_t) {
  return (text[at].flags & kNumber) != 0 ? 1 : 0;
}

std::size_t newline(const Text& text, std::size_t at, std::size_t) {
  return text[at].value == '\n' || text[at].value == '\r' ? 1 : 0;
}

// \s?\p{...}+
template <std::uint8_t kFlag>
std::size_t spaceAndRun(const Text& text, std::size_t at, std::size_t last) {
  const auto in = [](const Character& c) { return (c.flags & kFlag) != 0; };
  const std::size_t space = isSpace(text[at]) ? 1 : 0;
  const std::size_t length = run(text, at + space, last, in);
  return length != 0 ? space + length : 0;
}

// DeepSeek's range of East Asian characters.
std::size_t eastAsian(const Text& text, std::size_t at, std::size_t last) {
  return run(text, at, last, [](const Character& c) {
    return (c.value >= 0x800 && c.value <= 0x9fa5) || (c.value >= 0xac00 && c.value <= 0xd7ff);
  });
}

// Cuts each piece where the rule applies; what lies between stays a piece of its own.
std::vector<Piece> applyRule(const Text& text, const std::vector<Piece>& pieces, Rule rule) {
  // Linear: a rule that takes nothing looks at a bounded number of characters, and one that takes
  // characters is not asked about them again.
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

void cutByRules(std::string_view bytes, std::initializer_list<Rule> rules,
                std::vector<std::size_t>& ends) {
  const Text text = readCharacters(bytes);
  if (text.empty()) return;
  std::vector<Piece> pieces{{0, text.size()}};
  for (const Rule rule : rules) pieces = applyRule(text, pieces, rule);
  for (const Piece& piece : pieces) ends.push_back(text[piece.last - 1].end);
}

// The rules of training/PRETOKENIZER.md, over bytes.
class WaferpairCutter {
 public:
  explicit WaferpairCutter(std::string_view text) : text_(text) {}

  std::size_t wordEnd(std::size_t at) const {
    if (is(at, kNewline)) return take(take(at, kNewline, 16), kBlank, 64);
    const std::size_t start = at + (text_[at] == ' ' && at + 1 < text_.size() ? 1 : 0);
    if (is(start, kUpper | kLower | kUnderscore)) return nameEnd(start);
    if (is(start, kDigit)) return start + 1;
    if (is(start, kOther)) return take(start, kOther, 8);
    const std::size_t end = take(at, kBlank, 64);
    // The last of several spaces belongs to the word behind it.
    const bool wordFollows = end < text_.size() && !is(end, kBlank | kNewline);
    return end - at >= 2 && text_[end - 1] == ' ' && wordFollows ? end - 1 : end;
  }

 private:
  enum : std::uint8_t {
    kNewline = 1,
    kBlank = 2,
    kUpper = 4,
    kLower = 8,
    kDigit = 16,
    kUnderscore = 32,
    kOther = 64
  };

  static std::uint8_t classOf(unsigned char byte) {
    if (byte == '\n' || byte == '\r') return kNewline;
    if (byte == ' ' || byte == '\t') return kBlank;
    if (byte >= 'A' && byte <= 'Z') return kUpper;
    if ((byte >= 'a' && byte <= 'z') || byte >= 0x80) return kLower;
    if (byte >= '0' && byte <= '9') return kDigit;
    return byte == '_' ? kUnderscore : kOther;
  }
  bool is(std::size_t at, std::uint8_t classes) const {
    return at < text_.size() && (classOf(static_cast<unsigned char>(text_[at])) & classes) != 0;
  }
  std::size_t take(std::size_t at, std::uint8_t classes, std::size_t most) const {
    const std::size_t first = at;
    while (at - first < most && is(at, classes)) ++at;
    return at;
  }

  // Underscores, then "Name", "name" or "NAME"; of "HTTPServer" only "HTTP".
  std::size_t nameEnd(std::size_t at) const {
    const std::size_t name = take(at, kUnderscore, 16);
    const std::size_t afterCapital = take(name, kUpper, 1);
    if (is(afterCapital, kLower)) return take(afterCapital, kLower, 32);
    const std::size_t capitals = take(name, kUpper, 32);
    return capitals > name && is(capitals, kLower) ? capitals - 1 : capitals;
  }

  std::string_view text_;
};

}  // namespace

std::optional<PreTokenizer> findPreTokenizer(std::string_view name) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const Name& known) { return name == known.name; });
  if (found == std::end(kNames)) return std::nullopt;
  return found->scheme;
}

std::string knownPreTokenizers() {
  std::string names;
  for (const Name& known : kNames) names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

void cutWords(PreTokenizer scheme, std::string_view text, std::vector<std::size_t>& ends) {
  switch (scheme) {
    case PreTokenizer::kGpt2:
      return cutByRules(text, {gpt2Word}, ends);
    case PreTokenizer::kStarcoder:
      return cutByRules(text, {digit, gpt2Word}, ends);
    case PreTokenizer::kDeepseekCoder:
      return cutByRules(
          text, {newline, spaceAndRun<kLetter>, spaceAndRun<kPunctuation>, eastAsian, digit}, ends);
    case PreTokenizer::kWaferpair: {
      const WaferpairCutter cutter(text);
      for (std::size_t at = 0; at < text.size();) {
        at = cutter.wordEnd(at);
        ends.push_back(at);
      }
      return;
    }
  }
}

}  // namespace waferpair::tokenizer
