// SPDX-License-Identifier: GPL-3.0-or-later
// The feed-forward part of layers that have several and use some of them for each token. Private to
// this room.
#pragma once

#include <span>
#include <vector>

#include "runtime/tensor/kernels.h"
#include "runtime/transformer/buffer.h"
#include "runtime/transformer/model.h"

namespace waferpair::transformer {

// Each of the three steps is shared among threads, with a barrier after it. Tokens are taken one by
// one, so that the other sequences of the step change nothing.
class Experts {
 public:
  Experts(const Config& config, const tensor::Kernels& kernels, int maxBatch, int maxThreads);

  // scores = W_router x + b_router                                        [n][experts]
  void route(const LayerWeights& w, const tensor::Rows& x, int thread, int threads);
  // hidden = act(W_gate x + b_gate) * (W_up x + b_up), of each expert chosen
  //                                                                       [n][used][f]
  void up(const LayerWeights& w, const tensor::Rows& x, int thread, int threads);
  const float* hidden() const { return gate_.get(); }
  // to += expertScale * residualScale * sum over the chosen of share * (W_down hidden + b_down)
  //                                                                       [n][d]
  // where `hidden` are the rows above, n * used of them.
  void down(const LayerWeights& w, const tensor::Rows& hidden, float* to, int thread, int threads);

 private:
  struct Choice {
    int expert = 0;
    float share = 0;
  };
  // Something that may be chosen yet, and by what.
  struct Option {
    float by = 0;
    bool open = true;
  };
  // A thread's own, of one token.
  struct Picks {
    std::vector<Choice> choices;  // [used]
    std::vector<float> values;    // [experts]
    std::vector<Option> experts;  // [experts]
    std::vector<Option> groups;   // [expertGroups]
  };
  static std::size_t takeBest(std::span<Option> options);
  void closeGroups(Picks& picks) const;
  void value(const float* scores, std::span<float> values) const;
  // The experts that are chosen by the largest of what Config::gating makes of the scores, of equal
  // ones the first, and their shares: those values, scaled to add up to 1 if Config::sharesAddUp.
  std::span<const Choice> choose(const LayerWeights& w, int token, int thread);

  const Config& c_;
  const tensor::Kernels& k_;
  Buffer<float> scores_;                // [maxBatch][experts]
  Buffer<float> gate_, up_;             // [maxBatch][used][f]
  std::vector<Buffer<float>> results_;  // [maxThreads][d]
  std::vector<Picks> picks_;            // [maxThreads]
};

}  // namespace waferpair::transformer
