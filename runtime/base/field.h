// SPDX-License-Identifier: GPL-3.0-or-later
// A field of a JSON object: its name, and the values it may have. Those of the protocol are
// constants (runtime/protocol/messages.h), and both sides of the socket read by them.
#pragma once

#include <cstddef>
#include <limits>

namespace waferpair::base {

struct Field {
  const char* name;
  bool required = false;  // neither missing nor null
  // The range of a number.
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
  double fallback = 0;  // of a number or a boolean (0 or 1) that is missing
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  // of a text, at most
  std::size_t most = std::numeric_limits<std::size_t>::max();   // entries of a list, at most
};

}  // namespace waferpair::base
