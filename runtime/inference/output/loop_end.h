// SPDX-License-Identifier: GPL-3.0-or-later
// Ends an answer that has fallen into a loop: small models write one line, or a few, for ever, or
// count for ever ("line 1, line 2, ..."). What is repeated is a line of some length or so many
// tokens that say something: zeros of a table and closing brackets are ordinary. Text that differs
// by its numbers alone is ordinary for much longer, above all in code: enums, cases, test data.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/output/stage.h"

namespace waferpair::inference {

class LoopEnd : public OutputStage {
 public:
  // A line may stand there so often in a row, and other text that is at least so many tokens long
  // likewise.
  static constexpr int kMostCopies = 3;
  static constexpr std::size_t kFewestTokens = 12, kMostTokens = 256;
  static constexpr std::size_t kShortestLine = 12;  // bytes
  static constexpr std::size_t kFewestLetters = 4;
  // Text may stand there so often in a row with other numbers: a hundred things are counted at
  // times, and code has tables and cases for each byte. It is at most so many bytes long, where
  // each number and each run of blanks is one.
  static constexpr std::size_t kMostCounted = 128, kMostCountedInCode = 1024;
  // Numbers alone may be so many times as many: a table of data has thousands.
  static constexpr std::size_t kBareNumbers = 16;
  static constexpr std::size_t kLongestCounted = 256;

  std::string push(std::string text, double probability) override;
  std::string finish(std::string text, TextEnd end, double probability) override;
  std::optional<StopReason> stop() const override;

 private:
  bool isRepeated(std::size_t tokens) const;
  bool counts(std::string_view text);
  bool takeCounted(char byte);

  std::vector<std::string> tokens_;  // the last ones that brought text
  std::string counted_;              // the last bytes, each number and each run of blanks being one
  // By a distance: so many of the last bytes are what stands that far in front of them.
  std::array<std::size_t, kLongestCounted + 1> alike_ = {};
  std::string line_;  // the beginning of the last line, without its blanks
  bool fenced_ = false;
  bool found_ = false;
};

}  // namespace waferpair::inference
