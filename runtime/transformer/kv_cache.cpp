// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/kv_cache.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace waferpair::transformer {

using tensor::Half;
using tensor::kChunk;
using tensor::kKeyBlock;
using tensor::kKvBlock;
using tensor::KvFormat;

namespace {

// For which a cache with a pool of its own has memory beside the pages: what a step goes on from
// and writes, the last cut, the end of a prompt, and one that is about to be kept.
constexpr std::size_t kStates = 5;
constexpr int kMostLogged = 128;

int chunksOf(int positions) { return (positions + kChunk - 1) / kChunk; }

// Elements i of `from`, a dimension each, to where the position's keys lie, or its values.
template <typename T>
void scatter(std::span<const T> from, T* to, int stride) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i * static_cast<std::size_t>(stride)] = from[i];
}

// One position of one head in a page, and what is needed to write to it.
struct Place {
  const tensor::Kernels& k;
  std::byte* keys;
  std::byte* values;  // null where these are the keys
  int headDim;
  int block, lane, position;  // block of 8 positions, place in it; place in the chunk

  // Writes up to kKvBlock dimensions from d on.
  void writeHalves(int d, std::span<const float> key, std::span<const float> value) const {
    constexpr float kMost = 65504;
    std::array<Half, kKvBlock> halves;
    const auto toHalves = [&](std::span<const float> from) {
      std::array<float, kKvBlock> bounded;
      const int n = static_cast<int>(from.size());
      for (int i = 0; i < n; ++i) bounded[i] = std::clamp(from[i], -kMost, kMost);
      k.toHalves(bounded.data(), n, halves.data());
      return std::span<const Half>(halves.data(), from.size());
    };
    Half* to = reinterpret_cast<Half*>(keys) + (block * headDim + d) * kKeyBlock + lane;
    scatter(toHalves(key), to, kKeyBlock);
    if (values == nullptr) return;
    scatter(toHalves(value), reinterpret_cast<Half*>(values) + position * headDim + d, 1);
  }

  // A block of dimensions.
  void writeQuants(int d, std::span<const float> key, std::span<const float> value) const {
    std::array<std::int8_t, kKvBlock> quants;
    const auto quantize = [&](std::span<const float> from, Half* scale) {
      float exact = 0;
      std::array<std::int16_t, kKvBlock / tensor::kSumGroup> sums;
      k.quantize(from.data(), kKvBlock, quants.data(), &exact, sums.data());
      exact = std::min(exact, 65504.0f);
      k.toHalves(&exact, 1, scale);
      return std::span<const std::int8_t>(quants);
    };
    auto* keyQuants = reinterpret_cast<std::int8_t*>(keys);
    auto* keyScales = reinterpret_cast<Half*>(keyQuants + kChunk * headDim);
    Half* scale = keyScales + (block * headDim + d) / kKvBlock * kKeyBlock + lane;
    std::int8_t* to = keyQuants + (block * headDim + d) * kKeyBlock + lane;
    scatter(quantize(key, scale), to, kKeyBlock);
    if (values == nullptr) return;
    auto* valueQuants = reinterpret_cast<std::int8_t*>(values);
    auto* valueScales = reinterpret_cast<Half*>(valueQuants + kChunk * headDim);
    scale = valueScales + d / kKvBlock * kChunk + position;
    scatter(quantize(value, scale), valueQuants + position * headDim + d, 1);
  }
};

// One position of one head, as Place writes it.
void readHalves(const std::byte* keys, const std::byte* values, int position, std::span<float> key,
                std::span<float> value) {
  const int headDim = static_cast<int>(key.size());
  const Half* keyAt = reinterpret_cast<const Half*>(keys) +
                      position / kKeyBlock * headDim * kKeyBlock + position % kKeyBlock;
  const Half* valueAt = reinterpret_cast<const Half*>(values) + position * headDim;
  for (int d = 0; d < headDim; ++d) {
    key[d] = tensor::toFloat(keyAt[d * kKeyBlock]);
    if (!value.empty()) value[d] = tensor::toFloat(valueAt[d]);
  }
}

