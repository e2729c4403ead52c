// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/output/line_limit.h"

namespace waferpair::inference {

std::string LineLimit::push(std::string text, double) {
  if (left_ == 0) return {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      if (written_ && --left_ == 0) {
        text.resize(i);
        return text;
      }
      written_ = false;
    } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
      written_ = true;
    }
  }
  return text;
}

std::string LineLimit::finish(std::string text, TextEnd, double probability) {
  return push(std::move(text), probability);
}

std::optional<StopReason> LineLimit::stop() const {
  return left_ == 0 ? std::optional(StopReason::kMaxLines) : std::nullopt;
}

}  // namespace waferpair::inference
