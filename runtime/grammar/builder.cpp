// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/grammar/builder.h"

#include <algorithm>

namespace waferpair::grammar {
namespace {

ByteSet setOf(ByteRange range) {
  ByteSet set;
  for (int byte = range.first; byte <= range.last; ++byte) set.set(byte);
  return set;
}

}  // namespace

std::int32_t Builder::addRule(std::string name) {
  if (tooLarge_) return 0;
  grammar_.rules.push_back({std::move(name), {}});
  alternatives_.emplace_back();
  if (grammar_.rules.size() > kMaxSymbols) tooLarge_ = true;
  return static_cast<std::int32_t>(grammar_.rules.size() - 1);
}

void Builder::addAlternative(std::int32_t rule, const Sequence& sequence) {
  size_ += sequence.size() + 1;
  if (size_ > kMaxSymbols) tooLarge_ = true;
  if (!tooLarge_) alternatives_[rule].push_back(sequence);
}

bool Builder::mayMake(std::size_t symbols) {
  made_ += symbols;
  if (made_ > kMaxSymbols) tooLarge_ = true;
  return !tooLarge_;
}

std::string Builder::madeName(const char* kind) {
  return std::string(kind) + " " + std::to_string(grammar_.rules.size());
}

Symbol Builder::bytes(const ByteSet& set) {
  // Few are different, and those that repeat come soon after one another.
  constexpr std::size_t kLooked = 64;
  const std::size_t count = grammar_.sets.size();
  for (std::size_t i = count; i-- > count - std::min(count, kLooked);)
    if (grammar_.sets[i] == set) return {Symbol::Kind::kBytes, static_cast<std::int32_t>(i)};
  grammar_.sets.push_back(set);
  return {Symbol::Kind::kBytes, static_cast<std::int32_t>(count)};
}

Sequence Builder::literal(std::string_view text) {
  Sequence sequence;
  if (!mayMake(text.size())) return sequence;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    sequence.push_back(bytes(setOf({byte, byte})));
  }
  return sequence;
}

Sequence Builder::byte(const ByteSet& set) {
  if (!mayMake(1)) return {};
  return {bytes(set)};
}

Sequence Builder::characters(const std::vector<CharacterRange>& ranges) {
  if (!mayMake(1)) return {};
  ByteSet ascii;
  std::vector<Sequence> alternatives;
  for (const CharacterRange& range : merged(ranges)) {
    for (const std::vector<ByteRange>& row : utf8Ranges(range)) {
      if (row.size() == 1) {
        ascii |= setOf(row[0]);
        continue;
      }
      Sequence& sequence = alternatives.emplace_back();
      for (const ByteRange& byte : row) sequence.push_back(bytes(setOf(byte)));
    }
  }
  if (ascii.any() || alternatives.empty()) alternatives.push_back({bytes(ascii)});
  return anyOf(alternatives);
}

Sequence Builder::group(const Sequence& sequence) {
  if (sequence.size() == 1) return sequence;
  const std::int32_t rule = addRule(madeName("group"));
  addAlternative(rule, sequence);
  return {ruleSymbol(rule)};
}

Sequence Builder::anyOf(const std::vector<Sequence>& alternatives) {
  if (alternatives.size() == 1) return alternatives[0];
  const std::int32_t rule = addRule(madeName("choice"));
  for (const Sequence& alternative : alternatives) addAlternative(rule, alternative);
  return {ruleSymbol(rule)};
}

Sequence Builder::repeat(const Sequence& what, int least, int most) {
  if (least > kMaxRepeat || most > kMaxRepeat) tooLarge_ = true;
  if (what.empty() || !mayMake(static_cast<std::size_t>(least) + 1)) return {};
  const Symbol once = group(what)[0];
  Sequence sequence(static_cast<std::size_t>(least), once);
  if (most == kNoLimit) {
    const std::int32_t rule = addRule(madeName("repetition"));
    addAlternative(rule, {once, ruleSymbol(rule)});
    addAlternative(rule, {});
    sequence.push_back(ruleSymbol(rule));
    return sequence;
  }
  // (x (x (x)?)?)?, the innermost first.
  Sequence rest;
  for (int i = least; i < most && !tooLarge_; ++i) {
    const std::int32_t rule = addRule(madeName("option"));
    rest.insert(rest.begin(), once);
    addAlternative(rule, rest);
    addAlternative(rule, {});
    rest = {ruleSymbol(rule)};
  }
  sequence.insert(sequence.end(), rest.begin(), rest.end());
  return sequence;
}

base::Result<Grammar> Builder::finish(std::int32_t root) {
  if (tooLarge_)
    return base::fail("The grammar has more than " + std::to_string(kMaxSymbols) +
                          " symbols, or repeats something more than " + std::to_string(kMaxRepeat) +
                          " times.",
                      "Make it smaller.");
  for (std::size_t rule = 0; rule < grammar_.rules.size(); ++rule) {
    for (const Sequence& sequence : alternatives_[rule]) {
      grammar_.rules[rule].alternatives.push_back(
          static_cast<std::int32_t>(grammar_.symbols.size()));
      grammar_.symbols.insert(grammar_.symbols.end(), sequence.begin(), sequence.end());
      grammar_.symbols.push_back({Symbol::Kind::kEnd, 0});
    }
  }
  grammar_.root = root;
  if (auto checked = check(grammar_); !checked) return tl::unexpected(checked.error());
  return std::move(grammar_);
}

}  // namespace waferpair::grammar
