// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/text_below.h"

#include <utility>

namespace waferpair::inference {
namespace {

constexpr std::string_view kLineBlanks = " \t\r";

std::string_view withoutEnd(std::string_view line) {
  return line.substr(0, line.find_last_not_of(kLineBlanks) + 1);
}

bool isClosing(char byte) { return byte == ')' || byte == ']' || byte == '}'; }
bool isOpening(char byte) { return byte == '(' || byte == '[' || byte == '{'; }

}  // namespace

TextBelow::TextBelow(std::string_view prefix, std::string_view suffix) {
  // The last line may be one that the window cut.
  std::size_t at = suffix.find('\n');
  for (std::size_t end = 0; at != suffix.npos && below_.empty(); at = end) {
    end = suffix.find('\n', ++at);
    if (end != suffix.npos) below_ = withoutEnd(suffix.substr(at, end - at));
  }
  line_ = prefix.substr(prefix.rfind('\n') + 1);
  counts_ = withoutEnd(line_).empty();
}

// What was written of the line is the beginning of the one below, or all of it.
bool TextBelow::mayBeBelow() const {
  return counts_ && (below_.starts_with(line_) || withoutEnd(line_) == below_);
}

bool TextBelow::isBelow() const {
  if (!counts_ || withoutEnd(line_) != below_) return false;
  return !isClosing(below_[below_.find_first_not_of(kLineBlanks)]) || open_ == 0;
}

std::string TextBelow::released() {
  for (const char byte : held_) {
    if (isOpening(byte)) ++open_;
    // One that was opened in front of the gap is not counted.
    if (isClosing(byte) && open_ > 0) --open_;
  }
  return std::exchange(held_, {});
}

std::string TextBelow::push(std::string text, double) {
  if (!isThere()) return text;
  std::string shown;
  for (const char byte : text) {
    if (byte == '\n') ended_ = ended_ || isBelow();
    if (ended_) break;
    if (byte == '\n') {
      if (!withoutEnd(line_).empty()) shown += released();
      line_.clear();
      counts_ = true;
      held_ += byte;
    } else {
      held_ += byte;
      line_ += byte;
      if (!mayBeBelow()) shown += released();
    }
  }
  return shown;
}

std::string TextBelow::finish(std::string text, TextEnd end, double probability) {
  std::string shown = push(std::move(text), probability);
  // A line that is cut short here may have been on its way to the one below.
  const bool isOnItsWay = end == TextEnd::kCut && counts_ && !withoutEnd(line_).empty();
  if (!isThere() || ended_ || isBelow() || isOnItsWay) return shown;
  return shown + released();
}

}  // namespace waferpair::inference
