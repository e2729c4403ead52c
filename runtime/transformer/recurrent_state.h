// SPDX-License-Identifier: GPL-3.0-or-later
// What the recurrent layers of a model keep of a sequence (Config::recurrent). It is not of single
// positions, so it cannot be cut off behind any of them: it goes back only to where it was kept.
//
// A state is that behind a position, and a log of what the positions after it put in, a row of each
// layer: it can go on behind any of these, too, by going through their rows once more, which needs
// no weights. So drafts that are refused, and the last tokens of a prompt, cost a row each to keep.
//
// Both lie in pages of a KV pool. They are written by one step and read from then on, so those who
// share a state share its memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/transformer/config.h"

namespace waferpair::transformer {

class KvPool;

// Sizes in floats.
struct StateShape {
  int layers = 0;  // that are recurrent; 0: the model has none
  int heads = 0;   // each with a matrix
  int matrix = 0;  // [stateDim][headDim]
  int row = 0;     // of a position: channels of the convolution, then betas and alphas, or steps
  int before = 0;  // rows of the positions before, which the convolution sees
  std::vector<int> at = {};  // by layer of the model, among those that are recurrent; else -1

  static StateShape of(const Config& config);
  bool operator==(const StateShape&) const = default;
  // Of the larger of the two arrays that a state is made of.
  std::size_t arrayBytes() const;
  // The bytes of a state with so many rows in its log, but for what is left at the ends of pages.
  std::size_t bytes(int logged) const;
};

// Arrays of equal size, none of which is cut by the end of a page. Gives its pages back.
class PoolArrays {
 public:
  // Fails as KvPool::take().
  static base::Result<std::shared_ptr<PoolArrays>> take(std::shared_ptr<KvPool> pool, int count,
                                                        int floats);
  PoolArrays(const PoolArrays&) = delete;
  PoolArrays& operator=(const PoolArrays&) = delete;
  ~PoolArrays();

  float* operator[](int i) const;
  std::size_t bytes() const;  // of its pages

 private:
  PoolArrays(std::shared_ptr<KvPool> pool, int floats, int each)
      : pool_(std::move(pool)), floats_(static_cast<std::size_t>(floats)), each_(each) {}

  const std::shared_ptr<KvPool> pool_;
  const std::size_t floats_;
  const int each_;  // arrays of a page
  std::vector<int> pages_;
};

struct RecurrentState {
  int position = 0;  // it has gone through so many tokens
  int logged = 0;    // rows behind that
  int stride = 0;    // of rows of a layer
  // [layers][heads]; null: nothing but zeros, behind no token.
  std::shared_ptr<const PoolArrays> matrices = {};
  // [layers][stride], of positions from position - StateShape::before on; those before the first
  // are zeros. Null: no others.
  std::shared_ptr<const PoolArrays> rows = {};

  int end() const { return position + logged; }
  // Returns true if it can go on behind the first `length` tokens.
  bool covers(int length) const { return position <= length && length <= end(); }
  // Forgets the log behind `length` tokens; position at most that.
  void cut(int length) { logged = logged < length - position ? logged : length - position; }
  std::size_t bytes() const;

  // Takes memory for a state behind `position` tokens, with a log. Fails as KvPool::take().
  static base::Result<RecurrentState> take(const std::shared_ptr<KvPool>& pool, int position,
                                           int logged);
};

}  // namespace waferpair::transformer
