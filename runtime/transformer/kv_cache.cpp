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

std::size_t pagesOf(int positions) {
  return static_cast<std::size_t>((positions + kChunk - 1) / kChunk);
}

// Elements i of `from`, a dimension each, to where the position's keys lie, or its values.
template <typename T>
void scatter(std::span<const T> from, T* to, int stride) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i * static_cast<std::size_t>(stride)] = from[i];
}

// One position of one head in a page, and what is needed to write to it.
struct Place {
  const tensor::Kernels& k;
  std::byte* keys;
  std::byte* values;
  int headDim;
  int block, lane, position;  // block of 8 positions, place in it; place in the chunk

  // Up to kKvBlock dimensions from d on.
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
    value[d] = tensor::toFloat(valueAt[d]);
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
    value[d] = tensor::toFloat(valueScales[d / kKvBlock * kChunk + position]) *
               valueQuants[position * headDim + d];
  }
}

}  // namespace

base::Result<KvCache> KvCache::make(const Config& config, int capacity, KvFormat format) {
  const std::size_t positions = pagesOf(std::max(1, capacity)) * kChunk;
  auto pool = KvPool::make(config, format, positions * KvPool::bytesPerToken(config, format));
  if (!pool) return tl::unexpected(pool.error());
  return KvCache(std::move(*pool), static_cast<int>(positions));
}

KvCache::KvCache(std::shared_ptr<KvPool> pool, int capacity)
    : pool_(std::move(pool)), capacity_(capacity) {}

KvCache::KvCache(KvCache&& other) noexcept
    : pool_(other.pool_),
      capacity_(other.capacity_),
      length_(std::exchange(other.length_, 0)),
      pages_(std::exchange(other.pages_, {})) {}

KvCache& KvCache::operator=(KvCache&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(capacity_, other.capacity_);
  std::swap(length_, other.length_);
  std::swap(pages_, other.pages_);
  return *this;
}

KvCache::~KvCache() { releaseFrom(0); }

void KvCache::releaseFrom(std::size_t page) {
  while (pages_.size() > page) {
    pool_->release(pages_.back());
    pages_.pop_back();
  }
}

void KvCache::truncate(int length) {
  if (length >= length_) return;
  length_ = std::max(length, 0);
  trim(length_);
}

void KvCache::trim(int end) {
  assert(end >= length_);
  releaseFrom(pagesOf(end));
}

void KvCache::share(const KvCache& other, int length) {
  length_ = std::clamp(length, 0, other.length_);
  const std::size_t shared = std::min(pagesOf(length_), other.pages_.size());
  std::vector<int> pages(other.pages_.begin(),
                         other.pages_.begin() + static_cast<std::ptrdiff_t>(shared));
  for (const int page : pages) pool_->retain(page);
  releaseFrom(0);
  pages_ = std::move(pages);
}

std::size_t KvCache::bytes() const { return pages_.size() * pool_->pageBytes(); }

base::Result<void> KvCache::reserve(int end) {
  assert(end <= capacity_ && pages_.size() >= pagesOf(length_));
  for (std::size_t i = static_cast<std::size_t>(length_ / kChunk); i < pagesOf(end); ++i) {
    const bool mine = i < pages_.size() && pool_->users(pages_[i]) == 1;
    if (mine) continue;
    const auto page = pool_->take();
    if (!page) return tl::unexpected(page.error());
    if (i < pages_.size()) {
      pool_->copy(pages_[i], *page);
      pool_->release(std::exchange(pages_[i], *page));
    } else {
      pages_.push_back(*page);
    }
  }
  return {};
}

tensor::KvChunk KvCache::chunk(int layer, int kvHead, int index) const {
  const auto at = static_cast<std::size_t>(index);
  const std::byte* keys = pool_->keys(pages_[at], layer, kvHead);
  const std::byte* next =
      at + 1 < pages_.size() ? pool_->keys(pages_[at + 1], layer, kvHead) : keys;
  return {pool_->format(), keys, keys + pool_->halfBytes(), next};
}

void KvCache::write(const tensor::Kernels& kernels, int layer, int kvHead, int position,
                    int firstDim, std::span<const float> key, std::span<const float> value) {
  std::byte* keys = pool_->keys(pages_[static_cast<std::size_t>(position / kChunk)], layer, kvHead);
  const int inChunk = position % kChunk;
  const Place place{kernels,
                    keys,
                    keys + pool_->halfBytes(),
                    pool_->headDim(),
                    inChunk / kKeyBlock,
                    inChunk % kKeyBlock,
                    inChunk};
  for (std::size_t d = 0; d < key.size(); d += kKvBlock) {
    const std::size_t dims = std::min<std::size_t>(kKvBlock, key.size() - d);
    const int at = firstDim + static_cast<int>(d);
    if (pool_->format() == KvFormat::kF16) {
      place.writeHalves(at, key.subspan(d, dims), value.subspan(d, dims));
    } else {
      place.writeQuants(at, key.subspan(d, dims), value.subspan(d, dims));
    }
  }
}

std::span<const std::byte> KvCache::page(std::size_t index) const {
  return {pool_->keys(pages_[index], 0, 0), pool_->pageBytes()};
}

std::span<std::byte> KvCache::writablePage(std::size_t index) {
  return {pool_->keys(pages_[index], 0, 0), pool_->pageBytes()};
}

void KvCache::read(int layer, int kvHead, int position, std::span<float> key,
                   std::span<float> value) const {
  assert(std::ssize(key) == pool_->headDim() && key.size() == value.size());
  const std::byte* keys =
      pool_->keys(pages_[static_cast<std::size_t>(position / kChunk)], layer, kvHead);
  const std::byte* values = keys + pool_->halfBytes();
  const auto readFrom = pool_->format() == KvFormat::kF16 ? readHalves : readQuants;
  readFrom(keys, values, position % kChunk, key, value);
}

}  // namespace waferpair::transformer
