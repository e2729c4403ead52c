// SPDX-License-Identifier: GPL-3.0-or-later
// A context-free grammar over bytes, which a model's output must match.
//
// A rule has alternatives, an alternative is a row of symbols: a set of bytes, or another rule.
// All of them lie in one array, each alternative closed by kEnd, so that a number names a place
// between two symbols.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::grammar {

using ByteSet = std::bitset<256>;

struct Symbol {
  enum class Kind : std::uint8_t { kBytes, kRule, kEnd };
  Kind kind = Kind::kEnd;
  std::int32_t index = 0;  // of `sets` or of `rules`
  bool operator==(const Symbol&) const = default;
};

struct Rule {
  std::string name;                        // for errors
  std::vector<std::int32_t> alternatives;  // where each begins in `symbols`
};

struct Grammar {
  std::vector<Symbol> symbols;
  std::vector<ByteSet> sets;
  std::vector<Rule> rules;
  std::int32_t root = 0;
};

// Checks that text can be matched against the grammar from left to right and be completed at each
// point: no rule begins with itself, and each can come to an end. The error names the rule.
base::Result<void> check(const Grammar& grammar);

}  // namespace waferpair::grammar
