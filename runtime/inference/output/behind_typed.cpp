// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/behind_typed.h"

#include <algorithm>

namespace waferpair::inference {

std::string BehindTyped::push(std::string text, double) {
  const std::size_t both = std::min(text.size(), left_.size());
  parted_ = parted_ || text.compare(0, both, left_, 0, both) != 0;
  if (parted_) return {};
  left_.erase(0, both);
  text.erase(0, both);
  return text;
}

std::string BehindTyped::finish(std::string text, TextEnd, double probability) {
  return push(std::move(text), probability);
}

}  // namespace waferpair::inference