void readQuants(const std::byte* keys, const std::byte* values, int position, std::span<float> key,
                std::span<float> value) {
  const int headDim = static_cast<int>(key.size());
  const int block = position / kKeyBlock, lane = position % kKeyBlock;
  const auto* keyQuants = reinterpret_cast<const std::int8_t*>(keys);
  const auto* keyScales = reinterpret_cast<const Half*>(keyQuants + kChunk * headDim);
  const auto* valueQuants = reinterpret_cast<const std::int8_t*>(values);
  const auto* valueScales = reinterpret_cast<const Half*>(valueQuants + kChunk * headDim);
  for (int d = 0; d < headDim; ++d) {
    const int scale = (block * headDim + d) / kKvBlock * kKeyBlock + lane;
    key[d] =
        tensor::toFloat(keyScales[scale]) * keyQuants[(block * headDim + d) * kKeyBlock + lane];
    if (value.empty()) continue;
    value[d] = tensor::toFloat(valueScales[d / kKvBlock * kChunk + position]) *
               valueQuants[position * headDim + d];
  }
}

}  // namespace

base::Result<KvCache> KvCache::make(const Config& config, int capacity, KvFormat format) {
  const int positions = chunksOf(std::max(1, capacity)) * kChunk;
  const KvPages pages = KvPages::of(config, format);
  std::size_t bytes = static_cast<std::size_t>(positions / kChunk * pages.ofChunk) * pages.bytes;
  if (const std::size_t state = KvPool::bytesPerState(config, format, kMostLogged); state > 0) {
    bytes += state * (kStates + bytes / state);
  }
  auto pool = KvPool::make(config, format, bytes);
  if (!pool) return tl::unexpected(pool.error());
  return KvCache(std::move(*pool), positions);
}

KvCache::KvCache(std::shared_ptr<KvPool> pool, int capacity)
    : pool_(std::move(pool)), capacity_(capacity) {}

// `other` becomes empty and keeps its pool.
KvCache::KvCache(KvCache&& other) noexcept
    : pool_(other.pool_),  // NOLINT(performance-move-constructor-init)
      capacity_(other.capacity_),
      length_(std::exchange(other.length_, 0)),
      cut_(other.cut_),
      end_(other.end_),
      state_(std::exchange(other.state_, {})),
      next_(std::exchange(other.next_, {})),
      kept_(std::exchange(other.kept_, {})),
      pages_(std::exchange(other.pages_, {})),
      held_(std::exchange(other.held_, 0)) {}

KvCache& KvCache::operator=(KvCache&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(capacity_, other.capacity_);
  std::swap(length_, other.length_);
  std::swap(cut_, other.cut_);
  std::swap(end_, other.end_);
  std::swap(state_, other.state_);
  std::swap(next_, other.next_);
  std::swap(kept_, other.kept_);
  std::swap(pages_, other.pages_);
  std::swap(held_, other.held_);
  return *this;
}

KvCache::~KvCache() { releaseFrom(0); }

void KvCache::release(std::span<int> pages) {
  for (int& page : pages) {
    if (page == kNone) continue;
    pool_->release(std::exchange(page, kNone));
    --held_;
  }
}

void KvCache::releaseFrom(int chunk) {
  const auto kept = static_cast<std::size_t>(chunk) * ofChunk();
  if (kept >= pages_.size()) return;
  release(std::span(pages_).subspan(kept));
  pages_.resize(kept);
}

// The first chunk of what a token at this position sees in windowed layers.
int KvCache::firstSeen(int position) const {
  return std::max(0, position + 1 - pool_->layout().window) / kChunk;
}

// Returns true if that token sees anything of a chunk, or would write to it.
bool KvCache::sees(int position, int chunk) const {
  return firstSeen(position) <= chunk && chunk * kChunk < position;
}

