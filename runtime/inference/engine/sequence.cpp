// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/sequence.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <optional>

#include "runtime/base/memory_pages.h"

namespace waferpair::inference {

using transformer::KvMove;

namespace {

constexpr std::int32_t kNoToken = -1;

}  // namespace

Sequence::Sequence(transformer::KvCache kv, int capacity)
    : kv_(std::move(kv)), capacity_(capacity) {}

Sequence::Sequence(std::shared_ptr<transformer::KvPool> pool, int capacity,
                   std::shared_ptr<const ChunkReuse> reuse)
    : kv_(std::move(pool), capacity), capacity_(capacity), reuse_(std::move(reuse)) {}

base::Result<Sequence> Sequence::make(const transformer::Config& config, int capacity) {
  auto kv = transformer::KvCache::make(config, capacity);
  if (!kv) return tl::unexpected(kv.error());
  return Sequence(std::move(*kv), capacity);
}

int Sequence::common(std::span<const std::int32_t> prompt) const {
  return kv_.resumable(sameAtFront(prompt));
}

// Tokens of the cache, all but the last of the prompt at most.
int Sequence::sameAtFront(std::span<const std::int32_t> prompt) const {
  const auto cached = std::span(tokens_).first(kv_.length());
  const auto differ = std::mismatch(cached.begin(), cached.end(), prompt.begin(), prompt.end());
  const auto same = differ.first - cached.begin();
  return static_cast<int>(std::min<std::ptrdiff_t>(same, std::ssize(prompt) - 1));
}

std::vector<KvMove> Sequence::movesFor(const RunIndex& index, int kept) const {
  // The tokens that the cache holds: at the front, and behind them those of an earlier prompt that
  // was not fed to its end.
  const int end = moved_.empty() ? length() : moved_.back().to + moved_.back().count;
  std::vector<std::int32_t> held(static_cast<std::size_t>(end), kNoToken);
  std::copy_n(tokens_.begin(), length(), held.begin());
  for (const KvMove& run : moved_)
    std::copy_n(tokens_.begin() + run.to, run.count, held.begin() + run.to);
  for (int at = kept; at < length(); ++at)
    if (!kv_.whole(at / tensor::kChunk)) held[static_cast<std::size_t>(at)] = kNoToken;
  return index.find(held, kept, kept);
}

int Sequence::reusable(std::span<const std::int32_t> prompt, const RunIndex& index) const {
  int count = common(prompt);
  for (const KvMove& run : movesFor(index, count)) count += run.count;
  return count;
}

// Moves the runs once there are pages for them; until then the pages keep what they held. Returns
// false if there is no room.
bool Sequence::move(std::vector<KvMove> moves, int kept) {
  const int end = moves.back().to + moves.back().count;
  kv_.setLength(kept);  // not truncate(), which gives pages back
  if (!kv_.reserve(end)) return false;
  reuse_->shift().move(kv_, moves);
  kv_.trim(end);
  exact_ = std::min(exact_, moves.front().to);
  moved_ = std::move(moves);
  ++timesMoved_;
  return true;
}

int Sequence::setPrompt(std::span<const std::int32_t> prompt) {
  assert(!prompt.empty() && std::ssize(prompt) <= capacity_);
  const bool anew = timesMoved_ >= kMostMoves;
  const int same = sameAtFront(prompt);
  kv_.keepResumable(same, static_cast<int>(prompt.size()));  // where the next edit is likely
  int kept = kv_.resumable(anew ? std::min(same, exact()) : same);
  std::vector<KvMove> moves;
  if (reuse_ && !anew && std::ssize(prompt) - kept > reuse_->run())
    moves = movesFor(RunIndex(prompt.first(prompt.size() - 1), reuse_->run()), kept);
  moved_.clear();
  if (kept <= exact_) {
    exact_ = kAll;
    if (moves.empty()) timesMoved_ = 0;
  }
  tokens_.assign(prompt.begin(), prompt.end());
  if (moves.empty() || !move(std::move(moves), kept)) {
    kv_.truncate(kept);
    kv_.trim(kept);
  }
  for (const KvMove& run : moved_) kept += run.count;
  return kept;
}

void Sequence::share(const Sequence& other, int count) {
  assert(count <= other.length());
  kv_.share(other.kv_, count);
  tokens_.assign(other.tokens_.begin(), other.tokens_.begin() + count);
  moved_.clear();
  const bool exact = count <= other.exact_;
  exact_ = exact ? kAll : other.exact_;
  timesMoved_ = exact ? 0 : other.timesMoved_;
}

base::Result<void> Sequence::restore(std::span<const std::int32_t> tokens,
                                     std::span<const std::span<const std::byte>> chunks,
                                     std::span<const std::byte> state) {
  const int count = static_cast<int>(std::min<std::ptrdiff_t>(std::ssize(tokens), capacity_));
  setPrompt(tokens.first(static_cast<std::size_t>(count)));
  while (length() < count) {
    const int chunk = length() / tensor::kChunk, end = (chunk + 1) * tensor::kChunk;
    auto restored = kv_.restore(std::min(count, end), chunks[static_cast<std::size_t>(chunk)]);
    if (restored && length() == count && !state.empty()) restored = kv_.restoreState(state);
    if (restored) continue;
    kv_.truncate(0);
    kv_.trim(0);
    return restored;
  }
  kv_.setLength(kv_.resumable(count));
  kv_.trim(length());
  return {};
}

void Sequence::shrink() {
  moved_.clear();
  kv_.truncate((length() - 1) / tensor::kChunk * tensor::kChunk);
  kv_.trim(length());
}

void Sequence::append(std::int32_t token) {
  assert(room());
  tokens_.push_back(token);
}

std::span<const std::int32_t> Sequence::pending() {
  while (!moved_.empty() && moved_.front().to <= kv_.length()) {
    kv_.setLength(moved_.front().to + moved_.front().count);
    moved_.erase(moved_.begin());
  }
  const auto lacking = std::span(tokens_).subspan(kv_.length());
  return moved_.empty() ? lacking : lacking.first(moved_.front().to - kv_.length());
}

SequencePool::SequencePool(std::shared_ptr<transformer::KvPool> kv, int capacity,
                           std::shared_ptr<const ChunkReuse> reuse)
    : kv_(std::move(kv)),
      capacity_(capacity),
      reuse_(std::move(reuse)),
      slots_(std::make_unique<Slots>()) {
  kv_->onShort([slots = slots_.get()] {
    Slot* slot = oldest(*slots, true);
    if (!slot) return false;
    [[maybe_unused]] const int before = slot->sequence.length();
    slot->sequence.shrink();
    // Each time it is shorter, until it has nothing: else it would be asked for ever.
    assert(slot->sequence.length() < before || slot->sequence.kv().bytes() == 0);
    return true;
  });
}

base::Result<SequencePool> SequencePool::make(const transformer::Config& config, int capacity,
                                              tensor::KvFormat format, std::size_t kvBytes,
                                              std::shared_ptr<const ChunkReuse> reuse) {
  auto kv = transformer::KvPool::make(config, format, kvBytes);
  if (!kv) return tl::unexpected(kv.error());
  return SequencePool(std::move(*kv), capacity, std::move(reuse));
}

// Returns the slot unused longest among those that are not taken; with `withCache`, among those
// whose cache has memory.
SequencePool::Slot* SequencePool::oldest(const Slots& slots, bool withCache) {
  Slot* found = nullptr;
  for (const auto& slot : slots) {
    if (slot->taken || (withCache && slot->sequence.kv().bytes() == 0)) continue;
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
  slots_->push_back(std::make_unique<Slot>(Slot{Sequence(kv_, capacity_, reuse_)}));
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
  }
  std::optional<RunIndex> index;  // where there may be something to move
  if (reuse_ && std::ssize(prompt) - shared > reuse_->run())
    index.emplace(prompt.first(prompt.size() - 1), reuse_->run());
  for (const auto& slot : *slots_) {
    if (slot->taken) continue;
    const int common = slot->sequence.common(prompt);
    const int saved = index ? slot->sequence.reusable(prompt, *index) : common;
    // Half of either: less is a common license header, not the same document.
    const bool much = 2 * saved >= slot->sequence.length() || 2 * saved >= std::ssize(prompt);
    if (much && saved > kept) {
      chosen = slot.get();
      kept = saved;
    }
  }
  if (!chosen) chosen = emptySlot();
  if (!chosen) return nullptr;
  if (shared > kept && chosen != likest) chosen->sequence.share(likest->sequence, shared);
  chosen->taken = true;
  chosen->lastUse = ++uses_;
  return &chosen->sequence;
}

int SequencePool::known(std::span<const std::int32_t> prompt) const {
  int most = 0;
  for (const auto& slot : *slots_) most = std::max(most, slot->sequence.common(prompt));
  return most;
}

void SequencePool::release(Sequence* sequence) {
  for (const auto& slot : *slots_)
    if (&slot->sequence == sequence) slot->taken = false;
}

std::vector<const Sequence*> SequencePool::byUse() const {
  std::vector<const Slot*> slots;
  for (const auto& slot : *slots_)
    if (slot->sequence.length() > 0) slots.push_back(slot.get());
  std::ranges::sort(slots, std::greater(), &Slot::lastUse);
  std::vector<const Sequence*> sequences;
  sequences.reserve(slots.size());
  for (const Slot* slot : slots) sequences.push_back(&slot->sequence);
  return sequences;
}

std::size_t SequencePool::usedBytes() const {
  return static_cast<std::size_t>(kv_->used()) * kv_->pageBytes() - besideBytes();
}

void SequencePool::keepBeside(std::size_t bytes) {
  const std::size_t pages = pagesFor(bytes);
  while (beside_.size() > pages) giveBeside();
  while (beside_.size() < pages) {
    const auto page = kv_->take();
    if (!page) return;
    base::giveBackPages({kv_->keys(*page, 0, 0), pageBytes()});
    beside_.push_back(*page);
  }
}

bool SequencePool::giveBeside() {
  if (beside_.empty()) return false;
  kv_->release(beside_.back());
  beside_.pop_back();
  return true;
}

std::size_t SequencePool::besideBytes() const { return beside_.size() * pageBytes(); }

std::size_t SequencePool::bytes() const {
  return static_cast<std::size_t>(kv_->pages()) * kv_->pageBytes();
}

}  // namespace waferpair::inference
