// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sequence.h"

#include <algorithm>
#include <cassert>

namespace waferpair::inference {

Sequence::Sequence(transformer::KvCache kv, int capacity)
    : kv_(std::move(kv)), capacity_(capacity) {}

Sequence::Sequence(std::shared_ptr<transformer::KvPool> pool, int capacity)
    : kv_(std::move(pool), capacity), capacity_(capacity) {}

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

void Sequence::share(const Sequence& other, int count) {
  assert(count <= other.length());
  kv_.share(other.kv_, count);
  tokens_.assign(other.tokens_.begin(), other.tokens_.begin() + count);
}

void Sequence::append(std::int32_t token) {
  assert(room());
  tokens_.push_back(token);
}

std::span<const std::int32_t> Sequence::pending() const {
  return std::span(tokens_).subspan(kv_.length());
}

SequencePool::SequencePool(std::shared_ptr<transformer::KvPool> kv, int capacity)
    : kv_(std::move(kv)), capacity_(capacity), slots_(std::make_unique<Slots>()) {
  kv_->onShort([slots = slots_.get()] {
    Slot* slot = oldest(*slots, true);
    if (!slot) return false;
    transformer::KvCache& cache = slot->sequence.kv();
    cache.truncate((cache.length() - 1) / tensor::kChunk * tensor::kChunk);
    return true;
  });
}

base::Result<SequencePool> SequencePool::make(const transformer::Config& config, int capacity,
                                              tensor::KvFormat format, std::size_t kvBytes) {
  auto kv = transformer::KvPool::make(config, format, kvBytes);
  if (!kv) return tl::unexpected(kv.error());
  return SequencePool(std::move(*kv), capacity);
}

// Of those that are not taken, the one unused longest; withCache: whose cache holds something.
SequencePool::Slot* SequencePool::oldest(const Slots& slots, bool withCache) {
  Slot* found = nullptr;
  for (const auto& slot : slots) {
    if (slot->taken || (withCache && slot->sequence.length() == 0)) continue;
    if (!found || slot->lastUse < found->lastUse) found = slot.get();
  }
  return found;
}

// A slot that nobody uses: one whose cache was given back, a new one, or the one unused longest.
SequencePool::Slot* SequencePool::emptySlot() {
  for (const auto& slot : *slots_) {
    if (!slot->taken && slot->sequence.length() == 0) return slot.get();
  }
  if (std::ssize(*slots_) >= kMost) return oldest(*slots_, false);
  slots_->push_back(std::make_unique<Slot>(Slot{Sequence(kv_, capacity_)}));
  return slots_->back().get();
}

Sequence* SequencePool::take(std::span<const std::int32_t> prompt) {
  Slot* chosen = nullptr;
  Slot* likest = nullptr;
  int kept = 0, shared = 0;
  for (const auto& slot : *slots_) {
    const int common = slot->sequence.common(prompt);
    if (common > shared) {
      likest = slot.get();
      shared = common;
    }
    // Half of either: less is a common license header, not the same document.
    const bool much = 2 * common >= slot->sequence.length() || 2 * common >= std::ssize(prompt);
    if (!slot->taken && much && common > kept) {
      chosen = slot.get();
      kept = common;
    }
  }
  if (!chosen) chosen = emptySlot();
  if (!chosen) return nullptr;
  if (shared > kept && chosen != likest) chosen->sequence.share(likest->sequence, shared);
  chosen->taken = true;
  chosen->lastUse = ++uses_;
  return &chosen->sequence;
}

void SequencePool::release(Sequence* sequence) {
  for (const auto& slot : *slots_)
    if (&slot->sequence == sequence) slot->taken = false;
}

std::size_t SequencePool::usedBytes() const {
  return static_cast<std::size_t>(kv_->used()) * kv_->pageBytes();
}

std::size_t SequencePool::bytes() const {
  return static_cast<std::size_t>(kv_->pages()) * kv_->pageBytes();
}

}  // namespace waferpair::inference
