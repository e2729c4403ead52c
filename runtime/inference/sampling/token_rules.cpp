// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/token_rules.h"

namespace waferpair::inference {

void TokenRules::addTo(Sampler& sampler) {
  if (healing_) sampler.add(*healing_);
  if (copying_) sampler.add(*copying_);
  if (replaced_) sampler.add(*replaced_);
  if (names_) sampler.add(*names_);
  if (checks_) sampler.add(*checks_);
}

void TokenRules::chosen(std::int32_t token) {
  if (healing_) healing_->chosen(token);
  if (copying_) copying_->chosen(token);
  if (replaced_) replaced_->chosen(token);
  if (names_) names_->chosen(token);
  if (checks_) checks_->chosen(token);
}

}  // namespace waferpair::inference
