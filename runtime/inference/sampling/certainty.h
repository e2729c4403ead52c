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
  // The same for a stream's end that was chosen with this probability: a word ends there.
  std::string end(double probability);
  // Where the stream ends otherwise: the word that was held back.
  std::string finish();
  // Nothing more will come.
  bool ended() const { return ended_; }
  // Of all that was likely enough, the end included, as a whole.
  double probability() const { return whole_; }

 private:
  bool enough(double probability);

  double least_;
  double whole_ = 1;
  std::string held_;
  bool ended_ = false;
};

}  // namespace waferpair::inference
