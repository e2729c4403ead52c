// SPDX-License-Identifier: GPL-3.0-or-later
// The suggestions for one place that the user goes through: the one that is shown, and the others
// in their order around it. Those have all come to their end; each says something else.
#pragma once

#include <memory>
#include <vector>

#include "editor/assist/suggestion_stream.h"

namespace waferpair::editor {

class SuggestionChoices {
 public:
  using Stream = std::unique_ptr<SuggestionStream>;
  static constexpr int kMost = 3;

  // The one that is shown included.
  int count() const { return static_cast<int>(others_.size()) + 1; }
  // The place of the one that is shown, from 0.
  int place() const { return place_; }

  void clear();
  // Drops what an edit contradicts.
  void follow(const TextEdit& edit);
  // Adds one at the end, unless it has nothing to show or says what `shown` or another does.
  void add(Stream stream, const SuggestionStream& shown);
  // Exchanges the one that is shown for the one `by` places on, round the end.
  void step(Stream* shown, int by);

 private:
  std::vector<Stream> others_;
  int place_ = 0;
};

}  // namespace waferpair::editor
