// SPDX-License-Identifier: GPL-3.0-or-later
// Moves what a KV cache holds to other positions, for text that an edit in front of it pushed
// along.
//
// Rotary positions turn a key by its position, and turns add up: the key of position p + delta is
// that of p turned by delta more. Values have no position. What this cannot repair: above the first
// layer both came from hidden states that saw the text as it was before the edit, so a model that
// attends to them computes nearly, not exactly, what it would have computed.
#pragma once

#include <span>
#include <vector>

#include "runtime/transformer/config.h"
#include "runtime/transformer/kv_cache.h"

namespace waferpair::transformer {

struct KvMove {
  int from = 0, to = 0, count = 0;  // positions
};

class KvShift {
 public:
  // `ropeFactors` as Model has them. The config, of a model without recurrent layers, whose states
  // no position can be taken out of, must outlive this.
  KvShift(const Config& config, std::span<const float> ropeFactors);

  // Moves are in order: each begins, before and after, where the one before it ends or behind that.
  // They lie in pages that the cache has, those they go to are its own (KvCache::reserve). Keys are
  // rounded once more to the cache's format.
  void move(KvCache& kv, std::span<const KvMove> moves) const;

 private:
  void move(KvCache& kv, const KvMove& move) const;

  const Config& config_;
  // Radians a position, [ropeDim / 2]: of layers that see all positions, and of windowed ones.
  std::vector<double> frequencies_, windowedFrequencies_;
};

}  // namespace waferpair::transformer
