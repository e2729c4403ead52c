// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/chunk_reuse.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "runtime/transformer/model.h"

namespace waferpair::inference {
namespace {

using Tokens = std::span<const std::int32_t>;
using transformer::KvMove;

constexpr int kKnownBits = 16;
constexpr int kMostPlaces = 4;           // of a run that stands in the prompt more than once
constexpr std::size_t kMostRuns = 1024;  // find() compares each with all others

// The rolling hash of a run of tokens, taken as the digits of a number (Karp and Rabin), place by
// place.
class RollingHash {
 public:
  RollingHash(Tokens tokens, int run) : tokens_(tokens), run_(static_cast<std::size_t>(run)) {
    for (std::size_t i = 1; i < run_; ++i) first_ *= kBase;
  }
  // Starts at a place that has a whole run.
  void start(std::size_t at) {
    at_ = at;
    value_ = 0;
    for (std::size_t i = 0; i < run_; ++i) value_ = value_ * kBase + digit(at + i);
  }
  // Rolls to the next place; false if that has no whole run.
  bool roll() {
    if (at_ + run_ >= tokens_.size()) return false;
    value_ = (value_ - digit(at_) * first_) * kBase + digit(at_ + run_);
    ++at_;
    return true;
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;  // odd, all bits in use
  std::uint64_t digit(std::size_t i) const {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(tokens_[i])) + 1;
  }

  Tokens tokens_;
  std::size_t run_, at_ = 0;
  std::uint64_t value_ = 0, first_ = 1;  // of the run's first digit
};

std::size_t upperBits(std::uint64_t hash) { return hash >> (64 - kKnownBits); }

}  // namespace

RunIndex::RunIndex(Tokens prompt, int run)
    : prompt_(prompt), run_(run), known_(std::size_t{1} << kKnownBits) {
  assert(run > 0);
  if (std::ssize(prompt) < run) return;
  places_.reserve(prompt.size());
  RollingHash hash(prompt, run);
  hash.start(0);
  int place = 0;
  do {
    places_.emplace_back(hash.value(), place++);
    known_[upperBits(hash.value())] = true;
  } while (hash.roll());
  std::sort(places_.begin(), places_.end());
}

std::vector<KvMove> RunIndex::runsIn(Tokens old, int oldFrom, int promptFrom) const {
  std::vector<KvMove> runs;
  if (std::ssize(old) - oldFrom < run_) return runs;
  RollingHash hash(old, run_);
  hash.start(static_cast<std::size_t>(oldFrom));
  int behind = oldFrom;  // the longest run so far
  int at = oldFrom;
  do {
    if (at < behind || !known_[upperBits(hash.value())]) continue;
    auto place =
        std::lower_bound(places_.begin(), places_.end(), std::pair(hash.value(), promptFrom));
    for (int tried = 0; tried < kMostPlaces; ++tried, ++place) {
      if (place == places_.end() || place->first != hash.value()) break;
      const auto differ = std::mismatch(old.begin() + at, old.end(),
                                        prompt_.begin() + place->second, prompt_.end());
      const int count = static_cast<int>(differ.first - (old.begin() + at));
      if (count < run_) continue;
      runs.push_back({.from = at, .to = place->second, .count = count});
      behind = std::max(behind, at + count);
    }
  } while (++at, runs.size() < kMostRuns && hash.roll());
  return runs;
}

std::vector<KvMove> RunIndex::find(Tokens old, int oldFrom, int promptFrom) const {
  const std::vector<KvMove> runs = runsIn(old, oldFrom, promptFrom);
  // The most that runs in order, up to and with each, have together; and the one before it.
  struct Chain {
    int count = 0, before = -1;
  };
  std::vector<Chain> chains;
  const auto end = [](const KvMove& run) {
    return std::pair(run.from + run.count, run.to + run.count);
  };
  int best = -1;
  for (int i = 0; i < std::ssize(runs); ++i) {
    const KvMove& run = runs[i];
    Chain chain{.count = run.count};
    for (int j = 0; j < i; ++j) {
      const auto [from, to] = end(runs[j]);
      if (from <= run.from && to <= run.to && chains[j].count + run.count > chain.count)
        chain = {.count = chains[j].count + run.count, .before = j};
    }
    chains.push_back(chain);
    if (best < 0 || chain.count > chains[best].count) best = i;
  }
  std::vector<KvMove> moves;
  for (; best >= 0; best = chains[best].before) moves.push_back(runs[best]);
  std::reverse(moves.begin(), moves.end());
  return moves;
}

ChunkReuse::ChunkReuse(const transformer::Model& model, int run)
    : shift_(model.config(), model.ropeFactors()), run_(run) {}

base::Result<ChunkReuse> ChunkReuse::make(const transformer::Model& model, tensor::KvFormat format,
                                          int run) {
  if (run < 1)
    return base::fail("Runs of " + std::to_string(run) + " tokens cannot be reused.",
                      "Ask for runs of at least 1 (--kv-reuse).");
  if (model.config().recurrent.kernel > 0)
    return base::fail(
        model.file().name() + ": its recurrent layers keep no positions that could be moved.",
        "Do without --kv-reuse.");
  if (format != tensor::KvFormat::kF16)
    return base::fail(std::string("Keys kept in ") + tensor::kvFormatName(format) +
                          " lose too much each time they are moved.",
                      "Keep them in f16 (--kv-format), or do without --kv-reuse.");
  return ChunkReuse(model, run);
}

}  // namespace waferpair::inference
