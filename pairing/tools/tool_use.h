// SPDX-License-Identifier: GPL-3.0-or-later
// Which models are given tools: those that are large enough to call them well, or as the user wants
// it. Values; any thread.
#pragma once

#include <QtGlobal>

namespace waferpair::pairing {

enum class ToolUse {
  kOff,
  kBySize,  // models that are large enough, or of a size that nobody knows
  kAlways,
};

// Below, a model calls tools badly; one of half a billion parameters calls the wrong ones or none.
inline constexpr qint64 kLeastToolParameters = 3'000'000'000;
// A smaller context has no room for tools and what they give.
inline constexpr qint64 kLeastToolContext = 8'192;

// `parameters` and `contextTokens` of the model; -1: not known.
inline bool mayUseTools(ToolUse use, qint64 parameters, qint64 contextTokens) {
  if (contextTokens >= 0 && contextTokens < kLeastToolContext && use != ToolUse::kAlways)
    return false;
  if (use == ToolUse::kBySize) return parameters < 0 || parameters >= kLeastToolParameters;
  return use == ToolUse::kAlways;
}

}  // namespace waferpair::pairing
