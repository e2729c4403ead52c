// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/transformer/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/transformer/buffer.h"

namespace waferpair::transformer {
namespace {

// YaRN (arXiv 2309.00071): pairs that turn often within the original context keep their frequency,
// those that turn less than once are slowed down by the factor, and those between are blended.
class Yarn {
 public:
  Yarn(const RopeScaling& scaling, int dims, double base) : scaling_(scaling) {
    // The pair that turns `rotations` times within the original context.
    const auto pairOf = [&](double rotations) {
      return dims *
             std::log(static_cast<double>(scaling.originalContext) /
                      (rotations * 2 * std::numbers::pi)) /
             (2 * std::log(base));
    };
    low_ = pairOf(static_cast<double>(scaling.betaFast));
    high_ = pairOf(static_cast<double>(scaling.betaSlow));
    if (scaling.wholePairs) {
      low_ = std::floor(low_);
      high_ = std::ceil(high_);
    }
    low_ = std::max(0.0, low_);
    high_ = std::min(dims - 1.0, high_);
    if (high_ == low_) high_ += 0.001;
  }
  double operator()(int pair, double frequency) const {
    const double slowed = std::clamp((pair - low_) / (high_ - low_), 0.0, 1.0);
    return frequency * (1 - slowed) + frequency / static_cast<double>(scaling_.factor) * slowed;
  }
  double magnitude() const {
    if (scaling_.factor <= 1) return static_cast<double>(scaling_.attentionFactor);
    const double grown = 0.1 * std::log(static_cast<double>(scaling_.factor));
    return static_cast<double>(scaling_.attentionFactor) * (1 + grown) /
           (1 + grown * static_cast<double>(scaling_.logMultiplier));
  }

 private:
  const RopeScaling& scaling_;
  double low_ = 0, high_ = 0;
};

}  // namespace

Rotary Rotary::make(const Config& c, bool windowed, std::span<const float> factors) {
  const bool own = windowed && c.windowedRopeBase > 0;
  const auto base = static_cast<double>(own ? c.windowedRopeBase : c.ropeBase);
  Rotary rotary;
  for (int i = 0; i < c.ropeDim; i += 2) {
    rotary.frequencies.push_back(std::pow(base, -double(i) / c.ropeDim));
  }
  for (std::size_t i = 0; i < factors.size(); ++i) {
    rotary.frequencies[i] /= static_cast<double>(factors[i]);
  }
  if (own) return rotary;
  switch (c.ropeScaling.kind) {
    case RopeScaling::Kind::kNone:
      rotary.magnitude = static_cast<double>(c.ropeScaling.attentionFactor);
      break;
    case RopeScaling::Kind::kLinear:
      for (double& frequency : rotary.frequencies) {
        frequency /= static_cast<double>(c.ropeScaling.factor);
      }
      break;
    case RopeScaling::Kind::kYarn: {
      const Yarn yarn(c.ropeScaling, c.ropeDim, base);
      for (std::size_t i = 0; i < rotary.frequencies.size(); ++i) {
        rotary.frequencies[i] = yarn(static_cast<int>(i), rotary.frequencies[i]);
      }
      rotary.magnitude = yarn.magnitude();
      break;
    }
  }
  return rotary;
}

RotaryAngles::RotaryAngles(const Config& config, std::span<const float> factors, int maxBatch)
    : config_(config) {
  for (const bool windowed : {false, true}) {
    if (windowed && config.windowedRopeBase == 0) continue;
    tables_.push_back({Rotary::make(config, windowed, factors),
                       std::vector<float>(area(maxBatch, config.ropeDim))});
  }
}

void RotaryAngles::begin(std::span<const StepRow> rows) {
  for (auto& [rotary, cosSin] : tables_) {
    float* to = cosSin.data();
    for (const StepRow& row : rows) {
      for (const double frequency : rotary.frequencies) {
        const double angle = row.position * frequency;
        *to++ = static_cast<float>(std::cos(angle) * rotary.magnitude);
        *to++ = static_cast<float>(std::sin(angle) * rotary.magnitude);
      }
    }
  }
}

void RotaryAngles::begin(int position) {
  const StepRow row{.position = position};
  begin({&row, 1});
}

const float* RotaryAngles::of(int layer, int row) const {
  const bool own = tables_.size() > 1 && config_.windowOf(layer) > 0;
  return tables_[own ? 1 : 0].cosSin.data() + area(row, config_.ropeDim);
}

}  // namespace waferpair::transformer
