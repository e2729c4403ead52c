// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/text_below.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace waferpair::inference {
namespace {

constexpr std::string_view kLineBlanks = " \t\r";

std::string_view withoutEnd(std::string_view line) {
  return line.substr(0, line.find_last_not_of(kLineBlanks) + 1);
}

bool isClosing(char byte) { return byte == ')' || byte == ']' || byte == '}'; }
bool isOpening(char byte) { return byte == '(' || byte == '[' || byte == '{'; }

// Too little to tell that what follows is what stands below.
bool isOrdinary(std::string_view line) {
  constexpr int kFewLetters = 8;
  const auto letters = std::ranges::count_if(
      line, [](unsigned char byte) { return std::isalnum(byte) != 0 || byte >= 0x80; });
  return letters < kFewLetters && !isClosing(line[line.find_first_not_of(kLineBlanks)]);
}

}  // namespace

TextBelow::TextBelow(std::string_view prefix, std::string_view suffix) {
  // The last line may be one that the window cut.
  std::size_t at = suffix.find('\n');
  for (std::size_t end = 0; at != suffix.npos && next_.empty(); at = end) {
    end = suffix.find('\n', ++at);
    if (end == suffix.npos) break;
    (below_.empty() ? below_ : next_) = withoutEnd(suffix.substr(at, end - at));
  }
  if (isThere() && !isOrdinary(below_)) next_.clear();
  line_ = prefix.substr(prefix.rfind('\n') + 1);
  counts_ = withoutEnd(line_).empty();
}

// What was written of the line is the beginning of the one below, or all of it.
bool TextBelow::mayBeBelow() const {
  const std::string& below = atNext_ ? next_ : below_;
  const std::string_view line = withoutEnd(line_);
  return counts_ && (line.empty() || below.starts_with(line_) || line == below);
}

bool TextBelow::isBelow() const {
  const std::string& below = atNext_ ? next_ : below_;
  if (!counts_ || withoutEnd(line_) != below) return false;
  if (atNext_) return true;
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
    const bool comesNext = byte == '\n' && isBelow();
    ended_ = ended_ || (comesNext && (atNext_ || next_.empty()));
    if (ended_) break;
    if (byte == '\n') {
      const bool isBlank = withoutEnd(line_).empty();
      if (!isBlank && !comesNext) shown += released();
      if (!isBlank) atNext_ = comesNext;
      line_.clear();
      counts_ = true;
      held_ += byte;
    } else {
      held_ += byte;
      line_ += byte;
      if (!mayBeBelow() && atNext_) {
        // It was none of the text below; this line may be.
        atNext_ = false;
        const std::size_t before = held_.find_last_not_of(" \t\r\n", held_.rfind('\n')) + 1;
        std::string line = held_.substr(before);
        held_.resize(before);
        shown += released();
        held_ = std::move(line);
      }
      if (!mayBeBelow()) shown += released();
    }
  }
  return shown;
}

std::string TextBelow::finish(std::string text, TextEnd end, double probability) {
  std::string shown = push(std::move(text), probability);
  // A line that is cut short here may have been on its way to the one below; and where a text ends
  // with that it ends there.
  const bool isOnItsWay =
      atNext_ || (end == TextEnd::kCut && counts_ && !withoutEnd(line_).empty());
  if (!isThere() || ended_ || isBelow() || isOnItsWay) return shown;
  return shown + released();
}

}  // namespace waferpair::inference
