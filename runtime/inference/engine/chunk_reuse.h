// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the parts of a prompt that were computed before at another place of the same text, as
// behind an edit, so that they can be moved there instead of being computed again.
//
// Moved positions are nearly, not exactly, what the model would compute (transformer/kv_shift.h),
// so reuse must be asked for.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/transformer/kv_shift.h"

namespace waferpair::transformer {
class Model;
}

namespace waferpair::inference {

// Tells where each run of `run` tokens of a prompt stands.
class RunIndex {
 public:
  RunIndex(std::span<const std::int32_t> prompt, int run);

  // Runs of at least that many tokens that stand in `old` from oldFrom on and in the prompt from
  // promptFrom on, in the order of both: those that have the most tokens together.
  std::vector<transformer::KvMove> find(std::span<const std::int32_t> old, int oldFrom,
                                        int promptFrom) const;

 private:
  // Returns all such runs, each as long as can be, in the order in which they stand in `old`.
  std::vector<transformer::KvMove> runsIn(std::span<const std::int32_t> old, int oldFrom,
                                          int promptFrom) const;

  std::span<const std::int32_t> prompt_;
  int run_;
  std::vector<std::pair<std::uint64_t, int>> places_;  // by hash of the run there, then by place
  std::vector<bool> known_;                            // by the hash's upper bits
};

// Immutable; the model must outlive it.
class ChunkReuse {
 public:
  // `run`: the least number of tokens worth a move, at least 1. Fails for a cache that would round
  // keys noticeably more each time they move.
  static base::Result<ChunkReuse> make(const transformer::Model& model, tensor::KvFormat format,
                                       int run);

  int run() const { return run_; }
  const transformer::KvShift& shift() const { return shift_; }

 private:
  ChunkReuse(const transformer::Model& model, int run);

  transformer::KvShift shift_;
  int run_;
};

}  // namespace waferpair::inference
