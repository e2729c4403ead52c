// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/exclusions/secret_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/exclusions/assignment.h"
#include "runtime/exclusions/characters.h"
#include "runtime/exclusions/secret_forms.h"
#include "runtime/exclusions/secret_pattern.h"
#include "runtime/exclusions/secret_table.h"

namespace waferpair::exclusions {
namespace {

bool isSeparator(char c) { return c == '_' || c == '-' || c == '.' || c == ' '; }

// The end of `word` at `at`, where "_" is any separator or none; 0: it does not stand there.
std::size_t wordAt(std::string_view text, std::size_t at, std::string_view word) {
  for (const char c : word) {
    if (c == '_') {
      if (at < text.size() && isSeparator(text[at])) ++at;
      continue;
    }
    if (at >= text.size() || lowered(text[at]) != c) return 0;
    ++at;
  }
  return at;
}

// "dd" begins a word in "DD_API" and "myDdApi", and none in "addApi".
bool beginsPart(std::string_view text, std::size_t at) {
  return at == 0 || !isLetter(text[at - 1]) || (isUpper(text[at]) && isLower(text[at - 1]));
}

constexpr std::string_view kKeyWords[] = {"key", "token", "secret", "pass", "auth",    "pat",
                                          "api", "cred",  "access", "sid",  "session", "license"};

// Also where a capital follows, and behind a written "\\n" or "%3D". Rather too often than not.
bool beginsAWord(std::string_view text, std::size_t at) {
  if (at == 0 || isUpper(text[at])) return true;
  return !isAlnum(text[at - 1]) || (at >= 2 && text[at - 2] == '\\') ||
         (at >= 3 && text[at - 3] == '%');
}

// All that is looked for, by the three bytes that it begins with.
class Index {
 public:
  Index() {
    for (const TokenShape& shape : tokenShapes()) {
      tokens_.push_back({shape.kind, SecretPattern(shape.pattern)});
      const SecretPattern& pattern = tokens_.back().pattern;
      for (const std::uint32_t anchor : pattern.anchors())
        add(anchor, {Rule::kToken, pattern.looksBack(), tokens_.size() - 1});
    }
    for (const NamedShape& shape : namedShapes()) {
      named_.push_back({shape.kind, SecretPattern(shape.pattern), shape.word});
      for (const std::uint32_t anchor : anchorsOf(shape.word))
        add(anchor, {Rule::kNamed, false, named_.size() - 1});
    }
    for (std::size_t i = 0; i < secretForms().size(); ++i) {
      const std::string_view begin = secretForms()[i].begin;
      add(folded(begin[0], begin[1], begin[2]), {Rule::kForm, true, i});
    }
  }

  // The secret of which something stands at `at`, and four bytes at least.
  std::string_view kindAt(std::string_view text, std::size_t at) const {
    const std::uint32_t anchor = folded(text[at], text[at + 1], text[at + 2]);
    for (const Rule& rule : rules_[slots_[bitOf(anchor)]]) {
      const std::string_view kind = rule.of == Rule::kToken   ? token(text, at, rule.index)
                                    : rule.of == Rule::kNamed ? named(text, at, rule.index)
                                                              : form(text, at, rule.index);
      if (!kind.empty()) return kind;
    }
    return {};
  }
  // The same, of a token that is known by itself.
  std::string_view tokenAt(std::string_view text, std::size_t at) const {
    const std::uint32_t anchor = folded(text[at], text[at + 1], text[at + 2]);
    for (const Rule& rule : rules_[slots_[bitOf(anchor)]])
      if (rule.of == Rule::kToken)
        if (const std::string_view kind = token(text, at, rule.index); !kind.empty()) return kind;
    return {};
  }
  // The same of one that is being written, up to the end of `text`.
  std::string_view begunAt(std::string_view text, std::size_t at) const {
    const std::uint32_t anchor = folded(text[at], text[at + 1], text[at + 2]);
    for (const Rule& rule : rules_[slots_[bitOf(anchor)]])
      if (rule.of == Rule::kToken && tokens_[rule.index].pattern.isBegunAt(text, at))
        return tokens_[rule.index].kind;
    return {};
  }
  // The first place from `at` on where it is worth asking kindAt(); the text's size: there is none.
  std::size_t nextPlace(std::string_view text, std::size_t at) const {
    for (; at + 4 <= text.size(); ++at) {
      std::uint32_t bytes = 0;
      std::memcpy(&bytes, text.data() + at, 4);
      const std::uint32_t bit = bitOf(folded(bytes));
      if (has(any_, bit) && (beginsAWord(text, at) || has(inWords_, bit))) return at;
    }
    return text.size();
  }

