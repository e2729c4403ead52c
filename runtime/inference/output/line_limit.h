// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a stream of text in front of the end of its last allowed line. A line counts when it holds
// more than blanks.
#pragma once

#include <string>

#include "runtime/inference/output/stage.h"

namespace waferpair::inference {

class LineLimit : public OutputStage {
 public:
  // `lines` is at least 1.
  explicit LineLimit(int lines) : left_(lines) {}

  std::string push(std::string text, double probability) override;
  std::string finish(std::string text, TextEnd end, double probability) override;
  std::optional<StopReason> stop() const override;

 private:
  int left_;              // lines; 0: the stream has ended
  bool written_ = false;  // the present line holds more than blanks
};

}  // namespace waferpair::inference
