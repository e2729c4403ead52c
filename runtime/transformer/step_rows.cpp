// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/step_rows.h"

#include <algorithm>
#include <cassert>

namespace waferpair::transformer {

StepRows::StepRows(const Config& config, int maxBatch) : config_(config), maxBatch_(maxBatch) {
  const auto most = static_cast<std::size_t>(maxBatch);
  rows_.reserve(most);
  sequences_.reserve(most);
  wanted_.reserve(most);
}

base::Result<void> StepRows::check(std::span<const Step> sequences) const {
  std::size_t count = 0;
  for (const Step& step : sequences) count += step.tokens.size();
  const bool some = std::none_of(sequences.begin(), sequences.end(),
                                 [](const Step& step) { return step.tokens.empty(); });
  if (sequences.empty() || !some || count > static_cast<std::size_t>(maxBatch_)) {
    return base::fail("A step of " + std::to_string(count) + " tokens of " +
                      std::to_string(sequences.size()) + " sequences was asked for, outside 1 to " +
                      std::to_string(maxBatch_) + ", at least one of each.");
  }
  for (const Step& step : sequences) {
    if (step.kv == nullptr || !step.kv->fits(config_)) {
      return base::fail("The KV cache of a step was made for another model.");
    }
    if (config_.encoder && (step.logits > 0 || step.kv->length() > 0)) {
      return base::fail("A model of the architecture " + config_.architecture +
                            " embeds whole texts: it does not write, nor go on with one.",
                        "Ask it for embeddings, or take a model that writes.");
    }
    const auto twice = std::count_if(sequences.begin(), sequences.end(),
                                     [&](const Step& other) { return other.kv == step.kv; });
    if (twice > 1) return base::fail("Two sequences of a step have the same KV cache.");
    const auto needed = static_cast<std::int64_t>(step.tokens.size());
    const std::int64_t room =
        std::min(step.kv->capacity(), config_.contextLength) - step.kv->length();
    if (needed > room) {
      return base::fail("The context is full: " + std::to_string(step.kv->length()) +
                            " positions are used, " + std::to_string(needed) +
                            " more are needed and " + std::to_string(room) + " are left.",
                        "Send a shorter prompt.");
    }
    for (const std::int32_t token : step.tokens) {
      if (token < 0 || token >= config_.vocabSize) {
        return base::fail("Token " + std::to_string(token) + " is outside the vocabulary of " +
                          std::to_string(config_.vocabSize) + ".");
      }
    }
  }
  return {};
}

base::Result<void> StepRows::begin(std::span<const Step> sequences) {
  if (auto ok = check(sequences); !ok) return ok;
  for (const Step& step : sequences) {
    const int end = step.kv->length() + static_cast<int>(step.tokens.size());
    if (auto reserved = step.kv->reserve(end, step.guessed); !reserved) return reserved;
  }
  rows_.clear();
  sequences_.clear();
  wanted_.clear();
  for (const Step& step : sequences) {
    const int first = count();
    int position = step.kv->length();
    const int end = position + static_cast<int>(step.tokens.size());
    bool isSecond = false;
    for (const std::int32_t token : step.tokens) {
      rows_.push_back({token, position++, step.kv, end, isSecond ? 1 : 0});
      isSecond = isSecond || (token == config_.separator && config_.encoder);
    }
    sequences_.push_back({first, count()});
    const int wanted = std::clamp(step.logits, 0, count() - first);
    for (int row = count() - wanted; row < count(); ++row) wanted_.push_back(row);
  }
  underWay_ = true;
  return {};
}

void StepRows::end() {
  assert(underWay_);
  for (const RowSpan& sequence : sequences_) {
    const StepRow& last = (*this)[sequence.last - 1];
    last.kv->advance(last.position + 1);
  }
  underWay_ = false;
}

}  // namespace waferpair::transformer
