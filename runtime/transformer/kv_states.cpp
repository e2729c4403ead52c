// SPDX-License-Identifier: GPL-3.0-or-later
// The states of recurrent layers in a KvCache: which are kept, and which one goes on.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "runtime/transformer/kv_cache.h"

namespace waferpair::transformer {

void KvCache::keepResumable(int cut, int end) {
  cut_ = cut;
  end_ = std::max(0, end - kPromptTail);
}

// The one that goes on behind the most of the first `length` tokens; null if none does, and where
// there are none: a log behind nothing is not worth its memory.
const RecurrentState* KvCache::stateFor(int length) const {
  if (pool_->states().layers == 0 || length == 0) return nullptr;
  const RecurrentState* best = nullptr;
  const auto consider = [&](const RecurrentState& state) {
    if (state.position > length || state.end() > length_) return;
    if (!best || std::min(length, state.end()) > std::min(length, best->end())) best = &state;
  };
  consider(state_);
  for (const RecurrentState& kept : kept_) consider(kept);
  return best;
}

// Decides how far the next state goes: up to what is guessed, or to the first place before that
// which the text is likely to be cut at. From there on it has a log.
base::Result<void> KvCache::takeState(int end, int guessed) {
  if (pool_->states().layers == 0) return {};
  int position = std::max(length_, end - guessed);
  const int every = resumeEvery();
  for (const int wanted : {cut_, end_, (length_ / every + 1) * every}) {
    if (wanted > length_ && wanted < position) position = wanted;
  }
  // Within the tail of a prompt it stays where that begins.
  if (end_ <= length_ && end <= end_ + kPromptTail) position = std::max(end_, state_.position);
  if (next_.rows && next_.position == position && next_.end() == end) return {};
  next_ = {};
  auto taken = RecurrentState::take(pool_, position, end - position);
  if (!taken) return tl::unexpected(taken.error());
  next_ = std::move(*taken);
  return {};
}

// Calls `take` until it does not fail, or nothing is left that can be done without.
base::Result<void> KvCache::sparingly(const std::function<base::Result<void>()>& take) {
  for (;;) {
    auto taken = take();
    if (taken || kept_.empty()) return taken;
    kept_.erase(kept_.begin());
  }
}

// Returns true if a kept state is the best of those that one can go on from at a regular place, or
// at one where a cut is likely.
bool KvCache::isNeeded(const RecurrentState& kept) const {
  const int regular = kept.end() / resumeEvery() * resumeEvery();
  for (const int place : {regular, cut_, end_, end_ + kPromptTail}) {
    const bool isBest = std::all_of(kept_.begin(), kept_.end(), [&](const RecurrentState& other) {
      return !other.covers(place) || other.end() < kept.end() || &other == &kept;
    });
    if (kept.covers(place) && isBest) return true;
  }
  return false;
}

void KvCache::keepState(RecurrentState state) {
  if (state.position == 0) return;  // costs nothing to have again
  const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const RecurrentState& kept) {
    return kept.position >= state.position;
  });
  if (at == kept_.end() || at->position != state.position) {
    kept_.insert(at, std::move(state));
  } else if (at->end() < state.end()) {
    *at = std::move(state);
  }
  for (std::size_t i = kept_.size(); i-- > 0;) {
    if (!isNeeded(kept_[i])) kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void KvCache::advance(int length) {
  length_ = length;
  if (pool_->states().layers == 0) return;
  assert(next_.end() == length);
  keepState(std::exchange(state_, std::exchange(next_, {})));
}

int KvCache::statePosition(int length) const {
  const RecurrentState* state = stateFor(length);
  return state ? state->position : 0;
}

std::vector<std::span<const std::byte>> KvCache::stateArrays(int length) const {
  const StateShape& shape = pool_->states();
  const RecurrentState* state = stateFor(length);
  std::vector<std::span<const std::byte>> arrays;
  if (!state || !state->rows) return arrays;
  const auto add = [&](const float* array, int floats) {
    arrays.push_back(std::as_bytes(std::span(array, static_cast<std::size_t>(floats))));
  };
  for (int i = 0; i < shape.layers * shape.heads; ++i) add((*state->matrices)[i], shape.matrix);
  for (int i = 0; i < shape.layers * shape.before; ++i)
    add((*state->rows)[i / shape.before * state->stride + i % shape.before], shape.row);
  return arrays;
}

base::Result<void> KvCache::restoreState(std::span<const std::byte> arrays) {
  const StateShape& shape = pool_->states();
  assert(arrays.size() == shape.bytes(0) && length_ > 0);
  auto taken = RecurrentState::take(pool_, length_, 0);
  if (!taken) return tl::unexpected(taken.error());
  const auto fill = [&](float* array, int floats) {
    const std::size_t size = static_cast<std::size_t>(floats) * sizeof(float);
    std::memcpy(array, arrays.data(), size);
    arrays = arrays.subspan(size);
  };
  for (int i = 0; i < shape.layers * shape.heads; ++i) fill((*taken->matrices)[i], shape.matrix);
  for (int i = 0; i < shape.layers * shape.before; ++i) fill((*taken->rows)[i], shape.row);
  state_ = std::move(*taken);
  return {};
}

}  // namespace waferpair::transformer
