// SPDX-License-Identifier: GPL-3.0-or-later
// A field of a JSON object: its name, and the values it may have. Those of the protocol are
// constants (runtime/protocol/messages.h), and both sides of the socket read by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace waferpair::base {

// The largest integer that JSON readers everywhere keep exactly.
inline constexpr std::int64_t kMaxInteger = std::int64_t{1} << 53;

struct Field {
  const char* name;
  bool required = false;  // neither missing nor null
  // The range of a number.
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
  double fallback = 0;  // of a number or a boolean (0 or 1) that is missing
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  // of a text, at most
  std::size_t most = std::numeric_limits<std::size_t>::max();   // entries of a list, at most

  // Both are false for what is not a number (NaN).
  bool holds(double number) const { return number >= low && number <= high; }
  bool holdsInteger(double number) const;
  // Returns the remedy for another value: "Give a whole number from 1 to 8."
  std::string wantedNumber(bool whole) const;
};

}  // namespace waferpair::base
