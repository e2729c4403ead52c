// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a stream of text where it becomes a guess: what has been let through is, as a whole, right
// with at least a given probability, as far as the model can tell.
#pragma once

#include <string>

namespace waferpair::inference {

// Not thread-safe.
class Certainty {
 public:
  // `least` in 0..1; at 0 everything goes through at once.
  explicit Certainty(double least) : least_(least) {}

  // What can be shown after a token of this text, chosen with this probability. A word is held back
  // until it has ended: half a name helps nobody.
  std::string push(std::string text, double probability);
  // At the end of the stream: the word that was held back.
  std::string finish();
  // Nothing more will come.
  bool ended() const { return ended_; }

 private:
  double least_;
  double whole_ = 1;  // probability of all that came
  std::string held_;
  bool ended_ = false;
};

}  // namespace waferpair::inference
