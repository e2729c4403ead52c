// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/kv_shift.h"

#include <cassert>
#include <cmath>

#include "runtime/transformer/rotary.h"

namespace waferpair::transformer {
namespace {

// Cosines and sines of a turn by `delta` positions. Without YaRN's magnitude: keys have it already.
std::vector<float> turnsBy(int delta, std::span<const double> frequencies) {
  std::vector<float> turns;
  for (const double frequency : frequencies) {
    turns.push_back(static_cast<float>(std::cos(delta * frequency)));
    turns.push_back(static_cast<float>(std::sin(delta * frequency)));
  }
  return turns;
}

}  // namespace

KvShift::KvShift(const Config& config, std::span<const float> ropeFactors)
    : config_(config),
      frequencies_(Rotary::make(config, false, ropeFactors).frequencies),
      windowedFrequencies_(Rotary::make(config, true, ropeFactors).frequencies) {}

// A move to the left overwrites only what moves further left still stand in, one to the right what
// moves further right do: taken in this order, nothing is overwritten before it was moved.
void KvShift::move(KvCache& kv, std::span<const KvMove> moves) const {
  assert(kv.fits(config_));
  for (const KvMove& each : moves) {
    if (each.to < each.from) move(kv, each);
  }
  for (auto each = moves.rbegin(); each != moves.rend(); ++each) {
    if (each->to > each->from) move(kv, *each);
  }
}

void KvShift::move(KvCache& kv, const KvMove& move) const {
  const tensor::Kernels& k = tensor::kernels();
  const int delta = move.to - move.from;
  const std::vector<float> turns = turnsBy(delta, frequencies_);
  const std::vector<float> windowedTurns = turnsBy(delta, windowedFrequencies_);
  std::vector<float> key(static_cast<std::size_t>(config_.headDim)),
      value(config_.keysOnly() ? 0 : key.size());
  for (int layer = 0; layer < config_.layers; ++layer) {
    const float* by = (config_.windowOf(layer) > 0 ? windowedTurns : turns).data();
    for (int head = 0; head < config_.kvHeads; ++head) {
      for (int i = 0; i < move.count; ++i) {
        const int at = delta < 0 ? i : move.count - 1 - i;
        kv.read(layer, head, move.from + at, key, value);
        if (config_.rotates(layer)) k.rope(key.data(), by, config_.ropeDim);
        kv.write(k, layer, head, move.to + at, 0, key, value);
      }
    }
  }
}

}  // namespace waferpair::transformer
