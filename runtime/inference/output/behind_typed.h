// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the client only what comes behind the begun word, where the model writes that word anew
// (token_healing.h). A text that does not begin as it was typed gives nothing.
#pragma once

#include <string>

#include "runtime/inference/output/stage.h"

namespace waferpair::inference {

class BehindTyped : public OutputStage {
 public:
  explicit BehindTyped(std::string typed) : left_(std::move(typed)) {}

  std::string push(std::string text, double probability) override;
  std::string finish(std::string text, TextEnd end, double probability) override;

 private:
  std::string left_;  // of the typed word: has not come yet
  bool parted_ = false;
};

}  // namespace waferpair::inference
