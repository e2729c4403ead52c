// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/copying.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "runtime/gguf/file.h"
#include "runtime/inference/sampler.h"

namespace waferpair::inference {
namespace {

constexpr const char* kKey = "waferpair.copying.weights";
// Probabilities that close to 0 or 1 are not told apart.
constexpr double kNever = 1e-6;

double logOdds(double probability) { return std::log(probability / (1 - probability)); }

}  // namespace

base::Result<std::optional<CopyWeights>> readCopyWeights(const gguf::File& file) {
  if (!file.has(kKey)) return std::nullopt;
  const auto numbers = file.numbers(kKey);
  if (!numbers) return tl::unexpected(numbers.error());
  CopyWeights weights;
  const bool finite = std::all_of(numbers->begin(), numbers->end(),
                                  [](double number) { return std::abs(number) < 1e6; });
  if (numbers->size() != weights.values.size() || !finite)
    return base::fail(file.name() + ": " + kKey + " is not " +
                          std::to_string(weights.values.size()) + " numbers of ordinary size.",
                      "The file was put together wrongly; get it again.");
  std::transform(numbers->begin(), numbers->end(), weights.values.begin(),
                 [](double number) { return static_cast<float>(number); });
  return weights;
}

double copyProbability(const CopyWeights& weights, const DraftIndex::Evidence& evidence,
                       double network) {
  const double share = static_cast<double>(evidence.agreeing) / evidence.places;
  const std::array<double, 6> features = {1,
                                          std::log(evidence.matched),
                                          std::log(evidence.places),
                                          evidence.agreeing < evidence.places ? 1.0 : 0.0,
                                          std::log(share),
                                          logOdds(std::clamp(network, kNever, 1 - kNever))};
  double sum = 0;
  for (std::size_t i = 0; i < features.size(); ++i) sum += weights.values[i] * features[i];
  return std::clamp(1 / (1 + std::exp(-sum)), kNever, 1 - kNever);
}

void mixCopy(const CopyWeights& weights, const DraftIndex::Evidence& evidence,
             std::span<float> logits) {
  float& own = logits[static_cast<std::size_t>(evidence.token)];
  const double all = logOfSum(logits);
  const double network = std::exp(own - all);
  const double others = all + std::log(std::max(1 - network, kNever));
  own = static_cast<float>(others + logOdds(copyProbability(weights, evidence, network)));
}

void Copying::apply(std::span<float> logits) {
  const auto allowed = [&](std::int32_t token) {
    return token < std::ssize(logits) && logits[static_cast<std::size_t>(token)] > -INFINITY;
  };
  const auto inText = text_.weigh(text_.tokens(), allowed);
  const auto inDocuments = documents_.weigh(text_.tokens(), allowed);
  const auto& evidence = inDocuments.matched > inText.matched ? inDocuments : inText;
  if (evidence.matched > 0) mixCopy(weights_, evidence, logits);
}

}  // namespace waferpair::inference
