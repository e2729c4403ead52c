// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/replaced_line.h"

#include <algorithm>
#include <cmath>

#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {
namespace {

constexpr std::string_view kSpaces = " \t\r";

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(kSpaces), line.size());
}

// The bytes at the ends of both that are equal.
std::string_view agreement(std::string_view a, std::string_view b) {
  const auto same = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  return a.substr(a.size() - static_cast<std::size_t>(same.first - a.rbegin()));
}

std::size_t solidBytes(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return kSpaces.find(byte) == std::string_view::npos; }));
}

}  // namespace

std::optional<std::string> restOfRemoved(std::string_view line,
                                         std::span<const std::string> removed) {
  const std::string_view begun = line.substr(indentation(line));
  std::size_t most = 0;
  std::optional<std::string> rest;
  for (const std::string_view lines : removed) {
    for (std::size_t start = 0; start < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', start), lines.size());
      const std::string_view whole = lines.substr(start, end - start);
      start = end + 1;
      const std::string_view old = whole.substr(0, whole.find_last_not_of(kSpaces) + 1);
      const std::size_t from = indentation(old);
      for (std::size_t at = old.size(); at-- > from + 1;) {
        const std::string_view agreed = agreement(begun, old.substr(from, at - from));
        if (agreed.size() <= most || solidBytes(agreed) < kLeastAgreement) continue;
        if (old.substr(0, at) == line) continue;
        most = agreed.size();
        rest = old.substr(at);
      }
    }
  }
  return rest;
}

void ReplacedLine::apply(std::span<float> logits) {
  float& logit = logits[static_cast<std::size_t>(rest_[at_])];
  if (!(logit > -INFINITY)) return;
  const double trust = at_ == 0 ? kFirstTrust : kFurtherTrust;
  // As little as a probability can be told from none.
  constexpr double kLeast = 1e-30;
  const double probability = std::max(std::exp(logit - logOfSum(logits)), kLeast);
  logit += static_cast<float>(std::log1p(trust / ((1 - trust) * probability)));
}

void ReplacedLine::chosen(std::int32_t token) {
  at_ = at_ < rest_.size() && rest_[at_] == token ? at_ + 1 : rest_.size();
}

}  // namespace waferpair::inference
