// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sequence.h"

#include <algorithm>
#include <cassert>

namespace waferpair::inference {

Sequence::Sequence(transformer::KvCache kv, int capacity)
    : kv_(std::move(kv)), capacity_(capacity) {}

base::Result<Sequence> Sequence::make(const transformer::Config& config, int capacity) {
  auto kv = transformer::KvCache::make(config, capacity);
  if (!kv) return tl::unexpected(kv.error());
  return Sequence(std::move(*kv), capacity);
}

int Sequence::common(std::span<const std::int32_t> prompt) const {
  const auto cached = std::span(tokens_).first(kv_.length());
  const auto differ = std::mismatch(cached.begin(), cached.end(), prompt.begin(), prompt.end());
  const auto same = differ.first - cached.begin();
  return static_cast<int>(std::min<std::ptrdiff_t>(same, std::ssize(prompt) - 1));
}

int Sequence::setPrompt(std::span<const std::int32_t> prompt) {
  assert(!prompt.empty() && std::ssize(prompt) <= capacity_);
  const int kept = common(prompt);
  kv_.truncate(kept);
  tokens_.assign(prompt.begin(), prompt.end());
  return kept;
}

void Sequence::append(std::int32_t token) {
  assert(room());
  tokens_.push_back(token);
}

std::span<const std::int32_t> Sequence::pending() const {
  return std::span(tokens_).subspan(kv_.length());
}

base::Result<SequencePool> SequencePool::make(const transformer::Config& config, int count,
                                              int capacity) {
  SequencePool pool;
  for (int i = 0; i < count; ++i) {
    auto sequence = Sequence::make(config, capacity);
    if (!sequence) return tl::unexpected(sequence.error());
    pool.slots_.push_back({std::move(*sequence)});
  }
  return pool;
}

Sequence* SequencePool::take(std::span<const std::int32_t> prompt) {
  Slot* oldest = nullptr;
  Slot* likest = nullptr;
  int shared = 0;
  for (Slot& slot : slots_) {
    if (slot.taken) continue;
    if (!oldest || slot.lastUse < oldest->lastUse) oldest = &slot;
    const int common = slot.sequence.common(prompt);
    // Half of either: less is a common license header, not the same document.
    const bool much = 2 * common >= slot.sequence.length() || 2 * common >= std::ssize(prompt);
    if (much && common > shared) {
      likest = &slot;
      shared = common;
    }
  }
  Slot* chosen = likest ? likest : oldest;
  if (!chosen) return nullptr;
  chosen->taken = true;
  chosen->lastUse = ++uses_;
  return &chosen->sequence;
}

void SequencePool::release(Sequence* sequence) {
  for (Slot& slot : slots_)
    if (&slot.sequence == sequence) slot.taken = false;
}

}  // namespace waferpair::inference
