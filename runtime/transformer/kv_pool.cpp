// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/kv_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>

namespace waferpair::transformer {

using tensor::kChunk;
using tensor::KvFormat;

namespace {

constexpr std::size_t kHugePage = 2 << 20;

// Memory that is not touched yet; null if there is none.
std::byte* reserveMemory(std::size_t bytes) {
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = std::aligned_alloc(kHugePage, whole);
#ifdef MADV_HUGEPAGE
  // Attention reads far apart places of many pages in turn; a hint, so its failure is none.
  if (memory != nullptr) madvise(memory, whole, MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(memory);
}

}  // namespace

void KvPool::Free::operator()(std::byte* p) const { std::free(p); }

KvPages KvPages::of(const Config& c, KvFormat format) {
  KvPages pages;
  int windowed = 0;
  for (int layer = 0; layer < c.layers; ++layer) windowed += c.windowOf(layer) > 0;
  const int layers = c.attentionLayers();
  pages.layers = std::gcd(windowed, layers - windowed);
  pages.ofChunk = layers / pages.layers;
  pages.windowed = windowed / pages.layers;
  pages.bytes = kChunk * KvPool::bytesPerToken(c, format) / static_cast<std::size_t>(pages.ofChunk);
  pages.bytes = std::max(pages.bytes, StateShape::of(c).arrayBytes());
  pages.window = c.window;
  int all = 0, some = layers - windowed;  // the next of either kind, in order of pages
  for (int layer = 0; layer < c.layers; ++layer) {
    if (c.isRecurrent(layer)) {
      pages.places.push_back({.page = -1, .layer = -1});
      continue;
    }
    const int at = c.windowOf(layer) > 0 ? some++ : all++;
    pages.places.push_back({.page = at / pages.layers, .layer = at % pages.layers});
  }
  return pages;
}

std::size_t KvPool::bytesPerToken(const Config& c, KvFormat format) {
  return (c.keysOnly() ? 1 : 2) * static_cast<std::size_t>(c.attentionLayers()) *
         static_cast<std::size_t>(c.kvHeads) * tensor::kvRowBytes(format, c.headDim);
}

std::size_t KvPool::bytesPerState(const Config& c, KvFormat format, int logged) {
  const StateShape shape = StateShape::of(c);
  if (shape.layers == 0) return 0;
  const std::size_t page = KvPages::of(c, format).bytes;
  const auto pagesOf = [&](int count, int floats) {
    const std::size_t each = page / (static_cast<std::size_t>(floats) * sizeof(float));
    return (static_cast<std::size_t>(count) + each - 1) / each;
  };
  return page * (pagesOf(shape.layers * shape.heads, shape.matrix) +
                 pagesOf(shape.layers * (shape.before + logged), shape.row));
}

base::Result<std::shared_ptr<KvPool>> KvPool::make(const Config& config, KvFormat format,
                                                   std::size_t bytes) {
  if (!tensor::kvFormatFits(format, config.headDim)) {
    return base::fail(std::string("A KV cache in ") + kvFormatName(format) +
                          " needs heads of a multiple of " + std::to_string(tensor::kKvBlock) +
                          " dimensions; this model's have " + std::to_string(config.headDim) + ".",
                      "Keep it in f16.");
  }
  std::shared_ptr<KvPool> pool(new KvPool);
  pool->format_ = format;
  pool->layout_ = KvPages::of(config, format);
  pool->states_ = StateShape::of(config);
  pool->kvHeads_ = config.kvHeads;
  pool->headDim_ = config.headDim;
  pool->halves_ = config.keysOnly() ? 1 : 2;
  pool->halfBytes_ = kChunk * tensor::kvRowBytes(format, config.headDim);
  // A step writes a new state beside the one that it goes on from.
  const std::size_t chunkBytes =
      static_cast<std::size_t>(pool->layout_.ofChunk) * pool->pageBytes() +
      2 * bytesPerState(config, format);
  if (bytes < chunkBytes) {
    return base::fail("A KV cache of " + std::to_string(bytes) + " bytes does not hold the " +
                          std::to_string(chunkBytes) + " bytes of " + std::to_string(kChunk) +
                          " positions.",
                      "Give it more memory.");
  }
  const std::size_t pages = bytes / pool->pageBytes();
  if (pages <= std::numeric_limits<int>::max()) {
    pool->data_.reset(reserveMemory(pages * pool->pageBytes()));
  }
  if (!pool->data_) {
    return base::fail("No memory for a KV cache of " + std::to_string(bytes) + " bytes.",
                      "Give it less, use a shorter context or close other programs.");
  }
  pool->users_.resize(pages);
  pool->free_.resize(pages);
  std::iota(pool->free_.rbegin(), pool->free_.rend(), 0);
  return pool;
}

bool KvPool::fits(const Config& config) const {
  if (std::ssize(layout_.places) != config.layers) return false;
  if (kvHeads_ != config.kvHeads || headDim_ != config.headDim) return false;
  if (keysOnly() != config.keysOnly() || states_ != StateShape::of(config)) return false;
  for (int layer = 0; layer < config.layers && layout_.windowed > 0; ++layer) {
    const int page = layout_.places[static_cast<std::size_t>(layer)].page;
    const bool windowed = page >= layout_.ofChunk - layout_.windowed;
    if (windowed && config.windowOf(layer) != layout_.window) return false;
  }
  return true;
}

base::Result<int> KvPool::take() {
  while (free_.empty()) {
    if (reclaim_ && reclaim_()) continue;
    return base::fail(
        "The KV cache is full: all of its " + std::to_string(pages()) + " pages of " +
            std::to_string(pageBytes()) + " bytes (" + std::to_string(kChunk) + " positions of " +
            std::to_string(layout_.layers) + " layers) are in use.",
        "Give it more memory (--kv-memory), keep it in 8 bits (--kv-format q8_0) or send a shorter "
        "prompt.");
  }
  const int page = free_.back();
  free_.pop_back();
  users_[static_cast<std::size_t>(page)] = 1;
  return page;
}

void KvPool::release(int page) {
  if (--users_[static_cast<std::size_t>(page)] == 0) free_.push_back(page);
}

void KvPool::copy(int from, int to) { std::memcpy(keys(to, 0, 0), keys(from, 0, 0), pageBytes()); }

}  // namespace waferpair::transformer
