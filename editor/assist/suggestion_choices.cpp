// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/suggestion_choices.h"

#include <algorithm>
#include <utility>

namespace waferpair::editor {

void SuggestionChoices::clear() {
  others_.clear();
  place_ = 0;
}

void SuggestionChoices::follow(const TextEdit& edit) {
  for (int i = static_cast<int>(others_.size()) - 1; i >= 0; --i) {
    if (others_[i]->follow(edit)) continue;
    others_.erase(others_.begin() + i);
    if (i < place_) --place_;
  }
}

void SuggestionChoices::add(Stream stream, const SuggestionStream& shown) {
  if (!stream->isAhead() || stream->ahead() == shown.ahead()) return;
  const bool known = std::any_of(others_.begin(), others_.end(), [&](const Stream& other) {
    return other->ahead() == stream->ahead();
  });
  if (!known) others_.push_back(std::move(stream));
}

void SuggestionChoices::step(Stream* shown, int by) {
  others_.insert(others_.begin() + place_, std::move(*shown));
  const int all = static_cast<int>(others_.size());
  place_ = ((place_ + by) % all + all) % all;
  *shown = std::move(others_[place_]);
  others_.erase(others_.begin() + place_);
}

}  // namespace waferpair::editor
