// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/experts.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/elementwise.h"

namespace waferpair::transformer {
namespace {

using tensor::PanelRange;
using tensor::panelShare;
using tensor::Rows;

// Adds the biases of `expert`, among [experts][size], to rows first..last-1; adds nothing if there
// are none.
void addBias(const std::vector<float>& biases, int expert, int size, float* to, int first,
             int last) {
  if (biases.empty()) return;
  tensor::add(to + first, biases.data() + area(expert, size) + first, last - first);
}

}  // namespace

Experts::Experts(const Config& config, const tensor::Kernels& kernels, int maxBatch, int maxThreads)
    : c_(config),
      k_(kernels),
      scores_(area(maxBatch, c_.experts)),
      gate_(area(maxBatch, c_.expertsUsed * c_.feedForward)),
      up_(area(maxBatch, c_.expertsUsed * c_.feedForward)) {
  for (int i = 0; i < maxThreads; ++i) {
    results_.emplace_back(static_cast<std::size_t>(c_.width));
    choices_.emplace_back(static_cast<std::size_t>(c_.expertsUsed));
  }
}

void Experts::route(const LayerWeights& w, const Rows& x, int thread, int threads) {
  const PanelRange mine = panelShare(w.router, thread, threads);
  k_.matmul(w.router, mine, x, scores_.get(), c_.experts, false);
  const int first = std::min(mine.first * tensor::kPanel, c_.experts);
  const int last = std::min(mine.last * tensor::kPanel, c_.experts);
  for (int t = 0; t < x.count; ++t) {
    addBias(w.routerBias, 0, c_.experts, scores_.get() + area(t, c_.experts), first, last);
  }
}

std::span<const Experts::Choice> Experts::choose(int token, int thread) {
  const float* scores = scores_.get() + area(token, c_.experts);
  std::vector<Choice>& chosen = choices_[static_cast<std::size_t>(thread)];
  float sum = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto taken = [&](int expert) {
      return std::any_of(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(i),
                         [expert](const Choice& c) { return c.expert == expert; });
    };
    int best = -1;  // also found where scores are no numbers, and no comparison holds
    for (int e = 0; e < c_.experts; ++e) {
      if (!taken(e) && (best < 0 || scores[e] > scores[best])) best = e;
    }
    chosen[i] = {best, std::exp(scores[best] - scores[chosen[0].expert])};
    if (i == 0) chosen[0].share = 1;
    sum += chosen[i].share;
  }
  for (Choice& choice : chosen) choice.share /= sum;
  return chosen;
}

void Experts::up(const LayerWeights& w, const Rows& x, int thread, int threads) {
  const int f = c_.feedForward;
  const auto activate =
      c_.activation == Activation::kClampedSilu ? tensor::clampedSiluMul : k_.siluMul;
  for (int t = 0; t < x.count; ++t) {
    const Rows row = x.part(t, 1);
    std::size_t at = area(t, c_.expertsUsed * f);
    for (const Choice& choice : choose(t, thread)) {
      const auto& gate = w.gates[static_cast<std::size_t>(choice.expert)];
      const auto& up = w.ups[static_cast<std::size_t>(choice.expert)];
      const PanelRange mine = panelShare(gate, thread, threads);
      const int first = std::min(mine.first * tensor::kPanel, f);
      const int last = std::min(mine.last * tensor::kPanel, f);
      k_.matmul(gate, mine, row, gate_.get() + at, f, false);
      k_.matmul(up, mine, row, up_.get() + at, f, false);
      addBias(w.gateBiases, choice.expert, f, gate_.get() + at, first, last);
      addBias(w.upBiases, choice.expert, f, up_.get() + at, first, last);
      const auto from = at + static_cast<std::size_t>(first);
      activate(gate_.get() + from, up_.get() + from, last - first);
      at += static_cast<std::size_t>(f);
    }
  }
}

void Experts::down(const LayerWeights& w, const Rows& hidden, float* to, int thread, int threads) {
  float* result = results_[static_cast<std::size_t>(thread)].get();
  for (int i = 0; i < hidden.count;) {
    const int token = i / c_.expertsUsed;
    for (const Choice& choice : choose(token, thread)) {
      const auto& down = w.downs[static_cast<std::size_t>(choice.expert)];
      const PanelRange mine = panelShare(down, thread, threads);
      const int first = std::min(mine.first * tensor::kPanel, c_.width);
      const int last = std::min(mine.last * tensor::kPanel, c_.width);
      k_.matmul(down, mine, hidden.part(i++, 1), result, c_.width, false);
      addBias(w.downBiases, choice.expert, c_.width, result, first, last);
      tensor::addScaled(to + area(token, c_.width) + first, result + first,
                        choice.share * c_.expertScale * c_.residualScale, last - first);
    }
  }
}

}  // namespace waferpair::transformer