int KvCache::resumeEvery() const {
  if (pool_->states().layers > 0) {
    const std::size_t chunk = ofChunk() * pool_->pageBytes();
    return kChunk * static_cast<int>((pool_->states().bytes(0) + chunk - 1) / chunk);
  }
  return chunksOf(std::max(kTail, 4 * pool_->layout().window)) * kChunk;
}

bool KvCache::whole(int chunk) const { return pagesOf(chunk).back() != kNone; }

int KvCache::resumable(int length) const {
  int end = std::clamp(length, 0, length_);
  if (pool_->states().layers > 0) {
    const RecurrentState* state = stateFor(end);
    return state ? std::min(end, state->end()) : 0;
  }
  if (pool_->layout().windowed == 0) return end;
  // A chunk that is seen from `end` is seen from each position between.
  for (int chunk = chunksOf(end) - 1; chunk >= 0 && sees(end, chunk); --chunk)
    if (!whole(chunk)) end = chunk * kChunk;
  return end;
}

void KvCache::truncate(int length) {
  if (length >= length_) return;
  const int target = resumable(length);
  const RecurrentState* state = stateFor(target);
  state_ = state ? RecurrentState(*state) : RecurrentState();
  state_.cut(target);
  length_ = target;
  std::erase_if(kept_, [&](const RecurrentState& kept) { return kept.position >= length_; });
  for (RecurrentState& kept : kept_) kept.cut(length_);
  trim(length_);
}

void KvCache::trim(int end) {
  assert(end >= length_);
  next_ = {};
  releaseFrom(chunksOf(end));
}

void KvCache::share(const KvCache& other, int length) {
  const int shared = other.resumable(length);
  const auto count = static_cast<std::size_t>(chunksOf(shared)) * ofChunk();
  std::vector<int> pages(other.pages_.begin(),
                         other.pages_.begin() + static_cast<std::ptrdiff_t>(count));
  std::size_t held = 0;
  for (const int page : pages) {
    if (page == kNone) continue;
    pool_->retain(page);
    ++held;
  }
  const RecurrentState* state = other.stateFor(shared);
  state_ = state ? *state : RecurrentState();
  state_.cut(shared);
  next_ = {};
  kept_.clear();
  for (const RecurrentState& kept : other.kept_) {
    if (kept.position >= shared) continue;
    kept_.push_back(kept);
    kept_.back().cut(shared);
  }
  releaseFrom(0);
  length_ = shared;
  pages_ = std::move(pages);
  held_ = held;
}

std::size_t KvCache::bytes() const {
  std::size_t bytes = held_ * pool_->pageBytes() + state_.bytes() + next_.bytes();
  for (const RecurrentState& kept : kept_) bytes += kept.bytes();
  return bytes;
}

// Makes the first `count` pages of a chunk its own, with what they held. Where that fails, a chunk
// behind length() is gone: none has half of its pages.
base::Result<void> KvCache::own(int chunk, int count) {
  if (chunk == chunks()) {
    pages_.resize(pages_.size() + ofChunk(), kNone);
  }
  for (int& page : pagesOf(chunk).first(static_cast<std::size_t>(count))) {
    if (page != kNone && pool_->users(page) == 1) continue;
    const auto taken = pool_->take();
    if (!taken) {
      if (chunk >= chunksOf(length_)) releaseFrom(chunk);
      return tl::unexpected(taken.error());
    }
    if (page != kNone) {
      pool_->copy(page, *taken);
      pool_->release(page);
    } else {
      ++held_;
    }
    page = *taken;
  }
  return {};
}

void KvCache::giveBack() {
  const KvPages& layout = pool_->layout();
  const int tail = std::min(firstSeen(std::max(0, length_ - kTail)), chunks());
  const int every = resumeEvery();
  for (int chunk = 0; chunk < tail; ++chunk) {
    const int next = (chunk * kChunk / every + 1) * every;
    if (sees(cut_, chunk) || sees(next, chunk)) continue;
    release(pagesOf(chunk).last(static_cast<std::size_t>(layout.windowed)));
  }
}

