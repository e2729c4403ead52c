// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/attention.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "runtime/transformer/keys_as_values.h"
#include "runtime/transformer/partial_attention.h"

namespace waferpair::transformer {

using tensor::Attended;
using tensor::kChunk;
using tensor::Queries;

namespace {

constexpr int kUsualRuns = 16;  // enough to share out, few enough that merging them costs little
constexpr int kMostRuns = kUsualRuns + 1;  // the first may be cut by a window
constexpr int kTileRows = 24;              // a chunk stays in the first-level cache for so many
constexpr int kTileRowsOfKeys = 96;        // or is put into the order of values once for so many

int tileRowsOf(const Config& c, int maxBatch) {
  const int most = c.keysOnly() ? kTileRowsOfKeys : kTileRows;
  return std::max(c.groupSize(), std::min(most, maxBatch * c.groupSize()));
}

}  // namespace

Attention::Attention(const Model& model, const tensor::Kernels& kernels, int maxBatch,
                     int maxThreads)
    : model_(model),
      c_(model.config()),
      k_(kernels),
      tileRows_(tileRowsOf(c_, maxBatch)),
      attended_(area(maxBatch, c_.queryWidth())),
      partials_(area(c_.kvHeads, kMostRuns) * partFloats(c_.groupSize(), c_.headDim)) {
  for (int i = 0; i < maxThreads; ++i) {
    merged_.emplace_back(static_cast<std::size_t>(c_.queryWidth()));
    Scratch s{Buffer<float>(area(tileRows_, c_.headDim)),
              Buffer<float>(partFloats(tileRows_, c_.headDim)),
              Buffer<float>(partFloats(tileRows_, c_.headDim)),
              {},
              {}};
    if (c_.keysOnly()) {
      s.values = Buffer<std::byte>(
          kChunk * tensor::kvRowBytes(tensor::KvFormat::kF16, c_.headDim));  // the widest
    }
    s.ranges.resize(static_cast<std::size_t>(tileRows_ / c_.groupSize()));
    scratch_.push_back(std::move(s));
  }
}

Attention::Range Attention::positionsOf(int layer, int token) const {
  const StepRow& row = (*rows_)[token];
  const int window = c_.windowOf(layer);
  if (c_.encoder) {
    const int reach = window > 0 && c_.windowsAround ? window / 2 : row.end;
    return {std::max(0, row.position - reach), std::min(row.end, row.position + reach + 1)};
  }
  const int last = row.position + 1;
  return {window > 0 ? std::max(0, last - window) : 0, last};
}

Attention::Range Attention::chunksOf(int layer, int token) const {
  const Range positions = positionsOf(layer, token);
  return {positions.first / kChunk, (positions.last - 1) / kChunk + 1};
}

int Attention::runLength(Range chunks) {
  int length = 1;
  while (length * kUsualRuns < chunks.size()) length *= 2;
  return length;
}

int Attention::runsOf(Range chunks) {
  const int length = runLength(chunks);
  return (chunks.last - 1) / length - chunks.first / length + 1;
}

Attention::Range Attention::chunksOfRun(Range chunks, int run) {
  const int length = runLength(chunks), first = (chunks.first / length + run) * length;
  return {std::max(chunks.first, first), std::min(chunks.last, first + length)};
}

void Attention::run(int layer, const float* q, const Crew& crew) {
  const int n = rows_->count();
  if (n == 1) return runShared(layer, q, crew.own());
  // Several tokens: threads take tiles of a sequence's in turn. Smaller tiles than could be where
  // threads would otherwise have none.
  const int most = tileRows_ / c_.groupSize();
  const int each = std::clamp(n * c_.kvHeads / crew.threads, 1, most);
  int turn = 0, mine = crew.next();
  for (const Range sequence : rows_->sequences()) {
    for (int first = sequence.first; first < sequence.last; first += each) {
      const Range tile{first, std::min(sequence.last, first + each)};
      for (int kvHead = 0; kvHead < c_.kvHeads; ++kvHead) {
        if (turn++ != mine) continue;
        attendTile(layer, kvHead, tile, q, scratch_[static_cast<std::size_t>(crew.thread)]);
        mine = crew.next();
      }
    }
  }
}

// One token: its runs are shared out, by the chunks in them, and result() merges them.
void Attention::runShared(int layer, const float* q, Share share) {
  const Range chunks = chunksOf(layer, 0);
  const std::int64_t all = std::int64_t{c_.kvHeads} * chunks.size();
  const std::int64_t from = all * share.index / share.count;
  const std::int64_t to = all * (share.index + 1) / share.count;
  const int runs = runsOf(chunks);
  Scratch& s = scratch_[static_cast<std::size_t>(share.index)];
  for (int kvHead = 0; kvHead < c_.kvHeads; ++kvHead) {
    for (int run = 0; run < runs; ++run) {
      const Range mine = chunksOfRun(chunks, run);
      const std::int64_t at = std::int64_t{kvHead} * chunks.size() + mine.first - chunks.first;
      if (at < from || at >= to) continue;
      const Attended slot = runSlot(kvHead, run);
      clear(slot, c_.groupSize(), c_.headDim);
      attendChunks(layer, kvHead, {0, 1}, q + area(kvHead * c_.groupSize(), c_.headDim), mine, s,
                   slot);
    }
  }
}

// Tokens of a sequence that share a KV head, each chunk read once for all of them.
void Attention::attendTile(int layer, int kvHead, Range tokens, const float* q, Scratch& s) {
  // Only tokens whose runs are equally long go together.
  const auto length = [&](int token) { return runLength(chunksOf(layer, token)); };
  for (int t = tokens.first + 1; t < tokens.last; ++t) {
    if (length(t) == length(tokens.first)) continue;
    attendTile(layer, kvHead, {tokens.first, t}, q, s);
    return attendTile(layer, kvHead, {t, tokens.last}, q, s);
  }
  const std::size_t width = area(c_.groupSize(), c_.headDim);
  const auto place = [&](int t) {
    return area(t, c_.queryWidth()) + static_cast<std::size_t>(kvHead) * width;
  };
  for (int t = tokens.first; t < tokens.last; ++t) {
    std::copy_n(q + place(t), width,
                s.queries.get() + static_cast<std::size_t>(t - tokens.first) * width);
  }
  const int rows = tokens.size() * c_.groupSize();
  const Attended part = partIn(s.part.get(), rows), all = partIn(s.all.get(), rows);
  clear(all, rows, c_.headDim);
  const Range chunks{chunksOf(layer, tokens.first).first, chunksOf(layer, tokens.last - 1).last};
  const int step = length(tokens.first);
  for (int first = chunks.first; first < chunks.last; first = (first / step + 1) * step) {
    clear(part, rows, c_.headDim);
    const int last = std::min(chunks.last, (first / step + 1) * step);
    attendChunks(layer, kvHead, tokens, s.queries.get(), {first, last}, s, part);
    merge(all, part, rows, c_.headDim);
  }
  for (int t = tokens.first; t < tokens.last; ++t) {
    const int row = (t - tokens.first) * c_.groupSize();
    const Attended token{all.max + row, all.sum + row, all.out + area(row, c_.headDim)};
    divide(token, sinksOf(layer, kvHead), c_.groupSize(), c_.headDim, attended_.get() + place(t));
  }
}

void Attention::attendChunks(int layer, int kvHead, Range tokens, const float* queries,
                             Range chunks, Scratch& s, const Attended& to) const {
  const Queries rows{.values = queries,
                     .tokens = tokens.size(),
                     .heads = c_.groupSize(),
                     .headDim = c_.headDim,
                     .scale = c_.attentionScale,
                     .cap = c_.attentionCap};
  const KvCache& kv = *(*rows_)[tokens.first].kv;
  for (int chunk = chunks.first; chunk < chunks.last; ++chunk) {
    for (int t = tokens.first; t < tokens.last; ++t) {
      const Range positions = positionsOf(layer, t);
      s.ranges[static_cast<std::size_t>(t - tokens.first)] = {
          std::clamp(positions.first - chunk * kChunk, 0, kChunk),
          std::clamp(positions.last - chunk * kChunk, 0, kChunk)};
    }
    tensor::KvChunk pair = kv.chunk(layer, kvHead, chunk);
    if (pair.values == nullptr) {
      keysAsValues(pair.format, pair.keys, c_.headDim, s.values.get());
      pair.values = s.values.get();
    }
    k_.attend(rows, pair, s.ranges.data(), to);
  }
}

// The runs of a step of one token, which the threads attended to apart, are merged by each thread
// for itself.
const float* Attention::result(int layer, int thread) const {
  if (rows_->count() > 1) return attended_.get();
  float* out = merged_[static_cast<std::size_t>(thread)].get();
  const int rows = c_.groupSize(), runs = runsOf(chunksOf(layer, 0));
  const Attended all = partIn(scratch_[static_cast<std::size_t>(thread)].all.get(), rows);
  for (int kvHead = 0; kvHead < c_.kvHeads; ++kvHead) {
    clear(all, rows, c_.headDim);
    for (int run = 0; run < runs; ++run) merge(all, runSlot(kvHead, run), rows, c_.headDim);
    divide(all, sinksOf(layer, kvHead), rows, c_.headDim, out + area(kvHead * rows, c_.headDim));
  }
  return out;
}

const float* Attention::result(int layer, int thread, RowSpan heads) const {
  assert(c_.kvHeads == 1 && sinksOf(layer, 0) == nullptr);
  if (rows_->count() > 1) return attended_.get();
  float* out = merged_[static_cast<std::size_t>(thread)].get();
  const int runs = runsOf(chunksOf(layer, 0));
  const auto mine = [&](const Attended& all) {
    return Attended{all.max + heads.first, all.sum + heads.first,
                    all.out + area(heads.first, c_.headDim)};
  };
  const Attended all =
      mine(partIn(scratch_[static_cast<std::size_t>(thread)].all.get(), c_.groupSize()));
  clear(all, heads.size(), c_.headDim);
  for (int run = 0; run < runs; ++run) {
    merge(all, mine(runSlot(0, run)), heads.size(), c_.headDim);
  }
  divide(all, nullptr, heads.size(), c_.headDim, out + area(heads.first, c_.headDim));
  return out;
}

const float* Attention::sinksOf(int layer, int kvHead) const {
  const std::vector<float>& sinks = model_.layer(layer).sinks;
  return sinks.empty() ? nullptr : sinks.data() + area(kvHead, c_.groupSize());
}

Attended Attention::runSlot(int kvHead, int run) const {
  const std::size_t slot = area(kvHead, kMostRuns) + static_cast<std::size_t>(run);
  return partIn(partials_.get() + partFloats(c_.groupSize(), c_.headDim) * slot, c_.groupSize());
}

}  // namespace waferpair::transformer
