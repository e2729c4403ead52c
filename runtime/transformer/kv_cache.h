// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values of the positions a sequence has gone through: a table of pages of a pool.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/kernels.h"
#include "runtime/transformer/config.h"
#include "runtime/transformer/kv_pool.h"

namespace waferpair::transformer {

// Sequences that begin alike share the pages of what they have in common; one that writes to a page
// that others have too gets a copy first.
//
// Windowed layers give back the pages that no later position sees. They keep the positions that a
// cut text would see where a cut is likely: at the last kTail positions fed, at every
// resumeEvery()-th, and at the one named last to keepResumable(). A text that is cut elsewhere goes
// on from the next such place before.
//
// Recurrent layers have one state beside the pages (recurrent_state.h). It is kept where a cut is
// likely, with a log of the tokens behind: at the place named last to keepResumable(), at the end
// of the prompt, at every resumeEvery()-th position; and it can go back over what was a guess in
// the last step. Where memory is short, the states that are kept go first.
//
// Not thread-safe; Forward's threads write disjoint parts.
class KvCache {
 public:
  // Makes a cache with a pool of its own. Capacity is in positions, at least 1, rounded up to a
  // whole chunk. Fails if there is no memory, or as KvPool::make.
  static base::Result<KvCache> make(const Config& config, int capacity,
                                    tensor::KvFormat format = tensor::KvFormat::kF16);
  // A cache of up to `capacity` positions, if the pool has them when they are needed.
  KvCache(std::shared_ptr<KvPool> pool, int capacity);
  KvCache(KvCache&& other) noexcept;
  KvCache& operator=(KvCache&& other) noexcept;
  ~KvCache();  // gives its pages back

  int capacity() const { return capacity_; }
  int length() const { return length_; }  // positions that hold a token
  // The furthest position up to `length`, of those in the cache, behind which tokens can be fed:
  // windowed layers still hold what is seen there, recurrent ones have a state of it.
  int resumable(int length) const;
  // The text was cut at `cut`, and what is fed next goes to `end`: the next cut is likely to be at
  // the one or shortly before the other.
  void keepResumable(int cut, int end);
  // Forgets all positions from resumable(length) on; no effect if there are none from `length` on.
  void truncate(int length);
  // Gives back pages that were reserved for positions from `end` on alone; end at least length().
  void trim(int end);
  // Forgets all, and begins with what the first resumable(length) positions of another cache of the
  // same pool hold (fewer if there are fewer). Nothing is copied.
  void share(const KvCache& other, int length);

  std::size_t bytes() const;  // of its pages, and those of its states; shared ones too
  // The bytes of a position over all layers, if none was given back.
  std::size_t bytesPerToken() const {
    const KvPages& layout = pool_->layout();
    return layout.bytes * static_cast<std::size_t>(layout.ofChunk) / tensor::kChunk;
  }
  bool fits(const Config& config) const { return pool_->fits(config); }
  tensor::KvFormat format() const { return pool_->format(); }

  // The rest is for Forward, and for tests.

  // Makes positions length() to end - 1 writable, end at most capacity(), and gives back what is
  // not needed any more. The last `guessed` of them are likely to be cut off at once. Fails as
  // KvPool::take; what the cache holds stays.
  base::Result<void> reserve(int end, int guessed = 0);
  void setLength(int length) { length_ = length; }  // of positions that were reserved and written
  // As setLength(), of all positions that were reserved; the state of recurrent layers was written,
  // too.
  void advance(int length);
  // What recurrent layers go on from, and the state that a step writes: reserve() decides which
  // positions come to its log.
  const RecurrentState& state() const { return state_; }
  const RecurrentState& nextState() const { return next_; }
  const StateShape& states() const { return pool_->states(); }

  // Positions kChunk * index and those after it; without values where these are the keys.
  tensor::KvChunk chunk(int layer, int kvHead, int index) const;
  // Dimensions from firstDim on of one position, as many as `key` and `value` have: of a format
  // with scales, whole blocks. What F16 cannot hold is taken as the largest that it can. Where
  // values are the keys, `value` is not looked at.
  void write(const tensor::Kernels& kernels, int layer, int kvHead, int position, int firstDim,
             std::span<const float> key, std::span<const float> value);
  // Returns true if the windowed layers' pages of a chunk below length() are there.
  bool whole(int chunk) const;
  // The pages of a chunk below length(): without those of windowed layers unless it is whole.
  std::vector<std::span<const std::byte>> pages(int chunk) const;
  // Positions length() to end - 1, all of one chunk, as a cache held them that had these pages of
  // it, one behind another. resumable() tells what can be done with them. Fails as reserve().
  base::Result<void> restore(int end, std::span<const std::byte> pages);
  // The furthest position up to `length` behind which a state lies, without its log; 0 if none
  // does.
  int statePosition(int length) const;
  // The arrays of that state: matrices, then rows, as StateShape says.
  std::vector<std::span<const std::byte>> stateArrays(int length) const;
  // Goes on behind length() from such arrays, one behind another. Fails as reserve().
  base::Result<void> restoreState(std::span<const std::byte> arrays);
  // Reads the key and value that were written of a position, as rounded, [headDim] each. Writing
  // them again changes nothing. Where values are the keys, `value` is empty.
  void read(int layer, int kvHead, int position, std::span<float> key,
            std::span<float> value) const;

  // Positions that can be cut off at any place with nothing to be computed anew.
  static constexpr int kTail = 1024;
  // The distance of resumable positions, so large that windowed layers keep a quarter at most, and
  // states no more than the pages have.
  int resumeEvery() const;
  // The last tokens of a prompt, which recurrent layers can go back over.
  static constexpr int kPromptTail = 8;

 private:
  static constexpr int kNone = -1;

  std::size_t ofChunk() const { return static_cast<std::size_t>(pool_->layout().ofChunk); }
  int chunks() const { return static_cast<int>(pages_.size() / ofChunk()); }
  std::span<int> pagesOf(int chunk) {
    return {&pages_[static_cast<std::size_t>(chunk) * ofChunk()], ofChunk()};
  }
  std::span<const int> pagesOf(int chunk) const {
    return {&pages_[static_cast<std::size_t>(chunk) * ofChunk()], ofChunk()};
  }
  std::byte* keys(int layer, int kvHead, int chunk) const;
  int firstSeen(int position) const;
  bool sees(int position, int chunk) const;
  base::Result<void> own(int chunk, int count);
  base::Result<void> takeState(int end, int guessed);
  base::Result<void> sparingly(const std::function<base::Result<void>()>& take);
  const RecurrentState* stateFor(int length) const;
  bool isNeeded(const RecurrentState& kept) const;
  void keepState(RecurrentState state);
  void giveBack();
  void releaseFrom(int chunk);
  void release(std::span<int> pages);

  std::shared_ptr<KvPool> pool_;
  int capacity_ = 0, length_ = 0;
  int cut_ = 0, end_ = 0;  // keepResumable()
  RecurrentState state_, next_;
  std::vector<RecurrentState> kept_;  // in order of positions
  std::vector<int> pages_;  // [chunk][KvPages::ofChunk]; kNone: given back, or not taken yet
  std::size_t held_ = 0;    // of them
};

}  // namespace waferpair::transformer
