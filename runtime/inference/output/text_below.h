// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a text that fills a gap where it begins again with what stands below: models go on there
// with what the file has already, and nobody wants that twice.
//
// The line below counts as it stands, with its indentation: the same words at another depth are
// another statement. One that closes a bracket does not count where the text itself opened it. One
// of few letters ("else:", "pass") is ordinary in a text, so it counts with the line behind it.
#pragma once

#include <string>
#include <string_view>

#include "runtime/inference/output/stage.h"

namespace waferpair::inference {

class TextBelow : public OutputStage {
 public:
  // The text in front of the gap, and behind it; the rest of the gap's line is not below it.
  TextBelow(std::string_view prefix, std::string_view suffix);

  // There is a line that could come again.
  bool isThere() const { return !below_.empty(); }

  std::string push(std::string text, double probability) override;
  std::string finish(std::string text, TextEnd end, double probability) override;
  std::optional<StopReason> stop() const override {
    return ended_ ? std::optional(StopReason::kEndOfText) : std::nullopt;
  }

 private:
  bool mayBeBelow() const;
  bool isBelow() const;
  std::string released();

  std::string below_;  // the first line below that has more than blanks, without blanks at its end
  std::string next_;   // the next such line, where that has to come, too
  bool atNext_ = false;  // the first has come
  std::string line_;     // that is being written, from its beginning
  bool counts_ = false;  // there were only blanks in front of it
  std::string held_;     // of the text: the line, if it may be the one below, and blank ones
  int open_ = 0;         // brackets that the text opened and did not close
  bool ended_ = false;
};

}  // namespace waferpair::inference
