// SPDX-License-Identifier: GPL-3.0-or-later
// Why a completion or generation ended.
#pragma once

namespace waferpair::inference {

enum class StopReason {
  kEndOfText,  // the model said so
  kMaxTokens,
  kMaxLines,
  kStopString,
  kLoop,         // it repeats itself
  kUnsure,       // what comes next is less likely than was asked for
  kContextFull,  // no room for another token
  kCancelled,
  kStale,         // its document moved on before it began
  kInputTooLong,  // the prompt leaves no room; error says more
  kGrammarStuck,  // the grammar allows none of the model's tokens; error says more
  kNotLoaded,     // the model cannot be used; error says why
  kFailed,        // error says why
};

// Returns true if the text ends, and does not merely stop coming.
inline bool endsText(StopReason reason) { return reason <= StopReason::kContextFull; }

}  // namespace waferpair::inference
