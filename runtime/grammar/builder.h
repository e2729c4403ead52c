// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a grammar together from pieces. Whatever it is given, it stops growing at a limit, which
// finish() then reports: so its users need not count. Those that loop can ask tooLarge() to end
// early.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/grammar/grammar.h"
#include "runtime/grammar/utf8_ranges.h"

namespace waferpair::grammar {

using Sequence = std::vector<Symbol>;

class Builder {
 public:
  static constexpr int kMaxRepeat = 10'000;
  // The most symbols in all alternatives; a matcher's memory depends on it. The same limit holds
  // for rules, and for symbols in sequences that were handed out and are not in an alternative yet.
  static constexpr std::size_t kMaxSymbols = 1 << 18;
  static constexpr int kNoLimit = -1;

  // A limit was reached: sequences made after that are empty or stand for any rule.
  bool tooLarge() const { return tooLarge_; }
  // Symbols handed out so far: how much work it was.
  std::size_t made() const { return made_; }

  // A rule without alternatives yet. The name is for errors only.
  std::int32_t addRule(std::string name);
  void addAlternative(std::int32_t rule, const Sequence& sequence);

  static Symbol ruleSymbol(std::int32_t rule) { return {Symbol::Kind::kRule, rule}; }
  Sequence literal(std::string_view text);
  // One byte of these.
  Sequence byte(const ByteSet& set);
  // One character of these.
  Sequence characters(const std::vector<CharacterRange>& ranges);
  Sequence anyOf(const std::vector<Sequence>& alternatives);
  // Makes one symbol of the sequence, which may then be used more than once.
  Sequence group(const Sequence& sequence);
  // `least` to `most` times, up to kMaxRepeat; without an end if that is kNoLimit.
  Sequence repeat(const Sequence& what, int least, int most);
  Sequence optional(const Sequence& what) { return repeat(what, 0, 1); }

  // The grammar, checked. The builder is of no use after that.
  base::Result<Grammar> finish(std::int32_t root);

 private:
  // Returns true if so many more symbols may be handed out. Symbols count before they are made,
  // since a caller may join any number of sequences before it closes a rule with them.
  bool mayMake(std::size_t symbols);
  Symbol bytes(const ByteSet& set);
  std::string madeName(const char* kind);

  Grammar grammar_;
  std::size_t size_ = 0;  // symbols in alternatives
  std::size_t made_ = 0;  // symbols handed out
  bool tooLarge_ = false;
  // Sequences by rule: laid out one behind the other at the end.
  std::vector<std::vector<Sequence>> alternatives_;
};

}  // namespace waferpair::grammar
