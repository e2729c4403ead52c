// SPDX-License-Identifier: GPL-3.0-or-later
// The gate says how likely a candidate is right: for each finder a logistic function of the
// features and of pairs of them, and the probability from which on it is shown. Weights and
// thresholds are data, fitted on real commits by training/fit_next_edit.py; the file says on which,
// and what came of it on others.
#pragma once

#include <QByteArray>
#include <array>
#include <vector>

#include "editor/text/result.h"
#include "pairing/next_edit/features.h"

namespace waferpair::pairing {

enum class Finder { kName, kSpan, kLikeLine, kCall, kBlock, kImport, kUnused, kRename };
constexpr int kFinderCount = static_cast<int>(Finder::kRename) + 1;
// "name": as in the file of weights.
const char* finderName(Finder finder);

class Gate {
 public:
  // Nothing is ever likely enough.
  Gate();
  static editor::Result<Gate> parse(const QByteArray& json);

  double probability(Finder finder, const Features& features) const;
  // From which probability on a candidate is shown.
  double threshold(Finder finder) const { return models_[static_cast<int>(finder)].threshold; }

 private:
  // Counts where both features are.
  struct Pair {
    int first = 0;
    int second = 0;
    double weight = 0;
  };
  struct Model {
    double bias = 0;
    std::array<double, kFeatureCount> weights{};
    std::vector<Pair> pairs;
    double threshold = 2;
  };
  std::array<Model, kFinderCount> models_;
};

}  // namespace waferpair::pairing
