// SPDX-License-Identifier: GPL-3.0-or-later
// Ends a text that goes on with code where the block ends that it goes on with: the one that the
// prompt leaves open, or else the first that the text itself opens. A small model knows no other
// end.
//
// A block stands in braces or, where the prompt's last line ends in a colon, deeper than that line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/inference/output/stage.h"
#include "runtime/inference/sampling/bracket_check.h"

namespace waferpair::inference {

class BlockEnd : public OutputStage {
 public:
  explicit BlockEnd(std::string_view prompt);
  // Of a gap in a file of this family, not kNone. Of an indented block its last line tells how deep
  // it is, where that ends in no colon.
  BlockEnd(std::string_view prompt, BracketReader::Family family);

  std::string push(std::string text, double probability) override;
  std::string finish(std::string text, TextEnd end, double probability) override;
  std::optional<StopReason> stop() const override {
    return ended_ ? std::optional(StopReason::kEndOfText) : std::nullopt;
  }

 private:
  void read(char byte);
  bool endsInFrontOf(char byte) const;

  BracketReader reader_;
  std::size_t indentation_ = 0;  // blanks in front of the line
  bool inLine_ = false;          // it has more than blanks
  std::size_t open_ = 0;         // brackets where the block has ended
  bool opened_ = false;          // the block has begun
  bool closed_ = false;          // and ends with this line
  bool indented_ = false;        // it is deeper than so many blanks:
  std::size_t outer_ = 0;
  bool ended_ = false;
  std::string held_;  // blanks and line breaks that may stand behind the block
};

}  // namespace waferpair::inference
