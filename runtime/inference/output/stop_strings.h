// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a stream of text in front of the first of some strings. Text that could be the beginning of
// one is held back until it is known.
#pragma once

#include <string>
#include <vector>

#include "runtime/inference/output/stage.h"

namespace waferpair::inference {

class StopStrings : public OutputStage {
 public:
  // Empty strings are ignored.
  explicit StopStrings(std::vector<std::string> strings);

  std::string push(std::string text, double probability) override;
  std::string finish(std::string text, TextEnd end, double probability) override;
  std::optional<StopReason> stop() const override;
  // The string in front of which the stream ended; empty where none did that.
  const std::string& found() const { return found_; }

 private:
  std::vector<std::string> strings_;
  std::string held_;
  std::string found_;
};

}  // namespace waferpair::inference
