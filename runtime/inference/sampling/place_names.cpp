// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/place_names.h"

#include <algorithm>
#include <cmath>

#include "runtime/inference/sampling/name_check.h"

namespace waferpair::inference {
namespace {

std::string_view leadingName(std::string_view text) {
  return {text.begin(), std::find_if_not(text.begin(), text.end(), isNameByte)};
}

}  // namespace

PlaceNames::PlaceNames(const tokenizer::Tokenizer& tokenizer, std::string begun, std::size_t unseen,
                       const std::vector<std::string>& names, double trust)
    : tokenizer_(&tokenizer), unseen_(unseen), trust_(trust), name_(std::move(begun)) {
  std::vector<std::string> sorted;
  for (const std::string& name : names) {
    const std::string_view leading = leadingName(name);
    if (!leading.empty() && leading.starts_with(name_)) sorted.emplace_back(leading);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  last_ = sorted.size();
  names_ = std::make_shared<const std::vector<std::string>>(std::move(sorted));
  narrow();
}

// Leaves those that begin with what was spelled, and learns how they go on.
void PlaceNames::narrow() {
  const auto begin = names_->begin();
  const auto from = std::lower_bound(begin + static_cast<std::ptrdiff_t>(first_),
                                     begin + static_cast<std::ptrdiff_t>(last_), name_);
  const auto to =
      std::find_if_not(from, begin + static_cast<std::ptrdiff_t>(last_),
                       [&](const std::string& name) { return name.starts_with(name_); });
  first_ = static_cast<std::size_t>(from - begin);
  last_ = static_cast<std::size_t>(to - begin);
  isWhole_ = from != to && *from == name_;
  goesOn_.fill(false);
  for (auto name = from + (isWhole_ ? 1 : 0); name < to; ++name)
    goesOn_[static_cast<unsigned char>((*name)[name_.size()])] = true;
}

PlaceNames::Kind PlaceNames::kindOf(std::int32_t token) const {
  const std::string_view bytes = tokenizer_->bytes(token);
  const bool ends = tokenizer_->isEnd(token);
  const std::string_view fresh = bytes.substr(std::min(unseen_, bytes.size()));
  if (fresh.empty() && !ends) return Kind::kNeither;
  const Kind ended = isWhole_ ? Kind::kKnown : Kind::kOther;
  if (fresh.empty() || ends || !isNameByte(fresh.front()))
    return name_.empty() ? Kind::kNeither : ended;
  if (!goesOn_[static_cast<unsigned char>(fresh.front())]) return Kind::kOther;
  const std::string_view more = leadingName(fresh);
  const std::string name = name_ + std::string(more);
  const auto first = names_->begin() + static_cast<std::ptrdiff_t>(first_);
  const auto last = names_->begin() + static_cast<std::ptrdiff_t>(last_);
  const auto known = std::lower_bound(first, last, name);
  const bool goesOn = more.size() == fresh.size();
  const bool fits = known != last && (goesOn ? known->starts_with(name) : *known == name);
  return fits ? Kind::kKnown : Kind::kOther;
}

void PlaceNames::apply(std::span<float> logits) {
  const float most = *std::max_element(logits.begin(), logits.end());
  kinds_.assign(logits.size(), Kind::kNeither);
  double known = 0, other = 0;
  for (std::size_t token = 0; token < logits.size(); ++token) {
    if (!(logits[token] > -INFINITY)) continue;
    kinds_[token] = kindOf(static_cast<std::int32_t>(token));
    if (kinds_[token] == Kind::kKnown) known += std::exp(logits[token] - most);
    if (kinds_[token] == Kind::kOther) other += std::exp(logits[token] - most);
  }
  if (!(known > 0) || !(other > 0)) return;
  const auto gain = static_cast<float>(std::log(1 - trust_ + trust_ * (known + other) / known));
  const auto loss = static_cast<float>(std::log(1 - trust_));  // -infinity with all trust
  for (std::size_t token = 0; token < logits.size(); ++token) {
    if (kinds_[token] == Kind::kKnown) logits[token] += gain;
    if (kinds_[token] == Kind::kOther) logits[token] += loss;
  }
}

void PlaceNames::chosen(std::int32_t token) {
  const std::string_view bytes = tokenizer_->bytes(token);
  const std::string_view fresh = bytes.substr(std::min(unseen_, bytes.size()));
  unseen_ -= std::min(unseen_, bytes.size());
  if (fresh.empty() || first_ == last_) return;
  const std::string_view more = leadingName(fresh);
  name_ += more;
  if (more.size() == fresh.size())
    narrow();
  else
    last_ = first_;
}

}  // namespace waferpair::inference
