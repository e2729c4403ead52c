// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "runtime/grammar/matcher.h"

namespace waferpair::grammar {

inline Matcher::State read(Matcher& matcher, std::string_view text) {
  Matcher::State state = matcher.start();
  for (const char c : text) {
    state = matcher.next(state, static_cast<std::uint8_t>(c));
    if (matcher.crowded()) state = matcher.renewed(state);
  }
  return state;
}

inline bool matches(Matcher& matcher, std::string_view text) {
  return matcher.mayEnd(read(matcher, text));
}

inline bool matches(const Grammar& grammar, std::string_view text) {
  Matcher matcher(grammar);
  return matches(matcher, text);
}

// Returns true if more text could make it match.
inline bool begins(const Grammar& grammar, std::string_view text) {
  Matcher matcher(grammar);
  return read(matcher, text) != Matcher::kDead;
}

}  // namespace waferpair::grammar
