// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a stream of text where it becomes a guess: the text that has been let through is, as a
// whole, right with at least a given probability, as far as the model can tell.
#pragma once

#include <string>

#include "runtime/inference/output/stage.h"

namespace waferpair::inference {

// Letters, digits, _ and whatever is beyond ASCII.
bool isWordByte(char byte);

// A word is held back until it has ended: half a name helps nobody.
class Certainty : public OutputStage {
 public:
  // `least` in 0..1; at 0 everything goes through at once.
  explicit Certainty(double least) : least_(least) {}

  std::string push(std::string text, double probability) override;
  // Drops the word that was held back if the stream is cut.
  std::string finish(std::string text, TextEnd end, double probability) override;
  std::optional<StopReason> stop() const override;
  // The probability of all text that was likely enough, the end included, as a whole.
  double probability() const { return whole_; }

 private:
  bool enough(double probability);

  double least_;
  double whole_ = 1;
  std::string held_;
  bool ended_ = false;
};

}  // namespace waferpair::inference
