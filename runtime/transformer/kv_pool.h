// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for keys and values, in pages that the caches of many sequences share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/kv_chunk.h"
#include "runtime/transformer/config.h"
#include "runtime/transformer/recurrent_state.h"

namespace waferpair::transformer {

// Divides the kChunk positions of a chunk into pages: those of the layers that see all positions
// come first, then those of windowed layers, which can be given back earlier. Every page has the
// same number of layers, as large as possible: without windows one page has them all. Recurrent
// layers have none; their states are kept in pages of the same size.
struct KvPages {
  struct Place {
    int page = 0, layer = 0;  // of a chunk; of that page
  };
  int ofChunk = 1, windowed = 0;   // the last so many are of windowed layers
  int layers = 0;                  // of a page
  std::size_t bytes = 0;           // of a page
  int window = 0;                  // Config::window
  std::vector<Place> places = {};  // by layer; of those without keys and values, -1

  static KvPages of(const Config& config, tensor::KvFormat format);
};

// A page holds the kChunk positions of one chunk, of some layers: [layer][kvHead]{keys, values},
// each as tensor::KvChunk says, or {keys} where the values are the keys (Config::keysOnly()). It
// belongs to all who retain it, and is free again when the last of them has released it. Memory is
// taken from the system when a page is first written: a large pool costs nothing until it is used.
// Not thread-safe.
class KvPool {
 public:
  // Makes a pool of as many pages as fit into `bytes`. Fails if that is less than a chunk has, if
  // there is no such memory, or if heads of this size cannot be kept in the format.
  static base::Result<std::shared_ptr<KvPool>> make(const Config& config, tensor::KvFormat format,
                                                    std::size_t bytes);
  KvPool(const KvPool&) = delete;
  KvPool& operator=(const KvPool&) = delete;

  // The bytes that a position takes, over all layers that keep positions.
  static std::size_t bytesPerToken(const Config& config, tensor::KvFormat format);
  // The bytes that a state of recurrent layers takes, in whole pages; 0 without such layers.
  static std::size_t bytesPerState(const Config& config, tensor::KvFormat format, int logged = 0);

  tensor::KvFormat format() const { return format_; }
  int headDim() const { return headDim_; }
  // Made for a model of this shape, and keeps what its windows see.
  bool fits(const Config& config) const;
  const KvPages& layout() const { return layout_; }
  const StateShape& states() const { return states_; }
  std::size_t pageBytes() const { return layout_.bytes; }
  int pages() const { return static_cast<int>(users_.size()); }
  int used() const { return pages() - static_cast<int>(free_.size()); }

  // A page of the caller's own, with anything in it. Where none is free, those whom onShort() named
  // are asked; an error, naming the bytes, if they have none either.
  base::Result<int> take();
  void retain(int page) { ++users_[static_cast<std::size_t>(page)]; }
  void release(int page);
  int users(int page) const { return users_[static_cast<std::size_t>(page)]; }
  // `reclaim` gives something back, and says whether it could. Replaces the one before.
  void onShort(std::function<bool()> reclaim) { reclaim_ = std::move(reclaim); }

  // Keys of one head of the page's n-th layer; its values, if there are any, are halfBytes()
  // further.
  std::byte* keys(int page, int layer, int kvHead) const {
    const auto head = static_cast<std::size_t>(layer) * kvHeads_ + kvHead;
    return data_.get() + static_cast<std::size_t>(page) * layout_.bytes +
           head * halves_ * halfBytes_;
  }
  std::size_t halfBytes() const { return halfBytes_; }
  bool keysOnly() const { return halves_ == 1; }
  void copy(int from, int to);

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  KvPool() = default;

  tensor::KvFormat format_ = tensor::KvFormat::kF16;
  KvPages layout_;
  StateShape states_;
  int kvHeads_ = 0, headDim_ = 0;
  std::size_t halves_ = 2;     // 1: values are the keys
  std::size_t halfBytes_ = 0;  // keys, or values, of one head in a page
  std::unique_ptr<std::byte[], Free> data_;
  std::vector<std::int32_t> users_;  // by page
  std::vector<int> free_;            // the last is the next to be taken
  std::function<bool()> reclaim_;
};

}  // namespace waferpair::transformer
