// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/copying.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "runtime/gguf/file.h"

namespace waferpair::inference {
namespace {

constexpr const char* kKey = "waferpair.copying.scorer";
// Nothing that was copied makes a token more or less likely than by this factor's logarithm.
constexpr double kMostLogit = 12;

// Returns true if most tokens are forbidden, as while a half-typed word is spelled out. Then the
// tokens that stand anywhere in the text at hand are few enough to look at all of them.
bool mostAreForbidden(std::span<const float> logits) {
  const auto forbidden = std::count(logits.begin(), logits.end(), -INFINITY);
  return 2 * forbidden > std::ssize(logits);
}

}  // namespace

double CopyWeights::score(const std::array<float, kCopyFeatures>& features) const {
  float sum = values.back();
  for (auto unit = values.begin(); unit + 1 != values.end(); unit += kCopyFeatures + 2) {
    float input = unit[kCopyFeatures];
    for (std::size_t i = 0; i < kCopyFeatures; ++i)
      input += unit[static_cast<std::ptrdiff_t>(i)] * features[i];
    sum += std::max(input, 0.0f) * unit[kCopyFeatures + 1];
  }
  return std::clamp(static_cast<double>(sum), -kMostLogit, kMostLogit);
}

base::Result<std::optional<CopyWeights>> readCopyWeights(const gguf::File& file) {
  if (!file.has(kKey)) return std::nullopt;
  const auto numbers = file.numbers(kKey);
  if (!numbers) return tl::unexpected(numbers.error());
  const bool finite = std::all_of(numbers->begin(), numbers->end(),
                                  [](double number) { return std::abs(number) < 1e6; });
  constexpr std::size_t kUnit = kCopyFeatures + 2;
  const std::size_t units = numbers->size() / kUnit;
  if (!finite || numbers->size() % kUnit != 1 || units < 1 || units > CopyWeights::kMostHidden)
    return base::fail(file.name() + ": " + kKey + " has " + std::to_string(numbers->size()) +
                          " numbers; it takes " + std::to_string(kUnit) +
                          " of ordinary size for each of 1 to " +
                          std::to_string(CopyWeights::kMostHidden) + " units, and one more.",
                      "The file was put together wrongly or for another version; get it again.");
  CopyWeights weights;
  std::transform(numbers->begin(), numbers->end(), std::back_inserter(weights.values),
                 [](double number) { return static_cast<float>(number); });
  return weights;
}

std::vector<std::int32_t> copiedText(const tokenizer::Tokenizer& tokenizer,
                                     std::vector<std::int32_t> prompt) {
  std::ranges::replace_if(
      prompt, [&](std::int32_t token) { return tokenizer.isSpecial(token); }, -1);
  return prompt;
}

std::vector<AlikeTokens> alikeTokens(const tokenizer::Tokenizer& tokenizer, std::string_view typed,
                                     std::vector<AlikeLine> lines) {
  std::vector<AlikeTokens> all;
  for (AlikeLine& line : lines) {
    std::vector<std::int32_t> tokens =
        tokenizer.encode(std::string(typed) + line.rest + "\n", tokenizer::SpecialText::kPlain,
                         tokenizer::TextStart::kContinues);
    all.push_back({std::move(line), std::move(tokens)});
  }
  return all;
}

void Copying::chosen(std::int32_t token) {
  const std::size_t at = text_.size() - given_;
  std::erase_if(followed_, [&](const AlikeTokens* one) {
    return at >= one->tokens.size() || one->tokens[at] != token;
  });
  text_.push_back(token);
}

std::span<const CopyCandidate> Copying::candidates(std::span<const float> logits) {
  const bool loose = mostAreForbidden(logits);
  evidence_.clear();
  evidence_.addNear(sources_.replaced, 0, text_, loose);
  const std::size_t known = sources_.chosen ? text_.size() : given_;
  evidence_.addNear(std::span(text_).first(known), text_.size() - known, text_, loose);
  evidence_.addNear(sources_.around, text_.size(), text_, loose);
  evidence_.addFar(sources_.documents, sources_.own, text_);
  const std::size_t at = text_.size() - given_;
  for (const AlikeTokens* one : followed_)
    if (at < one->tokens.size()) evidence_.addAlike(one->tokens[at], one->line);
  return evidence_.weigh(logits, loose);
}

void Copying::apply(std::span<float> logits) {
  for (const CopyCandidate& candidate : candidates(logits))
    logits[static_cast<std::size_t>(candidate.token)] +=
        static_cast<float>(weights_.score(candidate.features));
}

}  // namespace waferpair::inference
