// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/experts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
    Picks picks;
    picks.choices.resize(static_cast<std::size_t>(c_.expertsUsed));
    picks.values.resize(static_cast<std::size_t>(c_.experts));
    picks.experts.resize(static_cast<std::size_t>(c_.experts));
    picks.groups.resize(static_cast<std::size_t>(c_.expertGroups));
    picks_.push_back(std::move(picks));
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

// Closes the one with the largest value, of equal ones the first, and returns it. One is found also
// where values are no numbers, and no comparison holds; at least one is open.
std::size_t Experts::takeBest(std::span<Option> options) {
  std::size_t best = options.size();
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!options[i].open) continue;
    if (best == options.size() || options[i].by > options[best].by) best = i;
  }
  options[best].open = false;
  return best;
}

// Leaves the experts of the best groups.
void Experts::closeGroups(Picks& picks) const {
  const std::size_t each = picks.experts.size() / picks.groups.size();
  for (std::size_t g = 0; g < picks.groups.size(); ++g) {
    float best = -std::numeric_limits<float>::infinity(), next = best;
    for (const Option& one : std::span(picks.experts).subspan(g * each, each)) {
      next = std::max(next, std::min(best, one.by));
      best = std::max(best, one.by);
    }
    picks.groups[g] = {c_.gating == Gating::kSigmoid ? best + next : best, true};
  }
  for (int i = 0; i < c_.expertGroupsUsed; ++i) takeBest(picks.groups);
  // The groups that were taken there stay open here.
  for (std::size_t e = 0; e < picks.experts.size(); ++e) {
    picks.experts[e].open = !picks.groups[e / each].open;
  }
}

// Makes of the scores of all experts what Config::gating says.
void Experts::value(const float* scores, std::span<float> values) const {
  std::copy_n(scores, values.size(), values.begin());
  if (c_.gating == Gating::kSigmoid) {
    tensor::sigmoid(values.data(), static_cast<int>(values.size()));
  } else {
    tensor::softmax(values);
  }
}

std::span<const Experts::Choice> Experts::choose(const LayerWeights& w, int token, int thread) {
  const float* scores = scores_.get() + area(token, c_.experts);
  Picks& picks = picks_[static_cast<std::size_t>(thread)];
  // A softmax whose chosen parts add up to 1 needs no sum over all, and has the order of the
  // scores.
  const bool inShort = c_.gating == Gating::kSoftmax && c_.sharesAddUp && w.selectionBias.empty();
  if (!inShort) value(scores, picks.values);
  for (std::size_t e = 0; e < picks.experts.size(); ++e) {
    picks.experts[e] = {inShort ? scores[e] : picks.values[e], true};
    if (!w.selectionBias.empty()) picks.experts[e].by += w.selectionBias[e];
  }
  if (c_.expertGroups > 1) closeGroups(picks);
  float sum = 0;
  for (std::size_t i = 0; i < picks.choices.size(); ++i) {
    const std::size_t best = takeBest(picks.experts);
    Choice& choice = picks.choices[i];
    choice.expert = static_cast<int>(best);
    choice.share =
        inShort ? std::exp(scores[best] - scores[picks.choices[0].expert]) : picks.values[best];
    if (inShort && i == 0) choice.share = 1;
    sum += choice.share;
  }
  if (!c_.sharesAddUp) return picks.choices;
  if (!inShort) sum += 1e-20f;  // of shares that are all 0
  for (Choice& choice : picks.choices) choice.share /= sum;
  return picks.choices;
}

void Experts::up(const LayerWeights& w, const Rows& x, int thread, int threads) {
  const int f = c_.feedForward;
  const auto activate =
      c_.activation == Activation::kClampedSilu ? tensor::clampedSiluMul : k_.siluMul;
  for (int t = 0; t < x.count; ++t) {
    const Rows row = x.part(t, 1);
    std::size_t at = area(t, c_.expertsUsed * f);
    for (const Choice& choice : choose(w, t, thread)) {
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
    for (const Choice& choice : choose(w, token, thread)) {
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
