// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a step: each is a token of one of its sequences. Private to this room.
#pragma once

#include <span>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/transformer/forward.h"

namespace waferpair::transformer {

struct StepRow {
  std::int32_t token = 0;
  int position = 0;  // in its sequence
  KvCache* kv = nullptr;
  int end = 0;   // of its sequence behind the step: an encoder's token sees all of it
  int type = 0;  // with pairs of texts: 1 in the second
};

struct RowSpan {
  int first = 0, last = 0;
  int size() const { return last - first; }
};

class StepRows {
 public:
  // maxBatch: rows of the largest step.
  StepRows(const Config& config, int maxBatch);

  // Takes the tokens of all sequences, one sequence after another, and makes room for them in the
  // caches. Fails as Forward::begin.
  base::Result<void> begin(std::span<const Step> sequences);
  // Makes the rows part of their caches.
  void end();

  bool underWay() const { return underWay_; }
  int count() const { return static_cast<int>(rows_.size()); }
  const StepRow& operator[](int row) const { return rows_[static_cast<std::size_t>(row)]; }
  std::span<const StepRow> all() const { return rows_; }
  std::span<const RowSpan> sequences() const { return sequences_; }
  std::span<const int> wanted() const { return wanted_; }  // rows whose logits are asked for

 private:
  base::Result<void> check(std::span<const Step> sequences) const;

  const Config& config_;
  const int maxBatch_;
  std::vector<StepRow> rows_;
  std::vector<RowSpan> sequences_;
  std::vector<int> wanted_;
  bool underWay_ = false;
};

}  // namespace waferpair::transformer