base::Result<void> KvCache::reserve(int end, int guessed) {
  assert(end <= capacity_ && chunks() >= chunksOf(length_));
  if (pool_->layout().windowed > 0 && chunksOf(end) > chunksOf(length_)) giveBack();
  for (int chunk = length_ / kChunk; chunk < chunksOf(end); ++chunk) {
    auto owned = sparingly([&] { return own(chunk, pool_->layout().ofChunk); });
    if (!owned) return owned;
  }
  return sparingly([&] { return takeState(end, guessed); });
}

std::byte* KvCache::keys(int layer, int kvHead, int chunk) const {
  const KvPages::Place place = pool_->layout().places[static_cast<std::size_t>(layer)];
  assert(place.page >= 0);
  const int page = pagesOf(chunk)[static_cast<std::size_t>(place.page)];
  assert(page != kNone);
  return pool_->keys(page, place.layer, kvHead);
}

tensor::KvChunk KvCache::chunk(int layer, int kvHead, int index) const {
  const std::byte* here = keys(layer, kvHead, index);
  const std::byte* next = index + 1 < chunks() ? keys(layer, kvHead, index + 1) : here;
  const std::byte* values = pool_->keysOnly() ? nullptr : here + pool_->halfBytes();
  return {pool_->format(), here, values, next};
}

void KvCache::write(const tensor::Kernels& kernels, int layer, int kvHead, int position,
                    int firstDim, std::span<const float> key, std::span<const float> value) {
  std::byte* to = keys(layer, kvHead, position / kChunk);
  const int inChunk = position % kChunk;
  const Place place{kernels,
                    to,
                    pool_->keysOnly() ? nullptr : to + pool_->halfBytes(),
                    pool_->headDim(),
                    inChunk / kKeyBlock,
                    inChunk % kKeyBlock,
                    inChunk};
  for (std::size_t d = 0; d < key.size(); d += kKvBlock) {
    const std::size_t dims = std::min<std::size_t>(kKvBlock, key.size() - d);
    const int at = firstDim + static_cast<int>(d);
    const auto valuesAt = pool_->keysOnly() ? value : value.subspan(d, dims);
    if (pool_->format() == KvFormat::kF16) {
      place.writeHalves(at, key.subspan(d, dims), valuesAt);
    } else {
      place.writeQuants(at, key.subspan(d, dims), valuesAt);
    }
  }
}

std::vector<std::span<const std::byte>> KvCache::pages(int chunk) const {
  std::vector<std::span<const std::byte>> all;
  for (const int page : pagesOf(chunk))
    if (page != kNone) all.emplace_back(pool_->keys(page, 0, 0), pool_->pageBytes());
  return all;
}

base::Result<void> KvCache::restore(int end, std::span<const std::byte> pages) {
  const int chunk = length_ / kChunk;
  assert(end > length_ && end <= capacity_ && chunksOf(end) == chunk + 1);
  const std::size_t count = pages.size() / pool_->pageBytes();
  if (auto owned = own(chunk, static_cast<int>(count)); !owned) return owned;
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = pages.subspan(i * pool_->pageBytes(), pool_->pageBytes());
    std::ranges::copy(from, pool_->keys(pagesOf(chunk)[i], 0, 0));
  }
  release(pagesOf(chunk).subspan(count));  // of what was there before, and does not go so far
  length_ = end;
  return {};
}

void KvCache::read(int layer, int kvHead, int position, std::span<float> key,
                   std::span<float> value) const {
  assert(std::ssize(key) == pool_->headDim() &&
         value.size() == (pool_->keysOnly() ? 0 : key.size()));
  const std::byte* from = keys(layer, kvHead, position / kChunk);
  const auto readFrom = pool_->format() == KvFormat::kF16 ? readHalves : readQuants;
  const std::byte* values = pool_->keysOnly() ? from : from + pool_->halfBytes();
  readFrom(from, values, position % kChunk, key, value);
}

}  // namespace waferpair::transformer
