// SPDX-License-Identifier: GPL-3.0-or-later
// A sequence of tokens and the KV cache of those that went through the model.
//
// Prefill and decode are one thing here: feed the tokens that the cache does not hold yet. A prompt
// leaves many of them, a generated token leaves one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/transformer/kv_cache.h"

namespace waferpair::inference {

// Not thread-safe. Invariant: the cache holds the first kv().length() of tokens().
class Sequence {
 public:
  // With a cache of its own. Fails if there is no memory.
  static base::Result<Sequence> make(const transformer::Config& config, int capacity);
  // Of pages of a pool that it shares with others.
  Sequence(std::shared_ptr<transformer::KvPool> pool, int capacity);

  // Replaces the tokens. What the old and new ones have in common at the front stays in the cache,
  // but for the last token of the prompt: it must be fed, as its logits are wanted. `prompt` has 1
  // to capacity() tokens. Returns how many of them need not be computed.
  int setPrompt(std::span<const std::int32_t> prompt);
  // Becomes the first `count` tokens of another sequence of the same pool, which its cache holds.
  void share(const Sequence& other, int count);
  // A token that was generated; it is pending then. There must be room().
  void append(std::int32_t token);

  // The tokens that the cache lacks, in order.
  std::span<const std::int32_t> pending() const;
  std::span<const std::int32_t> tokens() const { return tokens_; }
  // How many tokens at the front setPrompt(prompt) would keep.
  int common(std::span<const std::int32_t> prompt) const;

  transformer::KvCache& kv() { return kv_; }
  int length() const { return kv_.length(); }
  int capacity() const { return capacity_; }
  bool room() const { return static_cast<int>(tokens_.size()) < capacity_; }

 private:
  Sequence(transformer::KvCache kv, int capacity);

  transformer::KvCache kv_;
  int capacity_;
  std::vector<std::int32_t> tokens_;
};

// Sequences, each kept for the document or conversation that used it last, for as long as the
// memory for their caches suffices: then those unused longest give theirs back, the last positions
// first. Not thread-safe.
class SequencePool {
 public:
  // Sequences of up to `capacity` positions, whose caches have `kvBytes` together. Fails as
  // KvPool::make.
  static base::Result<SequencePool> make(const transformer::Config& config, int capacity,
                                         tensor::KvFormat format, std::size_t kvBytes);

  // The sequence that saves the most computing for this prompt: the one that shares most with it
  // or, where none shares much, another that begins with what is common with whichever has most,
  // taken or not. Never one that is taken. Null when kMost are.
  Sequence* take(std::span<const std::int32_t> prompt);
  // Gives back, with what its cache holds.
  void release(Sequence* sequence);

  std::size_t usedBytes() const;  // of the caches
  std::size_t bytes() const;      // that they may have

  static constexpr int kMost = 64;  // sequences: enough, and few to look through

 private:
  struct Slot {
    Sequence sequence;
    bool taken = false;
    std::uint64_t lastUse = 0;
  };
  using Slots = std::vector<std::unique_ptr<Slot>>;
  SequencePool(std::shared_ptr<transformer::KvPool> kv, int capacity);
  static Slot* oldest(const Slots& slots, bool withCache);
  Slot* emptySlot();

  std::shared_ptr<transformer::KvPool> kv_;
  int capacity_;
  std::unique_ptr<Slots> slots_;  // where the KV pool finds them, wherever this moves
  std::uint64_t uses_ = 0;
};

}  // namespace waferpair::inference
