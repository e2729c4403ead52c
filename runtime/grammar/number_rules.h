// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that keep to bounds, written without an exponent. Private to this room.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "runtime/grammar/json_rules.h"

namespace waferpair::grammar {

struct NumberBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool aboveLow = false, belowHigh = false;  // and not the bound itself

  // Holds a further bound, too.
  void atLeast(double bound, bool above);
  void atMost(double bound, bool below);
};

// Nothing where no number that can be written here is between them.
std::optional<Sequence> numberBetween(Builder& builder, JsonRules& json,
                                      const NumberBounds& bounds);

// Whole multiples, of up to JsonRules::kMostDigits digits. Nothing where `of` is not 1 to
// kMostMultiple.
inline constexpr std::int64_t kMostMultiple = 100;
std::optional<Sequence> multiplesOf(Builder& builder, std::int64_t of);

}  // namespace waferpair::grammar
