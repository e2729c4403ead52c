// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/gbnf.h"

#include <algorithm>
#include <map>
#include <optional>

#include "runtime/grammar/builder.h"

namespace waferpair::grammar {
namespace {

constexpr int kMaxParentheses = 64;

bool isNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

// After the first problem reading goes on with harmless values until the end is reached.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  base::Result<Grammar> parse() {
    if (text_.size() > kMaxGbnf) {
      problem("has " + std::to_string(text_.size()) + " bytes.",
              "At most " + std::to_string(kMaxGbnf) + " are read.");
      return tl::unexpected(*problem_);
    }
    skip();
    while (!problem_ && at_ < text_.size()) parseRule();
    for (const auto& [name, rule] : rules_)
      if (!problem_ && !rule.defined) {
        at_ = rule.firstUse;
        problem("rule " + std::string(name) + " is used but not defined.", "Define it with ::=.");
      }
    if (!problem_ && !rules_.contains("root"))
      problem("there is no rule named root.", "Call the rule that texts must match root.");
    if (problem_) return tl::unexpected(*problem_);
    return builder_.finish(rules_.at("root").index);
  }

 private:
  struct Named {
    std::int32_t index = 0;
    bool defined = false;
    std::size_t firstUse = 0;
  };

  void problem(const std::string& what, std::string remedy) {
    if (problem_) return;
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + std::min(at_, text_.size()), '\n');
    problem_ =
        base::Error{"Line " + std::to_string(line) + " of the grammar: " + what, std::move(remedy)};
    at_ = text_.size();
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  // Blanks, line ends and comments: a rule ends where the next one begins.
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      else if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
        return;
    }
  }
  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isNamePart(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  Named& named(std::string_view name) {
    const auto [it, isNew] = rules_.try_emplace(name);
    if (isNew) it->second = {builder_.addRule(std::string(name)), false, at_};
    return it->second;
  }

  void parseRule() {
    const std::string_view rule = name();
    skip();
    if (rule.empty() || !take("::="))
      return problem("here should be a rule.", "Write: name ::= what it is.");
    Named& definition = named(rule);
    if (definition.defined)
      return problem("rule " + std::string(rule) + " is defined twice.", "Separate ways with |.");
    definition.defined = true;
    const std::int32_t index = definition.index;
    skip();
    for (const Sequence& alternative : alternatives(0)) builder_.addAlternative(index, alternative);
    if (at_ < text_.size() && !atRule())
      problem(std::string("'") + peek() + "' cannot stand here.", "Quote text with \".");
  }
  // A name and ::=.
  bool atRule() {
    const std::size_t begin = at_;
    const bool named = !name().empty();
    skip();
    const bool rule = named && text_.substr(at_).starts_with("::=");
    at_ = begin;
    return rule;
  }

  std::vector<Sequence> alternatives(int nesting) {
    std::vector<Sequence> all{sequence(nesting)};
    while (take("|")) {
      skip();
      all.push_back(sequence(nesting));
    }
    return all;
  }
  Sequence sequence(int nesting) {
    Sequence all;
    while (!problem_) {
      std::optional<Sequence> item = parseItem(nesting);
      if (!item) break;
      skip();
      while (!problem_) {
        const std::optional<Sequence> repeated = repetition(*item);
        if (!repeated) break;
        item = repeated;
        skip();
      }
      all.insert(all.end(), item->begin(), item->end());
    }
    return all;
  }
  // Nothing where the sequence ends.
  std::optional<Sequence> parseItem(int nesting) {
    if (take("\"")) return literal();
    if (take("[")) return characterSet();
    if (take(".")) return builder_.characters({{0, kLastCharacter}});
    if (take("(")) {
      if (nesting >= kMaxParentheses) {
        problem("parentheses are nested more than " + std::to_string(kMaxParentheses) + " deep.",
                "Give the inner ones a rule of their own.");
        return std::nullopt;
      }
      skip();
      Sequence group = builder_.anyOf(alternatives(nesting + 1));
      if (!take(")")) problem("a parenthesis is not closed.", "Add ).");
      return group;
    }
    if (!isNamePart(peek()) || atRule()) return std::nullopt;
    const std::size_t begin = at_;
    const std::string_view rule = name();
    const std::size_t end = std::exchange(at_, begin);  // where it is first used, for the error
    const std::int32_t index = named(rule).index;
    at_ = end;
    return Sequence{Builder::ruleSymbol(index)};
  }

  std::optional<Sequence> repetition(const Sequence& item) {
    if (take("*")) return builder_.repeat(item, 0, Builder::kNoLimit);
    if (take("+")) return builder_.repeat(item, 1, Builder::kNoLimit);
    if (take("?")) return builder_.optional(item);
    if (!take("{")) return std::nullopt;
    skip();
    const int least = number();
    int most = least;
    skip();
    if (take(",")) {
      skip();
      most = peek() == '}' ? Builder::kNoLimit : number();
      skip();
    }
    if (!take("}")) problem("a repetition is not closed.", "Write {n}, {n,} or {n,m}.");
    if (most != Builder::kNoLimit && most < least)
      problem("a repetition's second number is the smaller one.", "Write {n,m} with n <= m.");
    if (problem_) return std::nullopt;
    return builder_.repeat(item, least, most);
  }
  int number() {
    int value = 0;
    if (peek() < '0' || peek() > '9') problem("a number is missing.", "Write {n}, {n,} or {n,m}.");
    for (; peek() >= '0' && peek() <= '9' && value <= Builder::kMaxRepeat; ++at_)
      value = 10 * value + (peek() - '0');
    if (value > Builder::kMaxRepeat)
      problem("a repetition of more than " + std::to_string(Builder::kMaxRepeat) + ".",
              "Use {n,} for one without an end.");
    return value;
  }

  Sequence literal() {
    std::vector<Sequence> parts;
    Sequence all;
    while (!problem_ && !take("\"")) {
      if (at_ >= text_.size() || peek() == '\n') {
        problem("a literal is not closed.", "Add \".");
        break;
      }
      if (peek() != '\\') {
        const Sequence byte = builder_.literal(text_.substr(at_++, 1));
        all.insert(all.end(), byte.begin(), byte.end());
        continue;
      }
      const std::uint32_t c = character();
      const Sequence spelled = builder_.characters({{c, c}});
      all.insert(all.end(), spelled.begin(), spelled.end());
    }
    return all;
  }
  Sequence characterSet() {
    const bool negated = take("^");
    std::vector<CharacterRange> ranges;
    while (!problem_ && !take("]")) {
      if (at_ >= text_.size() || peek() == '\n') {
        problem("a set of characters is not closed.", "Add ].");
        break;
      }
      const std::uint32_t first = character();
      std::uint32_t last = first;
      if (peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        last = character();
      }
      if (last < first)
        problem("a range of characters ends before it begins.", "Write the lower one first.");
      ranges.push_back({first, last});
    }
    if (ranges.empty()) problem("a set of characters is empty.", "Write . for any character.");
    if (problem_) return {};
    return builder_.characters(negated ? complement(ranges) : ranges);
  }
  // One character, escaped or not.
  std::uint32_t character() {
    if (peek() != '\\') return utf8();
    ++at_;
    const char c = peek();
    ++at_;
    switch (c) {
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'x':
        return hex(2);
      case 'u':
        return hex(4);
      case 'U':
        return hex(8);
      case '\\':
      case '"':
      case '[':
      case ']':
      case '-':
      case '^':
        return static_cast<std::uint32_t>(c);
      default:
        problem("an escape that is not known.", "See runtime/grammar/gbnf.h for those that are.");
        return 0;
    }
  }
  std::uint32_t hex(int digits) {
    std::uint32_t value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      const char c = peek();
      const bool digit = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!digit && (lower < 'a' || lower > 'f')) {
        problem("an escape needs " + std::to_string(digits) + " hexadecimal digits.", "Add some.");
        return 0;
      }
      value = value << 4 | static_cast<std::uint32_t>(digit ? c - '0' : lower - 'a' + 10);
    }
    if (value > kLastCharacter || (value >= 0xd800 && value <= 0xdfff)) {
      problem("an escape stands for no character.", "Characters end with U+10FFFF.");
      return 0;
    }
    return value;
  }
  std::uint32_t utf8() {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
      return at_ + i < text_.size() ? static_cast<unsigned char>(text_[at_ + i]) : 0;
    };
    const std::uint32_t lead = byte(0);
    const int length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t value = length == 1 ? lead : lead & (0x7fu >> length);
    bool valid = lead < 0x80 || (lead >= 0xc2 && lead < 0xf5);
    for (int i = 1; i < length; ++i) {
      valid = valid && (byte(i) & 0xc0) == 0x80;
      value = value << 6 | (byte(i) & 0x3f);
    }
    if (!valid || value > kLastCharacter) {
      problem("a set holds what is not UTF-8.", "Send UTF-8, or \\xHH for characters.");
      return 0;
    }
    at_ += static_cast<std::size_t>(length);
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<base::Error> problem_;
  Builder builder_;
  std::map<std::string_view, Named> rules_;
};

}  // namespace

base::Result<Grammar> parseGbnf(std::string_view text) { return Parser(text).parse(); }

}  // namespace waferpair::grammar
