// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/thinking_reader.h"

#include <algorithm>
#include <utility>

namespace waferpair::inference {
namespace {

constexpr std::string_view kAroundThoughts = " \t\r\n";

// The bytes at the end of the text that may be the beginning of the tag.
std::size_t begunTag(std::string_view text, std::string_view tag) {
  std::size_t length = std::min(tag.size() - 1, text.size());
  while (!text.ends_with(tag.substr(0, length))) --length;
  return length;
}

}  // namespace

ThinkingReader::Told ThinkingReader::push(std::string_view text) {
  Told told;
  held_ += text;
  while (step(told)) {
  }
  return told;
}

// Returns true if there is more to be told of what is held.
bool ThinkingReader::step(Told& told) {
  const std::size_t first = std::min(held_.find_first_not_of(kAroundThoughts), held_.size());
  const std::string_view behindBlanks = std::string_view(held_).substr(first);
  switch (place_) {
    case Place::kBegin:
    case Place::kBehind: {
      const std::string_view open = tags_.open;
      if (behindBlanks.starts_with(open)) {
        held_.erase(0, first + open.size());
        place_ = Place::kThought;
        atStart_ = true;
        return true;
      }
      if (open.starts_with(behindBlanks)) return false;
      if (place_ == Place::kBehind) held_.erase(0, first);
      place_ = Place::kSaid;
      return true;
    }
    case Place::kThought: {
      if (atStart_) {
        // Some models open once more what the prompt has opened.
        const std::string_view open = tags_.open;
        if (behindBlanks.starts_with(open)) {
          held_.erase(0, first + open.size());
          return true;
        }
        if (open.starts_with(behindBlanks)) return false;
        held_.erase(0, first);
        atStart_ = false;
      }
      const std::size_t close = held_.find(tags_.close);
      const bool isClosed = close != held_.npos;
      std::size_t end = isClosed ? close : held_.size() - begunTag(held_, tags_.close);
      // Blanks in front of the end are none of it.
      const std::size_t last = held_.find_last_not_of(kAroundThoughts, end == 0 ? 0 : end - 1);
      end = last == held_.npos || end == 0 ? 0 : std::min(end, last + 1);
      told.thought += held_.substr(0, end);
      if (!isClosed) {
        held_.erase(0, end);
        return false;
      }
      held_.erase(0, close + tags_.close.size());
      place_ = Place::kBehind;
      return true;
    }
    case Place::kSaid: {
      const std::size_t open = tags_.channels ? held_.find(tags_.open) : held_.npos;
      const std::size_t end =
          open != held_.npos ? open
                             : held_.size() - (tags_.channels ? begunTag(held_, tags_.open) : 0);
      told.said += held_.substr(0, end);
      held_.erase(0, end);
      if (open == held_.npos) return false;
      place_ = Place::kBehind;
      return true;
    }
  }
  return false;
}

ThinkingReader::Told ThinkingReader::finish() {
  Told told;
  if (place_ == Place::kThought) {
    const std::size_t last = held_.find_last_not_of(kAroundThoughts);
    if (last != held_.npos) told.thought = held_.substr(0, last + 1);
  } else if (place_ == Place::kSaid || place_ == Place::kBegin) {
    told.said = held_;
  }
  held_.clear();
  return told;
}

}  // namespace waferpair::inference
