// SPDX-License-Identifier: GPL-3.0-or-later
// Do fast and strict mode choose the same tokens? Both read the same text; at each position their
// likeliest tokens are compared, and fast's goes on.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::test {

struct Agreement {
  int prompts = 0, samePrompts = 0;  // all tokens of which are the same
  int tokens = 0, same = 0;
  // Others: fast's own logits of the two tokens differ by at most the distance of FP16 values
  // there, so that rounding these logits alone, half of it each, can make either the larger one.
  int ties = 0;
  // The rest, by the same difference in such distances.
  struct Difference {
    int prompt = 0, token = 0;
    double margin = 0;
  };
  std::vector<Difference> differences;
  double error = 0;     // of strict's logits, root of the mean square, against fast's
  double distance = 0;  // of FP16 values at the largest logit, on average
};

struct AgreementOptions {
  std::string model;
  std::string root;  // of the repository: prompts are taken from its files
  int prompts = 200;
  int promptTokens = 48;  // of each, before the first that is compared
  int newTokens = 8;
};

base::Result<Agreement> compareModes(const AgreementOptions& options);

}  // namespace waferpair::test
