// SPDX-License-Identifier: GPL-3.0-or-later
// Do fast and strict mode choose the same tokens? Both read the same text; at each position their
// likeliest tokens are compared, and fast's goes on.
//
// Beside them runs the reference, fast on the same weights in F32: it neither rounds to FP16, as
// strict does, nor activations to 16 or 8 bits, as fast does for quantized weights. Of each
// position it tells the rounding error of strict's logits there, and whose the difference is.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/tensor/kernels.h"

namespace waferpair::test {

struct Agreement {
  int prompts = 0, samePrompts = 0;  // all tokens of which are the same
  int tokens = 0, same = 0;
  // Others whose two logits tie within FP16 rounding: the reference's logits of them differ by no
  // more than kTie times the rounding error of such a difference at that position, which is root 2
  // times that of strict's logits: their root mean square distance from the reference's, over the
  // vocabulary and but for what they have in common. (Over the vocabulary, as measured on the two
  // tokens themselves every difference would be a tie.)
  static constexpr double kTie = 3;
  int ties = 0;
  // The rest. What fast rounds activations to changed its choice where strict's is the reference's.
  struct Difference {
    int prompt = 0, token = 0;
    double roundings = 0;  // the reference's logits differ by so many of those errors
    bool byActivations = false;
  };
  std::vector<Difference> differences;
  // Errors are not the same for every token: now and then one of strict's carries a choice beyond
  // kTie. None goes as far as this.
  static constexpr double kFar = 6;
  // No difference but by FP16 rounding.
  bool alike() const {
    return std::none_of(differences.begin(), differences.end(),
                        [](const Difference& d) { return d.byActivations || d.roundings > kFar; });
  }
  double rounding = 0;          // error of strict's logits, root mean square of all positions
  double activationsError = 0;  // of fast's, likewise
  double distance = 0;          // of FP16 values at the largest logit, on average
};

struct AgreementOptions {
  std::string model;
  std::string root;  // of the repository: prompts are taken from its files
  int prompts = 200;
  int promptTokens = 48;  // of each, before the first that is compared
  int newTokens = 8;
  std::optional<tensor::Activations> activations = {};  // of fast; none: as is usual for the model
};

base::Result<Agreement> compareModes(const AgreementOptions& options);

}  // namespace waferpair::test