 private:
  struct Rule {
    enum Of : std::uint8_t { kToken, kNamed, kForm } of;
    bool isAnywhere;  // also within a word
    std::size_t index;
  };
  struct Shape {
    std::string_view kind;
    SecretPattern pattern;
    std::string_view word = {};
  };

  static constexpr std::size_t kBits = 1 << 17;
  using Bits = std::array<std::uint64_t, kBits / 64>;

  static bool has(const Bits& bits, std::uint32_t bit) {
    return (bits[bit >> 6] >> (bit & 63) & 1) != 0;
  }
  static std::uint32_t bitOf(std::uint32_t anchor) { return anchor * 0x9e3779b1u >> 15; }

  void add(std::uint32_t anchor, const Rule& rule) {
    const std::uint32_t bit = bitOf(anchor);
    if (slots_[bit] == 0) {
      slots_[bit] = static_cast<std::uint16_t>(rules_.size());
      rules_.emplace_back();
    }
    rules_[slots_[bit]].push_back(rule);
    any_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    if (rule.isAnywhere) inWords_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
  }

  static std::vector<std::uint32_t> anchorsOf(std::string_view word) {
    std::vector<std::uint32_t> anchors;
    const std::string_view separators = "_-. ";
    const std::size_t at = word.substr(0, 3).find('_');
    std::string begin(word);
    if (at == word.npos) return {folded(begin[0], begin[1], begin[2])};
    for (const char separator : separators) {
      begin[at] = separator;
      anchors.push_back(folded(begin[0], begin[1], begin[2]));
    }
    begin.erase(at, 1);
    anchors.push_back(folded(begin[0], begin[1], begin[2]));
    return anchors;
  }

  std::string_view token(std::string_view text, std::size_t at, std::size_t index) const {
    return tokens_[index].pattern.matchAt(text, at) ? tokens_[index].kind : std::string_view();
  }

  std::string_view named(std::string_view text, std::size_t at, std::size_t index) const {
    const Shape& shape = named_[index];
    const std::size_t end = wordAt(text, at, shape.word);
    if (end == 0 || !beginsPart(text, at)) return {};
    const auto given = assignmentAround(text, text.substr(at, end - at));
    if (!given || !shape.pattern.matchesAll(given->value)) return {};
    std::string name;
    for (const std::string_view part : {given->head, shape.word, given->tail})
      for (const char c : part) name += lowered(c);
    const bool isKey =
        std::any_of(std::begin(kKeyWords), std::end(kKeyWords),
                    [&name](std::string_view word) { return name.find(word) != name.npos; });
    return isKey ? shape.kind : std::string_view();
  }

  static std::string_view form(std::string_view text, std::size_t at, std::size_t index) {
    const SecretForm& form = secretForms()[index];
    if (text.size() - at < form.begin.size()) return {};
    for (std::size_t i = 0; i < form.begin.size(); ++i)
      if (lowered(text[at + i]) != form.begin[i]) return {};
    return form.kindAt(text, at);
  }

  std::vector<Shape> tokens_;
  std::vector<Shape> named_;
  std::vector<std::vector<Rule>> rules_ = std::vector<std::vector<Rule>>(1);
  std::vector<std::uint16_t> slots_ = std::vector<std::uint16_t>(kBits);  // of each bit, in rules_
  // 16 KiB each: they stay in the nearest caches.
  Bits any_{};
  Bits inWords_{};  // of those, what is looked for within words, too
};

const Index& theIndex() {
  static const Index index;
  return index;
}

}  // namespace

std::optional<SecretText> findSecret(std::string_view utf8) {
  const Index& index = theIndex();
  if (const std::string_view kind = kindOfFile(utf8); !kind.empty()) return SecretText{kind, 0};
  for (std::size_t at = index.nextPlace(utf8, 0); at < utf8.size();
       at = index.nextPlace(utf8, at + 1)) {
    const std::string_view kind = index.kindAt(utf8, at);
    if (kind.empty()) continue;
    // A value of a name may tell more of itself.
    for (std::size_t in = at + 1;
         in < std::min(utf8.size() - std::min<std::size_t>(utf8.size(), 4), at + 96); ++in)
      if (const std::string_view own = index.tokenAt(utf8, in); !own.empty())
        return SecretText{own, in};
    return SecretText{kind, at};
  }
  return std::nullopt;
}

std::string_view begunSecret(std::string_view utf8) {
  const Index& index = theIndex();
  for (std::size_t at = index.nextPlace(utf8, 0); at < utf8.size();
       at = index.nextPlace(utf8, at + 1))
    if (const std::string_view kind = index.begunAt(utf8, at); !kind.empty()) return kind;
  return {};
}

std::string reasonOfText(std::string_view utf8) {
  const auto secret = findSecret(utf8);
  if (!secret) return {};
  return "the text has " + std::string(secret->kind) +
         " in it: the model is never shown such a text";
}

}  // namespace waferpair::exclusions
