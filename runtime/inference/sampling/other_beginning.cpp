// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/other_beginning.h"

#include <cmath>

namespace waferpair::inference {

bool OtherBeginning::goesBeyond(std::int32_t token) const {
  return left_.empty() || tokenizer_->bytes(token).size() > left_.size();
}

void OtherBeginning::apply(std::span<float> logits) {
  for (int forbidden = 0; forbidden < rank_; ++forbidden) {
    int likeliest = -1;
    int possible = 0;
    for (int token = 0; token < std::ssize(logits); ++token) {
      if (!(logits[token] > -INFINITY)) continue;
      ++possible;
      if (!goesBeyond(token)) continue;
      if (likeliest < 0 || logits[token] > logits[likeliest]) likeliest = token;
    }
    if (likeliest < 0 || possible < 2) return;
    logits[likeliest] = -INFINITY;
  }
}

void OtherBeginning::chosen(std::int32_t token) {
  if (goesBeyond(token)) {
    rank_ = 0;
  } else {
    left_.erase(0, tokenizer_->bytes(token).size());
  }
}

}  // namespace waferpair::inference
