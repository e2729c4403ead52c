// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of JSON itself, as a model writes it, each made when first needed. Private to this
// room.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/grammar/builder.h"

namespace waferpair::grammar {

Sequence joined(const std::vector<Sequence>& parts);

class JsonRules {
 public:
  // Digits of an integer: every reader keeps so many exactly.
  static constexpr int kMostDigits = 15;
  static constexpr std::int64_t kMostInteger = 999'999'999'999'999;

  // The builder outlives this.
  explicit JsonRules(Builder& builder) : builder_(builder) {}

  // Nothing, a space, or a new line with its indent: without a limit a model could go on with it.
  Sequence space();
  // One character of a string, in any of its spellings: surrogates come in pairs.
  Sequence character();
  // One of these characters, each in one spelling; empty if there is none that can be written.
  Sequence characterOf(const std::vector<CharacterRange>& ranges);
  // A whole string of such characters.
  Sequence quoted(const Sequence& characters);
  Sequence string(int least, int most);
  Sequence anyString();
  Sequence integer();
  // low <= high, both of at most kMostDigits digits.
  Sequence integerBetween(std::int64_t low, std::int64_t high);
  Sequence number();
  Sequence boolean();
  Sequence null();
  Sequence anyValue();
  Sequence array(const Sequence& item, int least, int most);
  // An object with any names.
  Sequence object(const Sequence& value);
  Sequence braces(const Sequence& members);

 private:
  // Made once; a rule may be in itself, deeper down.
  template <typename Make>
  Sequence rule(const char* name, Make make);
  Sequence oneOf(std::string_view all);
  Sequence digits(int count);
  Sequence magnitudes(std::int64_t low, std::int64_t high);
  Sequence digitsBetween(const std::string& low, const std::string& high);

  Builder& builder_;
  std::map<std::string, std::int32_t> rules_;
};

}  // namespace waferpair::grammar
