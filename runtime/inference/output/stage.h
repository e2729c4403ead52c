// SPDX-License-Identifier: GPL-3.0-or-later
// A step of the generated text on its way from the model's tokens to the client (output.h).
#pragma once

#include <optional>
#include <string>

#include "runtime/inference/output/stop_reason.h"

namespace waferpair::inference {

// The ways in which a stream of text ends.
enum class TextEnd {
  kChosen,    // the model chose a token that says so
  kComplete,  // nothing else could follow
  kCut,       // a limit was reached, or a stage ended it
};

// Follows one stream. Not thread-safe.
class OutputStage {
 public:
  virtual ~OutputStage() = default;

  // Returns the text that is let through after `text` came, which may be empty, of a token that was
  // chosen with this probability (1 if nobody asked). Once stop() says something, that is the text
  // in front of the end.
  virtual std::string push(std::string text, double probability) = 0;

  // Ends the stream with `text` as its last, and returns the part of it, and of the text held back,
  // that is let through. `probability` is that of the end, if it was chosen. Called once, and last.
  virtual std::string finish(std::string text, TextEnd end, double probability) = 0;

  // Returns why the stream ends here, if this stage ends it.
  virtual std::optional<StopReason> stop() const { return std::nullopt; }
};

}  // namespace waferpair::inference
