// SPDX-License-Identifier: GPL-3.0-or-later
// Reports how a completion or generation ended, and what it took.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/engine/token_record.h"
#include "runtime/inference/output/stop_reason.h"

namespace waferpair::wafer {
class Program;
}

namespace waferpair::inference {

// The wafer cycles, as in JobReport, of a job's steps on the wafers of the model's shadow.
struct ShadowReport {
  // Null without a shadow, and where it was not the same all the time: nothing is told then.
  std::shared_ptr<const wafer::Program> program;
  std::uint64_t cycles = 0, firstTokenCycles = 0, decodeCycles = 0;

  // A step that was charged to this shadow.
  void add(const std::shared_ptr<const wafer::Program>& charged, std::uint64_t stepCycles,
           bool decoding);
};

// What a completion or generation has taken so far, and how fast its text comes. Host times are of
// this computer; wafer figures are emulated, in cycles of the model's profile. A step may hold
// other jobs too: its time is that of each, its cycles are only the job's own.
//
// Its rates have one definition, wherever they are shown: the tokens behind the first one, by all
// steps behind the one that read the end of the prompt, which gave the first. Among these are the
// steps of lines that competed, of guesses that were wrong, and of what had to be read again.
struct JobFigures {
  int contextUsed = 0;
  double firstTokenMs = 0;                  // received to first token chosen; 0 until then
  int decodeSteps = 0;                      // steps behind the one that read the end of the prompt
  int decodeTokens = 0;                     // of the output: all but the first
  double decodeMs = 0;                      // in decodeSteps and in drafting for them
  std::uint64_t waferFirstTokenCycles = 0;  // up to and with the first token
  std::uint64_t waferDecodeCycles = 0;      // of decodeSteps, wrong guesses included
  ShadowReport shadow = {};

  // Empty while there is no second token.
  std::optional<double> hostTokensPerSecond() const;
  std::optional<double> waferTokensPerSecond(double clockHz) const;
  std::optional<double> shadowTokensPerSecond() const;
};

struct JobReport : JobFigures {
  StopReason reason = StopReason::kEndOfText;
  base::Error error;  // of the last four
  // Why the model's own chat template was not followed, though it can be run.
  std::optional<base::Error> templateProblem = {};
  std::string stopString = {};  // of kStopString: the one that came
  int inputTokens = 0;
  bool isShort =
      false;  // these are the lines around the cursor, and there is more (short_prompt.h)
  int cachedTokens = 0;  // of the input: not computed again
  int outputTokens = 0;
  // The probability of a completion's text as a whole, by what the model gave each token, with its
  // end if that was chosen. The text of an unsure one is counted without the token that was too
  // much. Empty if there is no output.
  std::optional<double> probability;
  double queuedMs = 0;     // received to begun
  double totalMs = 0;      // received to ended
  double prefillMs = 0;    // in steps that fed the prompt
  int draftedTokens = 0;   // fed to decodeSteps as guesses
  int acceptedTokens = 0;  // of these: those that were right, and are in the output
  std::uint64_t waferCycles = 0;
  // With JobLimits::records: of each token of the output, in order, its end included. The first
  // `typedBytes` of their bytes stand in the text already.
  std::vector<TokenRecord> records = {};
  std::size_t typedBytes = 0;
  // Of an embedding request: a vector of length 1, or how likely each class is.
  std::vector<float> embedding = {};
};

}  // namespace waferpair::inference
