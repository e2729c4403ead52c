// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tensor/fit.h"

#include <algorithm>
#include <cmath>

#include "runtime/tensor/rounding.h"

namespace waferpair::tensor {
namespace {

constexpr int kFitLanes = 8;  // sums run side by side
// A scale must be better by this share to be taken for another: of those that explain the values
// equally well the first one stays.
constexpr float kBetter = 1 + 1e-6f;

// Rounds to the nearest integer within [least, most], and NaN to `least`, without branches.
float rounded(float ratio, float least, float most) {
  const float low = ratio > least ? ratio : least;
  const float bounded = low < most ? low : most;
  return static_cast<float>(static_cast<int>(bounded + (bounded < 0 ? -0.5f : 0.5f)));
}

// Keeps the scale that leaves the least of the values' squares.
class Best {
 public:
  Best(const float* values, int n) : values_(values), n_(n) {}

  // quantOf: the quant of value * inverse.
  template <typename QuantOf>
  void consider(float inverse, QuantOf&& quantOf) {
    std::array<float, kFitLanes> products{}, squares{};
    for (int i = 0; i < n_; i += kFitLanes) {
      for (int lane = 0; lane < kFitLanes; ++lane) {
        const float quant = quantOf(values_[i + lane] * inverse);
        products[lane] += values_[i + lane] * quant;
        squares[lane] += quant * quant;
      }
    }
    float product = 0, square = 0;
    for (int lane = 0; lane < kFitLanes; ++lane) {
      product += products[lane];
      square += squares[lane];
    }
    // The squared error is the sum of the values' squares less this.
    const float gain = product * product / square;
    if (!(gain > gain_ * kBetter)) return;
    gain_ = gain;
    scale_ = product / square;
  }
  float scale() const { return scale_; }

 private:
  const float* values_;
  int n_;
  float gain_ = 0, scale_ = 0;
};

}  // namespace

float fitScale(const float* values, int n, int least, int most) {
  const float top = extreme(values, n);
  Best best(values, n);
  const auto consider = [&](float target) {  // for `top`
    best.consider(target / top, [=](float ratio) {
      return rounded(ratio, static_cast<float>(least), static_cast<float>(most));
    });
  };
  for (int k = -least; 2 * k >= -least; --k) {
    consider(static_cast<float>(-k));
    if (k <= most) consider(static_cast<float>(k));
  }
  for (const float beside : {-0.75f, -0.5f, -0.25f, 0.25f, 0.5f, 0.75f}) {
    consider(static_cast<float>(least) + beside);
    consider(static_cast<float>(-least) + beside);
  }
  return best.scale();
}

float fitScale(const float* values, int n, const std::array<std::int8_t, 16>& table) {
  const float top = extreme(values, n);
  std::array<float, 15> middles;
  for (std::size_t i = 0; i < middles.size(); ++i) {
    middles[i] = 0.5f * static_cast<float>(table[i] + table[i + 1]);
  }
  Best best(values, n);
  const auto consider = [&](float target) {
    best.consider(target / top, [&](float ratio) {
      std::size_t entry = 0;
      for (const float middle : middles) entry += ratio > middle ? 1 : 0;
      return static_cast<float>(table[entry]);
    });
  };
  const float half = 0.5f * static_cast<float>(std::max<int>(-table.front(), table.back()));
  for (const std::int8_t entry : table) {
    if (std::abs(static_cast<float>(entry)) >= half) consider(entry);
  }
  for (const float factor : {0.85f, 0.9f, 0.95f, 1.05f, 1.1f}) {
    consider(factor * static_cast<float>(table.front()));
    consider(factor * static_cast<float>(table.back()));
  }
  return best.scale();
}

Range fitRange(const float* values, int n, int most, bool below) {
  const auto [low, high] = std::minmax_element(values, values + n);
  const float least = below ? std::min(*low, 0.0f) : *low;
  const float span = *high - least;
  Range best{0, least};
  if (!(span > 0)) return best;
  const auto quants = static_cast<float>(most);
  double bestError = INFINITY;
  // The steps go in quarters from one step less than all to one more.
  for (int quarter = 4; quarter >= -4; --quarter) {
    const float inverse = (quants + 0.25f * static_cast<float>(quarter)) / span;
    const auto quantOf = [&](float value) {
      return static_cast<double>(rounded((value - least) * inverse, 0, quants));
    };
    double q = 0, qq = 0, x = 0, xq = 0;
    for (int i = 0; i < n; ++i) {
      const double quant = quantOf(values[i]), value = values[i];
      q += quant;
      qq += quant * quant;
      x += value;
      xq += value * quant;
    }
    const double spread = n * qq - q * q;  // 0: all on one quant, above a minimum of 0
    double scale = (n * xq - x * q) / spread;
    double minimum = (x - scale * q) / n;
    if (!(spread > 0) || (below && minimum > 0)) {
      minimum = 0;
      scale = xq / qq;
    }
    double error = 0;
    for (int i = 0; i < n; ++i) {
      const double off = values[i] - scale * quantOf(values[i]) - minimum;
      error += off * off;
    }
    if (!(error * static_cast<double>(kBetter) < bestError)) continue;
    bestError = error;
    best = {static_cast<float>(scale), static_cast<float>(minimum)};
  }
  return best;
}

Half fitStep(const float* values, const float* weights, int n, int most) {
  const float top = std::abs(extreme(values, n));
  if (!(top > 0)) return 0;
  double best = 0, bestError = INFINITY;
  for (int k = most; 2 * k > most; --k) {
    const double step = static_cast<double>(top) / k;
    double error = 0, products = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
      const double count = std::round(values[i] / step), weight = weights[i];
      const double off = values[i] - step * count;
      error += weight * off * off;
      products += weight * values[i] * count;
      squares += weight * count * count;
    }
    if (!(error * static_cast<double>(kBetter) < bestError)) continue;
    bestError = error;
    best = squares > 0 ? products / squares : step;
  }
  return toHalf(static_cast<float>(best));
}

double encodeByTable(const float* values, float scale, const std::array<std::int8_t, 16>& table,
                     int (&quants)[kBlock]) {
  double error = 0;
  for (int j = 0; j < kBlock; ++j) {
    const float wanted = scale != 0 ? values[j] / scale : 0;
    float best = std::numeric_limits<float>::infinity();
    quants[j] = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const float distance = std::abs(wanted - static_cast<float>(table[i]));
      if (distance < best) {
        best = distance;
        quants[j] = static_cast<int>(i);
      }
    }
    const double off = static_cast<double>(best) * static_cast<double>(scale);
    error += off * off;
  }
  return error;
}

}  // namespace waferpair::tensor
