// SPDX-License-Identifier: GPL-3.0-or-later
// Fast and strict mode beside one another on the default model: over so many prompts from the
// repository's files, how many of the tokens that follow are the same, tie, or differ.
//
//   bench_strict [PROMPTS [MODEL [BITS of fast's activations: 8 or 16]]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/runtime/strict/agreement.h"
#include "tests/support/paths.h"

using namespace waferpair;

int main(int argc, char** argv) {
  test::AgreementOptions options{
      .model = test::sourceDir() + "/resources/models/waferpair-mini.gguf",
      .root = test::sourceDir()};
  if (argc > 1) options.prompts = std::max(1, std::atoi(argv[1]));
  if (argc > 2) options.model = argv[2];
  if (argc > 3) options.activations = tensor::findActivations(std::atoi(argv[3]));
  const std::clock_t start = std::clock();
  const auto found = test::compareModes(options);
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().message().c_str());
    return 1;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%d prompts of %d tokens, %d more of each compared\n", found->prompts,
              options.promptTokens, options.newTokens);
  std::printf("%d of %d tokens are the same, %d tie within FP16 rounding, %zu differ\n",
              found->same, found->tokens, found->ties, found->differences.size());
  std::printf("%d of %d prompts are the same throughout\n", found->samePrompts, found->prompts);
  std::printf("error of a logit: %.5f by FP16 (strict), %.5f by activations' bits (fast)\n",
              found->rounding, found->activationsError);
  std::printf("FP16 values are %.5f apart there\n", found->distance);
  for (const auto& difference : found->differences) {
    std::printf("  prompt %d, token %d: the logits are %.2f rounding errors apart; %s\n",
                difference.prompt, difference.token, difference.roundings,
                difference.byActivations ? "fast's activations" : "strict's rounding");
  }
  std::printf("%.1f s of processor time\n", seconds);
  return found->alike() ? 0 : 2;
}
