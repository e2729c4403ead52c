// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/field.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace waferpair::base {
namespace {

// Writes a limit as a person does: 4096, not 4096.0.
std::string limitText(double value) {
  const bool whole = value == std::trunc(value) && std::abs(value) <= kMaxInteger;
  return (whole ? nlohmann::json(static_cast<std::int64_t>(value)) : nlohmann::json(value)).dump();
}

}  // namespace

bool Field::holdsInteger(double number) const {
  return holds(number) && number == std::trunc(number) && std::abs(number) <= kMaxInteger;
}

std::string Field::wantedNumber(bool whole) const {
  std::string text = whole ? "Give a whole number" : "Give a number";
  const bool hasLow = low != Field{}.low;
  const bool hasHigh = high != Field{}.high;
  if (hasLow) text += (hasHigh ? " from " : " of at least ") + limitText(low);
  if (hasHigh) text += (hasLow ? " to " : " of at most ") + limitText(high);
  return text + '.';
}

}  // namespace waferpair::base
