// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence of tokens and the KV cache of those that went through the model.
//
// Prefill and decode are one thing here: feed the tokens that the cache does not hold yet. A prompt
// leaves many of them, a generated token leaves one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/inference/engine/chunk_reuse.h"
#include "runtime/transformer/kv_cache.h"

namespace waferpair::inference {

// Not thread-safe. Invariant: the cache holds the first kv().length() of tokens().
class Sequence {
 public:
  // Makes a sequence with a cache of its own. Fails if there is no memory.
  static base::Result<Sequence> make(const transformer::Config& config, int capacity);
  // A sequence on pages of a pool that it shares with others. With `reuse`, prompts reuse chunks,
  // too.
  Sequence(std::shared_ptr<transformer::KvPool> pool, int capacity,
           std::shared_ptr<const ChunkReuse> reuse = nullptr);

  // Replaces the tokens. What the old and new ones have in common at the front stays in the cache,
  // but for the last token of the prompt, which must be fed, as its logits are wanted, and for what
  // windowed layers cannot go on from (KvCache::resumable). Where chunks are reused, so do long
  // runs behind that which stand elsewhere now, kMostMoves times: then all that is not exact is
  // computed anew. `prompt` has 1 to capacity() tokens. Returns how many of them need not be
  // computed.
  int setPrompt(std::span<const std::int32_t> prompt);
  // Becomes the first `count` tokens of another sequence of the same pool, which its cache holds.
  void share(const Sequence& other, int count);
  // Becomes these tokens, up to capacity(), which are in the cache then as far as it can go on from
  // them: `chunks` has the pages of each chunk, as KvCache::restore takes them, of a cache that
  // held them, `state` what KvCache::restoreState takes. Fails as those; then it is empty.
  base::Result<void> restore(std::span<const std::int32_t> tokens,
                             std::span<const std::span<const std::byte>> chunks,
                             std::span<const std::byte> state = {});
  // Gives back memory: that of its last positions.
  void shrink();
  // A token that was generated; it is pending then. There must be room().
  void append(std::int32_t token);

  // The tokens that the cache lacks next, in order: all of them unless hasMoved().
  std::span<const std::int32_t> pending();
  // Returns true if behind those that pending() gave there is a run that was moved, and then
  // others.
  bool hasMoved() const { return !moved_.empty(); }
  // Positions at the front of the cache that hold exactly what computing them in order gives. The
  // others were moved, or saw what was.
  int exact() const { return std::min(exact_, length()); }
  std::span<const std::int32_t> tokens() const { return tokens_; }
  // Returns how many tokens at the front setPrompt(prompt) would keep.
  int common(std::span<const std::int32_t> prompt) const;
  // Returns how many tokens it would keep and, with the index of the prompt but for its last token,
  // move.
  int reusable(std::span<const std::int32_t> prompt, const RunIndex& index) const;

  transformer::KvCache& kv() { return kv_; }
  const transformer::KvCache& kv() const { return kv_; }
  int length() const { return kv_.length(); }
  int capacity() const { return capacity_; }
  bool room() const { return static_cast<int>(tokens_.size()) < capacity_; }

  static constexpr int kMostMoves = 16;

 private:
  Sequence(transformer::KvCache kv, int capacity);
  int sameAtFront(std::span<const std::int32_t> prompt) const;
  std::vector<transformer::KvMove> movesFor(const RunIndex& index, int kept) const;
  bool move(std::vector<transformer::KvMove> moves, int kept);

  transformer::KvCache kv_;
  int capacity_;
  std::shared_ptr<const ChunkReuse> reuse_;  // may be null
  std::vector<std::int32_t> tokens_;
  // Runs that lie in the cache where they belong, further back than it is filled. In order.
  std::vector<transformer::KvMove> moved_;
  int exact_ = kAll;    // positions at the front
  int timesMoved_ = 0;  // since all was exact
  static constexpr int kAll = std::numeric_limits<int>::max();
};

// Sequences, each kept for the document or conversation that used it last, for as long as the
// memory for their caches suffices: then those unused longest give theirs back, the last positions
// first. Not thread-safe.
class SequencePool {
 public:
  // Sequences of up to `capacity` positions, whose caches have `kvBytes` together. Fails as
  // KvPool::make.
  static base::Result<SequencePool> make(const transformer::Config& config, int capacity,
                                         tensor::KvFormat format, std::size_t kvBytes,
                                         std::shared_ptr<const ChunkReuse> reuse = nullptr);

  // Takes the sequence that saves the most computing for this prompt: the one that setPrompt() can
  // keep and move most of. If that is not much, takes another and lets it begin with the positions
  // shared with the sequence, taken or not, that has most in common. Never one that is taken. Null
  // when kMost are.
  Sequence* take(std::span<const std::int32_t> prompt);
  // Returns how many tokens at the front need not be computed, at least.
  int known(std::span<const std::int32_t> prompt) const;
  // Gives back, with what its cache holds.
  void release(Sequence* sequence);

  // Returns an empty cache beside the sequences', of their memory: the oldest of these give it back
  // where it is short.
  transformer::KvCache newCache() const { return {kv_, capacity_}; }

  // Returns the sequences whose cache holds something, the one used last first.
  std::vector<const Sequence*> byUse() const;

  std::size_t usedBytes() const;  // of the caches
  std::size_t bytes() const;      // that they may have

  // Keeps so many bytes, rounded up to pages, of the caches' memory from them, or as many as others
  // leave, and gives that to the system. The caches of idle sequences give way.
  void keepBeside(std::size_t bytes);
  // Gives a page of it to the caches; false if none is kept.
  bool giveBeside();
  std::size_t besideBytes() const;
  std::size_t pageBytes() const { return kv_->pageBytes(); }
  std::size_t pagesFor(std::size_t bytes) const { return (bytes + pageBytes() - 1) / pageBytes(); }

  static constexpr int kMost = 64;  // sequences: enough, and few to look through

 private:
  struct Slot {
    Sequence sequence;
    bool taken = false;
    std::uint64_t lastUse = 0;
  };
  using Slots = std::vector<std::unique_ptr<Slot>>;
  SequencePool(std::shared_ptr<transformer::KvPool> kv, int capacity,
               std::shared_ptr<const ChunkReuse> reuse);
  static Slot* oldest(const Slots& slots, bool withCache);
  Slot* emptySlot();

  std::shared_ptr<transformer::KvPool> kv_;
  int capacity_;
  std::shared_ptr<const ChunkReuse> reuse_;  // may be null
  std::unique_ptr<Slots> slots_;             // where the KV pool finds them, wherever this moves
  std::vector<int> beside_;                  // pages
  std::uint64_t uses_ = 0;
};

}  // namespace waferpair::inference
