// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/chunk_reuse.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "runtime/transformer/model.h"

namespace waferpair::inference {
namespace {

using Tokens = std::span<const std::int32_t>;

constexpr int kKnownBits = 16;

// Of a run of tokens as the digits of a number (Karp and Rabin), place by place.
class RollingHash {
 public:
  RollingHash(Tokens tokens, int run) : tokens_(tokens), run_(static_cast<std::size_t>(run)) {
    for (std::size_t i = 1; i < run_; ++i) first_ *= kBase;
  }
  // To a place that has a whole run.
  void start(std::size_t at) {
    at_ = at;
    value_ = 0;
    for (std::size_t i = 0; i < run_; ++i) value_ = value_ * kBase + digit(at + i);
  }
  // To the next place; false if that has no whole run.
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

int RunIndex::placeOf(std::uint64_t hash, int from) const {
  if (!known_[upperBits(hash)]) return -1;
  const auto found = std::lower_bound(places_.begin(), places_.end(), std::pair(hash, from));
  return found != places_.end() && found->first == hash ? found->second : -1;
}

std::vector<transformer::KvMove> RunIndex::find(Tokens old, int oldFrom, int promptFrom) const {
  std::vector<transformer::KvMove> moves;
  RollingHash hash(old, run_);
  int at = oldFrom, behind = promptFrom;
  bool fresh = true;  // the hash is not yet that of the run at `at`
  while (at + run_ <= std::ssize(old)) {
    if (fresh) hash.start(static_cast<std::size_t>(at));
    fresh = false;
    const int place = placeOf(hash.value(), behind);
    int same = 0;
    if (place >= 0) {
      const auto differ =
          std::mismatch(old.begin() + at, old.end(), prompt_.begin() + place, prompt_.end());
      same = static_cast<int>(differ.first - (old.begin() + at));
    }
    if (same >= run_) {
      moves.push_back({.from = at, .to = place, .count = same});
      at += same;
      behind = place + same;
      fresh = true;
    } else {
      ++at;
      hash.roll();
    }
  }
  return moves;
}

ChunkReuse::ChunkReuse(const transformer::Model& model, int run)
    : shift_(model.config(), model.ropeFactors()), run_(run) {}

base::Result<ChunkReuse> ChunkReuse::make(const transformer::Model& model, tensor::KvFormat format,
                                          int run) {
  if (run < 1)
    return base::fail("Runs of " + std::to_string(run) + " tokens cannot be reused.",
                      "Ask for runs of at least 1 (--kv-reuse).");
  if (format != tensor::KvFormat::kF16)
    return base::fail(std::string("Keys kept in ") + tensor::kvFormatName(format) +
                          " lose too much each time they are moved.",
                      "Keep them in f16 (--kv-format), or do without --kv-reuse.");
  return ChunkReuse(model, run);
}

}  // namespace waferpair::inference
